import type { Program, RulePlace, Simulation } from "../simulator/index.js";

export interface CoverageReport {
  /** Enabled rules. */
  readonly rules: number;
  readonly hit: number;
  /** The share of the rules that a request has matched, 0 to 1; 1 if there are no rules. */
  readonly ratio: number;
  readonly missed: readonly MissedRule[];
  /** The report as plain text. */
  readonly text: string;
}

export interface MissedRule extends Pick<RulePlace, "phase" | "ruleset" | "index" | "ref" | "description" | "action"> {
  readonly zoneId?: string;
  readonly accountId?: string;
}

/** Records which rules have matched. */
export class Coverage {
  private readonly matched = new Set<string>();

  add({ trace }: Simulation): void {
    for (const { status, phase, ruleset, index } of trace) {
      if (status === "matched") this.matched.add(key(phase, ruleset, index));
    }
  }

  report({ rulesets }: Program): CoverageReport {
    const rules = rulesets.flatMap((ruleset) =>
      ruleset.rules.flatMap((rule, index) => (rule.enabled ? [{ ruleset, rule, index }] : [])),
    );
    const missed = rules
      .filter(({ ruleset, index }) => !this.matched.has(key(ruleset.phase, ruleset.id ?? ruleset.name, index)))
      .map(({ ruleset: { name, phase, zoneId, accountId }, rule: { ref, description, action }, index }): MissedRule => {
        return { phase, ruleset: name, index, ref, description, action, zoneId, accountId };
      });
    const hit = rules.length - missed.length;
    const ratio = rules.length === 0 ? 1 : hit / rules.length;
    return { rules: rules.length, hit, ratio, missed, text: describe(hit, rules.length, missed) };
  }
}

function key(phase: string, ruleset: string | undefined, index: number): string {
  return `${phase} ${ruleset ?? ""} ${String(index)}`;
}

function describe(hit: number, rules: number, missed: readonly MissedRule[]): string {
  const head = `${String(hit)} of ${String(rules)} rules hit by tests`;
  if (missed.length === 0) return `${head}.`;
  const lines = missed.map((rule) => `  ${rule.ruleset ?? rule.phase}: ${nameIn(rule)} (${rule.action})`);
  return [`${head}. No test hits:`, ...lines].join("\n");
}

function nameIn({ ref, description, index }: MissedRule): string {
  const name = ref ?? description;
  return name === undefined ? `rule ${String(index)}` : `"${name}"`;
}
