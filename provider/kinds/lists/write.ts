import type { Session } from "../../engine/session.js";
import { batchesOf, planWrite } from "../../../core/lists/change.js";
import type { Items, StoredItem } from "../../../core/lists/item.js";
import { ApiError, isAboutTheRequest, RulesetsError } from "../../../core/model/errors.js";
import { mapFrom } from "../../../core/model/json.js";
import { RULES_LIST, type ListInputs } from "./description.js";

/** Where items are written. */
interface Target {
  readonly accountId: string;
  readonly listId: string;
  readonly name: string;
  readonly kind: string;
  readonly urn: string | undefined;
  readonly timeoutSeconds: number;
  /** Whether comments of items are secrets, which the service's text may repeat in any form. */
  readonly hasSecrets: boolean;
}

export function targetOf(inputs: ListInputs, listId: string): Target {
  const { accountId, name, kind, __urn: urn, __secretComments: secret } = inputs;
  const { timeoutSeconds = RULES_LIST.arguments.timeoutSeconds.default } = inputs;
  return { accountId, listId, name, kind, urn, timeoutSeconds, hasSecrets: secret !== undefined };
}

/** The items at the service, with their IDs, and those of them that the resource may change. */
export interface FoundItems {
  readonly stored: readonly StoredItem[];
  readonly now: Items;
}

interface ToWrite {
  readonly wanted: Items;
  readonly mayReplace: boolean;
  /** Reads the items again, after a change of somebody else, and stops where the write would undo it. */
  readonly again: () => Promise<FoundItems>;
  /** Called once the service has, or may have, begun to change items. */
  readonly onBegin?: () => void;
}

/** Writes what differs, in as few requests as possible, and waits until the service has carried each out. */
export async function writeItems(session: Session, target: Target, found: FoundItems, write: ToWrite): Promise<void> {
  let [first, ...more] = requestsFor(session, target, found, write);
  const next = async (): Promise<Start | undefined> => {
    [first, ...more] = requestsFor(session, target, await write.again(), write);
    return first;
  };
  await run(session, target, first, next, write.onBegin);
  for (const start of more) await run(session, target, start, () => Promise.resolve(start));
}

/**
 * Waits for a change of items that the service has accepted from somebody else and not carried out yet. Nothing lists such changes, but
 * the service refuses another one beside them: one that adds nothing tells.
 * @param again reads the items after a wait, and stops where they are not the stack's to delete
 */
export async function waitForOthers(
  session: Session,
  target: Target,
  found: FoundItems,
  again: () => Promise<FoundItems>,
): Promise<void> {
  try {
    await run(session, target, unchanging(session, target, found), async () =>
      unchanging(session, target, await again()),
    );
  } catch (error) {
    // Whether the service takes no items is not documented, and an account that is too full may not take one that is there.
    if (!(error instanceof ApiError) || !isAboutTheRequest(error) || error.status !== 400) throw error;
    session.reporter.warn(
      target.urn,
      `could not wait for changes that others may have begun in the list ${target.name}: ${error.message}`,
    );
  }
}

/** Adds an item that is there, or none: to replace none with none would remove what others have added since. */
function unchanging({ client: { lists } }: Session, { accountId, listId, kind }: Target, { now }: FoundItems): Start {
  return () => lists.addItems(accountId, listId, kind, mapFrom(Object.entries(now).slice(0, 1)));
}

/** A request that starts a change of items, and returns the ID of the operation. */
interface Start {
  (): Promise<string>;
  /** Whether it removes items. Where its response is lost, the client does not call that ambiguous: it may be sent again. */
  readonly removes?: true;
}

