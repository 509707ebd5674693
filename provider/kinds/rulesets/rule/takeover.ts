import { planUp, UNDOES_OTHERS } from "../../../engine/published-plans.js";
import type { Session } from "../../../engine/session.js";
import { displayFor } from "../../../engine/display.js";
import type { DeployedRule, Ruleset } from "../../../model/ruleset.js";
import { isUnknown } from "../../../model/unknown.js";
import {
  mayBeDeletedText,
  ruleOccupiedText,
  ruleTakeoverText,
  type RuleTakeoverGrounds,
} from "../../../ownership/rule-messages.js";
import { unreadStateText } from "../../../ownership/ruleset-messages.js";
import { Rule } from "../../../rules/rule.js";
import type { Owner } from "../ledger.js";
import { ledgerOf, runRecord } from "../ledgers.js";
import { rulesetTarget, targetId, type Desired, refOf } from "./desired.js";
import { positionStatus } from "../position.js";
import { isConflict } from "../../../ownership/conflict.js";
import { findConflict } from "./comparison.js";
import { findOwnState } from "./predecessor.js";
import { parseState } from "./state.js";
import { conflictMessage } from "./write.js";

/** What a rule that is about to be created finds under its ref. */
export type Takeover =
  | { readonly kind: "free" }
  | {
      readonly kind: "taken";
      readonly rule: DeployedRule;
      readonly differences: readonly string[];
      readonly grounds: RuleTakeoverGrounds;
    }
  | {
      readonly kind: "refused";
      readonly reason: string;
      readonly rule?: DeployedRule;
      /** Whether somebody has changed the rule since this stack last read it. @default false */
      readonly conflict?: boolean;
    };

/** By URN, what the resources checked in this run wanted in the last run. Those that do not change are dropped. */
export const lastDesired = (): Map<string, Desired> => new Map();

/** Decides whether an existing rule may be taken over by a resource that is to be created. */
export async function decideTakeover(session: Session, desired: Desired, ruleset: Ruleset): Promise<Takeover> {
  const { ref, where, policy, urn } = desired;
  const undone = await findRecreateConflict(session, desired, ruleset);
  if (undone?.overwrites === false) return { kind: "refused", reason: undone.text, conflict: true };
  if (undone !== undefined) {
    session.reporter.warn(urn, undone.text);
    planUp(session, urn, UNDOES_OTHERS);
  }
  const rule = findRule(desired, ruleset.rules);
  if (rule === undefined) return withoutRule(desired, ruleset.rules);
  if (policy.adopts !== undefined && !isUnknown(ref) && ref !== rule.ref) {
    const reason = `the rule ${rule.id} has the ref ${JSON.stringify(rule.ref)}: write ref: ${JSON.stringify(rule.ref)}, or leave ref out`;
    return { kind: "refused", reason };
  }
  const differences = differencesOf(desired, rule, ruleset.rules);
  const taken = (grounds: RuleTakeoverGrounds): Takeover => ({ kind: "taken", rule, differences, grounds });
  if (undone !== undefined) return taken({ kind: "own" });
  if (policy.adopts !== undefined || policy.onExisting === "adopt") {
    const unread = differences.length === 0 ? undefined : await findUnreadConflict(session, desired, rule);
    return unread === undefined
      ? taken({ kind: "requested" })
      : { kind: "refused", reason: unread, rule, conflict: true };
  }
  const before = session.part(lastDesired).get(urn ?? "");
  if (
    before !== undefined &&
    before.ref === rule.ref &&
    targetId(before.target) === targetId(desired.target) &&
    before.rule.meansSameAs(Rule.of(rule))
  )
    return taken({ kind: "own" });
  const isLeftover = urn !== undefined && ref === refOf(urn);
  if (differences.length === 0 && isLeftover) return taken({ kind: "leftover" });
  const ledger = await ledgerOf(session, { target: rulesetTarget(desired.target, ruleset.kind) }, ruleset.id);
  const owner = previousOwner(ledger.ownerOf(rule, desired), desired);
  if (differences.length > 0 && (owner === undefined || !ledger.isUnchanged(rule))) {
    const secrets = { ruleIds: { [rule.ref]: rule.id }, __secretPaths: { [rule.ref]: desired.secretPaths } };
    const display = displayFor(session, secrets);
    return { kind: "refused", reason: ruleOccupiedText(where, rule, differences, { display, owner }), rule };
  }
  return taken(owner === undefined ? { kind: "equal" } : { kind: "inherited", urn: owner });
}

