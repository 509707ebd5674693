import type { Session } from "../../../engine/session.js";
import type { Ruleset } from "../../../model/ruleset.js";
import { otherManagerOf } from "../../../engine/claims.js";
import { ruleKeys, type Desired } from "../desired.js";
import type { RulesetState } from "../description.js";
import type { HandedOverRule } from "../handed-over-rule.js";
import { ownedIds } from "../predecessor.js";
import { ruleOwners } from "../rule-owners.js";
import { otherOwnerOf } from "./claims.js";

/*
 * A rule that moves to another resource of the program is given up by its old one, often before the new one has written
 * it. Should the new one fail then, the rule would belong to nobody. So the old one records the rule until the new one
 * has it.
 */

/** By rule ID, the URN of the resource for which this run has recorded a rule in a state. */
const received = (): Map<string, string> => new Map();

/** Records that the state of a resource has rules from now on. */
export function noteReceived(session: Session, urn: string | undefined, ids: Iterable<string>): void {
  for (const id of ids) session.part(received).set(id, urn ?? "");
}

/** A rule as a resource of a run asks for its owners. */
interface RuleOfRun {
  /** The keys of the rule within the run. */
  readonly keys: readonly string[];
  readonly rulesetId: string;
  readonly id: string;
  /** The resource that asks: only others count. */
  readonly urn: string | undefined;
}

/** Another resource of the program that is to have a rule, and that has not written it yet. */
export async function awaitedOwner(session: Session, rule: RuleOfRun): Promise<string | undefined> {
  const owner = otherManagerOf(session, rule.urn, rule.keys, { parts: false });
  if (owner === undefined || session.part(received).get(rule.id) === owner) return undefined;
  const owners = await ruleOwners(session);
  return owners?.others(rule.rulesetId, rule.id, rule.urn).includes(owner) === true ? undefined : owner;
}

/**
 * The rules that a resource had before a write and no longer has, and that the resource of the program that is to have
 * them has not written yet.
 * @param mine IDs of the rules that it has now
 */
export async function openHandOvers(
  session: Session,
  { target, urn }: Pick<Desired, "target" | "urn">,
  before: RulesetState,
  { id: rulesetId, rules }: Pick<Ruleset, "id" | "rules">,
  mine: ReadonlySet<string>,
): Promise<readonly HandedOverRule[]> {
  const { __handedOver: given = [], deployedRules } = before;
  const owned = new Set(ownedIds({ ...before }));
  const had = new Map([...given, ...deployedRules.filter(({ id }) => owned.has(id))].map((rule) => [rule.id, rule]));
  const gone = rules.filter(({ id }) => had.has(id) && !mine.has(id));
  if (gone.length === 0) return [];
  const isReadable = (await ruleOwners(session)) !== undefined;
  const open = await Promise.all(
    gone.map(async (rule) => {
      const { id, ref } = rule;
      const keys = ruleKeys(target, rulesetId, [id, ref]);
      const isAwaited = (await awaitedOwner(session, { keys, rulesetId, id, urn })) !== undefined;
      // Without the state of the stack it is not known whether another resource has it since.
      const isUnclear =
        !isReadable && !owned.has(id) && otherOwnerOf(session, { target, urn }, rulesetId, rule) === undefined;
      return isAwaited || isUnclear ? [{ id, ref, version: had.get(id)?.version ?? "" }] : [];
    }),
  );
  return open.flat();
}

/**
 * By ID, the rules that a resource gave up and that no other one of the stack has or is about to have: they are this
 * resource's to delete. None if the state of the stack cannot be read.
 */
export async function abandonedRules(
  session: Session,
  { target, urn }: Pick<Desired, "target" | "urn">,
  { __handedOver: given = [], __urn: recordedUrn, rulesetId }: RulesetState,
): Promise<ReadonlyMap<string, HandedOverRule>> {
  const owners = given.length === 0 ? undefined : await ruleOwners(session);
  const isFree = (rule: HandedOverRule): boolean =>
    owners?.others(rulesetId, rule.id, recordedUrn).length === 0 &&
    otherOwnerOf(session, { target, urn }, rulesetId, rule) === undefined;
  return new Map(given.filter(isFree).map((rule) => [rule.id, rule]));
}
