import { Paged, type Query } from "./call.js";
import { refuse } from "./failure.js";

/** Page information of a list. */
interface PageInfo {
  readonly page: number;
  readonly per_page: number;
  readonly count: number;
  readonly total_count: number;
  readonly total_pages: number;
}

export interface Page<T> {
  readonly result: readonly T[];
  readonly info: PageInfo;
}

interface PageLimits {
  /** @default 20 */
  readonly size?: number;
  /** @default 5 */
  readonly least?: number;
  readonly most: number;
  /** What `total_count` contains, which the API documents as the number without search parameters. @default all */
  readonly total?: number;
}

/** One numbered page of a list, with the service's page information. */
export function pageOf<T>(all: readonly T[], query: Query, limits: PageLimits): Page<T> {
  const page = Number(query.page ?? 1);
  const perPage = Number(query.per_page ?? limits.size ?? 20);
  const isWhole = Number.isSafeInteger(page) && Number.isSafeInteger(perPage);
  if (!isWhole || page < 1 || perPage < (limits.least ?? 5) || perPage > limits.most) {
    throw refuse(400, 6003, "Invalid request: page or per_page out of range");
  }
  const result = all.slice((page - 1) * perPage, page * perPage);
  return {
    result,
    info: {
      page,
      per_page: perPage,
      count: result.length,
      total_count: limits.total ?? all.length,
      total_pages: Math.max(1, Math.ceil(all.length / perPage)),
    },
  };
}

interface CursorLimits {
  /** Default page size. */
  readonly size: number;
  readonly most: number;
  /** Code of the refusals. @default none */
  readonly code?: number;
}

/** A part of a list from where a cursor says, and the cursor of what follows; undefined at the end. */
export function cutAt<T>(
  all: readonly T[],
  cursor: string | undefined,
  size: number,
  refusal: () => Error,
): { readonly items: readonly T[]; readonly next: string | undefined } {
  const start = cursor === undefined ? 0 : Number(Buffer.from(cursor, "base64url").toString());
  if (!Number.isSafeInteger(start) || start < 0) throw refusal();
  const end = start + size;
  return {
    items: all.slice(start, end),
    next: end < all.length ? Buffer.from(String(end)).toString("base64url") : undefined,
  };
}

/** One page of a list by cursor: `result_info` contains the cursor of the next page, and none on the last. */
export function cursorPage(all: readonly unknown[], query: Query, { size, most, code }: CursorLimits): Paged {
  const count = Number(query.per_page ?? size);
  if (!Number.isInteger(count) || count < 1 || count > most)
    throw refuse(400, code, `per_page must be from 1 to ${String(most)}`);
  const { items, next } = cutAt(all, query.cursor, count, () => refuse(400, code, "the cursor is not valid"));
  return new Paged(items, next === undefined ? undefined : { cursors: { after: next } });
}
