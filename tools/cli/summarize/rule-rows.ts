import type { ChangeReason, JudgedRule, Weakens } from "../../../core/analysis/index.js";
import { diffRules } from "../../../core/rules/diff.js";
import { HIDDEN } from "../../../core/model/secret.js";
import { hasUnknown } from "../../../core/model/unknown.js";
import { isObject, sameJson, textOf, type Json, type JsonObject } from "../../../core/model/json.js";
import { namedIn } from "../../../core/managed/names.js";
import { managedRulesetName, type NameOf } from "../../../core/managed/rulesets.js";
import { ruleName } from "../../../core/model/names.js";
import { RULE_CHANGES, type FieldChange, type RuleChange, type RuleRow } from "./summary.js";
import { endOf } from "../../../core/rules/written/expiry.js";
import type { KeyedRules } from "../../../core/rules/keyed.js";

/** How the rules of one ruleset change: one row per rule, the most severe first, then in execution order. */
export function ruleRows({
  before,
  after,
  foreign,
  secrets,
  judged,
  nameOf,
  at = -Infinity,
}: RulesChange): readonly RuleRow[] {
  const diff = diffRules(before, after);
  const changeByRef = new Map<string, RuleChange>([
    ...diff.removed.map(
      (ref) => [ref, endOf(jsonOf(before, ref) ?? {}, at) === undefined ? "removed" : "expired"] as const,
    ),
    ...diff.added.map((ref) => [ref, "added"] as const),
    ...diff.moved.map((ref) => [ref, "moved"] as const),
    ...diff.reformatted.map((ref) => [ref, "formatting"] as const),
    ...diff.changed.map(({ ref }) => [ref, "changed"] as const),
  ]);
  const moved = new Set(diff.moved);
  const rows = [...diff.removed, ...after.order].map((ref): RuleRow => {
    const [old, now] = [jsonOf(before, ref), jsonOf(after, ref)];
    const shown = now ?? old ?? {};
    const { weakens = "no", reasons = [] } = judged.get(ref) ?? {};
    const hidden = old === undefined || now === undefined ? [] : (secrets.get(ref) ?? []);
    return {
      change: changeOf(changeByRef.get(ref) ?? "unchanged", {
        weakens,
        mayDiffer: hidden.length > 0 || hasUnknown(now),
      }),
      ref,
      name: titleOf(shown, ref),
      action: textOf(shown.action),
      ...(typeof shown.expression === "string" ? { expression: shown.expression } : {}),
      moved: moved.has(ref),
      ...(moved.has(ref) ? { from: placeIn(before, ref), place: placeIn(after, ref) } : {}),
      ...(foreign.has(ref) ? { foreign: true } : {}),
      ...(weakens === "no" ? {} : { weakens }),
      reasons: [
        ...reasons.filter(({ text }) => !OBVIOUS.has(text)),
        ...(changeByRef.get(ref) === "expired" ? endReason(shown, at) : []),
      ],
      fields:
        old === undefined || now === undefined ? [] : [...changedValues(old, now, nameOf), ...hidden.map(secretField)],
    };
  });
  return [...rows].sort((a, b) => urgency(a) - urgency(b));
}

/** Reasons that the kind of the change, or a secret or unknown value that is shown, says already. */
const OBVIOUS: ReadonlySet<string> = new Set(["added", "removed", "a value changes that is not known here"]);

/** That the time of a rule that is removed was over. */
function endReason(rule: JsonObject, at: number): readonly ChangeReason[] {
  const end = endOf(rule, at);
  return end === undefined ? [] : [{ text: `it expired at ${end}`, order: "same" }];
}

/** The place of a rule in a list: `the top`, `after "admin"`. */
function placeIn(keyed: KeyedRules, ref: string): string {
  const above = keyed.order[keyed.order.indexOf(ref) - 1];
  return above === undefined ? "the top" : `after ${JSON.stringify(titleOf(jsonOf(keyed, above) ?? {}, above))}`;
}

/** The rules of a ruleset before and after. */
interface RulesChange {
  readonly before: KeyedRules;
  readonly after: KeyedRules;
  /** Refs of rules that somebody else wrote. */
  readonly foreign: ReadonlySet<string>;
  readonly secrets: SecretChanges;
  /** What the change does to each rule. */
  readonly judged: ReadonlyMap<string, JudgedRule>;
  /** The names of managed rules. */
  readonly nameOf: NameOf;
  /** When it is summarized, in seconds since 1970. @default rules apply at any time */
  readonly at?: number | undefined;
}

interface ChangeFacts {
  readonly weakens: Weakens;
  /** Whether it may differ in something that is not shown: a secret, or a value not known before `up`. */
  readonly mayDiffer: boolean;
}

function changeOf(found: RuleChange, { weakens, mayDiffer }: ChangeFacts): RuleChange {
  switch (found) {
    case "changed":
      return weakens === "yes" ? "weakened" : "changed";
    case "unchanged":
    case "formatting":
    case "moved":
      return mayDiffer ? "changed" : found;
    default:
      return found;
  }
}

/**
 * The fields of a rule in which a secret changes, by ref. Both values are shown as `[secret]`, so comparing them finds nothing.
 */
export type SecretChanges = ReadonlyMap<string, readonly string[]>;

function secretField(field: string): FieldChange {
  return { field, before: HIDDEN, after: HIDDEN };
}

function urgency({ change, weakens }: Pick<RuleRow, "change" | "weakens">): number {
  // A new rule that weakens the protection is as severe as a weakened one.
  if (change !== "removed" && weakens === "yes") return RULE_CHANGES.indexOf("weakened");
  return RULE_CHANGES.indexOf(change === "moved" && weakens !== undefined ? "changed" : change);
}

function jsonOf({ rules }: KeyedRules, ref: string): JsonObject | undefined {
  return rules[ref]?.content;
}

function titleOf(rule: JsonObject, ref: string): string {
  const { action, actionParameters, description } = rule;
  const described = typeof description === "string" ? ruleName({ description }) : undefined;
  if (described !== undefined) return described;
  const id = action === "execute" && isObject(actionParameters) ? actionParameters.id : undefined;
  const executed = typeof id === "string" ? managedRulesetName(id) : undefined;
  return executed === undefined ? (ruleName({ ref }) ?? ref) : `execute ${executed}`;
}

/** Placeholder for values not known before `up`. */
const NOT_YET = "(not known before up)";

/** The innermost values that differ, with their paths; lists are compared as a whole. */
export function changedValues(before: JsonObject, after: JsonObject, nameOf: NameOf, inside = ""): FieldChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name): FieldChange[] => {
    const [old, now] = [before[name], after[name]];
    if (sameJson(old, now)) return [];
    const field = inside === "" ? name : `${inside}.${name}`;
    if (isObject(old) && isObject(now)) return changedValues(old, now, nameOf, field);
    const names = namedIn([old, now], nameOf);
    return [
      {
        field,
        ...present("before", old),
        ...present("after", hasUnknown(now) ? NOT_YET : now),
        ...(names === "" ? {} : { names }),
      },
    ];
  });
}

function present<N extends string>(name: N, value: Json | undefined): { readonly [K in N]?: Json } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [K in N]?: Json };
}
