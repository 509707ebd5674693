import type { Session } from "../../../engine/session.js";
import type { DeployedRule, Ruleset } from "../../../model/ruleset.js";
import { otherManagerOf, reasonToKeep } from "../../../engine/claims.js";
import { isDeletedFirst } from "../../../engine/pending-creates.js";
import { objectKeys, ruleKeys, type Desired } from "../desired.js";
import type { RulesetState } from "../description.js";
import { NOTHING_ABANDONED, type AbandonedRules, type HandedOverRule } from "../handed-over-rule.js";
import { heldIds, ownedIds } from "../predecessor.js";
import { occupiedError } from "../../../ownership/ruleset-messages.js";
import type { Display } from "../../../ownership/display.js";
import { leftToOthersText, noOwnerText, notTakenOverText } from "../../../ownership/shared-messages.js";
import { isDeleted, ruleOwners } from "../rule-owners.js";
import { refsById } from "../state.js";
import { otherOwnerOf } from "./claims.js";
import { findUnwritten } from "./wanted-rules.js";

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

/** URNs of resources that do not change in this run: their states have everything that the program declares in them. */
const settled = (): Set<string> => new Set();

/** Records that a resource does not change. */
export function noteSettled(session: Session, urn: string | undefined): void {
  session.part(settled).add(urn ?? "");
}

/** Whether a resource of the stack has a rule, as far as the state of the stack can be read. */
export async function hasOwner(
  session: Session,
  { id, rulesetId }: { readonly id: string; readonly rulesetId: string },
): Promise<boolean> {
  if (session.part(received).has(id)) return true;
  const owners = await ruleOwners(session);
  return owners !== undefined && owners.others(rulesetId, id, undefined).length > 0;
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
  if (session.part(settled).has(owner)) return undefined;
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
  /** Those that nobody took over, and that somebody has changed since. */
  readonly edited: readonly HandedOverRule[];
  /** Those of an earlier run, where the state of the stack cannot be read: another resource may have them since. */
  readonly unread: readonly HandedOverRule[];
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
  const { __handedOver: given = [] } = before;
  const had = new Map([...given, ...ownRules(before)].map((rule) => [rule.id, rule]));
  const gone = rules.filter(({ id }) => had.has(id) && !mine.has(id));
  if (gone.length === 0) return { awaited: [], unclear: [], edited: [], unread: [] };
  const { mine: reclaimed, unclear } = await abandonedRules(session, { target, urn }, before);
  const isRead = (await ruleOwners(session)) !== undefined;
  const awaited = await findAwaitedOwners(session, { target, urn }, { id: rulesetId, rules: gone });
  const versions = new Map(gone.map(({ id, version }) => [id, version]));
  const awaitedIds = new Set(awaited.map(({ id }) => id));
  const isAwaited = ({ id }: HandedOverRule): boolean => awaitedIds.has(id);
  const isUnchanged = ({ id, version }: HandedOverRule): boolean => versions.get(id) === version;
  const isOpen = (rule: HandedOverRule): boolean => isUnchanged(rule) && !isAwaited(rule);
  const free = [...reclaimed.values(), ...unclear].filter((rule) => !isAwaited(rule) && versions.has(rule.id));
  return {
    awaited: awaited.map((rule) => {
      const { version = "", secretPaths } = had.get(rule.id) ?? {};
      return { ...rule, version, ...(secretPaths === undefined ? {} : { secretPaths }) };
    }),
    unclear: unclear.filter(isOpen),
    edited: free.filter((rule) => !isUnchanged(rule)),
    unread: isRead ? [] : given.filter(isOpen),
  };
}

/** The rules that a resource owns, as it would hand them over. */
function ownRules(state: RulesetState): readonly Omit<HandedOverRule, "to">[] {
  const owned = new Set(ownedIds({ ...state }));
  const refOf = refsById(state.ruleIds);
  return state.deployedRules.flatMap(({ id, ref, version }) => {
    if (!owned.has(id)) return [];
    const secretPaths = state.__secretPaths?.[refOf.get(id) ?? ""];
    return [{ id, ref, version, ...(secretPaths === undefined ? {} : { secretPaths }) }];
  });
}

/** What the state of any resource with rules says about those that it gave up. */
type StateOfHolder = Pick<RulesetState, "__handedOver" | "__urn" | "rulesetId">;

