import { authorityName } from "../../../certificates/authorities.js";
import { totalTlsId } from "../../../model/ids.js";
import type { Session } from "../../../engine/session.js";
import { reasonToKeep } from "../../../engine/claims.js";
import { setAuthority } from "./set-authority.js";
import type { TotalTlsState } from "./description.js";
import { recordPredecessor } from "./previous.js";

/** Keeps the authority, or restores the previous one if nobody has chosen another since. */
export async function revertAuthority(session: Session, state: TotalTlsState): Promise<void> {
  const { zoneId, __urn: urn, certificateAuthority: requested, previousCertificateAuthority: before } = state;
  const report = (text: string): void => {
    session.reporter.info(urn, `Total TLS of zone ${zoneId}${text}`);
  };
  const keeper = reasonToKeep(session, [totalTlsId(zoneId)], urn);
  if (keeper !== undefined) recordPredecessor(session, state);
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
  if (before === "")
    return 'the authority in use before this stack is not known, so onDelete: "restore" changes nothing';
  return present === before ? "the previous authority on record is already in use" : undefined;
}
