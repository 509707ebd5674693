import type { Query } from "./call.js";
import { refuse } from "./failure.js";

/** What a list answers beside its items. */
export interface PageInfo {
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

export interface PageLimits {
  /** @default 20 */
  readonly size?: number;
  /** @default 5 */
  readonly least?: number;
  readonly most: number;
}

/** One numbered page of a list, with the page information of the service (API facts 1.6). */
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
      total_count: all.length,
      total_pages: Math.max(1, Math.ceil(all.length / perPage)),
    },
  };
}
