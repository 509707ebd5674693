import type { RulesList } from "../../../client/index.js";
import { claim, reasonToKeep } from "../../engine/claims.js";
import { keepIncomplete } from "../../engine/incomplete.js";
import { inputsIn, outputsIn, replacedInputs, sameInputs } from "../../engine/inputs.js";
import { defineKind } from "../../engine/kind.js";
import type { Change } from "../../engine/lifecycle.js";
import { sendWithRecovery } from "../../engine/recover.js";
import { planUp, UNDOES_OTHERS } from "../../engine/published-plans.js";
import { unavailableCheck } from "../../engine/request.js";
import type { Session } from "../../engine/session.js";
import { isSameText } from "../../../core/rules/spelling.js";
import { compareItems, foreignChange, isNoChange, pickItems, type ItemChange } from "../../../core/lists/change.js";
import type { Details, Items } from "../../../core/lists/item.js";
import { listResourceId } from "../../../core/model/ids.js";
import { ApiError, PartialFailure, RulesetsError } from "../../../core/model/errors.js";
import {
  isObject,
  mapFrom,
  omit,
  ownValue,
  pick,
  sameJson,
  textsIn,
  type Json,
  type JsonObject,
} from "../../../core/model/json.js";
import type { Path } from "../../../core/model/path.js";
import { isKnown, valueIfKnown, type Pending } from "../../../core/model/unknown.js";
import { check, claimKeys, reportEdit, validate } from "./check.js";
import { declareWhole, itemsAfter } from "./declared.js";
import {
  parseListId,
  REMOVED,
  RULES_LIST,
  sentItems,
  type ListInputs,
  type ListState,
  type SentItems,
} from "./description.js";
import { plannedDescription, plannedItems } from "./planned.js";
import { explainRefusal } from "./quota.js";
import { requireWithinLimit } from "./removal-limit.js";
import { reachOf } from "./reach.js";
import { listsOfRun } from "./run.js";
import { itemsIn, isOwnedAfter, planTakeover, type Takeover } from "./takeover.js";
import { conflictError, conflictText, redescribes, unreadText } from "./words.js";
import { targetOf, waitForOthers, writeItems, type FoundItems } from "./write.js";
import { late } from "../../../core/model/late.js";

/** Only where the kind of a list changes. */
const loadKindChange = late<typeof import("./kind-change.js")>(() => require("./kind-change.js"));
/** Only where a delete is refused. */
const loadUsers = late<typeof import("./users.js")>(() => require("./users.js"));

/** A list of an account with its items. */
export const rulesList = defineKind(RULES_LIST, {
  validate,
  check,
  diff: (session, _id, olds, news) => diff(session, olds, news),
  create,
  read,
  update,
  delete: (session, _id, state) => remove(session, state),
  secretPaths,
});

/** Secret comments are wherever the items with these keys are: in one without other details, the comment is the details. */
function secretPaths({ __secretComments: keys, items, foreignItems, __sent: sent }: JsonObject): Path[] {
  const places: readonly (readonly [Path, Json | undefined])[] = [
    [["items"], items],
    [["foreignItems"], foreignItems],
    [["__sent"], sent],
  ];
  return textsIn(keys).flatMap((key) =>
    places.flatMap(([path, all]) => {
      const details = isObject(all) ? ownValue<Json | undefined>(all, key) : undefined;
      if (details === undefined) return [];
      return [[...path, key, ...(isObject(details) ? ["comment"] : [])]];
    }),
  );
}

async function create(session: Session, inputs: ListInputs): Promise<{ id: string; state: ListState }> {
  const { accountId, name, kind, description = "" } = inputs;
  claim(session, inputs.__urn, claimKeys(accountId, name, kind));
  const found = await planTakeover(session, inputs);
  if (found?.refusal !== undefined) throw found.refusal;
  const list = found?.list ?? (await createList(session, { accountId, name, kind, description }));
  const id = listResourceId(accountId, list.id);
  if (redescribes(inputs, list)) await session.client.lists.describe(accountId, list.id, description);
  const now = found?.now ?? {};
  const olds = stateFrom({ ...inputs, items: now }, list.id, list.size);
  const stored = found?.stored ?? [];
  const state = await write(session, id, { inputs, olds, stored, now, list, keeps: found === undefined });
  return { id, state: found === undefined || isOwnedAfter(found, inputs) ? state : { ...state, __takenOver: true } };
}

