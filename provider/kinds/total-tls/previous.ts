import type { TotalTls } from "../../model/certificates.js";
import type { Session } from "../../engine/session.js";
import { TOTAL_TLS_CA, type TotalTlsInputs, type TotalTlsState } from "./description.js";

/** The authority before this stack chose: as the resource that held the zone before knew it, else as found. */
export async function findPrevious(
  session: Session,
  { zoneId, certificateAuthority }: TotalTlsInputs,
  { certificateAuthority: present }: TotalTls,
): Promise<string> {
  const found = await session.predecessors.find(TOTAL_TLS_CA.type, (state) => state.zoneId === zoneId);
  if (found.kind === "unknown") return present === certificateAuthority ? "" : present;
  const { previousCertificateAuthority: before } = found.kind === "known" ? found.state : {};
  return typeof before === "string" ? before : present;
}

/** Leaves what a resource knew to the one that takes its zone over. */
export function leavePrevious({ predecessors }: Session, state: TotalTlsState): void {
  predecessors.leave(TOTAL_TLS_CA.type, state);
}
