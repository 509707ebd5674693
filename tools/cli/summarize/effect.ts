import {
  effectWords,
  judge,
  type Certainty,
  type CompareVerdict,
  type JudgedRule,
  type Judgement,
  type ListsEdit,
  type UndecidedChange,
} from "../../../core/analysis/index.js";
import type { NameOf } from "../../../core/managed/rulesets.js";
import { hasUnknown } from "../../../core/model/unknown.js";
import { judgedRule } from "../../../core/model/judged-rule.js";
import { ruleEntries, type KeyedRules } from "../../../core/rules/keyed.js";
import type { SecretChanges } from "./rule-rows.js";
import { hiddenPlaces } from "./secret-changes.js";
import { worstOf, type Effect } from "./summary.js";
import type { NotJudged } from "../../../provider/validation/published-effect.js";

interface RulesetChange {
  readonly phase: string;
  readonly kind: string;
  readonly before: KeyedRules;
  readonly after: KeyedRules;
  readonly secrets: SecretChanges;
  /** Whether the ruleset has rules of others. */
  readonly isPart: boolean;
  /** Rules that move among those of others. */
  readonly moved: readonly string[];
  readonly host: string | undefined;
  readonly nameOf: NameOf;
  /** The lists of the stack whose items are known. */
  readonly lists?: ListsEdit;
  /** When it is judged, in seconds since 1970. @default rules apply at any time */
  readonly at?: number | undefined;
}

/** What a change does to requests, and what it does to each rule. */
export interface JudgedChange {
  readonly effect: Effect;
  readonly rules: ReadonlyMap<string, JudgedRule>;
}

/** The limit for one ruleset, about a second. */
const STEPS = 4_000_000;

/** What the change of a ruleset does to requests, looking at this ruleset alone. */
export function judgeChange(change: RulesetChange): JudgedChange {
  const { phase, kind, isPart, moved, host, nameOf, lists } = change;
  const before = ruleEntries(change.before).map(({ ref, rule }) => judgedRule(rule, ref, ref));
  const after = ruleEntries(change.after).map(({ ref, rule }) =>
    judgedRule(rule, isSamePart(ref, change) ? ref : `${ref}, as it becomes`, ref),
  );
  const judgement = judge({
    phase,
    kind,
    before,
    after,
    lists,
    isPart,
    moved,
    host,
    now: change.at,
    steps: STEPS,
    managedName: nameOf,
  });
  return {
    effect: effectOf(judgement, change),
    rules: new Map(judgement.rules.map((rule) => [rule.ref, rule])),
  };
}

/** Whether what is secret in a rule stays the same, and everything else is known. */
function isSamePart(ref: string, { before, after, secrets }: RulesetChange): boolean {
  const [old, now] = [before, after].map(({ rules }) =>
    hiddenPlaces(rules[ref]?.content).map((place) => place.join(".")),
  );
  return !secrets.has(ref) && !hasUnknown(after.rules[ref]?.fields) && old?.join("\n") === now?.join("\n");
}

function effectOf({ weakens, comparison, notJudged }: Judgement, change: RulesetChange): Effect {
  const { verdict, looser, stricter, witnesses, undecided } = comparison;
  const words = effectWords(comparison);
  return {
    ...{ verdict, weakens, looser, stricter },
    ...(words === undefined ? {} : { words }),
    witnesses: witnesses.map(({ text }) => text),
    undecided,
    notJudged: notJudged.map((one) => ({ what: `rule ${one.rule}`, ...reasonOf(one, change) })),
  };
}

/** Why a rule could not be judged, in the terms of the program, and what would decide it. */
function reasonOf(
  { ref = "", why, decidedBy }: UndecidedChange,
  { after, secrets, isPart }: RulesetChange,
): Omit<NotJudged, "what"> {
  if (secrets.has(ref)) {
    return {
      why: `a secret in it changes (${(secrets.get(ref) ?? []).join(", ")})`,
      decidedBy:
        "comparing both values, which `npx pulumi-rulesets rules diff --zone <zone>` does where they are readable",
    };
  }
  if (hasUnknown(after.rules[ref]?.fields))
    return { why: "a value of it is not known before `pulumi up`", decidedBy: "a preview once that value exists" };
  if (decidedBy !== undefined) return { why, decidedBy };
  if (isPart) return { why, decidedBy: "the rules around it, which are not in this resource" };
  return { why, decidedBy: "`npx pulumi-rulesets rules diff`, which searches longer, or a request in `rules test`" };
}

/** A change about whose effect nothing is known. */
export function notJudgedAtAll(notJudged: NotJudged): Effect {
  const certainty = { verdict: "unknown", weakens: "unknown", looser: "undecided", stricter: "undecided" } as const;
  return { ...certainty, witnesses: [], undecided: [], notJudged: [notJudged] };
}

/** An effect with more that could not be judged. */
export function withNotJudged(effect: Effect, more: readonly NotJudged[]): Effect {
  if (more.length === 0) return effect;
  const open = <C extends string>(certainty: C): C | "undecided" => (certainty === "shown" ? certainty : "undecided");
  return {
    ...effect,
    ...(effect.weakens === "no" ? ({ weakens: "unknown", verdict: "unknown" } as const) : {}),
    // What holds for every rule in the states does not hold for those that they do not contain.
    ...(effect.witnesses.length === 0 ? { words: undefined } : {}),
    looser: open(effect.looser),
    stricter: open(effect.stricter),
    notJudged: [...effect.notJudged, ...more],
  };
}

/** The effect of one change on several rulesets. */
export function joinEffects(effects: readonly Effect[]): Effect {
  const [only, ...others] = effects;
  if (only !== undefined && others.length === 0) return only;
  const words = [...new Set(effects.flatMap((effect) => effect.words ?? []))];
  return {
    verdict: joinVerdicts(effects.map(({ verdict }) => verdict)),
    weakens: worstOf(effects.map(({ weakens }) => weakens)),
    looser: leastCertain(effects.map(({ looser }) => looser)),
    stricter: leastCertain(effects.map(({ stricter }) => stricter)),
    ...(words.length === 0 ? {} : { words: words.join("; it ") }),
    witnesses: effects.flatMap(({ witnesses }) => witnesses),
    undecided: effects.flatMap(({ undecided }) => undecided),
    notJudged: effects.flatMap(({ notJudged }) => notJudged),
  };
}

function joinVerdicts(verdicts: readonly CompareVerdict[]): CompareVerdict {
  if (verdicts.includes("unknown")) return "unknown";
  const [one, ...more] = new Set(verdicts.filter((verdict) => verdict !== "equivalent"));
  return more.length > 0 ? "both" : (one ?? "equivalent");
}

/** What is shown anywhere is shown, and ruled out is only what is ruled out everywhere. */
function leastCertain(certainties: readonly Certainty[]): Certainty {
  const order: readonly Certainty[] = ["shown", "undecided", "momentary"];
  return order.find((one) => certainties.includes(one)) ?? "ruledOut";
}
