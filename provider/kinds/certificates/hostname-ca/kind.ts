import { claim } from "../../../engine/claims.js";
import { hasChanged, outputsIn, replacedInputs, sameInputs, inputsIn } from "../../../engine/inputs.js";
import { defineKind } from "../../../engine/kind.js";
import type { Change } from "../../../engine/lifecycle.js";
import { recordIncomplete } from "../../../engine/recover.js";
import type { Session } from "../../../engine/session.js";
import { hasCertificate, noCertificateText } from "../../../../core/certificates/status.js";
import type { CustomHostname } from "../../../../core/model/certificates.js";
import { RulesetsError } from "../../../../core/model/errors.js";
import { hostnameAuthorityId } from "../../../../core/model/ids.js";
import type { Pending } from "../../../../core/model/unknown.js";
import { hostnameReads } from "../hostname-reads.js";
import { awaitRecords } from "./await-records.js";
import { editHostname, wouldEditChange } from "./change.js";
import { check, normaliseArguments } from "./check.js";
import {
  CUSTOM_HOSTNAME_CA,
  type AuthorityInputs,
  type AuthorityState,
  type PreviousAuthority,
} from "./description.js";
import { revertAuthority } from "./revert-authority.js";
import { stateFrom } from "./state.js";
import { keepIncomplete } from "../../../engine/incomplete.js";
import { addressOf } from "../address.js";

/** The certificate authority of one custom hostname. */
export const customHostnameCa = defineKind(CUSTOM_HOSTNAME_CA, {
  normalise: normaliseArguments,
  check,
  diff: (session, _id, olds, news) => diff(session, olds, news),
  create,
  read,
  update,
  delete: revertAuthority,
});

/**
 * Pure, except that it records which certificates will be reissued. The authority that the service picks for its
 * default is not drift.
 */
function diff(session: Session, state: AuthorityState, news: Pending<AuthorityInputs>): Change {
  const replaces = replacedInputs(CUSTOM_HOSTNAME_CA, state, news);
  if (replaces.length > 0) return { kind: "replace", replaces, shownByInputs: true };
  const reissues = state.__incomplete === true || wantsReissue(state, news);
  if (reissues) hostnameReads(session).reissued.add(state.customHostnameId);
  const changed = reissues || !sameInputs(CUSTOM_HOSTNAME_CA, state, news);
  // The service may use another method although the program has changed nothing.
  const isDeclared = !reissues || hasChanged(CUSTOM_HOSTNAME_CA, ["write"], state, news);
  const shownByInputs = state.__incomplete !== true && isDeclared;
  return { kind: changed ? "update" : "none", replaces: [], shownByInputs };
}

/** Whether the program wants a certificate other than the one last requested. */
function wantsReissue(state: AuthorityState, news: Pending<AuthorityInputs>): boolean {
  return (
    state.certificateAuthority !== news.certificateAuthority ||
    (news.method !== undefined && news.method !== state.__validation?.method) ||
    (news.type !== undefined && news.type !== state.__validation?.type)
  );
}

async function getHostname(
  session: Session,
  { zoneId, customHostnameId, hostname, method }: AuthorityInputs,
): Promise<CustomHostname> {
  const found = await hostnameReads(session).byId(zoneId, customHostnameId);
  if (found === undefined) {
    const text = `the custom hostname ${hostname} (${customHostnameId}) no longer exists in zone ${zoneId}.`;
    throw new RulesetsError(text, { code: "HOSTNAME_NOT_FOUND" });
  }
  if (hasCertificate(found.ssl) || method !== undefined) return found;
  throw new RulesetsError(`${noCertificateText(found.hostname)}.`, { code: "HOSTNAME_NOT_FOUND" });
}

async function create(
  session: Session,
  inputs: AuthorityInputs,
): Promise<{ readonly id: string; readonly state: AuthorityState }> {
  const id = hostnameAuthorityId(inputs.zoneId, inputs.customHostnameId);
  claim(session, inputs.__urn, [id]);
  const current = await getHostname(session, inputs);
  const { certificateAuthority, method } = current.ssl;
  const previous = { previousCertificateAuthority: certificateAuthority, __validation: { previousMethod: method } };
  return { id, state: await choose(session, id, { inputs, current, previous }) };
}

