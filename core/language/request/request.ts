import type { Context, List } from "../compile/context.js";
import { lowerAscii, showBytes, toBytes } from "../bytes.js";
import type { Evaluated } from "../value.js";
import { unknownField } from "./context.js";
import { DERIVED } from "./fields.js";
import { headerText, isUnknownHeader, type Header } from "./headers.js";
import type { RequestParts, ResponseParts } from "./parts.js";
import { percentEncode, uriOf } from "./target.js";

/** The changes of a rewrite. A header's new values replace the old ones; an empty list removes it. */
export interface Rewrite {
  readonly path?: string;
  readonly query?: string;
  readonly headers?: readonly { readonly name: string; readonly values: readonly string[] }[];
}

/** A request as rules see it. Immutable; a rewrite returns a new one. */
export class HttpRequest implements Context {
  readonly list: (name: string) => List | undefined;
  private readonly known = new Map<string, Evaluated>();

  constructor(
    readonly parts: RequestParts,
    lists: (name: string) => List | undefined,
  ) {
    this.list = lists;
  }

  field(name: string): Evaluated {
    const { known } = this;
    const found = known.get(name);
    if (found !== undefined || known.has(name)) return found;
    const derived = this.derive(name);
    known.set(name, derived);
    return derived;
  }

  private derive(name: string): Evaluated {
    const { fields } = this.parts;
    if (fields.has(name)) return fields.get(name);
    return Object.hasOwn(DERIVED, name) ? DERIVED[name]?.(this.parts) : unknownField(name);
  }

  get draw(): number | undefined {
    return this.parts.draw;
  }

  get method(): string {
    return this.parts.method;
  }

  /** The current URL. */
  get url(): string {
    const { target, headers } = this.parts;
    const host = headerText(headers, "host");
    return `${target.scheme}://${showBytes(host === "" ? target.authority : host)}${showBytes(uriOf(target))}`;
  }

  /** The current headers in order. */
  get headers(): readonly (readonly [name: string, value: string])[] {
    return this.parts.headers.map(([name, value]) => [showBytes(name), showBytes(value)]);
  }

  /** Whether it is not known if the request has a header. */
  isUnknownHeader(name: string): boolean {
    return isUnknownHeader(this.parts, name.toLowerCase());
  }

  /** The request after a rewrite. Fields that begin with `raw.` keep what the client sent. */
  rewrite({ path, query, headers = [] }: Rewrite): HttpRequest {
    const { target, recorded } = this.parts;
    const absent = headers.filter(({ values }) => values.length === 0).map(({ name }) => lowerAscii(toBytes(name)));
    return this.with({
      recorded: recorded && { ...recorded, absent: new Set([...recorded.absent, ...absent]) },
      target: {
        ...target,
        path: path === undefined ? target.path : percentEncode(path.startsWith("/") ? path : `/${path}`),
        query: query === undefined ? target.query : query === "" ? undefined : percentEncode(query),
      },
      headers: headers.reduce(setHeader, this.parts.headers),
    });
  }

  /** The request with what response phases see. */
  withResponse(response: {
    readonly status: number;
    /** A list has the values of a header that was sent several times. */
    readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  }): HttpRequest {
    const headers = Object.entries(response.headers ?? {}).flatMap(([name, values]) =>
      [values].flat().map((value): Header => [toBytes(name), toBytes(value)]),
    );
    return this.with({ response: { status: response.status, headers } satisfies ResponseParts });
  }

  /** The request as received at a time, in seconds since 1970. */
  at(timestamp: number): HttpRequest {
    return this.with({ timestamp });
  }

  /** The request with additional fields by name; they take precedence over derived ones. */
  withFields(fields: ReadonlyMap<string, Evaluated>): HttpRequest {
    return this.with({ fields: new Map([...this.parts.fields, ...fields]) });
  }

  /** The request with additional lists by name; they take precedence over existing ones. */
  withLists(lists: (name: string) => List | undefined): HttpRequest {
    return new HttpRequest(this.parts, (name) => lists(name) ?? this.list(name));
  }

  private with(parts: Partial<RequestParts>): HttpRequest {
    return new HttpRequest({ ...this.parts, ...parts }, this.list);
  }
}

function setHeader(
  headers: readonly Header[],
  { name, values }: { readonly name: string; readonly values: readonly string[] },
): readonly Header[] {
  const key = name.toLowerCase();
  const others = headers.filter(([one]) => one.toLowerCase() !== key);
  return [...others, ...values.map((value): Header => [toBytes(name), toBytes(value)])];
}
