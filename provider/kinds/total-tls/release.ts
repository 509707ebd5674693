import { authorityWords } from "../../certificates/authorities.js";
import { totalTlsId } from "../../model/ids.js";
import type { Session } from "../../engine/session.js";
import { stillNeeded } from "../../engine/claims.js";
import { choose } from "./choose.js";
import type { TotalTlsState } from "./description.js";
import { leavePrevious } from "./previous.js";

/** Leaves the authority as it is, or brings the one before back when nobody chose another since. */
export async function release(session: Session, state: TotalTlsState): Promise<void> {
  const { zoneId, __urn: urn, certificateAuthority: asked, previousCertificateAuthority: before } = state;
  const report = (text: string): void => {
    session.reporter.info(urn, `Total TLS of zone ${zoneId}${text}`);
  };
  const keeper = stillNeeded(session, [totalTlsId(zoneId)], urn);
  if (keeper !== undefined) leavePrevious(session, state);
  const why = keeper ?? (state.onDelete === "restore" ? undefined : 'onDelete is "keep"');
  if (why !== undefined) {
    report(` keeps ${authorityWords(asked)}: ${why}. No request was sent.`);
    return;
  }
  const present = await session.client.certificates.getTotalTls(zoneId);
  const stays = reasonToStay(present.certificateAuthority, asked, before);
  const now = authorityWords(present.certificateAuthority);
  if (stays !== undefined) {
    report(` keeps ${now}: ${stays}. No write was sent.`);
    return;
  }
  await choose(session, zoneId, present, before);
  report(`: restored from ${now} to ${authorityWords(before)}, for certificates ordered from now on.`);
}

function reasonToStay(present: string, asked: string, before: string): string | undefined {
  if (present !== asked) return `somebody else chose it after this stack chose ${authorityWords(asked)}`;
  if (before === "")
    return 'the authority in use before this stack is not known, so onDelete: "restore" changes nothing';
  return present === before ? "the previous authority on record is already in use" : undefined;
}
