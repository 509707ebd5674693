import { compare } from "../compare/compare.js";
import { joinComparisons, type Comparison } from "../compare/result.js";
import type { RulesetInput } from "../../simulator/ruleset-input.js";
import { judge } from "./judge.js";

export interface RulesetsEdit {
  readonly before: readonly RulesetInput[];
  readonly after: readonly RulesetInput[];
  /** In seconds since 1970: only requests from then on count. @default any time */
  readonly now?: number | undefined;
}

/**
 * Judges an edit of all rulesets of a program. Those that have rules of others besides are judged one by one, because it is not
 * known what runs before, between and after their rules; all others are compared together.
 */
export function judgeRulesets({ before, after, now }: RulesetsEdit): Comparison {
  const pairs = pairedParts(before, after);
  const isPaired = new Set(pairs.flatMap((pair) => [pair.before, pair.after]));
  const wholes = (rulesets: readonly RulesetInput[]) => rulesets.filter((one) => !isPaired.has(one));
  const whole = compare({ before: wholes(before), after: wholes(after), now });
  return joinComparisons([whole, ...pairs.map((pair) => comparePart(pair, now))]);
}

/** A resource with some rules of a ruleset, in both versions. */
interface PartPair {
  readonly before: RulesetInput | undefined;
  readonly after: RulesetInput | undefined;
}

function comparePart({ before, after }: PartPair, now: number | undefined): Comparison {
  const { phase, kind = "zone" } = (after ?? before) as RulesetInput;
  const isPlaced = after?.position !== undefined && !isSamePlace(before?.position, after.position);
  return judge({
    ...{ phase, kind, isPart: true, now },
    before: before?.rules ?? [],
    after: after?.rules ?? [],
    lists: { before: before?.lists, after: after?.lists },
    moved: before !== undefined && isPlaced ? after.rules.flatMap(({ ref }) => ref ?? []) : [],
  }).comparison;
}

function isSamePlace(one: object | undefined, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The parts of both versions: by name, and of those with other names, by a rule that both have. */
function pairedParts(before: readonly RulesetInput[], after: readonly RulesetInput[]): readonly PartPair[] {
  const left = new Set(before);
  const take = (matches: (one: RulesetInput) => boolean): RulesetInput | undefined => {
    const found = [...left].find(matches);
    if (found !== undefined) left.delete(found);
    return found;
  };
  const isAbout = (one: RulesetInput, other: RulesetInput): boolean => {
    return (one.isPart === true || other.isPart === true) && placeOf(one) === placeOf(other);
  };
  const named = after.map((one) => take((old) => isAbout(old, one) && old.name === one.name));
  const pairs = after.map((one, index): PartPair => {
    const refs = new Set(one.rules.flatMap(({ ref }) => ref ?? []));
    const hasSame = (old: RulesetInput) => old.rules.some(({ ref = "" }) => refs.has(ref));
    return { before: named[index] ?? take((old) => isAbout(old, one) && hasSame(old)), after: one };
  });
  return [
    ...pairs.filter((pair) => pair.before !== undefined || pair.after?.isPart === true),
    ...[...left].filter(({ isPart }) => isPart === true).map((one) => ({ before: one, after: undefined })),
  ];
}

function placeOf({ kind, phase, zoneId, accountId }: RulesetInput): string {
  return JSON.stringify([kind ?? "zone", phase, zoneId, accountId]);
}
