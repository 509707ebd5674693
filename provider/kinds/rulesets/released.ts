import { ledgerById, ledgerOf, runRecord } from "./ledgers.js";
import { byUrn } from "../../engine/predecessors.js";
import { changePartialState } from "../../engine/recover.js";
import type { Session } from "../../engine/session.js";
import { PartialFailure } from "../../model/errors.js";
import type { JsonObject } from "../../model/json.js";
import type { DeployedRule, Ruleset } from "../../model/ruleset.js";
import type { Display } from "../../ownership/display.js";
import { occupiedError } from "../../ownership/ruleset-messages.js";
import {
  releasedBeforeReplacementText,
  releasedToOthersTexts,
  noOwnerTexts,
  notTakenOverText,
  keptForOthersText,
} from "../../ownership/shared-messages.js";
import type { RulesetState } from "./description.js";
import { targetOf, targetWords, type Created, type Desired } from "./desired.js";
import type { NamedRule, ReleasedOnDelete } from "./ledger.js";
import {
  deployedIn,
  ownedIds,
  releasedElsewhere,
  releasedHere,
  releasedIn,
  type ReleasedElsewhere,
  type ReleasedRule,
} from "./records.js";
import type { ParsedState } from "./state.js";
import { displayFor } from "../../engine/display.js";

/*
 * A rule that moves to another resource of the program is released by its old one, often before the new one has written it.
 * Should the new one fail then, the rule would belong to nobody. So the old one records the rule until the new one has it.
 */

type Holder = Pick<Desired, "target" | "urn">;

/** Reports rules that a resource had released and that stay when it is deleted. */
export function reportReleased(
  session: Session,
  { urn, where }: Pick<Desired, "urn" | "where">,
  { mine, unclear, withOthers }: ReleasedOnDelete,
  { rules }: Pick<Ruleset, "rules">,
  display: Display,
): void {
  const existing = new Map(rules.map((rule) => [rule.id, rule]));
  const isEdited = ({ id, version }: ReleasedRule): boolean => existing.get(id)?.version !== version;
  const texts = [
    ...noOwnerTexts({ unclear, edited: [...mine.values()].filter(isEdited) }, rules, display),
    ...releasedToOthersTexts(withOthers, rules),
  ];
  for (const text of texts) session.reporter.warn(urn, `${where}: ${text}`);
}

/**
 * Stops the delete of a resource whose rules move to other resources of the program that have not written them, as with
 * `--continue-on-error`: nobody would know any more that they belong to the stack. The same holds for a resource that was
 * replaced: the engine deletes the old object in a later run. One that is deleted first is created again after this, and
 * records such rules then.
 */
export async function requireApplied(
  session: Session,
  desired: Holder & Pick<Desired, "where">,
  state: RulesetState,
  rules: readonly NamedRule[],
): Promise<void> {
  const ledger = await ledgerOf(session, desired, state.rulesetId);
  if (ledger.isDeletedFirst(state, desired)) {
    runRecord(session).deletedFirst.add(desired.urn ?? "");
    return;
  }
  const pending = ledger.pendingOnDelete(rules, state, desired);
  if (pending.length > 0) throw occupiedError(notTakenOverText(desired.where, pending));
}

/**
 * The same for rules that the program declares under other refs, which is not a move, and for those that the resource itself
 * declares again: an earlier run moved it elsewhere, and this one failed to bring it back.
 */
export async function requireReplaced(
  session: Session,
  desired: Holder & Pick<Desired, "where">,
  state: RulesetState,
  { id: rulesetId, rules }: Pick<Ruleset, "id" | "rules">,
  deleted: ReadonlySet<string>,
): Promise<void> {
  const ledger = await ledgerOf(session, desired, rulesetId);
  if (ledger.isDeletedFirst(state, desired)) return;
  const unwritten = ledger.unwrittenAmong(rules, ({ id }) => deleted.has(id), desired);
  if (unwritten.length > 0) throw occupiedError(notTakenOverText(desired.where, unwritten));
}

/*
 * A resource that is replaced in another ruleset releases its rules there, and the engine deletes its old object only when
 * everything else is written. Until then no state that the provider can read says that they belong to the stack. So the new
 * object records those that it released for another resource.
 */

/**
 * Creates a resource. Its state records the rules that its old object released for others, which have not written them; also if
 * the create ends early. If it leaves no state, they are reported: the engine keeps a state of an old object that was deleted
 * first, which the next run takes them from.
 */
