import { authorityName } from "../../../../core/certificates/authorities.js";
import { claim, reasonToKeep } from "../../../engine/claims.js";
import { inputsIn, outputsIn, replacedInputs, sameInputs } from "../../../engine/inputs.js";
import { defineKind } from "../../../engine/kind.js";
import type { Change } from "../../../engine/lifecycle.js";
import { recordIncomplete, sendWithRecovery } from "../../../engine/recover.js";
import type { Session } from "../../../engine/session.js";
import { RulesetsError } from "../../../../core/model/errors.js";
import type { TotalTls } from "../../../../core/model/certificates.js";
import { parseTotalTlsId, totalTlsId } from "../../../../core/model/ids.js";
import type { Pending } from "../../../../core/model/unknown.js";
import { check, validate } from "./check.js";
import { TOTAL_TLS_CA, type TotalTlsInputs, type TotalTlsState } from "./description.js";

/** The certificate authority of Total TLS in a zone. It turns Total TLS neither on nor off. */
export const totalTlsCa = defineKind(TOTAL_TLS_CA, {
  validate,
  check,
  diff: (_session, _id, olds, news) => diff(olds, news),
  create: async (session, inputs) => {
    const id = totalTlsId(inputs.zoneId);
    claim(session, inputs.__urn, [id]);
    const present = await session.client.certificates.getTotalTls(inputs.zoneId);
    const state = stateFrom(inputs, present, present.certificateAuthority);
    return { id, state: await write(session, { inputs, present, olds: state }) };
  },
  read,
  update: async (session, _id, olds, news) => {
    if (olds.__incomplete !== true && olds.certificateAuthority === news.certificateAuthority)
      return { ...outputsIn(TOTAL_TLS_CA, olds), ...news };
    const present = await session.client.certificates.getTotalTls(news.zoneId);
    return write(session, { inputs: news, present, olds });
  },
  delete: (session, _id, state) => revertAuthority(session, state),
});

function diff(state: TotalTlsState, news: Pending<TotalTlsInputs>): Change {
  const replaces = replacedInputs(TOTAL_TLS_CA, state, news);
  if (replaces.length > 0) return { kind: "replace", replaces, shownByInputs: true };
  const changed = state.__incomplete === true || !sameInputs(TOTAL_TLS_CA, state, news);
  return { kind: changed ? "update" : "none", replaces: [], shownByInputs: state.__incomplete !== true };
}

/** A write, with everything needed to build the new state. */
interface Write {
  readonly inputs: TotalTlsInputs;
  readonly present: TotalTls;
  /** The state to keep when it is unknown whether the write was applied. */
  readonly olds: TotalTlsState;
}

async function write(session: Session, { inputs, present, olds }: Write): Promise<TotalTlsState> {
  const { zoneId, certificateAuthority } = inputs;
  const current = await recordIncomplete(totalTlsId(zoneId), olds, () =>
    setAuthority(session, zoneId, present, certificateAuthority),
  );
  return stateFrom(inputs, current, olds.previousCertificateAuthority);
}

/** Sends one GET. An authority chosen by somebody else shows as a change of the input. */
async function read(
  session: Session,
  id: string,
  olds: TotalTlsState | undefined,
): Promise<{ readonly inputs: TotalTlsInputs; readonly state: TotalTlsState }> {
  const zoneId = parseTotalTlsId(id);
  if (zoneId === undefined)
    throw new RulesetsError(`${JSON.stringify(id)} is not a valid Total TLS ID: write zones/<zoneId>/total-tls.`, {
      code: "CONFIG_INVALID",
    });
  const present = await session.client.certificates.getTotalTls(zoneId);
  const { certificateAuthority } = present;
  const inputs: TotalTlsInputs = {
    ...(olds === undefined ? {} : inputsIn(TOTAL_TLS_CA, olds)),
    zoneId,
    certificateAuthority,
  };
  return { inputs, state: stateFrom(inputs, present, olds?.previousCertificateAuthority ?? certificateAuthority) };
}

function stateFrom(
  inputs: TotalTlsInputs,
  { enabled, validityPeriod }: TotalTls,
  previousCertificateAuthority: string,
): TotalTlsState {
  return {
    ...inputs,
    enabled,
    previousCertificateAuthority,
    ...(validityPeriod === undefined ? {} : { validityPeriod }),
  };
}

/** Writes the authority if it differs, with `enabled` unchanged. If the response is lost, reads before writing again. */
async function setAuthority(session: Session, zoneId: string, present: TotalTls, authority: string): Promise<TotalTls> {
  if (present.certificateAuthority === authority) return present;
  const { certificates } = session.client;
  const send = (): Promise<TotalTls> =>
    certificates.setTotalTls(zoneId, { enabled: present.enabled, certificateAuthority: authority });
  return session.queue.run(totalTlsId(zoneId), () =>
    sendWithRecovery(send, {
      read: () => certificates.getTotalTls(zoneId),
      wasApplied: (current) => current.certificateAuthority === authority,
    }),
  );
}

/** Keeps the authority, or restores the previous one if nobody has chosen another since. */
async function revertAuthority(session: Session, state: TotalTlsState): Promise<void> {
  const { zoneId, __urn: urn, certificateAuthority: requested, previousCertificateAuthority: before } = state;
  const report = (text: string): void => {
    session.reporter.info(urn, `Total TLS of zone ${zoneId}${text}`);
  };
  const keeper = reasonToKeep(session, [totalTlsId(zoneId)], urn);
  const why = keeper ?? (state.onDelete === "restore" ? undefined : 'onDelete is "keep"');
  if (why !== undefined) {
    report(` keeps ${authorityName(requested)}: ${why}. No request was sent.`);
    return;
  }
  const present = await session.client.certificates.getTotalTls(zoneId);
  const reason = reasonNotToRestore(present.certificateAuthority, requested, before);
  const now = authorityName(present.certificateAuthority);
  if (reason !== undefined) {
    report(` keeps ${now}: ${reason}. No write was sent.`);
    return;
  }
  await setAuthority(session, zoneId, present, before);
  report(`: restored from ${now} to ${authorityName(before)}, for certificates ordered from now on.`);
}

function reasonNotToRestore(present: string, requested: string, before: string): string | undefined {
  if (present !== requested) return `somebody else chose it after this stack chose ${authorityName(requested)}`;
  return present === before ? "the previous authority on record is already in use" : undefined;
}
