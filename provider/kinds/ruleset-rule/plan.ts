import type { Change } from "../../engine/lifecycle.js";
import { sameJson } from "../../model/json.js";
import type { DeployedRule, Ruleset } from "../../model/ruleset.js";
import { NOT_KNOWN, type Pending } from "../../model/unknown.js";
import type { Conflict } from "../../ownership/conflict.js";
import { Rule } from "../../rules/rule.js";
import type { RuleOp } from "../ruleset/rule-writes.js";
import type { RuleInputs } from "./description.js";
import type { Desired } from "./desired.js";
import { placeFor, positionStatus } from "./position.js";
import type { ParsedState } from "./state.js";

/** A plan compared with what is at the service now. */
export interface Comparison {
  /** The existing rule, by its old ID, or by its ref if somebody recreated it. */
  readonly rule: DeployedRule | undefined;
  /** What somebody else changed in the rule and the program does not also change. */
  readonly conflict: Conflict;
  /** The write; undefined if nothing is left to do. */
  readonly op: RuleOp | undefined;
  /** Whether the rule that the position names is missing. */
  readonly anchorMissing: boolean;
}

/** Whether anything that the service stores differs from what the program wants, or may differ once it is known. */
export function hasChanges(
  { declared, state }: ParsedState,
  { rule }: Desired,
  { position }: Pick<Pending<RuleInputs>, "position">,
): boolean {
  // Without a position, any place will do.
  const moves = position !== undefined && (position === NOT_KNOWN || !sameJson(state.position, position));
  return moves || rule.pending || !rule.isWrittenAs(declared);
}

/** Whether the engine must call for a write or a new state. */
export function decideChange(replaces: readonly string[], changed: boolean, finishes: boolean): Change {
  if (replaces.length > 0) return { kind: "replace", replaces, shownByInputs: true };
  return { kind: changed || finishes ? "update" : "none", replaces: [], shownByInputs: !finishes };
}

/** Compares what was last read with what is there now and what the program wants. */
export function compareRule(recorded: ParsedState, desired: Desired, { rules }: Pick<Ruleset, "rules">): Comparison {
  const rule = findRecordedRule(recorded, rules);
  if (rule === undefined) {
    const position = desired.position;
    const place = position === undefined ? undefined : placeFor(rules, position);
    const op: RuleOp = {
      kind: "add",
      rule: { ...desired.rule.fields, ref: recorded.ref },
      ...(place === undefined ? {} : { position: place }),
    };
    const anchorMissing = position !== undefined && place === undefined;
    return { rule: undefined, conflict: { ...NO_CONFLICT, removed: [recorded.ref] }, op, anchorMissing };
  }
  const position = desired.position;
  const status = position === undefined ? "satisfied" : positionStatus(rules, rule.id, position);
  const current = Rule.of(rule);
  const edited = !current.meansSameAs(recorded.rule) && !current.meansSameAs(desired.rule);
  const last = recorded.position;
  const moved = status === "elsewhere" && last !== undefined && positionStatus(rules, rule.id, last) === "elsewhere";
  return {
    rule,
    conflict: {
      ...NO_CONFLICT,
      edited: edited ? [{ ref: rule.ref, rule, fields: recorded.rule.changedFields(current) }] : [],
      moved: moved ? [rule.ref] : [],
    },
    op: planWrite(
      current,
      desired,
      status === "elsewhere" && position !== undefined ? placeFor(rules, position, rule.id) : undefined,
    ),
    // A position that has not changed counts as satisfied, whatever happened to the other rule.
    anchorMissing: status === "missing" && !sameJson(last, position),
  };
}

/** The write that turns a rule into what the program wants; `place` is set if it must move. */
export function planWrite(
  current: Rule<DeployedRule>,
  desired: Pick<Desired, "rule">,
  place: Extract<RuleOp, { kind: "move" }>["position"] | undefined,
): RuleOp | undefined {
  const { id, ref } = current.fields;
  const at = place === undefined ? {} : { position: place };
  if (!desired.rule.isWrittenAs(current)) return { kind: "change", id, rule: { ...desired.rule.fields, ref }, ...at };
  return place === undefined ? undefined : { kind: "move", id, position: place };
}

function findRecordedRule(
  { ruleId, ref }: Pick<ParsedState, "ruleId" | "ref">,
  rules: readonly DeployedRule[],
): DeployedRule | undefined {
  return rules.find(({ id }) => id === ruleId) ?? rules.find((rule) => rule.ref === ref);
}

const NO_CONFLICT: Conflict = { foreign: [], edited: [], removed: [], moved: [] };

/** What somebody else changed in a rule that is to be deleted. */
export function compareForDelete(
  recorded: ParsedState,
  { rules }: Pick<Ruleset, "rules">,
): Pick<Comparison, "rule" | "conflict"> {
  const rule = findRecordedRule(recorded, rules);
  const current = Rule.of(rule);
  if (rule === undefined || current.meansSameAs(recorded.rule)) return { rule, conflict: NO_CONFLICT };
  return {
    rule,
    conflict: { ...NO_CONFLICT, edited: [{ ref: rule.ref, rule, fields: recorded.rule.changedFields(current) }] },
  };
}
