import { authorityWords } from "../../certificates/authorities.js";
import { ApiError, PartialFailure, RulesetsError } from "../../model/errors.js";
import type { CustomHostname } from "../../model/certificates.js";
import { sameJson } from "../../model/json.js";
import { hasUnknown } from "../../model/unknown.js";
import type { Session } from "../../session/session.js";
import type { Change, Lifecycle, Props } from "../lifecycle.js";
import { stillNeeded } from "../still-needed.js";
import { awaitRecords, differs, edit, type Wanted } from "./change.js";
import { check } from "./check.js";
import {
  addressOf,
  inputsOf,
  outputsOf,
  resourceIdOf,
  stateFrom,
  type AuthorityInputs,
  type AuthorityState,
} from "./model.js";

/** Who issues the certificate of one custom hostname. */
export const customHostnameLifecycle: Lifecycle = {
  check,
  diff: (session, _id, olds, news) =>
    Promise.resolve(diff(session, olds as unknown as AuthorityState, news as unknown as AuthorityInputs)),
  create: async (session, props) => {
    const inputs = props as unknown as AuthorityInputs;
    const current = await present(session, inputs);
    const previous = {
      previousCertificateAuthority: current.ssl.certificateAuthority,
      __previousMethod: current.ssl.method,
    };
    session.owners.hold(resourceIdOf(inputs), inputs.__urn ?? "");
    const now = await choose(session, inputs, current, undefined);
    return { id: resourceIdOf(inputs), state: stateFrom(inputs, now, previous) };
  },
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

function wantedOf({ certificateAuthority, method, type }: AuthorityInputs): Wanted {
  return { authority: certificateAuthority, method, type };
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

/** Sends an edit when it changes something, and waits for the records that it asks for. */
async function choose(
  session: Session,
  inputs: AuthorityInputs,
  current: CustomHostname,
  asked: string | undefined,
): Promise<CustomHostname> {
  const wanted = wantedOf(inputs);
  if (!differs(current, wanted, asked)) return current;
  const edited = await edit(session, inputs.zoneId, current, wanted);
  const settled = await awaitRecords(session, inputs.zoneId, edited, inputs.__urn);
  if (settled.ssl.validationRecords.length === 0 && settled.ssl.status !== "active") {
    session.reporter.warn(
      inputs.__urn,
      `${settled.hostname}: ${settled.ssl.status}, without validation records yet; \`pulumi refresh\` reads them later`,
    );
  }
  return settled;
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
  try {
    return stateFrom(news, await choose(session, news, current, asked), olds);
  } catch (error) {
    if (!(error instanceof ApiError) || !error.ambiguous) throw error;
    throw new PartialFailure<AuthorityState>(id, { ...olds, __incomplete: true }, error);
  }
}

/** One GET. An authority that somebody else chose shows as a change of the input. */
async function read(
  session: Session,
  id: string,
  props: Props,
): Promise<{ readonly inputs: AuthorityInputs; readonly state: AuthorityState } | undefined> {
  const { zoneId, hostnameId } = addressOf(id);
  const found = await session.hostnames.byId(zoneId, hostnameId);
  if (found === undefined) return undefined;
  const olds = props as unknown as AuthorityState;
  const known = (olds as Partial<AuthorityState>).certificateAuthority !== undefined;
  const present = found.ssl.certificateAuthority;
  const inputs: AuthorityInputs = known
    ? { ...inputsOf(olds), ...drifted(olds, found) }
    : { zoneId, customHostnameId: hostnameId, hostname: found.hostname, certificateAuthority: present };
  const previous = known ? olds : { previousCertificateAuthority: present };
  const state = { ...stateFrom(inputs, found, previous), ...(known ? usedRecords(olds, found) : {}) };
  return { inputs, state: { ...state, ...(olds.__incomplete === true ? { __incomplete: true } : {}) } };
}

/** Records that were used stay known, or DNS records made of them would go with the next `up` after a refresh. */
function usedRecords(
  { validationRecords }: AuthorityState,
  { ssl }: CustomHostname,
): Partial<Pick<AuthorityState, "validationRecords">> {
  return ssl.status === "active" && ssl.validationRecords.length === 0 ? { validationRecords } : {};
}

/** What somebody else changed of what the program says. */
function drifted(
  { certificateAuthority, method, type }: AuthorityState,
  { ssl }: CustomHostname,
): Partial<AuthorityInputs> {
  const other =
    certificateAuthority !== "" && ssl.certificateAuthority !== "" && ssl.certificateAuthority !== certificateAuthority;
  return {
    ...(other ? { certificateAuthority: ssl.certificateAuthority } : {}),
    ...(method !== undefined && ssl.method !== "" && ssl.method !== method ? { method: ssl.method } : {}),
    ...(type !== undefined && ssl.type !== "" && ssl.type !== type ? { type: ssl.type } : {}),
  };
}

/** Takes the choice back as `onDelete` says; `keep` sends nothing. The hostname itself is never deleted. */
async function release(session: Session, id: string, state: AuthorityState): Promise<void> {
  const { hostname, __urn: urn, onDelete = "keep" } = state;
  const stays = (why: string): void => {
    session.reporter.info(
      urn,
      `${hostname} keeps ${authorityWords(state.effectiveCertificateAuthority)}: ${why}. Nothing was sent.`,
    );
  };
  const keeper = stillNeeded(session, [resourceIdOf(state)], urn);
  if (keeper !== undefined) {
    stays(keeper);
    return;
  }
  if (onDelete === "keep") {
    stays('onDelete is "keep"');
    return;
  }
  const { zoneId, hostnameId } = addressOf(id);
  const current = await session.client.customHostnames.find(zoneId, hostnameId);
  if (current === undefined) return;
  const asked = state.certificateAuthority;
  if (asked !== "" && current.ssl.certificateAuthority !== "" && current.ssl.certificateAuthority !== asked) {
    stays(`somebody else chose ${authorityWords(current.ssl.certificateAuthority)} since`);
    return;
  }
  const authority = onDelete === "restore" ? state.previousCertificateAuthority : "";
  const method = onDelete === "restore" && state.__previousMethod !== "" ? state.__previousMethod : undefined;
  if (!differs(current, { authority, method }, asked)) {
    stays("it is what it was before");
    return;
  }
  await edit(session, zoneId, current, { authority, method });
}
