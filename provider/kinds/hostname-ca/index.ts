import { ApiError, PartialFailure, RulesetsError } from "../../model/errors.js";
import type { CustomHostname } from "../../model/certificates.js";
import { sameJson } from "../../model/json.js";
import { hasUnknown } from "../../model/unknown.js";
import type { Session } from "../../engine/session.js";
import type { Change, Lifecycle } from "../../engine/lifecycle.js";
import { awaitRecords } from "./await-records.js";
import { edit, wouldChange, type Wanted } from "./change.js";
import { check } from "./check.js";
import {
  inputsOf,
  outputsOf,
  resourceIdOf,
  stateFrom,
  type AuthorityInputs,
  type AuthorityState,
  type Previous,
} from "./model.js";
import { findPrevious } from "./previous.js";
import { read } from "./read.js";
import { release } from "./release.js";

/** Which authority issues the certificate of one custom hostname. */
export const customHostnameLifecycle: Lifecycle = {
  check,
  diff: (session, _id, olds, news) =>
    Promise.resolve(diff(session, olds as unknown as AuthorityState, news as unknown as AuthorityInputs)),
  create: (session, props) => create(session, props as unknown as AuthorityInputs),
  read,
  update: (session, id, olds, news) =>
    update(session, id, olds as unknown as AuthorityState, news as unknown as AuthorityInputs),
  delete: (session, id, state) => release(session, id, state as unknown as AuthorityState),
  secretPaths: () => [],
};

/** Pure, but for the note that a certificate is to come anew. What the service answers after its default is no drift. */
function diff(session: Session, state: AuthorityState, news: AuthorityInputs): Change {
  const replaces = (["zoneId", "customHostnameId"] as const).filter((name) => state[name] !== news[name]);
  if (replaces.length > 0) return { kind: "replace", replaces, shownByInputs: true };
  const reissues = state.__incomplete === true || isAnother(state, news);
  if (reissues) session.reissued.add(state.customHostnameId);
  const changed = reissues || !sameJson(inputsOf(state), inputsOf(news as AuthorityState));
  return { kind: changed ? "update" : "none", replaces: [], shownByInputs: state.__incomplete !== true };
}

/** Whether another certificate is wanted than the one that was asked for last. */
function isAnother(state: AuthorityState, news: AuthorityInputs): boolean {
  return (
    hasUnknown(news.certificateAuthority) ||
    state.certificateAuthority !== news.certificateAuthority ||
    (news.method !== undefined && news.method !== state.__method) ||
    (news.type !== undefined && news.type !== state.__type)
  );
}

async function present(
  { hostnames }: Session,
  { zoneId, customHostnameId, hostname }: AuthorityInputs,
): Promise<CustomHostname> {
  const found = await hostnames.byId(zoneId, customHostnameId);
  if (found !== undefined) return found;
  throw new RulesetsError(`the custom hostname ${hostname} (${customHostnameId}) is gone from zone ${zoneId}.`, {
    code: "HOSTNAME_NOT_FOUND",
  });
}

/** The edit that a hostname needs; undefined when nothing would change. */
async function wantedOf(
  session: Session,
  { certificateAuthority: authority, method, type }: AuthorityInputs,
  current: CustomHostname,
  asked: string | undefined,
): Promise<Wanted | undefined> {
  const wanted = { authority, method, type };
  return (await wouldChange(session, current, wanted, asked)) ? wanted : undefined;
}

async function create(
  session: Session,
  inputs: AuthorityInputs,
): Promise<{ readonly id: string; readonly state: AuthorityState }> {
  const id = resourceIdOf(inputs);
  session.owners.hold(id, inputs.__urn ?? "");
  const current = await present(session, inputs);
  const wanted = await wantedOf(session, inputs, current, undefined);
  const previous = await findPrevious(session, inputs, current, wanted !== undefined);
  return { id, state: await choose(session, id, { inputs, current, wanted, previous }) };
}

async function update(
  session: Session,
  id: string,
  olds: AuthorityState,
  news: AuthorityInputs,
): Promise<AuthorityState> {
  if (olds.__incomplete !== true && !isAnother(olds, news)) return { ...outputsOf(olds), ...news };
  const current = await present(session, news);
  // After an edit that may have landed only the service knows what was asked for.
  const asked = olds.__incomplete === true ? undefined : olds.certificateAuthority;
  const wanted = await wantedOf(session, news, current, asked);
  return choose(session, id, { inputs: news, current, wanted, previous: olds, olds });
}

/** An edit, with everything the state is made of. */
interface Choice {
  readonly inputs: AuthorityInputs;
  readonly current: CustomHostname;
  /** Undefined when nothing is to be sent. */
  readonly wanted: Wanted | undefined;
  readonly previous: Previous;
  /** The state so far, of a resource that exists. */
  readonly olds?: AuthorityState;
}

/** Sends an edit when it changes something, and waits for the records that it asks for. */
async function choose(
  session: Session,
  id: string,
  { inputs, current, wanted, previous, olds }: Choice,
): Promise<AuthorityState> {
  if (wanted === undefined) return stateFrom(inputs, current, previous);
  try {
    const edited = await edit(session, inputs.zoneId, current, wanted);
    return stateFrom(inputs, await awaitRecords(session, inputs, edited), previous);
  } catch (error) {
    if (!(error instanceof ApiError) || !error.ambiguous) throw error;
    const state = olds ?? stateFrom(inputs, current, previous);
    throw new PartialFailure<AuthorityState>(id, { ...state, __incomplete: true }, error);
  }
}
