import { usesOf } from "../../language/uses.js";
import { REQUEST_PHASES } from "../../simulator/phases.js";
import { listNamed } from "../../simulator/lists.js";
import type { RulesetInput } from "../../simulator/ruleset-input.js";
import type { Skipped } from "../order/skips.js";
import { withOwnExecutions } from "../program/executions.js";
import { executedBy } from "../../simulator/effect.js";
import { readRulesets, type AnalysedRuleset, type KnownExpressions } from "../program/rule.js";
import { stepsOf, type Step } from "../program/steps.js";
import { AnalysisContext } from "../analysis-context.js";
import { askFrom } from "../from-now.js";
import { rulesetsOfZone, zoneIds } from "../zones.js";
import { changedSteps } from "./align.js";
import { Compiler } from "./compile.js";
import { Confirmer } from "./confirm.js";
import { limitTests } from "./rate-limits.js";
import { Evidence, type Comparison } from "./result.js";
import { RulesVersion } from "./rules-version.js";
import { ZoneComparison } from "./zone-comparison.js";

export interface CompareInput {
  readonly before: readonly RulesetInput[];
  readonly after: readonly RulesetInput[];
  /** Whether the rulesets have other rules that are not given. @default false */
  readonly isPart?: boolean;
  /** The host of example requests, where rules leave it open. @default "www.example.com" */
  readonly host?: string;
  /** In seconds since 1970: only requests from then on count. @default any time */
  readonly now?: number | undefined;
  /**
   * Limit of the search, in single steps; what is not decided by then is reported as unknown. @default 20,000,000, some seconds
   */
  readonly steps?: number;
}

/**
 * Determines what an edit of rules does to requests, by solving the difference of both versions. Makes no requests. The effect
 * of managed rulesets is not known here, so a request also counts as treated differently if other managed rulesets see it.
 *
 * @example
 * compare({ before: [{ kind: "zone", phase: "http_request_firewall_custom", rules: [] }], after: rulesets }).verdict; //
 * "stricter"
 */
export function compare(input: CompareInput): Comparison {
  const isAlone = !hasEntryPoint(input);
  const { before, after, steps = 20_000_000, isPart = false } = isAlone ? asEntryPoints(input) : input;
  // Requests have whole seconds.
  const now = input.now === undefined ? undefined : Math.floor(input.now);
  const context = new AnalysisContext(steps);
  askFrom(now, context, [...before, ...after]);
  const known: KnownExpressions = new Map();
  const [old, fresh] = [readRulesets(before, { known, beside: after }), readRulesets(after, { known, beside: before })];
  const evidence = new Evidence();
  const compiler = new Compiler(before, after);
  const isListKnown = (name: string): boolean =>
    [...before, ...after].some(({ lists }) => listNamed(lists, name) !== undefined);
  for (const zone of zoneIds(old, fresh)) {
    const [oldOfZone, freshOfZone] = [
      withOwnExecutions(rulesetsOfZone(old, zone)),
      withOwnExecutions(rulesetsOfZone(fresh, zone)),
    ];
    const all = [
      stepsOf(oldOfZone, context, { isComplete: false, isPart }),
      stepsOf(freshOfZone, context, { isComplete: false, isPart }),
    ] as const;
    const changed = changedSteps(all[0], all[1], context.keys);
    if (changed.before.length + changed.after.length === 0) continue;
    // Most are in both versions.
    const conditions = new Set(all.flat().flatMap(({ rule: { condition } }) => condition ?? []));
    const read = Array.from(conditions, (condition) => usesOf({ kind: "filter", condition }));
    const uses = {
      fields: new Set(read.flatMap(({ fields }) => Array.from(fields))),
      lists: new Set(read.flatMap(({ lists }) => Array.from(lists)).filter((name) => !isListKnown(name))),
    };
    const limits = limitTests(all.flat(), [...changed.before, ...changed.after]);
    const managed = new Set(all.flat().flatMap(({ effect }) => (effect.kind === "managed" ? [effect.ruleset] : [])));
    const isElsewhere = elsewhereOf([...old, ...fresh, ...oldOfZone, ...freshOfZone], all.flat(), { isAlone, isPart });
    const confirmer = new Confirmer(compiler.forSteps(...all), zone, uses, {
      limits,
      isElsewhere,
      host: input.host,
      now,
      budget: context.budget,
    });
    const hasLaterRules = laterRulesIn([...old, ...fresh]);
    const versions = { before: new RulesVersion("before", all[0]), after: new RulesVersion("after", all[1]) };
    new ZoneComparison(changed, versions, {
      ...{ world: context, confirmer, evidence },
      ...{ isElsewhere, hasLaterRules, isPart, managed },
    }).judgeAll();
  }
  return evidence.result();
}

/** Phases in which rules stop requests by their URL. */
const STOPPING = /firewall|ratelimit|sbfm/;

/** Whether rulesets of a later phase that stop requests are given, in either version. */
function laterRulesIn(rulesets: readonly AnalysedRuleset[]): (step: Step) => boolean {
  const stopping = rulesets.filter(({ phase }) => STOPPING.test(phase));
  const last = Math.max(...stopping.map(({ phase }) => REQUEST_PHASES.indexOf(phase)));
  return ({ phase }) => REQUEST_PHASES.indexOf(phase) < last;
}

function hasEntryPoint({ before, after }: CompareInput): boolean {
  return [...before, ...after].some(({ kind }) => kind === undefined || kind === "zone" || kind === "root");
}

/** Custom rulesets without an entry point are compared as if every request reached them. */
function asEntryPoints({ before, after, ...input }: CompareInput): CompareInput {
  const atZone = (rulesets: readonly RulesetInput[]): RulesetInput[] =>
    rulesets.map((one) => ({ ...one, kind: "zone" }));
  return { ...input, before: atZone(before), after: atZone(after) };
}

/**
 * Tells what may still act when it is skipped, because its rules are not given.
 * @param isAlone whether other rules of the phase run after the rulesets that are given; `isPart`: also rules of the same ruleset
 */
function elsewhereOf(
  rulesets: readonly AnalysedRuleset[],
  steps: readonly Step[],
  { isAlone, isPart }: { readonly isAlone: boolean; readonly isPart: boolean },
): (skipped: Skipped) => boolean {
  const isGiven = (phase: string, isOfAccount: boolean): boolean =>
    rulesets.some((one) => one.phase === phase && (one.kind === "root") === isOfAccount);
  const known = new Set([
    ...rulesets.flatMap(({ id }) => id ?? []),
    ...steps.flatMap(({ rule }) => executedBy(rule.effect) ?? []),
  ]);
  return (skipped) => {
    switch (skipped.kind) {
      case "rest":
        return isPart || (isAlone && skipped.of === "phase");
      case "phase":
        // A phase has rules of the zone and of its account.
        return !isGiven(skipped.name, false) || !isGiven(skipped.name, true);
      case "ruleset":
        return !known.has(skipped.name);
      case "rule":
        return !known.has(skipped.ruleset);
      case "product":
        return true;
    }
  };
}
