import { beginOf } from "../../core/rules/written/expiry.js";
import { rulesetName, type Program, type RulePlace, type Simulation } from "../../core/simulator/index.js";

export interface CoverageReport {
  /** Enabled rules, without those that apply only later and that no request has matched. */
  readonly rules: number;
  readonly hit: number;
  /** The share of the rules that a request has matched, 0 to 1; 1 if there are no rules. */
  readonly ratio: number;
  readonly missed: readonly MissedRule[];
  /** Rules that no request of today can match, because they apply only later: no test has to hit them. */
  readonly later: readonly LaterRule[];
  /** The report as plain text. */
  readonly text: string;
}

type Identity = "phase" | "ruleset" | "index" | "name" | "ref" | "id" | "description" | "action";

export interface MissedRule extends Pick<RulePlace, Identity> {
  /** Its ruleset as messages name it: `http_ratelimit of zone example.com`. */
  readonly rulesetName: string;
  readonly zoneId?: string;
  readonly accountId?: string;
}

export interface LaterRule extends MissedRule {
  /** When it begins to apply, in words: `the start of 2027-01-01 (UTC)`. */
  readonly begins: string;
}

/** Records which rules have matched. */
export class Coverage {
  private readonly matched = new Set<string>();

  add({ trace }: Simulation): void {
    for (const { status, phase, ruleset, index } of trace) {
      if (status === "matched") this.matched.add(key(phase, ruleset, index));
    }
  }

  /** @param now seconds since 1970 */
  report({ rulesets }: Program, now: number): CoverageReport {
    const enabled = rulesets.flatMap((ruleset) =>
      ruleset.rules.flatMap((rule, index) => (rule.enabled ? [{ ruleset, rule, index }] : [])),
    );
    const unmatched = enabled
      .filter(({ ruleset, index }) => !this.matched.has(key(ruleset.phase, ruleset.id ?? ruleset.name, index)))
      .map(({ ruleset, rule: { name, ref, id, description, action, text }, index }) => {
        const { phase, zoneId, accountId } = ruleset;
        const inside = { ruleset: ruleset.id ?? ruleset.name, rulesetName: rulesetName(ruleset) };
        const rule = { phase, ...inside, index, name, ref, id, description, action, zoneId, accountId };
        return { rule, begins: beginOf({ expression: text }, now) };
      });
    const missed = unmatched.flatMap(({ rule, begins }): MissedRule[] => (begins === undefined ? [rule] : []));
    const later = unmatched.flatMap(({ rule, begins }): LaterRule[] =>
      begins === undefined ? [] : [{ ...rule, begins }],
    );
    const rules = enabled.length - later.length;
    const hit = rules - missed.length;
    const ratio = rules === 0 ? 1 : hit / rules;
    return { rules, hit, ratio, missed, later, text: describe({ hit, rules, missed, later }) };
  }
}

function key(phase: string, ruleset: string | undefined, index: number): string {
  return `${phase} ${ruleset ?? ""} ${String(index)}`;
}

function describe({ hit, rules, missed, later }: Pick<CoverageReport, "hit" | "rules" | "missed" | "later">): string {
  const head = `${String(hit)} of ${String(rules)} rules hit by tests`;
  const line = ({ rulesetName: inside, name, action }: MissedRule): string => `  ${inside}: ${name} (${action})`;
  return [
    missed.length === 0 ? `${head}.` : `${head}. No test hits:`,
    ...missed.map(line),
    ...(later.length === 0 ? [] : ["Not counted, because they apply only later:"]),
    ...later.map((rule) => `${line(rule)}, from ${rule.begins}`),
  ].join("\n");
}
