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
import type { Seen } from "./state.js";

/** What a plan comes to where the service stands now. */
export interface Comparison {
  /** The rule there, under its old id, or under its ref where somebody made it anew. */
  readonly rule: DeployedRule | undefined;
  /** What somebody else made of the rule, and the program does not want as well. */
  readonly conflict: Conflict;
  /** The write; undefined where there is nothing left to do. */
  readonly op: RuleOp | undefined;
  /** The rule that the position names, where it is not there. */
  readonly anchorMissing: boolean;
}

/** Whether anything that the service holds differs from what the program wants, or may once it is known. */
export function changes(
  { declared, state }: Seen,
  { rule }: Desired,
  { position }: Pick<Pending<RuleInputs>, "position">,
): boolean {
  // Without a position any place will do.
  const moves = position !== undefined && (position === NOT_KNOWN || !sameJson(state.position, position));
  return moves || rule.pending || !rule.isWrittenAs(declared);
}

/** Whether the engine has to call for a write or for a new state. */
export function changeOf(replaces: readonly string[], changed: boolean, finishes: boolean): Change {
  if (replaces.length > 0) return { kind: "replace", replaces, shownByInputs: true };
  return { kind: changed || finishes ? "update" : "none", replaces: [], shownByInputs: !finishes };
}

/** Compares what was seen last with what is there now and what the program wants. */
export function compareRule(seen: Seen, desired: Desired, { rules }: Pick<Ruleset, "rules">): Comparison {
  const rule = ruleOf(seen, rules);
  if (rule === undefined) {
    const position = desired.position;
    const place = position === undefined ? undefined : placeFor(rules, position);
    const op: RuleOp = {
      kind: "add",
      rule: { ...desired.rule.fields, ref: seen.ref },
      ...(place === undefined ? {} : { position: place }),
    };
    const anchorMissing = position !== undefined && place === undefined;
    return { rule: undefined, conflict: { ...NO_CONFLICT, removed: [seen.ref] }, op, anchorMissing };
  }
  const position = desired.position;
  const standing = position === undefined ? "holds" : positionStatus(rules, rule.id, position);
  const now = new Rule(rule);
  const edited = !now.meansSameAs(seen.rule) && !now.meansSameAs(desired.rule);
  const last = seen.position;
  const moved = standing === "elsewhere" && last !== undefined && positionStatus(rules, rule.id, last) === "elsewhere";
  return {
    rule,
    conflict: {
      ...NO_CONFLICT,
      edited: edited ? [{ ref: rule.ref, rule, fields: seen.rule.changedFields(now) }] : [],
      moved: moved ? [rule.ref] : [],
    },
    op: writeOf(
      now,
      desired,
      standing === "elsewhere" && position !== undefined ? placeFor(rules, position, rule.id) : undefined,
    ),
    // A position that is as old as the rule stands, whatever became of the other rule.
    anchorMissing: standing === "missing" && !sameJson(last, position),
  };
}

/** The write that makes of a rule what the program wants; `place` where it must move. */
export function writeOf(
  there: Rule<DeployedRule>,
  desired: Pick<Desired, "rule">,
  place: Extract<RuleOp, { kind: "move" }>["position"] | undefined,
): RuleOp | undefined {
  const { id, ref } = there.fields;
  const at = place === undefined ? {} : { position: place };
  if (!desired.rule.isWrittenAs(there)) return { kind: "change", id, rule: { ...desired.rule.fields, ref }, ...at };
  return place === undefined ? undefined : { kind: "move", id, position: place };
}

function ruleOf(
  { ruleId, ref }: Pick<Seen, "ruleId" | "ref">,
  rules: readonly DeployedRule[],
): DeployedRule | undefined {
  return rules.find(({ id }) => id === ruleId) ?? rules.find((rule) => rule.ref === ref);
}

const NO_CONFLICT: Conflict = { foreign: [], edited: [], removed: [], moved: [] };

/** What somebody else made of a rule that is to be deleted. */
export function compareForDelete(seen: Seen, { rules }: Pick<Ruleset, "rules">): Pick<Comparison, "rule" | "conflict"> {
  const rule = ruleOf(seen, rules);
  const now = new Rule(rule);
  if (rule === undefined || now.meansSameAs(seen.rule)) return { rule, conflict: NO_CONFLICT };
  return {
    rule,
    conflict: { ...NO_CONFLICT, edited: [{ ref: rule.ref, rule, fields: seen.rule.changedFields(now) }] },
  };
}
