import type { ReportedFinding } from "../../cli/rules/check/finding.js";
import { reportOn } from "../../cli/rules/check/report.js";
import { explain, type Explanation } from "../../cli/rules/explain/explanation.js";
import type { Plan } from "../../language/index.js";
import { failedBy, type Failed } from "./failed.js";
import { readRulesText, type TextKind } from "./rules-text.js";

/** What `rules check` says about a text, and, of an expression alone, what `rules explain` says. */
export interface CheckAnswer extends Partial<Failed> {
  readonly kind?: TextKind;
  readonly assumedPhase?: string;
  readonly rulesets: number;
  readonly rules: number;
  readonly findings: readonly ReportedFinding[];
  readonly explained?: Pick<Explanation, "tree" | "uses">;
}

const NAME = "rules";

/** Checks rules like `rules check`. A text that cannot be read is an answer too. */
export function checkText({ rules, plan }: { readonly rules: string; readonly plan?: Plan }, now: string): CheckAnswer {
  if (rules.trim() === "") return { rulesets: 0, rules: 0, findings: [] };
  try {
    const { kind, assumedPhase, loaded } = readRulesText(rules, NAME);
    const { findings, sources } = reportOn([loaded], { waivers: [], now, plan });
    return {
      kind,
      assumedPhase,
      findings,
      rulesets: sources.reduce((sum, one) => sum + one.rulesets, 0),
      rules: sources.reduce((sum, one) => sum + one.rules, 0),
      ...(kind === "expression" ? { explained: explanationOf(rules.trim(), assumedPhase, plan) } : {}),
    };
  } catch (error) {
    return { rulesets: 0, rules: 0, findings: [], ...failedBy(error, NAME) };
  }
}

function explanationOf(text: string, phase: string | undefined, plan: Plan | undefined): CheckAnswer["explained"] {
  const { tree, uses } = explain(text, { slot: "filter", phase, plan });
  return { tree, uses };
}
