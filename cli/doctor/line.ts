import type { ApiError } from "../../provider/client/index.js";

/** How a check ended. `unknown`: it could not be made, or was not asked for. */
export type Status = "ok" | "warning" | "failure" | "unknown";

/** What one check found. */
export interface Line {
  readonly area: "machine" | "credentials" | "service" | "permissions";
  readonly status: Status;
  /** What was looked at: `Node.js`. */
  readonly subject: string;
  /** What was found. Holds nothing secret. */
  readonly found: string;
  /** What to do about it. */
  readonly next?: string;
}

/** What an error says, and what it advises, apart. */
export function splitHint({ message, hint }: ApiError): Pick<Line, "found" | "next"> {
  if (hint === undefined || !message.endsWith(hint)) return { found: message };
  return { found: message.slice(0, -hint.length).trim(), next: hint };
}