/** If the response is lost, looks for the list before it is sent again. */
function createList(
  session: Session,
  { accountId, ...list }: Pick<ListInputs, "accountId" | "name" | "kind"> & Pick<RulesList, "description">,
): Promise<RulesList> {
  const create = sendWithRecovery(() => session.client.lists.create(accountId, list), {
    read: async () => (await session.client.lists.list(accountId)).find(({ name }) => name === list.name),
    wasApplied: ({ kind, size }) => kind === list.kind && size === 0,
  });
  return create.then(
    (created) => {
      session.lists.remember(accountId, created);
      return created;
    },
    async (error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      throw await explainRefusal(session, { accountId, ...list, size: 0 }, error);
    },
  );
}

async function diff(session: Session, olds: ListState, news: Pending<ListInputs>): Promise<Change> {
  const urn = valueIfKnown(news.__urn) ?? "";
  if (session.checked.has(urn)) listsOfRun(session).recorded.set(urn, olds);
  const replaces = replacedInputs(RULES_LIST, olds, news);
  const deletesFirst = !replaces.includes("name") && !replaces.includes("accountId");
  if (replaces.length > 0) {
    requireReplaceable(session, olds, news);
    if (deletesFirst) await loadKindChange().requireKindChangeable(session, olds);
    return { kind: "replace", replaces, deletesFirst, shownByInputs: true };
  }
  const incomplete = olds.__incomplete === true;
  const changed = incomplete || !sameInputs(RULES_LIST, olds, news, ["__urn", "onConflict"]);
  // A refresh asks too, of a list that it has not checked.
  const run = session.checked.get(olds.__urn ?? "");
  if (run !== undefined) await reportEdit({ session, preview: run.preview }, olds, news);
  if (changed && run?.preview === true) await previewUpdate(session, olds, news);
  return { kind: changed ? "update" : "none", replaces: [], shownByInputs: !incomplete };
}

/** Stops a replacement whose final delete would remove too many items: those that the new list does not have. */
function requireReplaceable(session: Session, olds: ListState, news: Pending<ListInputs>): void {
  const { items, size, onDelete, __takenOver: takenOver } = olds;
  if (onDelete === "keep" || takenOver === true || !isKnown<ListInputs>(news)) return;
  const stays = olds.accountId === news.accountId && olds.kind === news.kind;
  const { maxRemovedPercent } = news;
  const removal = { operation: "replacement", now: items, wanted: stays ? news.items : {}, size } as const;
  requireWithinLimit(session, { name: olds.name, maxRemovedPercent }, removal);
}

/** In a preview, finds what an update would stop at, and what it would send. */
async function previewUpdate(session: Session, olds: ListState, news: Pending<ListInputs>): Promise<void> {
  if (!isKnown<ListInputs>(news)) return;
  const all = session.previewChecks === "off" || !touchesItems(olds, news) ? undefined : await readItems(session, olds);
  const now = ownItems(all ?? olds.items, olds, news);
  if (all !== undefined) {
    checkConflict(session, olds, news, now);
    reportOthers(session, news, { last: olds.items, all, now });
  }
  const removal = { operation: "change", now, wanted: news.items, size: Object.keys(all ?? now).length } as const;
  requireWithinLimit(session, news, removal);
  const writes = [
    ...(descriptionToWrite(olds.description, news.description) === undefined ? [] : [plannedDescription(olds)]),
    ...plannedItems(olds, now, news.items, reachOf(news).mayReplace),
  ];
  planUp(session, olds.__urn, { writes });
}

/** Says what is known once all items of a list are read: whose they are, and what the run does to all of them together. */
function reportOthers(
  session: Session,
  news: ListInputs,
  { last, all, now }: { readonly last: Items; readonly all: Items; readonly now: Items },
): void {
  const { __urn: urn = "", items } = news;
  const after = itemsAfter(all, now, items);
  const { all: allOf, ownersText } = reachOf(news);
  for (const text of ownersText(items, after)) session.reporter.info(urn, `list ${news.name}: ${text}`);
  if (!sameJson(all, allOf(last))) declareWhole(session, { ...news, urn, preview: true }, all, after);
}

/** The items at the service; undefined if a preview may do without them. */
async function readItems(session: Session, olds: ListState): Promise<Items | undefined> {
  const { name, accountId, listId, kind, __urn: urn = "" } = olds;
  try {
    return itemsIn(await session.client.lists.items(accountId, listId, kind), knownTo(olds));
  } catch (error) {
    const request = { session, urn, preview: true };
    if (unavailableCheck(request, error, `whether somebody else changed the list ${name}`).length > 0) throw error;
    return undefined;
  }
}