async function update(
  session: Session,
  id: string,
  olds: AuthorityState,
  news: AuthorityInputs,
): Promise<AuthorityState> {
  if (olds.__incomplete !== true && !wantsReissue(olds, news))
    return { ...outputsIn(CUSTOM_HOSTNAME_CA, olds), ...news };
  const current = await getHostname(session, news);
  return choose(session, id, { inputs: news, current, requested: lastRequested(olds, news), previous: olds, olds });
}

/**
 * The authority requested last. After an edit that may have been applied, only the service knows it; but it does not say
 * whether an authority in use was chosen instead of its default, so such a choice is requested again.
 */
function lastRequested(olds: AuthorityState, news: AuthorityInputs): string | undefined {
  const { certificateAuthority: authority } = olds;
  return olds.__incomplete === true && (authority !== "" || news.certificateAuthority === "") ? undefined : authority;
}

/** A choice of an authority, with everything needed to build the new state. */
interface Choice {
  readonly inputs: AuthorityInputs;
  readonly current: CustomHostname;
  /** The authority requested last, if that is known. */
  readonly requested?: string | undefined;
  readonly previous: PreviousAuthority;
  /** The current state of an existing resource. */
  readonly olds?: AuthorityState;
}

/** Sends an edit if anything would change, and waits for the resulting validation records. */
async function choose(
  session: Session,
  id: string,
  { inputs, current, requested, previous, olds }: Choice,
): Promise<AuthorityState> {
  const state = stateFrom(inputs, current, previous, olds?.validationRecords);
  const { certificateAuthority: authority, method, type } = inputs;
  const wanted = { authority, method, type };
  if (!(await wouldEditChange(session, current, wanted, requested))) return state;
  return recordIncomplete(id, olds ?? state, async () => {
    const edited = await editHostname(session, inputs.zoneId, current, wanted);
    return stateFrom(inputs, await awaitRecords(session, inputs, edited), previous);
  });
}

/**
 * Sends one GET. An authority chosen by somebody else shows as a change of the input. A hostname that lost its certificate has no
 * authority any more, so the resource is gone too.
 */
async function read(
  session: Session,
  id: string,
  olds: AuthorityState | undefined,
): Promise<{ readonly inputs: AuthorityInputs; readonly state: AuthorityState } | undefined> {
  const { zoneId, hostnameId } = addressOf(id);
  const found = await hostnameReads(session).byId(zoneId, hostnameId);
  if (found === undefined) return undefined;
  if (!hasCertificate(found.ssl)) {
    session.reporter.warn(
      olds?.__urn,
      `${found.hostname} has no certificate any more, so it has no certificate authority`,
    );
    return undefined;
  }
  const present = found.ssl.certificateAuthority;
  const inputs: AuthorityInputs =
    olds === undefined
      ? { zoneId, customHostnameId: hostnameId, hostname: found.hostname, certificateAuthority: present }
      : { ...inputsIn(CUSTOM_HOSTNAME_CA, olds), ...drifted(olds, found) };
  const state = stateFrom(inputs, found, olds ?? { previousCertificateAuthority: present }, olds?.validationRecords);
  return { inputs, state: olds === undefined ? state : keepIncomplete(state, olds) };
}

/** The inputs that somebody else changed at the service. */
function drifted(
  { certificateAuthority, method, type }: AuthorityState,
  { ssl }: CustomHostname,
): Partial<AuthorityInputs> {
  const otherAuthority =
    certificateAuthority !== "" && ssl.certificateAuthority !== "" && ssl.certificateAuthority !== certificateAuthority;
  return {
    ...(otherAuthority ? { certificateAuthority: ssl.certificateAuthority } : {}),
    ...(method !== undefined && ssl.method !== "" && ssl.method !== method ? { method: ssl.method } : {}),
    ...(type !== undefined && ssl.type !== "" && ssl.type !== type ? { type: ssl.type } : {}),
  };
}
