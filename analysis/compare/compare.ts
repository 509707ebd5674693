import type { RulesetInput } from "../../simulator/ruleset-input.js";
import { readRulesets, type KnownExpressions } from "../program/rule.js";
import { stepsOf } from "../program/steps.js";
import { fieldNames } from "../witness/field-names.js";
import { AnalysisContext } from "../analysis-context.js";
import { rulesetsOfZone, zoneIds } from "../zones.js";
import { changedSteps } from "./align.js";
import { compileBoth, Confirmer, type Programs } from "./confirm.js";
import { limitOrder, repeatsFor } from "./rate-limits.js";
import { Evidence, type Comparison } from "./result.js";
import { RulesVersion } from "./rules-version.js";
import { ZoneComparison } from "./zone-comparison.js";

export interface CompareInput {
  readonly before: readonly RulesetInput[];
  readonly after: readonly RulesetInput[];
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
  const { before, after, steps = 20_000_000 } = asEntryPoints(input);
  const context = new AnalysisContext(steps);
  const expressions: KnownExpressions = new Map();
  const [old, fresh] = [readRulesets(before, expressions), readRulesets(after, expressions)];
  const evidence = new Evidence();
  let compiled: { readonly programs: Programs | undefined } | undefined;
  const programs = (): Programs | undefined => (compiled ??= { programs: compileBoth(before, after) }).programs;
  for (const zone of zoneIds(old, fresh)) {
    const all = [
      stepsOf(rulesetsOfZone(old, zone), context.terms),
      stepsOf(rulesetsOfZone(fresh, zone), context.terms),
    ] as const;
    const changed = changedSteps(all[0], all[1], context.keys);
    if (changed.before.length + changed.after.length === 0) continue;
    const readFields = new Set(
      all.flat().flatMap(({ rule }) => (rule.condition === undefined ? [] : fieldNames(rule.condition))),
    );
    const confirmer = new Confirmer(programs, zone, readFields, repeatsFor(all.flat()), context.budget);
    const judge = new ZoneComparison(changed, { world: context, confirmer, evidence, axioms: limitOrder(all.flat()) });
    const [left, right] = [new RulesVersion("before", all[0]), new RulesVersion("after", all[1])];
    judge.judgeAll(left, right);
    judge.judgeAll(right, left);
  }
  return evidence.result();
}

/** Custom rulesets without an entry point are compared as if every request reached them. */
function asEntryPoints(input: CompareInput): CompareInput {
  const isEntry = ({ kind }: RulesetInput): boolean => kind === undefined || kind === "zone" || kind === "root";
  if ([...input.before, ...input.after].some(isEntry)) return input;
  const atZone = (rulesets: readonly RulesetInput[]): RulesetInput[] =>
    rulesets.map((one) => ({ ...one, kind: "zone" }));
  return { ...input, before: atZone(input.before), after: atZone(input.after) };
}
