import { refuse } from "./failure.js";

/** A zone or account as a path names it. */
export interface Owner {
  readonly level: "zones" | "accounts";
  readonly id: string;
}

export type Query = Readonly<Record<string, string | undefined>>;
export type Body = Readonly<Record<string, unknown>>;
export type Answer = Record<string, unknown>;

/** What an operation gets: whose objects it is about, the parts of the path, the query and the body. */
export interface Call {
  readonly owner: Owner;
  readonly parts: Readonly<Record<string, string>>;
  readonly query: Query;
  /** The body as it was sent. */
  readonly sent: unknown;
  /** What stands for the token of the request; missing when it came with a key. */
  readonly tokenId?: string;
}

export type Operation = (call: Call) => unknown;
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
/** Method, path, and what it does. The owner stands in the path as `:owner`. */
export type Route = readonly [Method, string, Operation];

/** The body as an object. */
export function bodyOf({ sent }: Call): Body {
  if (typeof sent === "object" && sent !== null && !Array.isArray(sent)) return sent as Body;
  throw refuse(400, undefined, "invalid JSON: the body must be an object");
}

/** The body as a list of objects; a single one counts as a list of one. */
export function bodiesOf({ sent }: Call): readonly Body[] {
  const list: unknown[] = Array.isArray(sent) ? sent : [sent];
  if (list.every((item) => typeof item === "object" && item !== null)) return list as Body[];
  throw refuse(400, undefined, "invalid JSON: the body must be a list of objects");
}

/** A part of the path. */
export function part({ parts }: Call, name: string): string {
  return parts[name] ?? "";
}

/** The zone that a path names. */
export function zoneOf({ owner }: Call): string {
  return owner.id;
}

/** An answer that comes without the envelope. */
export class Bare {
  constructor(readonly body: object) {}
}

/** Something that an answer tells beside its result. */
export interface Message {
  readonly message: string;
  /** A JSON pointer into the body. */
  readonly pointer?: string;
}

/** An answer with messages beside its result. */
export class Annotated {
  constructor(
    readonly result: unknown,
    readonly messages: readonly Message[],
  ) {}
}

/** An answer with page information beside its result. */
export class Paged {
  constructor(
    readonly result: unknown,
    readonly info: unknown,
  ) {}

  static of({ result, info }: { readonly result: unknown; readonly info: unknown }): Paged {
    return new Paged(result, info);
  }
}
