import { judge, type Comparison } from "../../../core/analysis/index.js";
import type { Ruleset } from "../../../client/index.js";
import { withoutServerFields } from "../../../core/rules/without-server-fields.js";

/** What the step from one version to another does, from now on, to requests that reach the ruleset. */
export function compareEffects(before: Ruleset, after: Ruleset, now: Date): Comparison {
  const [old, fresh] = [before, after].map(({ rules }) => rules.map(withoutServerFields));
  return judge({
    ...{ phase: after.phase, kind: after.kind, before: old ?? [], after: fresh ?? [] },
    now: now.getTime() / 1000,
  }).comparison;
}
