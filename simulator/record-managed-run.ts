import type { RuleApplication } from "./rule-application.js";
import type { Effect } from "./effect.js";
import { canStop, readOverrides } from "./managed.js";
import { withManagedName } from "./managed-rulesets.js";
import { CONFIGURATION_PHASES, NORMALISING_PHASES } from "./phases.js";
import { findSkip } from "./skips.js";

/** Notes that a rule executes a ruleset whose rules are not known here. */
export function recordManagedRun(
  { id, overrides: given }: Extract<Effect, { kind: "execute" }>,
  { at, because, state }: RuleApplication,
): void {
  const skip = findSkip(state.skips, { kind: "ruleset", id });
  if (skip?.because.length === 0) {
    state.log.replaceLast(at, "skipped", `its ruleset ${withManagedName(id)} is skipped by ${skip.by}`);
    return;
  }
  const doubts = [...because, ...(skip === undefined ? [] : skip.because.map((why) => `${skip.by}: ${why}`))];
  const overrides = readOverrides(given);
  const skippedRules = state.skips.flatMap(({ target, because: open }) =>
    open.length === 0 ? (target.rules.get(id) ?? []) : [],
  );
  const stops = !CONFIGURATION_PHASES.has(at.phase) && !NORMALISING_PHASES.has(at.phase) && canStop(overrides);
  state.managed.push({ ruleset: id, rule: at, ...overrides, skippedRules, canStop: stops, because: doubts });
}
