import type { TotalTls } from "../../model/certificates.js";
import { totalTlsId } from "../../model/ids.js";
import type { Session } from "../../engine/session.js";
import { settle } from "../../engine/recover.js";

/** Writes the authority if it differs, with `enabled` unchanged. If the response is lost, reads before writing again. */
export async function choose(
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
    settle(send, {
      look: () => certificates.getTotalTls(zoneId),
      landed: (now) => now.certificateAuthority === authority,
    }),
  );
}
