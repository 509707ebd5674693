import { parseExpression } from "../../language/index.js";
import { usesOf } from "../../language/uses.js";
import { CUSTOM_OVERRIDES, executesCustomOnly } from "../../simulator/custom-overrides.js";
import { readEffect, type Effect } from "../../simulator/effect.js";
import { managedRulesets, SCORING_RULE, withManagedName, type NameOf } from "../../simulator/managed-rulesets.js";
import { readOverrides, type Overrides, type OverrideSettings } from "../../simulator/managed.js";
import { readNumber } from "../../simulator/read-property.js";
import { listNamed, type ListsInput } from "../../simulator/lists.js";
import type { RuleInput } from "../../simulator/ruleset-input.js";
import { firmnessOf, orderOfActions } from "../order/actions.js";
import { joinOrders, orderOf, type Order } from "../order/order.js";
import { overrideChanges, type OverrideChange, type OverridePlace } from "../order/overrides.js";
import { orderOfLimits } from "../order/rate-limits.js";
import { isSkippedWith, listSkipped, skippedWords } from "../order/skips.js";
import { differingFields, rawFieldsOf } from "../program/raw-fields.js";
import { isWithin } from "../reach.js";

/** One thing that an edit of a rule changes, and whether enforcement is strengthened or weakened by it. */
export interface ChangeReason {
  readonly order: Order;
  /** For a reader who sees the rule's name next to it: `block → log`. */
  readonly text: string;
  /** Fields of the rule, in a program's notation, whose change the text says completely. */
  readonly fields?: readonly string[];
}

/** What is known of lists in both versions. */
export interface ListsEdit {
  readonly before?: ListsInput;
  readonly after?: ListsInput;
}

interface RuleChangeInput {
  /** Undefined for a new rule. */
  readonly before: RuleInput | undefined;
  /** Undefined for a removed one. */
  readonly after: RuleInput | undefined;
  readonly phase: string;
  /** The lists of the account whose items are known, before and after. @default none */
  readonly lists?: ListsEdit;
  /** @default the built-in names */
  readonly nameOf?: NameOf;
}

/** What an edit of one rule changes, looking at this rule alone; empty if nothing of it has an order. */
export function changeReasons(change: RuleChangeInput): readonly ChangeReason[] {
  const [before, after] = [roleOf(change.before), roleOf(change.after)];
  if (before.kind === "none" || after.kind === "none") return appearance(change, before, after);
  if (before.kind !== after.kind) {
    const order = before.kind === "protects" ? "looser" : "stricter";
    const skipped = after.kind === "exempts" ? `, skips ${list(after.effect)}` : "";
    return [
      { order, text: `${before.rule.action} → ${after.rule.action}${skipped}`, fields: ["action", "actionParameters"] },
    ];
  }
  const [was, is] = [before.rule, after.rule];
  const own =
    before.kind === "exempts" && after.kind === "exempts"
      ? skipReasons(before.effect, after.effect)
      : [...actionReasons(was, is), ...limitReasons(was, is), ...overrideReasons(was, is, change)];
  const hidden: readonly ChangeReason[] =
    was.opaque === is.opaque ? [] : [{ order: "mixed", text: "a value changes that is not known here" }];
  return [
    ...own,
    ...expressionReasons(was, is, {
      phase: change.phase,
      lists: change.lists ?? {},
      isSkip: before.kind === "exempts",
    }),
    ...rawReasons(was, is),
    ...hidden,
  ];
}

type SkipEffect = Extract<Effect, { kind: "skip" }>;

/** What a rule is for: to stop requests, to exempt them from other rules, or neither. */
type Role =
  | { readonly kind: "none" }
  | { readonly kind: "protects"; readonly rule: RuleInput }
  | { readonly kind: "exempts"; readonly rule: RuleInput; readonly effect: SkipEffect };

function roleOf(rule: RuleInput | undefined): Role {
  if (rule === undefined || rule.enabled === false) return { kind: "none" };
  if (rule.action === "skip") {
    const effect = readEffect("skip", parametersOf(rule));
    if (effect.kind === "skip") return { kind: "exempts", rule, effect };
  }
  return firmnessOf(rule.action) > firmnessOf("log") ? { kind: "protects", rule } : { kind: "none" };
}

function parametersOf({ actionParameters, action_parameters }: RuleInput): object {
  return actionParameters ?? action_parameters ?? {};
}

/** What a rule brings that did nothing before, or takes away that does nothing anymore. */
function appearance({ before, after }: RuleChangeInput, was: Role, is: Role): readonly ChangeReason[] {
  if (is.kind === "exempts") return [{ order: "looser", text: `skips ${list(is.effect)}` }];
  if (is.kind === "protects") {
    const wasOff = before?.enabled === false;
    const text = before === undefined ? "added" : wasOff ? "enabled" : actionWords(before, is.rule);
    return [{ order: "stricter", text, fields: wasOff ? ["enabled"] : ["action"] }];
  }
  if (was.kind === "none") return [];
  const order = was.kind === "protects" ? "looser" : "stricter";
  if (after === undefined) return [{ order, text: "removed" }];
  const isOff = after.enabled === false;
  return [{ order, text: isOff ? "disabled" : actionWords(was.rule, after), fields: isOff ? ["enabled"] : ["action"] }];
}

