import type { Session } from "../../../engine/session.js";
import type { DeployedRule, Ruleset } from "../../../model/ruleset.js";
import { otherManagerOf } from "../../../engine/claims.js";
import { ruleKeys, type Desired } from "../desired.js";
import type { RulesetState } from "../description.js";
import { NOTHING_ABANDONED, type AbandonedRules, type HandedOverRule } from "../handed-over-rule.js";
import { heldIds, ownedIds } from "../predecessor.js";
import { occupiedError } from "../../../ownership/ruleset-messages.js";
import { notTakenOverText } from "../../../ownership/shared-messages.js";
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

/** The resources of the program that are to have rules of a ruleset, and that have not written them yet. */
export async function findAwaitedOwners(
  session: Session,
  { target, urn }: Pick<Desired, "target" | "urn">,
  { id: rulesetId, rules }: { readonly id: string; readonly rules: readonly Pick<DeployedRule, "id" | "ref">[] },
): Promise<readonly { readonly id: string; readonly ref: string; readonly to: string }[]> {
  const found = await Promise.all(
    rules.map(async ({ id, ref }) => {
      const keys = ruleKeys(target, rulesetId, [id, ref]);
      const to = await awaitedOwner(session, { keys, rulesetId, id, urn });
      return to === undefined ? [] : [{ id, ref, to }];
    }),
  );
  return found.flat();
}

/** Rules that a resource has given up. */
interface OpenHandOvers {
  /** Those that the resource which is to have them has not written yet. */
  readonly awaited: readonly HandedOverRule[];
  /** Those of which it is not known whether that resource ever had them. */
  readonly unclear: readonly HandedOverRule[];
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
): Promise<OpenHandOvers> {
  const { __handedOver: given = [], deployedRules } = before;
  const owned = new Set(ownedIds({ ...before }));
  const had = new Map([...given, ...deployedRules.filter(({ id }) => owned.has(id))].map((rule) => [rule.id, rule]));
  const gone = rules.filter(({ id }) => had.has(id) && !mine.has(id));
  if (gone.length === 0) return { awaited: [], unclear: [] };
  const { unclear } = await abandonedRules(session, { target, urn }, before);
  // Without the state of the stack it is not known whether another resource has them since.
  const kept = (await ruleOwners(session)) === undefined ? given : unclear;
  const awaited = await findAwaitedOwners(session, { target, urn }, { id: rulesetId, rules: gone });
  const versions = new Map(gone.map(({ id, version }) => [id, version]));
  const again = kept.filter(({ id, version }) => versions.get(id) === version);
  return {
    awaited: awaited.map((rule) => ({ ...rule, version: had.get(rule.id)?.version ?? "" })),
    unclear: again.filter(({ id }) => !awaited.some((rule) => rule.id === id)),
  };
}

/**
 * The rules that a state records as given up and that now belong to nobody in the stack; none if the state of the stack
 * cannot be read.
 */
export async function abandonedRules(
  session: Session,
  { target, urn }: Pick<Desired, "target" | "urn">,
  { __handedOver: given = [], __urn: recordedUrn, rulesetId }: RulesetState,
): Promise<AbandonedRules> {
  const owners = given.length === 0 ? undefined : await ruleOwners(session);
  if (owners === undefined) return NOTHING_ABANDONED;
  const free = given.filter(
    (rule) =>
      owners.others(rulesetId, rule.id, recordedUrn).length === 0 &&
      otherOwnerOf(session, { target, urn }, rulesetId, rule) === undefined,
  );
  const mine = free.filter(({ to }) => owners.has(to));
  return { mine: new Map(mine.map((rule) => [rule.id, rule])), unclear: free.filter(({ to }) => !owners.has(to)) };
}

/**
 * Stops the delete of a resource whose rules move to other resources of the program that have not written them, as with
 * `--continue-on-error`: nobody would know any more that they belong to the stack. A resource that is replaced records
 * such rules in its new state.
 */
export async function requireTakenOver(
  session: Session,
  desired: Pick<Desired, "target" | "urn" | "where">,
  state: RulesetState,
  { id, rules }: Parameters<typeof findAwaitedOwners>[2],
): Promise<void> {
  if (session.checked.has(desired.urn ?? "")) return;
  const held = new Set(heldIds({ ...state }));
  const mine = rules.filter((rule) => held.has(rule.id));
  const awaited = await findAwaitedOwners(session, desired, { id, rules: mine });
  if (awaited.length > 0) throw occupiedError(notTakenOverText(desired.where, awaited));
}
