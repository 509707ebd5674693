import type { Lifecycle } from "./lifecycle.js";
import { rulesetLifecycle } from "./ruleset/index.js";

/** Every kind of resource, by the name that stands in states. */
export const LIFECYCLES: Readonly<Record<string, Lifecycle>> = {
  Ruleset: rulesetLifecycle("Ruleset"),
  PhaseEntrypoint: rulesetLifecycle("PhaseEntrypoint"),
};

export { type CheckedProps, type Lifecycle, type Props } from "./lifecycle.js";
