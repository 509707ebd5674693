import { createRequire } from "node:module";
import type { AnalysisFinding } from "../../../analysis/checks/finding.js";
import type { RuleInput } from "../../../simulator/ruleset-input.js";
import { isObject } from "../../model/json.js";
import { judgedRule } from "../../model/judged-rule.js";
import { hasUnknown, isUnknown } from "../../model/unknown.js";
import { joinFindings, withCheckName, NO_FINDINGS, warning, type Findings } from "../failure.js";

const load = createRequire(__filename);
/** Loaded on demand, when rules change. */
const loadAnalysis = () => load("../../../analysis/analyse.js") as typeof import("../../../analysis/analyse.js");
const loadJudgement = () =>
  load("../../../analysis/judgement/judge.js") as typeof import("../../../analysis/judgement/judge.js");
const loadWords = () =>
  load("../../../analysis/judgement/words.js") as typeof import("../../../analysis/judgement/words.js");

/** Limit of the analysis steps for one ruleset in a preview: well below a second. */
const STEPS = 3_000_000;

/** Warns about rules that provably never run, and similar mistakes. Only checks the rules before the first unknown one. */
export function checkMeaning(rules: readonly unknown[], phase: unknown): Findings {
  if (typeof phase !== "string" || isUnknown(phase)) return NO_FINDINGS;
  const end = rules.findIndex((rule) => !isKnownRule(rule));
  const known = (end < 0 ? rules : rules.slice(0, end)).filter(isKnownRule);
  const findings = loadAnalysis().analyse({ rulesets: [{ kind: "zone", phase, rules: known }], steps: STEPS });
  const shown = findings.filter(({ check }) => !REPORTED_ELSEWHERE.has(check));
  return joinFindings(
    withoutRepeats(shown).map(({ check, rule, message }) =>
      withCheckName(check, warning(["rules", rule.index], message)),
    ),
  );
}

/** Findings that other checks report: of the language, and of the order of skip rules. */
const REPORTED_ELSEWHERE: ReadonlySet<string> = new Set(["invalid-expression", "late-skip"]);

/** A duplicate rule is also covered by the other one, but one finding is enough. */
function withoutRepeats(findings: readonly AnalysisFinding[]): readonly AnalysisFinding[] {
  const twins = new Set(findings.flatMap(({ check, rule }) => (check === "twin" ? [rule.index] : [])));
  return findings.filter(({ check, rule }) => check !== "covered" || !twins.has(rule.index));
}

/** The rules of a resource before and after an edit. */
export interface EditOfRules {
  readonly phase: unknown;
  /** The kind of the ruleset. @default "zone" */
  readonly kind?: unknown;
  /** Whether the ruleset has rules of others. */
  readonly isPart: boolean;
  readonly before: readonly unknown[];
  readonly after: readonly unknown[];
}

/** The effect of an edit on requests, with example requests, and what is not known of it. Undefined if nothing can be said. */
export function describeEffect({ phase, kind, isPart, before, after }: EditOfRules): string | undefined {
  if (typeof phase !== "string" || isUnknown(phase)) return undefined;
  const { comparison, notJudged } = loadJudgement().judge({
    phase,
    kind: kind === "custom" ? kind : "zone",
    isPart,
    before: before.map((rule, index) => judgedRule(rule, `before ${String(index)}`)),
    after: after.map((rule, index) => judgedRule(rule, `after ${String(index)}`)),
    steps: STEPS,
  });
  const words = loadWords().effectWords(comparison);
  const lines = [
    ...comparison.witnesses.map(({ text }) => text),
    ...notJudged.map(({ rule, why }) => `not judged: rule ${rule}, because ${why}`),
  ];
  if (words === undefined && lines.length === 0) return undefined;
  const head = `this change ${words ?? "affects requests"}`;
  return lines.length === 0 ? head : [`${head}:`, ...lines.map((line) => `  ${line}`)].join("\n");
}

function isKnownRule(rule: unknown): rule is RuleInput {
  return isObject(rule) && typeof rule.action === "string" && !hasUnknown(rule);
}