function actionWords(before: RuleInput, after: RuleInput): string {
  return `${before.action} → ${after.action}`;
}

function list(effect: SkipEffect): string {
  return listSkipped(effect.target).map(skippedWords).join(", ");
}

const PARAMETERS = ["actionParameters"] as const;

function skipReasons(before: SkipEffect, after: SkipEffect): readonly ChangeReason[] {
  const [was, is] = [listSkipped(before.target), listSkipped(after.target)];
  const [more, less] = [is.filter((one) => !isSkippedWith(one, was)), was.filter((one) => !isSkippedWith(one, is))];
  return [
    ...(more.length === 0
      ? []
      : [{ order: "looser", text: `also skips ${more.map(skippedWords).join(", ")}`, fields: PARAMETERS } as const]),
    ...(less.length === 0
      ? []
      : [
          {
            order: "stricter",
            text: `no longer skips ${less.map(skippedWords).join(", ")}`,
            fields: PARAMETERS,
          } as const,
        ]),
  ];
}

function actionReasons(before: RuleInput, after: RuleInput): readonly ChangeReason[] {
  const order = orderOfActions(before.action, after.action);
  return before.action === after.action ? [] : [{ order, text: actionWords(before, after), fields: ["action"] }];
}

/** What raw fields do is not known here. */
function rawReasons(before: RuleInput, after: RuleInput): readonly ChangeReason[] {
  const [was, is] = [rawFieldsOf(before), rawFieldsOf(after)];
  return differingFields(was, is).map((name) => ({
    order: "mixed",
    text: `${name} ${rawWords(was?.values.get(name))} → ${rawWords(is?.values.get(name))}`,
    fields: [name],
  }));
}

const MOST_RAW = 60;

function rawWords(value: unknown): string {
  const text = value === undefined ? "not set" : JSON.stringify(value);
  // A part that is not known here.
  if (text.includes('{"opaque":')) return "a value that is not known here";
  return text.length > MOST_RAW ? `${text.slice(0, MOST_RAW)}…` : text;
}

const RATE = ["requestsPerPeriod", "scorePerPeriod", "period"].map((name) => `ratelimit.${name}`);

function limitReasons({ ratelimit: was }: RuleInput, { ratelimit: is }: RuleInput): readonly ChangeReason[] {
  if (was === undefined && is === undefined) return [];
  if (was === undefined) return [{ order: "looser", text: `only above ${rateWords(is ?? {})}` }];
  if (is === undefined) return [{ order: "stricter", text: `no longer only above ${rateWords(was)}` }];
  const [from, to] = [readNumber(was, "mitigationTimeout") ?? 0, readNumber(is, "mitigationTimeout") ?? 0];
  const order = orderOfLimits(was, is);
  const known: ChangeReason[] = [
    ...(rateWords(was) === rateWords(is)
      ? []
      : [{ order, text: `${rateWords(was)} → ${rateWords(is)}`, fields: RATE }]),
    ...(from === to
      ? []
      : [
          {
            order,
            text: `stops clients for ${number(from)} → ${number(to)} seconds`,
            fields: ["ratelimit.mitigationTimeout"],
          },
        ]),
  ];
  return order === "same" || known.length > 0 ? known : [{ order, text: "counts other requests together" }];
}

/** `10,000 requests in 60 seconds`. */
function rateWords(ratelimit: object): string {
  const [requests, score] = [readNumber(ratelimit, "requestsPerPeriod"), readNumber(ratelimit, "scorePerPeriod")];
  const amount = requests === undefined ? `a score of ${number(score ?? 0)}` : `${number(requests)} requests`;
  return `${amount} in ${number(readNumber(ratelimit, "period") ?? 0)} seconds`;
}

