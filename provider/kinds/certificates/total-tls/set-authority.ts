import type { TotalTls } from "../../../model/certificates.js";
import { totalTlsId } from "../../../model/ids.js";
import type { Session } from "../../../engine/session.js";
import { sendWithRecovery } from "../../../engine/recover.js";

/** Writes the authority if it differs, with `enabled` unchanged. If the response is lost, reads before writing again. */
export async function setAuthority(
  session: Session,
  zoneId: string,
  present: TotalTls,
  authority: string,
): Promise<TotalTls> {
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
