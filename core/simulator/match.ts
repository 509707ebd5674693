import type { RulePlace } from "./place.js";
import type { Rule } from "./program.js";
import { reasonsOf, type State } from "./state.js";

/** Whether a rule matches; `because` is empty unless that is unknown. */
export interface Match {
  readonly value: boolean | "unknown";
  readonly because: readonly string[];
}

const MATCHED: Match = { value: true, because: [] };
const NOT_MATCHED: Match = { value: false, because: [] };

/**
 * Whether a rule matches the request in its current state; adds an entry to the trace.
 * @param doubts what the execution of the rule depends on
 */
export function matchRule(rule: Rule, at: RulePlace, { request, log }: State, doubts: readonly string[]): Match {
  const unknown = (because: readonly string[]): Match => {
    log.note(at, "unknown", because.join("; "), "unknown");
    return { value: "unknown", because };
  };
  const { expression } = rule;
  if (expression === undefined) return unknown(["the rule has no expression here"]);
  const outcome = expression.evaluate(request);
  if (outcome.value === false) {
    log.noteMatch(at, expression, request, false);
    return NOT_MATCHED;
  }
  const because = [
    ...(outcome.value === "unknown" ? reasonsOf(outcome.because) : []),
    ...(rule.checksCredentials ? ["whether the credentials have been exposed is not known here"] : []),
    ...(rule.lacksValue ? ["a value in its parameters is not known here"] : []),
    ...doubts,
  ];
  if (because.length > 0) return unknown(because);
  log.noteMatch(at, expression, request, true);
  return MATCHED;
}
