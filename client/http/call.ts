import type { Outcome } from "./retry.js";

/** A request as the client describes it. */
export interface Call {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path after the base URL, with a leading slash. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  /** Phase of the call, if the path does not contain it; determines the permission that a 403 names. */
  readonly phase?: string;
  /** Whether it only reads, although its method is POST. */
  readonly onlyReads?: true;
}

/** The method that says what a call does: GET for every read. */
export function effectOf({ method, onlyReads }: Pick<Call, "method" | "onlyReads">): Call["method"] {
  return onlyReads === true ? "GET" : method;
}

/** Result of one attempt: the response, or the cause of its absence. */
export interface Exchange {
  readonly outcome: Outcome;
  readonly text: string;
  readonly requestId?: string;
  readonly cause?: Error;
}
