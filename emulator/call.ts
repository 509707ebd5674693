import { refuse } from "./failure.js";

/** The zone or account in a path. */
export interface Owner {
  readonly level: "zones" | "accounts";
  readonly id: string;
}

export type Query = Readonly<Record<string, string | undefined>>;
export type Body = Readonly<Record<string, unknown>>;
export type ApiResult = Record<string, unknown>;

/** The input of an operation: the owner of its objects, path parameters, query and body. */
export interface Call {
  readonly owner: Owner;
  /** The values of the parameters in the path, by name. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  /** The body as sent. */
  readonly sent: unknown;
  /** Identifies the token of the request; missing if it was sent with an API key. */
  readonly tokenId?: string;
}

export type Operation = (call: Call) => unknown;
type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
/** Method, path and operation. The path contains the owner as `:owner`. */
export type Route = readonly [Method, string, Operation];

/** The body as an object. */
export function bodyOf({ sent }: Call): Body {
  if (typeof sent === "object" && sent !== null && !Array.isArray(sent)) return sent as Body;
  throw refuse(400, undefined, "invalid JSON: the body must be an object");
}

/** The body as a list of objects; a single object becomes a list of one. */
export function bodiesOf({ sent }: Call): readonly Body[] {
  const list: unknown[] = Array.isArray(sent) ? sent : [sent];
  if (list.every((item) => typeof item === "object" && item !== null)) return list as Body[];
  throw refuse(400, undefined, "invalid JSON: the body must be a list of objects");
}

/** A path parameter. */
export function param({ params }: Call, name: string): string {
  return params[name] ?? "";
}

/** The zone in a path. */
export function zoneOf({ owner }: Call): string {
  return owner.id;
}

/** A response without the envelope. */
export class RawResponse {
  constructor(readonly body: object) {}
}

/** A message that accompanies a result. */
export interface Message {
  readonly message: string;
  /** A JSON pointer into the body. */
  readonly pointer?: string;
}

/** A response with messages. */
export class ResultWithMessages {
  constructor(
    readonly result: unknown,
    readonly messages: readonly Message[],
  ) {}
}

/** A response with page information. */
export class Paged {
  constructor(
    readonly result: unknown,
    readonly info: unknown,
  ) {}

  static of({ result, info }: { readonly result: unknown; readonly info: unknown }): Paged {
    return new Paged(result, info);
  }
}