/** The items that the state has. */
function knownTo({ items, foreignItems }: Pick<ListState, "items" | "foreignItems">): Items {
  return { ...items, ...foreignItems };
}

/** Whether an update reads and writes items. */
function touchesItems(olds: ListState, news: ListInputs): boolean {
  return olds.__incomplete === true || !sameJson(olds.items, news.items) || olds.foreignItems !== undefined;
}

async function update(session: Session, id: string, olds: ListState, news: ListInputs): Promise<ListState> {
  claim(session, news.__urn, claimKeys(news.accountId, news.name, news.kind));
  const touches = touchesItems(olds, news);
  const description = descriptionToWrite(olds.description, news.description);
  if (!touches && description === undefined) {
    const { __takenOver: _before, ...outputs } = outputsIn(RULES_LIST, olds);
    return { ...outputs, ...news, ...stillTakenOver(olds, news) };
  }
  const { lists } = session.client;
  const stored = touches ? await lists.items(news.accountId, olds.listId, news.kind) : [];
  const now = ownItems(itemsIn(stored, knownTo(olds)), olds, news);
  if (touches) {
    checkConflict(session, olds, news, now);
    requireWithinLimit(session, news, { operation: "change", now, wanted: news.items, size: stored.length });
  }
  if (description !== undefined) await lists.describe(news.accountId, olds.listId, description);
  if (!touches) return stateFrom(news, olds.listId, olds.size);
  const list = { id: olds.listId, size: stored.length };
  // An edit that is there already may be this stack's own, which a run that was killed has not recorded.
  const isEdit = !sameJson(knownTo(olds), news.items) || olds.__incomplete === true;
  if (description === undefined && !isEdit && sameJson(now, news.items))
    return { ...stateFrom(news, olds.listId, stored.length), ...stillTakenOver(olds, news) };
  if (description === undefined) return write(session, id, { inputs: news, olds, stored, now, list, keeps: false });
  const described = { ...omit(olds, ["description"]), ...pick(news, ["description"]) };
  return write(session, id, { inputs: news, olds: described, stored, now, list, keeps: true });
}

/** A list that was only taken over stays so while nothing of it was changed and the program does not ask to own it. */
function stillTakenOver(
  { __takenOver: takenOver }: ListState,
  { onExisting }: ListInputs,
): Pick<ListState, "__takenOver"> {
  return takenOver === true && onExisting !== "adopt" && onExisting !== "replace" ? { __takenOver: true } : {};
}

/** The description to write; undefined for none. One that the program never gave is not the program's to remove. */
function descriptionToWrite(before: string | undefined, wanted: string | undefined): string | undefined {
  const text = wanted ?? (before === undefined ? undefined : "");
  return text === undefined || text === (before ?? "") ? undefined : text;
}

/** The items that the resource may change: all of the list, or those of the program and those it had before. */
function ownItems(all: Items, olds: ListState, news: ListInputs): Items {
  const keys = new Set([...Object.keys(news.items), ...Object.keys(olds.items), ...Object.keys(olds.__sent ?? {})]);
  return reachOf(news).own(all, [...keys]);
}

/** Stops before a change of somebody else is undone, or says that it is if that was requested. */
function checkConflict(session: Session, olds: ListState, news: ListInputs, now: Items): void {
  const last = afterSent(olds.items, olds.__sent, now);
  const foreign = foreignChange(last, now, news.items);
  if (isNoChange(foreign)) return;
  if (session.onConflict(news.onConflict) === "fail") throw conflictError(news.name, last, now, foreign);
  planUp(session, news.__urn, UNDOES_OTHERS);
  session.reporter.warn(news.__urn, `overwriting, as requested: ${conflictText(news.name, last, now, foreign)}`);
}

/** The items that this stack wrote last, where an interrupted write may have been applied in part. */
function afterSent(items: Items, sent: SentItems | undefined, now: Items): Items {
  if (sent === undefined) return items;
  const isApplied = (key: string): boolean =>
    sent[key] === REMOVED ? ownValue(now, key) === undefined : sameJson(ownValue(now, key), sent[key]);
  const last = new Map<string, Details | typeof REMOVED>(Object.entries(items));
  for (const key of Object.keys(sent).filter(isApplied)) last.set(key, sent[key] ?? REMOVED);
  return mapFrom([...last].flatMap(([key, details]) => (details === REMOVED ? [] : [[key, details] as const])));
}

