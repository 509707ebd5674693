import type { CheckedResource } from "../../rulesets/judge.js";

/** By URN, the resources whose managed rules are compared with the lock file at the end of the run. */
export const checkedAtEnd = (): Map<string, CheckedResource> => new Map();