function number(value: number): string {
  return String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

function overrideReasons(
  before: RuleInput,
  after: RuleInput,
  { phase, nameOf }: RuleChangeInput,
): readonly ChangeReason[] {
  if (before.action !== "execute" || after.action !== "execute") return [];
  const [was, is] = [executed(before), executed(after)];
  if (was === undefined || is === undefined) return [];
  if (was.id !== is.id) {
    return [
      {
        order: "mixed",
        text: `executes ${withManagedName(is.id, nameOf)} instead of ${withManagedName(was.id, nameOf)}`,
        fields: ["actionParameters.id"],
      },
    ];
  }
  const levels = was.id === managedRulesets.owaspCore ? paranoiaReasons(was.overrides, is.overrides) : [];
  const changes = overrideChanges(was.overrides, is.overrides).filter(
    ({ place: { tags, rule } }) =>
      levels.length === 0 || rule !== undefined || tags.length === 0 || !tags.every((tag) => LEVEL.test(tag)),
  );
  const own = changes.map((change): ChangeReason => {
    const text = overrideWords(change, nameOf);
    return executesCustomOnly(phase)
      ? { order: "mixed", text: `${text}; ${CUSTOM_OVERRIDES}` }
      : { order: change.order, text };
  });
  return [...levels, ...own].map((reason) => ({ ...reason, fields: ["actionParameters.overrides"] }));
}

function executed(rule: RuleInput): { readonly id: string; readonly overrides: Overrides } | undefined {
  const effect = readEffect("execute", parametersOf(rule));
  return effect.kind === "execute" ? { id: effect.id, overrides: readOverrides(effect.overrides) } : undefined;
}

const LEVEL = /^paranoia-level-[1-4]$/;

/** The paranoia level of the OWASP core ruleset is the highest one whose tag is not off. */
function paranoiaReasons(before: Overrides, after: Overrides): readonly ChangeReason[] {
  const levelOf = ({ categories }: Overrides): number =>
    [4, 3, 2, 1].find(
      (level) =>
        categories.findLast(({ category }) => category === `paranoia-level-${String(level)}`)?.enabled !== false,
    ) ?? 0;
  const [was, is] = [levelOf(before), levelOf(after)];
  return was === is ? [] : [{ order: orderOf(was, is), text: `paranoia level ${String(was)} → ${String(is)}` }];
}

function overrideWords({ place, before, after }: OverrideChange, nameOf: NameOf | undefined): string {
  const words = settingWords(before, after).join(", ");
  const isScoring = place.rule === SCORING_RULE && place.tags.length === 0;
  return isScoring ? words : `${placeWords(place, nameOf)}: ${words}`;
}

function placeWords({ tags, rule }: OverridePlace, nameOf: NameOf | undefined): string {
  const named = rule === undefined ? undefined : `rule ${withManagedName(rule, nameOf)}`;
  const [only] = tags;
  if (only === undefined) return named ?? "all rules";
  if (named === undefined && tags.length === 1) return `tag ${only}`;
  const has = tags.length === 1 ? `the tag ${only}` : `the tags ${tags.join(", ")}`;
  return named === undefined ? `rules with ${has}` : `${named}, if it has ${has}`;
}

function settingWords(before: OverrideSettings, after: OverrideSettings): readonly string[] {
  const changed = (name: string, was: string, is: string): string[] =>
    was === is ? [] : [`${name === "" ? "" : `${name} `}${was} → ${is}`];
  return [
    ...changed("", switchWords(before.enabled), switchWords(after.enabled)),
    ...changed("", before.action ?? "default action", after.action ?? "default action"),
    ...changed("sensitivity", before.sensitivityLevel ?? "default", after.sensitivityLevel ?? "default"),
    ...changed("threshold", thresholdWords(before), thresholdWords(after)),
  ];
}

function switchWords(enabled: boolean | undefined): string {
  return enabled === undefined ? "default" : enabled ? "on" : "off";
}

function thresholdWords({ scoreThreshold }: OverrideSettings): string {
  return scoreThreshold === undefined ? "default" : String(scoreThreshold);
}

/** How the requests that a rule matches change. A skip rule that matches more is looser, any other is stricter. */
function expressionReasons(
  before: RuleInput,
  after: RuleInput,
  { phase, lists, isSkip }: { readonly phase: string; readonly lists: ListsEdit; readonly isSkip: boolean },
): readonly ChangeReason[] {
  const [was, is] = [before.expression, after.expression];
  const changed = changedListsIn(is, lists);
  if (was === undefined || is === undefined || (was === is && changed.length === 0)) return [];
  const [old, fresh] = [
    { expression: was, lists: lists.before },
    { expression: is, lists: lists.after },
  ];
  const [fewer, more] = [isWithin(fresh, old, phase), isWithin(old, fresh, phase)];
  if (fewer && more) return [];
  const why = was === is ? `, because ${changed.map((name) => `$${name}`).join(" and ")} changes` : "";
  if (fewer) return [{ order: isSkip ? "stricter" : "looser", text: `applies to fewer requests${why}` }];
  if (more) return [{ order: isSkip ? "looser" : "stricter", text: `applies to more requests${why}` }];
  return [{ order: "mixed", text: `applies to other requests${why}` }];
}

/** The lists in an expression that differ between both versions, as far as that is known. */
function changedListsIn(expression: string | undefined, { before, after }: ListsEdit): readonly string[] {
  if (expression === undefined || before === after) return [];
  const parsed = parseExpression(expression);
  if ("fault" in parsed) return [];
  const names = Array.from(usesOf(parsed.expression).lists);
  return names.filter((name) => listNamed(before, name) !== listNamed(after, name));
}

/** The order of everything that changes. */
export function orderOfReasons(reasons: readonly ChangeReason[]): Order {
  return joinOrders(reasons.map(({ order }) => order));
}
