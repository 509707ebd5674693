import type { Requirement } from "./requirement.js";

/** What must hold for some requests. */
export interface Invariant {
  /** A filter: the requests, as the client sends them, after the URL is normalised and before any rule rewrites it. */
  readonly requests: string;
  readonly must: Requirement;
}

/** What could not be decided, and what would decide it. */
export interface Open {
  readonly why: string;
  readonly decidedBy: string;
}
