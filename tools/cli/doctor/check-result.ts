import type { ApiError } from "../../../client/index.js";

/** The result of a check. `unknown`: it could not be made, or was not requested. */
export type Status = "ok" | "warning" | "failure" | "unknown";

/** The result of one check. */
export interface CheckResult {
  readonly area: "machine" | "credentials" | "service" | "permissions";
  readonly status: Status;
  /** What was checked: `Node.js`. */
  readonly subject: string;
  /** Which credentials were used, as messages name them, if it depends on them. */
  readonly credentials?: string;
  /** What was found. Contains no secrets. */
  readonly found: string;
  /** What to do about it. */
  readonly next?: string;
}

/** Splits an error into its message and its hint. */
export function splitHint({ message, hint }: ApiError): Pick<CheckResult, "found" | "next"> {
  if (hint === undefined || !message.endsWith(hint)) return { found: message };
  return { found: message.slice(0, -hint.length).trim(), next: hint };
}