function requestsFor(
  session: Session,
  { accountId, listId, kind }: Target,
  { stored, now }: FoundItems,
  { wanted, mayReplace }: ToWrite,
): Start[] {
  const { lists } = session.client;
  const plan = planWrite(now, wanted, mayReplace);
  const add = (items: Items): Start[] =>
    batchesOf(Object.entries(items)).map((batch) => () => lists.addItems(accountId, listId, kind, mapFrom(batch)));
  switch (plan.kind) {
    case "none":
      return [];
    case "replace": {
      const [first = [], ...more] = batchesOf(Object.entries(plan.items));
      return [() => lists.replaceItems(accountId, listId, kind, mapFrom(first)), ...add(mapFrom(more.flat()))];
    }
    case "edit": {
      const gone = new Set(plan.remove);
      const ids = stored.filter(({ key }) => gone.has(key)).map(({ id }) => id);
      const remove = (batch: readonly string[]): Start =>
        Object.assign(() => lists.deleteItems(accountId, listId, batch), { removes: true as const });
      return [...add(plan.put), ...batchesOf(ids).map(remove)];
    }
  }
}

/** The service's code for a change of items while another one of the account is under way. */
const OPERATION_PENDING = 10_021;
/** What the service may say too of a change beside another one: its documentation does not tell. */
const TOO_MANY_REQUESTS = "the service allows no more requests for now (429)";

/**
 * Starts a change and waits until it is completed. An account carries out one at a time; somebody else's is waited for.
 * @param start nothing if there is nothing to change
 * @param next what to start after a change of somebody else
 */
async function run(
  session: Session,
  target: Target,
  start: Start | undefined,
  next: () => Promise<Start | undefined>,
  onBegin?: () => void,
): Promise<void> {
  if (start === undefined) return;
  await session.queue.run(`accounts/${target.accountId}/lists`, async () => {
    const wait = new Wait(session, target);
    const operationId = await started(start, next, wait, onBegin);
    if (operationId !== undefined) await completed(session, target, operationId, wait);
  });
}

async function started(
  first: Start,
  next: () => Promise<Start | undefined>,
  wait: Wait,
  onBegin: () => void = () => undefined,
): Promise<string | undefined> {
  for (let start: Start | undefined = first; start !== undefined; start = await next()) {
    try {
      const operationId = await start();
      onBegin();
      return operationId;
    } catch (error) {
      const isLimited = error instanceof ApiError && error.status === 429 && !error.asksTooLong;
      const isPending = isLimited || (error instanceof ApiError && error.hasCode(OPERATION_PENDING));
      if (error instanceof ApiError && !isPending && (error.ambiguous || start.removes === true)) onBegin();
      if (!isPending) throw error;
      await wait.next(isLimited ? TOO_MANY_REQUESTS : "another change of lists in this account is under way", error);
    }
  }
  return undefined;
}

async function completed(session: Session, target: Target, operationId: string, wait: Wait): Promise<void> {
  for (;;) {
    const state = await session.client.lists.operation(target.accountId, operationId);
    if (state.kind === "completed") return;
    if (state.kind === "failed") {
      const reason = target.hasSecrets
        ? "its reason is not shown, because comments of items are secrets"
        : state.reason;
      throw new RulesetsError(
        `the service could not change the items of the list ${target.name}: ${reason}. ` +
          "To continue: correct the items, then run `pulumi up` again, which writes what is missing.",
        { code: "LIST_WRITE_FAILED" },
      );
    }
    await wait.next(`the service is changing the items of the list ${target.name} (${state.kind})`);
  }
}

/** Pauses at increasing intervals, up to the time limit. */
class Wait {
  private readonly startedAt: number;
  private seconds = 1;

  constructor(
    private readonly session: Session,
    private readonly target: Target,
  ) {
    this.startedAt = session.clock.now();
  }

  async next(what: string, cause?: unknown): Promise<void> {
    const { clock, reporter } = this.session;
    const elapsed = Math.round((clock.now() - this.startedAt) / 1000);
    const left = this.target.timeoutSeconds - elapsed;
    if (left <= 0)
      throw new RulesetsError(
        `${what}, still after ${String(elapsed)} s. ` +
          "To continue: run `pulumi up` again, which reads what has been applied and writes the rest, or raise timeoutSeconds.",
        { code: "LIST_WRITE_TIMED_OUT", cause },
      );
    const pause = Math.min(this.seconds, left);
    this.seconds = Math.min(this.seconds * 2, 30);
    reporter.status(this.target.urn, `${what}, for ${String(elapsed)} s; next check in ${String(pause)} s`);
    await clock.sleep(pause * 1000);
  }
}
