import type { AnalysisFinding } from "../../../core/analysis/checks/finding.js";
import type { ListsEdit } from "../../../core/analysis/judgement/rule-change.js";
import type { RuleInput } from "../../../core/simulator/ruleset-input.js";
import { isObject } from "../../../core/model/json.js";
import { judgedRule } from "../../../core/model/judged-rule.js";
import { hasUnknown, isUnknown } from "../../../core/model/unknown.js";
import { effectText, type PublishedEffect } from "../published-effect.js";
import { type Findings } from "../../../core/model/failure.js";
import { late } from "../../../core/model/late.js";

/** Loaded on demand, when rules change. */
const loadAnalysis = late<typeof import("../../../core/analysis/analyse.js")>(() =>
  require("../../../core/analysis/analyse.js"),
);
const loadJudgement = late<typeof import("../../../core/analysis/judgement/judge.js")>(() =>
  require("../../../core/analysis/judgement/judge.js"),
);
const loadListWords = late<typeof import("../../../core/analysis/judgement/list-words.js")>(() =>
  require("../../../core/analysis/judgement/list-words.js"),
);
const loadWords = late<typeof import("../../../core/analysis/judgement/words.js")>(() =>
  require("../../../core/analysis/judgement/words.js"),
);

/** Limit of the analysis steps for one ruleset in a preview: well below a second. */
const STEPS = 3_000_000;

/** Where the rules are: the phase, and the kind of their ruleset. */
export interface RulesetPlace {
  readonly phase: unknown;
  readonly kind: unknown;
  /** Known where the kind does not tell it. */
  readonly level?: "zones" | "accounts" | undefined;
}

/**
 * Warns about rules that provably never run, and similar mistakes. Only checks the rules before the first unknown one, and
 * assumes nothing about rules of other rulesets.
 */
export function checkMeaning(rules: readonly unknown[], { phase, kind }: RulesetPlace): Findings {
  if (typeof phase !== "string" || isUnknown(phase)) return [];
  const end = rules.findIndex((rule) => !isKnownRule(rule));
  const known = (end < 0 ? rules : rules.slice(0, end)).filter(isKnownRule);
  const rulesets = [{ kind: kindOf(kind), phase, rules: known }];
  const findings = loadAnalysis().analyse({ rulesets, isPart: true, steps: STEPS });
  const shown = findings.filter(({ code }) => !REPORTED_ELSEWHERE.has(code));
  return withoutRepeats(shown).map(({ code, severity, rule, message }) => ({
    code,
    severity,
    path: ["rules", rule.index],
    message,
  }));
}

function kindOf(kind: unknown): string {
  return typeof kind === "string" && !isUnknown(kind) ? kind : "zone";
}

/** Findings that other checks report: of the language, and of the order of skip rules. */
const REPORTED_ELSEWHERE: ReadonlySet<string> = new Set(["invalid-expression", "skip-order"]);

/** A duplicate rule is also covered by the other one, but one finding is enough. */
function withoutRepeats(findings: readonly AnalysisFinding[]): readonly AnalysisFinding[] {
  const twins = new Set(findings.flatMap(({ code, rule }) => (code === "twin" ? [rule.index] : [])));
  return findings.filter(({ code, rule }) => code !== "covered" || !twins.has(rule.index));
}

/** A rule of an edit. */
export interface JudgedPart {
  /** With `[secret]` in the place of secrets. */
  readonly rule: unknown;
  /** Stands for the secrets: equal where they are. Missing if there are none. */
  readonly secrets?: string;
}

/** The rules of a resource before and after an edit. */
export interface EditOfRules extends RulesetPlace {
  /** Whether the ruleset has rules of others. */
  readonly isPart: boolean;
  /** Refs of rules that move among those of others. */
  readonly moved?: readonly string[];
  readonly before: readonly JudgedPart[];
  readonly after: readonly JudgedPart[];
  /** The lists of the account whose items are known. */
  readonly lists?: ListsEdit;
}

/** What an edit does to requests. */
interface EffectOfEdit {
  /** With example requests, and what of it could not be judged, by the names of the rules. Undefined if nothing can be said. */
  readonly text: string | undefined;
  readonly effect: PublishedEffect;
}

/**
 * What an edit does to requests; undefined if the phase is not known.
 * @param now in seconds since 1970: what rules did before is no matter
 */
export function effectOfEdit(
  { phase, kind, isPart, moved = [], lists = {}, ...edit }: EditOfRules,
  now: number,
): EffectOfEdit | undefined {
  if (typeof phase !== "string" || isUnknown(phase)) return undefined;
  const rulesOf = (parts: readonly JudgedPart[], side: string) =>
    parts.map(({ rule, secrets }, index) =>
      judgedRule(rule, secrets === undefined || hasUnknown(rule) ? `${side} ${String(index)}` : `secrets ${secrets}`),
    );
  const [before, after] = [rulesOf(edit.before, "before"), rulesOf(edit.after, "after")];
  const { comparison, notJudged, weakens } = loadJudgement().judge({
    ...{ phase, kind: kindOf(kind), isPart, moved, now },
    ...{ before, after, lists, steps: STEPS },
  });
  const words = loadWords().effectWords(comparison);
  const kept = after.filter((rule) => before.some(({ ref, opaque }) => ref === rule.ref && opaque === rule.opaque));
  const shown = [...loadListWords().listChangeWords(kept, lists), ...comparison.witnesses.map(({ text }) => text)];
  const open = notJudged.map(({ rule, isHidden, why, decidedBy }) => ({
    what: `rule ${rule}`,
    why: isHidden === true ? HIDDEN_PART : why,
    decidedBy: decidedBy ?? SEARCH,
  }));
  const lines = [...shown, ...open.map(({ what, why }) => `not judged: ${what}, because ${why}`)];
  const { verdict, looser, stricter } = comparison;
  return {
    text: words === undefined && lines.length === 0 ? undefined : effectText(words ?? "affects requests", lines),
    effect: {
      ...{ verdict, weakens, looser, stricter, lines: shown, notJudged: open },
      ...(words === undefined ? {} : { words }),
    },
  };
}

const SEARCH = "`npx pulumi-rulesets rules diff`, which searches longer, or a request in `rules test`";

const HIDDEN_PART = "a value of it is a secret, or not known yet";

function isKnownRule(rule: unknown): rule is RuleInput {
  return isObject(rule) && typeof rule.action === "string" && !hasUnknown(rule);
}