export async function createReleasing(
  session: Session,
  urn: string | undefined,
  make: () => Promise<Created>,
): Promise<Created> {
  runRecord(session).toCreate.delete(urn ?? "");
  const complete = async (state: RulesetState): Promise<RulesetState> =>
    withElsewhere(state, await releasedByOld(session, urn, state.rulesetId));
  try {
    const { id, state } = await changePartialState(make, complete);
    return { id, state: await complete(state) };
  } catch (error) {
    if (!(error instanceof PartialFailure)) await releasedByOld(session, urn, undefined);
    throw error;
  }
}

/** @param now the ruleset that the resource is in now; undefined if it is in none */
async function releasedByOld(
  session: Session,
  urn: string | undefined,
  now: string | undefined,
): Promise<readonly ReleasedElsewhere[]> {
  const released: ReleasedElsewhere[] = [];
  for (const before of await oldStates(session, urn)) {
    if (before.rulesetId !== now) released.push(...(await releasedBy(session, urn, before)));
    released.push(...(await withoutOwner(session, releasedElsewhere(releasedIn(before)))));
  }
  return released;
}

/** The state after an update, with the rules that the resource released in another ruleset and that nobody in the stack has yet. */
export async function keepReleasedElsewhere(
  session: Session,
  before: RulesetState,
  state: RulesetState,
): Promise<RulesetState> {
  const released = releasedElsewhere(before.__released);
  return released.length === 0 ? state : withElsewhere(state, await withoutOwner(session, released));
}

function withElsewhere({ __released, ...state }: RulesetState, elsewhere: readonly ReleasedElsewhere[]): RulesetState {
  const released = [...releasedHere(__released), ...elsewhere];
  return released.length === 0 ? state : { ...state, __released: released };
}

async function withoutOwner(
  session: Session,
  released: readonly ReleasedElsewhere[],
): Promise<readonly ReleasedElsewhere[]> {
  const ledgers = await Promise.all(released.map(({ rulesetId }) => ledgerById(session, rulesetId)));
  return released.filter((rule, index) => ledgers[index]?.isOwned(rule) === false);
}

/**
 * What a resource had when the run started. The state of the stack is the only source: with `--replace`, or after a taint, the
 * engine does not show it to `diff`. It is not read where no other resource writes.
 */
async function oldStates(session: Session, urn = ""): Promise<readonly JsonObject[]> {
  if (urn === "" || !runRecord(session).othersWrite(urn)) return [];
  const resources = (await session.predecessors.inStack({ by: byUrn, key: urn })) ?? [];
  return resources.map(({ state }) => state);
}

async function releasedBy(
  session: Session,
  urn: string | undefined,
  before: JsonObject,
): Promise<readonly ReleasedElsewhere[]> {
  const { rulesetId, name } = before;
  if (typeof rulesetId !== "string") return [];
  const target = targetOf(before);
  const owned = new Set(ownedIds(before));
  const rules = [...releasedHere(releasedIn(before)), ...deployedIn(before).filter(({ id }) => owned.has(id))];
  const versions = new Map(rules.map(({ id, version }) => [id, version]));
  const pending = (await ledgerOf(session, { target }, rulesetId)).pendingAmong(rules, { urn });
  if (pending.length > 0 && runRecord(session).wasDeletedFirst(urn))
    session.reporter.warn(
      urn,
      `${targetWords(target, { id: rulesetId, ...(typeof name === "string" ? { name } : {}) })}: ${releasedBeforeReplacementText(pending)}`,
    );
  return pending.map((rule) => ({ ...rule, version: versions.get(rule.id) ?? "", rulesetId }));
}

/** The rules that other resources of the stack own too, and that therefore stay. Reports them. */
export async function ownedElsewhere(
  session: Session,
  { target, urn, where }: Pick<Desired, "target" | "urn" | "where">,
  { state }: Pick<ParsedState, "state">,
  { id: rulesetId, rules }: Pick<Ruleset, "id" | "rules">,
): Promise<readonly DeployedRule[]> {
  const ledger = await ledgerOf(session, { target }, rulesetId);
  const found = rules.flatMap((rule) => {
    const owner = ledger.otherOwnerOf(rule, { urn });
    return owner === undefined ? [] : [{ rule, to: owner }];
  });
  if (found.length > 0) session.reporter.info(urn, `${where}: ${keptForOthersText(found, displayFor(session, state))}`);
  return found.map(({ rule }) => rule);
}
