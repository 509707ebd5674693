import type { Outcome } from "./retry.js";

/** A request as the client asks for it. */
export interface Call {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path after the base URL, with a leading slash. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  /** Phase the call is about, where the path does not tell; for the permission named by a 403. */
  readonly phase?: string;
}

/** What one attempt brought: an answer, or the cause why there is none. */
export interface Exchange {
  readonly outcome: Outcome;
  readonly text: string;
  readonly requestId?: string;
  readonly cause?: Error;
}