/**
 * The rules that a state records as given up and that now belong to nobody in the stack; none if the state of the stack
 * cannot be read.
 */
export async function abandonedRules(
  session: Session,
  { target, urn }: Pick<Desired, "target" | "urn">,
  { __handedOver: given = [], __urn: recordedUrn, rulesetId }: StateOfHolder,
): Promise<AbandonedRules> {
  const owners = given.length === 0 ? undefined : await ruleOwners(session);
  if (owners === undefined) return NOTHING_ABANDONED;
  const free = given.filter(
    (rule) =>
      owners.others(rulesetId, rule.id, recordedUrn).length === 0 &&
      otherOwnerOf(session, { target, urn }, rulesetId, rule) === undefined,
  );
  // What was reported to stay in force stays, also if that resource is created later without it.
  const isMine = ({ to, reported }: HandedOverRule): boolean => owners.has(to) && reported !== true;
  const mine = free.filter(isMine);
  return { mine: new Map(mine.map((rule) => [rule.id, rule])), unclear: free.filter((rule) => !isMine(rule)) };
}

/** By URN, rules that deletes of this run left to a resource that may have them. */
const leftRules = (): Map<string, (HandedOverRule & { readonly rulesetId: string })[]> => new Map();

/** Rules that a resource had given up, when it is deleted. */
export interface HandOversOnDelete {
  /** By ID, those that are deleted with it. */
  readonly mine: ReadonlyMap<string, HandedOverRule>;
  /** Those whose new owner does not exist. */
  readonly unclear: readonly HandedOverRule[];
  /** Those that their new owner may have: in a `destroy` the state of the stack cannot be read. */
  readonly left: readonly HandedOverRule[];
}

/**
 * What happens to rules that a resource gave up, when it is deleted. Where the state of the stack cannot be read, they are left to
 * the resource that was to have them, and deleted with that one, unless this run has already deleted it.
 */
export async function handOversOnDelete(
  session: Session,
  desired: Pick<Desired, "target" | "urn">,
  state: StateOfHolder,
): Promise<HandOversOnDelete> {
  const { __handedOver = [], rulesetId } = state;
  const { target, urn } = desired;
  const others = session.part(leftRules);
  const toThis = (others.get(urn ?? "") ?? []).filter((rule) => rule.rulesetId === rulesetId);
  const byId = (rules: readonly HandedOverRule[]) => new Map([...toThis, ...rules].map((rule) => [rule.id, rule]));
  // The old object of a resource that is replaced may have given up what the new one has.
  const given = __handedOver.filter(
    ({ id, ref }) => reasonToKeep(session, ruleKeys(target, rulesetId, [id, ref]), urn, { parts: false }) === undefined,
  );
  if (given.length === 0) return { mine: byId([]), unclear: [], left: [] };
  if ((await ruleOwners(session)) !== undefined) {
    const { mine, unclear } = await abandonedRules(session, desired, { ...state, __handedOver: given });
    return { mine: byId([...mine.values()]), unclear, left: [] };
  }
  const free = given.filter(({ to }) => isDeleted(session, to));
  const left = given.filter(({ to }) => !isDeleted(session, to));
  for (const rule of left) {
    const known = others.get(rule.to) ?? [];
    known.push({ ...rule, rulesetId });
    others.set(rule.to, known);
  }
  return { mine: byId(free), unclear: [], left };
}

/** Reports rules that a resource had given up and that stay when it is deleted. */
export function reportLeftRules(
  session: Session,
  { urn, where }: Pick<Desired, "urn" | "where">,
  { mine, unclear, left }: HandOversOnDelete,
  { rules }: Pick<Ruleset, "rules">,
  display: Display,
): void {
  const existing = new Map(rules.map((rule) => [rule.id, rule]));
  const isEdited = ({ id, version }: HandedOverRule): boolean => existing.get(id)?.version !== version;
  reportWithoutOwner(session, { urn, where }, { unclear, edited: [...mine.values()].filter(isEdited) }, rules, display);
  const found = withRules(left, rules);
  if (found.length > 0) session.reporter.warn(urn, `${where}: ${leftToOthersText(found)}`);
}

