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
}

/** Result of one attempt: the response, or the cause of its absence. */
export interface Exchange {
  readonly outcome: Outcome;
  readonly text: string;
  readonly requestId?: string;
  readonly cause?: Error;
}