/** The resource of the stack that had a rule before this one. */
function previousOwner(owner: Owner, { urn }: Desired): string | undefined {
  switch (owner.kind) {
    case "mine":
      return urn;
    case "other":
      return owner.urn;
    case "released":
      return owner.by;
    case "foreign":
      return undefined;
  }
}

/**
 * Where the state of the stack cannot be read, a rule that is created again looks like one that is taken over on request: it
 * may contain somebody's edits.
 */
async function findUnreadConflict(
  session: Session,
  { where, policy, urn, secretPaths }: Desired,
  rule: DeployedRule,
): Promise<string | undefined> {
  if ((await session.predecessors.all()) !== undefined) return undefined;
  const secrets = { ruleIds: { [rule.ref]: rule.id }, __secretPaths: { [rule.ref]: secretPaths } };
  const text = unreadStateText(where, [rule], displayFor(session, secrets));
  if (session.onConflict(policy.onConflict) === "fail") return text;
  session.reporter.warn(urn, `overwriting, as requested.\n${text}`);
  planUp(session, urn, UNDOES_OTHERS);
  return undefined;
}

function findRule({ ref, policy }: Desired, rules: readonly DeployedRule[]): DeployedRule | undefined {
  return rules.find((rule) => (policy.adopts === undefined ? rule.ref === ref : rule.id === policy.adopts));
}

function withoutRule({ ref, where, policy }: Desired, rules: readonly DeployedRule[]): Takeover {
  if (policy.adopts !== undefined) return { kind: "refused", reason: `there is no rule ${policy.adopts} in ${where}` };
  const named = rules.find(({ id }) => id === ref);
  if (named === undefined) return { kind: "free" };
  const reason = `${ref} is the ID of a rule in ${where} whose ref is ${JSON.stringify(named.ref)}: write ref: ${JSON.stringify(named.ref)}`;
  return { kind: "refused", reason };
}

/** The fields in which a rule differs, and `position`. Unknown values count only if they must differ. */
function differencesOf(
  { rule: wanted, position }: Desired,
  rule: DeployedRule,
  rules: readonly DeployedRule[],
): string[] {
  const existing = Rule.of(rule);
  const fields = wanted.mayMeanSameAs(existing) ? [] : existing.changedFields(wanted);
  const moves = position !== undefined && positionStatus(rules, rule.id, position) === "elsewhere";
  return moves ? [...fields, "position"] : fields;
}

/** Whether a delete may remove a rule that was taken over for that reason. */
export function isOwned({ kind }: RuleTakeoverGrounds): boolean {
  return kind !== "equal";
}

/**
 * Reports what a takeover does. It is a warning if the rule seems to belong to somebody else or, in a preview, if another
 * resource of the program may delete it first.
 */
export function reportTakeover(session: Session, urn: string, takeover: Takeover, preview: boolean): void {
  if (takeover.kind !== "taken") return;
  const { reporter } = session;
  const deleter = preview ? runRecord(session).dropped.get(takeover.rule.id) : undefined;
  if (deleter !== undefined) reporter.warn(urn, mayBeDeletedText(takeover.rule, deleter));
  const text = ruleTakeoverText(takeover.rule, takeover.differences, takeover.grounds);
  if (text === undefined) return;
  if (takeover.grounds.kind === "equal") reporter.warn(urn, text);
  else reporter.info(urn, text);
}

/** What creating a rule again over itself, as with `--replace` or a taint, would undo of somebody else's changes. */
export interface RecreateConflict {
  readonly text: string;
  /** Whether the program asks to undo it. */
  readonly overwrites: boolean;
}

/** Compares as for an update; undefined for a new rule, and where nobody has changed the rule since the stack read it. */
export async function findRecreateConflict(
  session: Session,
  desired: Desired,
  ruleset: Ruleset,
): Promise<RecreateConflict | undefined> {
  const last = await findOwnState(session, ruleset.id, desired);
  if (last === undefined) return undefined;
  const conflict = findConflict(parseState(last), desired, ruleset);
  if (!isConflict(conflict)) return undefined;
  return conflictMessage(session, desired, conflict, { operation: "change", ruleId: last.ruleId });
}
