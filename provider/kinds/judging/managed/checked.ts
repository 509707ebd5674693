import type { Request } from "../../../engine/request.js";
import type { Desired } from "../../rulesets/desired.js";

/** A resource that is checked. */
export interface CheckedResource {
  readonly request: Pick<Request, "session" | "urn" | "preview">;
  readonly desired: Desired;
  /** What it wanted the last time; undefined for a new resource. */
  readonly last: Desired | undefined;
}

/** By URN, the resources whose managed rules are compared with the lock file at the end of the run. */
export const checkedAtEnd = (): Map<string, CheckedResource> => new Map();