/** A write of items, with everything needed to build the new state. */
interface Write {
  readonly inputs: ListInputs;
  /** The state to keep when the write ends early. */
  readonly olds: ListState;
  readonly stored: Takeover["stored"];
  readonly now: Items;
  readonly list: Pick<RulesList, "id" | "size">;
  /** Whether the list or its description was written already: the state has that, even if no item is sent. */
  readonly keeps: boolean;
}

async function write(
  session: Session,
  id: string,
  { inputs, olds, stored, now, list, keeps }: Write,
): Promise<ListState> {
  let found: FoundItems = { stored, now };
  const again = async (): Promise<FoundItems> => {
    const all = await session.client.lists.items(inputs.accountId, list.id, inputs.kind);
    found = { stored: all, now: ownItems(itemsIn(all, knownTo(olds)), olds, inputs) };
    checkConflict(session, olds, inputs, found.now);
    const removal = { operation: "change", now: found.now, wanted: inputs.items, size: all.length } as const;
    requireWithinLimit(session, inputs, removal);
    return found;
  };
  const changes = (): { readonly change: ItemChange; readonly size: number } => {
    const change = compareItems(found.now, inputs.items);
    return { change, size: found.stored.length + change.added.length - change.removed.length };
  };
  const { mayReplace } = reachOf(inputs);
  const progress = { hasBegun: false };
  const onBegin = (): void => {
    progress.hasBegun = true;
  };
  try {
    await writeItems(session, targetOf(inputs, list.id), found, { wanted: inputs.items, mayReplace, again, onBegin });
  } catch (error) {
    if (!(error instanceof RulesetsError)) throw error;
    const { change, size } = changes();
    const cause = await explainRefusal(session, { ...inputs, size }, error);
    if (!progress.hasBegun && !keeps) throw cause;
    // Items that were never sent are not the stack's, whoever puts them there next.
    const put = pickItems(inputs.items, [...change.added, ...change.changed]);
    const sent = progress.hasBegun ? { __sent: sentItems(put, change.removed) } : {};
    const secret = [...new Set([...(olds.__secretComments ?? []), ...(inputs.__secretComments ?? [])])];
    const kept = secret.length === 0 ? olds : { ...olds, __secretComments: secret };
    throw new PartialFailure<ListState>(id, { ...kept, __incomplete: true, ...sent }, cause);
  }
  return stateFrom(inputs, list.id, changes().size);
}

function stateFrom(inputs: ListInputs, listId: string, size: number): ListState {
  return { ...inputs, listId, size };
}

/**
 * Reads the list and its items. Items that the stack never wrote do not mix with its own.
 * @param given the state, or what of it can be read
 */
async function read(
  session: Session,
  id: string,
  olds: ListState | undefined,
  given: Partial<ListState>,
): Promise<{ readonly inputs: ListInputs; readonly state: ListState } | undefined> {
  const address = parseListId(id);
  if (address === undefined)
    throw new RulesetsError(
      `${JSON.stringify(id)} is not a valid ID of a list: write accounts/<accountId>/lists/<ID or name>.`,
      { code: "CONFIG_INVALID" },
    );
  const { accountId } = address;
  const listed = (await session.lists.of(accountId)).find(
    (one) => one.id === address.list || one.name === address.list,
  );
  const list = listed ?? (isListId(address.list) ? await session.lists.byId(accountId, address.list) : undefined);
  if (list === undefined) return undefined;
  const stored = list.size === 0 ? [] : await session.client.lists.items(accountId, list.id, list.kind, list.size);
  const all = itemsIn(stored, olds && knownTo(olds));
  const inputs = inputsFrom(accountId, list, all, olds, given);
  const state = { ...stateFrom(inputs, list.id, list.size), ...pick(given, ["__takenOver"]) };
  if (olds === undefined) {
    const { __urn: urn, foreignItems } = inputs;
    if (foreignItems !== undefined) session.reporter.warn(urn, unreadText(list.name, foreignItems));
    return { inputs, state };
  }
  reportDrift(session, olds, all);
  return { inputs, state: keepIncomplete({ ...state, ...pick(olds, ["__sent"]) }, olds) };
}

/** Anything else is a name, by which only the list of lists finds it. */
function isListId(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text);
}

