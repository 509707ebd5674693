import { rulesetName, type Program, type RulePlace, type Simulation } from "../simulator/index.js";

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

type Identity = "phase" | "ruleset" | "index" | "name" | "ref" | "id" | "description" | "action";

export interface MissedRule extends Pick<RulePlace, Identity> {
  /** Its ruleset as messages name it: `http_ratelimit of zone example.com`. */
  readonly rulesetName: string;
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
      .map(({ ruleset, rule: { name, ref, id, description, action }, index }): MissedRule => {
        const { phase, zoneId, accountId } = ruleset;
        const inside = { ruleset: ruleset.id ?? ruleset.name, rulesetName: rulesetName(ruleset) };
        return { phase, ...inside, index, name, ref, id, description, action, zoneId, accountId };
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
  const lines = missed.map(({ rulesetName: inside, name, action }) => `  ${inside}: ${name} (${action})`);
  return [`${head}. No test hits:`, ...lines].join("\n");
}
