import { sameJson } from "../../../model/json.js";
import type { DeployedRule, Ruleset } from "../../../model/ruleset.js";
import type { Conflict } from "../../../ownership/conflict.js";
import { Rule } from "../../../rules/rule.js";
import type { RuleOp } from "../write/rule-writes.js";
import type { Desired } from "./desired.js";
import { placeFor, positionStatus, type PositionStatus } from "../position.js";
import type { ParsedState } from "./state.js";

type Rules = readonly DeployedRule[];

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

/** Compares what was last read with what is there now and what the program wants. */
export function compareRule(recorded: ParsedState, desired: Desired, rules: Rules): Comparison {
  const found = findRecorded(recorded, desired, rules);
  const conflict = conflictOf(recorded, desired, rules, found);
  const { rule, status } = found;
  const { position } = desired;
  if (rule === undefined) {
    const place = position === undefined ? undefined : placeFor(rules, position);
    const op: RuleOp = {
      kind: "add",
      rule: { ...desired.rule.fields, ref: recorded.ref },
      ...(place === undefined ? {} : { position: place }),
    };
    return { rule, conflict, op, anchorMissing: position !== undefined && place === undefined };
  }
  const place = status === "elsewhere" && position !== undefined ? placeFor(rules, position, rule.id) : undefined;
  return {
    rule,
    conflict,
    op: planWrite(Rule.of(rule), desired, place),
    // A position that has not changed counts as satisfied, whatever happened to the other rule.
    anchorMissing: status === "missing" && !sameJson(recorded.position, position),
  };
}

/** The existing rule, and whether it is where the program wants it. */
interface RecordedRule {
  readonly rule: DeployedRule | undefined;
  readonly status: PositionStatus;
}

function findRecorded(recorded: ParsedState, { position }: Desired, rules: Rules): RecordedRule {
  const rule = findRecordedRule(recorded, rules);
  const isAnywhere = rule === undefined || position === undefined;
  return { rule, status: isAnywhere ? "satisfied" : positionStatus(rules, rule.id, position) };
}

/** What somebody else changed in a rule since it was last read, and the program does not also change. */
export function findConflict(recorded: ParsedState, desired: Desired, { rules }: Pick<Ruleset, "rules">): Conflict {
  return conflictOf(recorded, desired, rules, findRecorded(recorded, desired, rules));
}

function conflictOf(recorded: ParsedState, desired: Desired, rules: Rules, { rule, status }: RecordedRule): Conflict {
  if (rule === undefined) return { ...NO_CONFLICT, removed: [recorded.ref] };
  const last = recorded.position;
  const moved = status === "elsewhere" && last !== undefined && positionStatus(rules, rule.id, last) === "elsewhere";
  const edited = editsIn(recorded, rule).filter(() => !Rule.of(rule).meansSameAs(desired.rule));
  return { ...NO_CONFLICT, edited, moved: moved ? [rule.ref] : [] };
}

/** What somebody else changed in a rule that is to be deleted. */
export function compareForDelete(
  recorded: ParsedState,
  { rules }: Pick<Ruleset, "rules">,
): Pick<Comparison, "rule" | "conflict"> {
  const rule = findRecordedRule(recorded, rules);
  return { rule, conflict: { ...NO_CONFLICT, edited: rule === undefined ? [] : editsIn(recorded, rule) } };
}

function editsIn({ rule: last }: ParsedState, rule: DeployedRule): Conflict["edited"] {
  const current = Rule.of(rule);
  return current.meansSameAs(last) ? [] : [{ ref: rule.ref, rule, fields: last.changedFields(current) }];
}

function findRecordedRule({ ruleId, ref }: ParsedState, rules: Rules): DeployedRule | undefined {
  return rules.find(({ id }) => id === ruleId) ?? rules.find((rule) => rule.ref === ref);
}

const NO_CONFLICT: Conflict = { foreign: [], edited: [], removed: [], moved: [] };

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