/** Reports rules that a resource had given up and that nobody in the stack owns, unless an earlier run has. */
export function reportWithoutOwner(
  session: Session,
  { urn, where }: Pick<Desired, "urn" | "where">,
  { unclear, edited }: Pick<OpenHandOvers, "unclear" | "edited">,
  rules: readonly DeployedRule[],
  display: Display,
): void {
  for (const [given, why] of [
    [unclear, "missing"],
    [edited, "edited"],
  ] as const) {
    const found = withRules(
      given.filter(({ reported }) => reported !== true),
      rules,
    );
    if (found.length > 0) session.reporter.warn(urn, `${where}: ${noOwnerText(found, why, display)}`);
  }
}

function withRules(
  given: readonly HandedOverRule[],
  rules: readonly DeployedRule[],
): readonly { readonly rule: DeployedRule; readonly to: string }[] {
  const owners = new Map(given.map(({ id, to }) => [id, to]));
  return rules.flatMap((rule) => {
    const to = owners.get(rule.id);
    return to === undefined ? [] : [{ rule, to }];
  });
}

/** URNs of resources that this run deleted before it creates them again. */
const deletedFirst = (): Set<string> => new Set();

/** Whether this run deleted a resource, whose rules others were to have, before it created it again. */
export function wasDeletedFirst(session: Session, urn: string | undefined): boolean {
  return session.part(deletedFirst).has(urn ?? "");
}

/**
 * Stops the delete of a resource whose rules move to other resources of the program that have not written them, as with
 * `--continue-on-error`: nobody would know any more that they belong to the stack. The same holds for a resource that was
 * replaced: the engine deletes the old object in a later run. One that is deleted first is created again after this, and
 * records such rules then.
 */
export async function requireTakenOver(
  session: Session,
  desired: Pick<Desired, "target" | "urn" | "where">,
  state: StateOfHolder,
  { rules }: Pick<Parameters<typeof findAwaitedOwners>[2], "rules">,
): Promise<void> {
  const { target, urn, where } = desired;
  const { rulesetId } = state;
  if (await isDeletedFirst(session, urn, { ...state })) {
    session.part(deletedFirst).add(urn ?? "");
    return;
  }
  const held = new Set(heldIds({ ...state }));
  const mine = rules.filter((rule) => held.has(rule.id));
  if (mine.length === 0) return;
  const manager = await awaitedManager(session, desired, rulesetId);
  const awaited =
    manager === undefined
      ? await findAwaitedOwners(session, { target, urn }, { id: rulesetId, rules: mine })
      : mine.map(({ ref }) => ({ ref, to: manager }));
  if (awaited.length > 0) throw occupiedError(notTakenOverText(where, awaited));
}

/**
 * The same for rules that the program declares under other refs, which is not a move, and for those that the resource itself
 * declares again: an earlier run moved it elsewhere, and this one failed to bring it back.
 */
export async function requireReplaced(
  session: Session,
  { target, urn, where }: Pick<Desired, "target" | "urn" | "where">,
  state: StateOfHolder,
  actual: Pick<Ruleset, "id" | "rules">,
  deleted: ReadonlySet<string>,
): Promise<void> {
  if (await isDeletedFirst(session, urn, { ...state })) return;
  const awaited = findUnwritten(session, { target, urn }, actual, deleted);
  if (awaited.length > 0) throw occupiedError(notTakenOverText(where, awaited));
}

/** By ID, the resource of this run that manages a whole ruleset since this run has written it. */
const managers = (): Map<string, string> => new Map();

/** Records that the state of a resource has a whole ruleset from now on. */
export function noteManaged(session: Session, urn: string | undefined, rulesetId: string): void {
  session.part(managers).set(rulesetId, urn ?? "");
}

/** Another resource of the program that is to manage a whole ruleset, and that has not written it yet. */
async function awaitedManager(
  session: Session,
  { target, urn }: Pick<Desired, "target" | "urn">,
  rulesetId: string,
): Promise<string | undefined> {
  const manager = otherManagerOf(session, urn, objectKeys(target, rulesetId), { parts: false });
  if (manager === undefined || session.part(managers).get(rulesetId) === manager) return undefined;
  if (session.part(settled).has(manager)) return undefined;
  return (await ruleOwners(session))?.manages(manager, rulesetId) === true ? undefined : manager;
}