/** Names the items that a refresh finds changed: of many items, the engine shows only that something differs. */
function reportDrift(session: Session, olds: ListState, all: Items): void {
  const last = afterSent(olds.items, olds.__sent, all);
  const before: Items = { ...last, ...olds.foreignItems };
  const { own, othersChangeText } = reachOf(olds);
  const now = own(all, Object.keys(before));
  const change = compareItems(before, now);
  if (!isNoChange(change)) session.reporter.info(olds.__urn, conflictText(olds.name, before, now, change));
  const [were, are] = [olds.size - Object.keys(olds.items).length, Object.keys(all).length - Object.keys(now).length];
  for (const text of othersChangeText(were, are)) session.reporter.info(olds.__urn, `the list ${olds.name} ${text}`);
}

function inputsFrom(
  accountId: string,
  list: Pick<RulesList, "name" | "kind" | "description">,
  all: Items,
  olds: ListState | undefined,
  given: Partial<ListState>,
): ListInputs {
  const { name, kind, description } = list;
  const { foreignItems: _before, description: ours, ...before }: Partial<ListInputs> = inputsIn(RULES_LIST, given);
  const isImported = given.listId === undefined;
  const own =
    olds === undefined ? ownUnread(all, given) : pickItems(all, Object.keys(afterSent(olds.items, olds.__sent, all)));
  const foreign = compareItems(own, reachOf(given).own(all, Object.keys(own))).added;
  return {
    ...before,
    accountId,
    name,
    kind,
    items: own,
    // One that the program does not give is left alone.
    ...(description === "" || (!isImported && given.description === undefined)
      ? {}
      : { description: ours !== undefined && isSameText(ours, description) ? ours : description }),
    ...(foreign.length > 0 ? { foreignItems: pickItems(all, foreign) } : {}),
  };
}

/** Which items are those of a stack that has no state: what it imports. Where a state cannot be read, any may be somebody else's. */
function ownUnread(all: Items, { listId, ...given }: Partial<ListState>): Items {
  return listId === undefined ? reachOf(given).own(all, []) : {};
}

async function remove(session: Session, old: ListState): Promise<void> {
  const { accountId, name, listId, __urn: urn } = old;
  const { onDelete = reachOf(old).onDelete } = old;
  const [, key] = claimKeys(accountId, name, old.kind);
  const why = reasonToKeep(session, [key], urn) ?? (onDelete === "keep" ? 'onDelete is "keep"' : undefined);
  if (why !== undefined) {
    session.reporter.info(urn, `the list ${name} stays: ${why}. No request was sent.`);
    return;
  }
  if (old.__takenOver === true) {
    session.reporter.warn(
      urn,
      `the list ${name} was not deleted: this stack took it over because it was equal, was not asked to own it, and its state records ` +
        'no change of it. To delete it with the stack, set onExisting: "adopt" and run `pulumi up` first.',
    );
    return;
  }
  const findList = () => session.client.lists.find(accountId, listId);
  const list = await findList();
  session.lists.forget(accountId);
  if (list === undefined) return;
  try {
    await removeFound(session, { ...old, onDelete }, list);
  } catch (error) {
    if (error instanceof ApiError && error.code === "API_NOT_FOUND" && (await findList()) === undefined) return;
    throw error;
  }
}

/** Deletes a list, or its items, unless others have added any. */
async function removeFound(session: Session, old: ListState, list: RulesList): Promise<void> {
  const { accountId, listId, __urn: urn, onDelete } = old;
  const { mayReplace, untouched } = reachOf(old);
  const { lists } = session.client;
  const find = async (): Promise<FoundItems> => {
    const stored = await lists.items(accountId, listId, old.kind);
    const all = itemsIn(stored, knownTo(old));
    const wanted: ListInputs = { ...old, items: {} };
    const now = ownItems(all, old, wanted);
    checkConflict(session, old, { ...wanted, items: untouched(now, Object.keys(old.items)) }, now);
    // A resource that this run has checked is being replaced: its removal was checked before anything was written.
    if (!session.checked.has(urn ?? ""))
      requireWithinLimit(session, old, { operation: "delete", now, wanted: {}, size: stored.length });
    return { stored, now };
  };
  const found = list.size === 0 ? { stored: [], now: {} } : await find();
  if (onDelete === "empty") {
    const write = { wanted: {}, mayReplace, again: find };
    await writeItems(session, targetOf(old, listId), found, write);
    return;
  }
  if (list.references > 0) throw await loadUsers().inUseError(session, accountId, list);
  await waitForOthers(session, targetOf(old, listId), found, find);
  // What others wrote between the read and the wait would be deleted unseen.
  await find();
  await lists.delete(accountId, listId);
}
