import { claim } from "../../engine/claims.js";
import { inputsIn, outputsIn, replacingNames } from "../../engine/description.js";
import { defineKind } from "../../engine/kind.js";
import type { Change } from "../../engine/lifecycle.js";
import { orIncomplete } from "../../engine/recover.js";
import type { Session } from "../../engine/session.js";
import type { CustomHostname } from "../../model/certificates.js";
import { RulesetsError } from "../../model/errors.js";
import { sameJson } from "../../model/json.js";
import type { Pending } from "../../model/unknown.js";
import { hostnameReads } from "../hostnames/hostname-reads.js";
import { reissued } from "../hostnames/reissued.js";
import { awaitRecords } from "./await-records.js";
import { edit, wouldChange, type Wanted } from "./change.js";
import { check, normaliseArguments, validate } from "./check.js";
import {
  CUSTOM_HOSTNAME_CA,
  resourceIdOf,
  type AuthorityInputs,
  type AuthorityState,
  type Previous,
} from "./description.js";
import { findPrevious } from "./previous.js";
import { read } from "./read.js";
import { release } from "./release.js";
import { stateFrom } from "./state.js";

/** Which authority issues the certificate of one custom hostname. */
export const customHostnameCa = defineKind(CUSTOM_HOSTNAME_CA, {
  normalise: normaliseArguments,
  validate,
  check,
  diff: (session, _id, olds, news) => diff(session, olds, news),
  create,
  read,
  update,
  delete: release,
});

/** Pure, but for the note that a certificate is to come anew. What the service answers after its default is no drift. */
function diff(session: Session, state: AuthorityState, news: Pending<AuthorityInputs>): Change {
  const names = replacingNames(CUSTOM_HOSTNAME_CA) as readonly (keyof AuthorityInputs)[];
  const replaces = names.filter((name) => state[name] !== news[name]);
  if (replaces.length > 0) return { kind: "replace", replaces, shownByInputs: true };
  const reissues = state.__incomplete === true || isAnother(state, news);
  if (reissues) session.part(reissued).add(state.customHostnameId);
  const changed = reissues || !sameJson(inputsIn(CUSTOM_HOSTNAME_CA, state), inputsIn(CUSTOM_HOSTNAME_CA, news));
  return { kind: changed ? "update" : "none", replaces: [], shownByInputs: state.__incomplete !== true };
}

/** Whether another certificate is wanted than the one that was asked for last. */
function isAnother(state: AuthorityState, news: Pending<AuthorityInputs>): boolean {
  return (
    state.certificateAuthority !== news.certificateAuthority ||
    (news.method !== undefined && news.method !== state.__method) ||
    (news.type !== undefined && news.type !== state.__type)
  );
}

async function present(
  session: Session,
  { zoneId, customHostnameId, hostname }: AuthorityInputs,
): Promise<CustomHostname> {
  const found = await session.part(hostnameReads).byId(zoneId, customHostnameId);
  if (found !== undefined) return found;
  throw new RulesetsError(`the custom hostname ${hostname} (${customHostnameId}) no longer exists in zone ${zoneId}.`, {
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
  claim(session, inputs.__urn, [id]);
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
  if (olds.__incomplete !== true && !isAnother(olds, news)) return { ...outputsIn(CUSTOM_HOSTNAME_CA, olds), ...news };
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
  const state = stateFrom(inputs, current, previous);
  if (wanted === undefined) return state;
  return orIncomplete(id, olds ?? state, async () => {
    const edited = await edit(session, inputs.zoneId, current, wanted);
    return stateFrom(inputs, await awaitRecords(session, inputs, edited), previous);
  });
}
