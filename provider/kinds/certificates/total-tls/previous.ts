import type { TotalTls } from "../../../model/certificates.js";
import type { KeysOf } from "../../../engine/predecessors.js";
import type { Session } from "../../../engine/session.js";
import { TOTAL_TLS_CA, type TotalTlsInputs, type TotalTlsState } from "./description.js";

const byZone: KeysOf = ({ zoneId }) => [zoneId];

/**
 * The authority in use before this stack chose one: as recorded by the resource that managed the zone before, otherwise
 * the current one.
 */
export async function findPreviousAuthority(
  session: Session,
  { zoneId, certificateAuthority }: TotalTlsInputs,
  { certificateAuthority: present }: TotalTls,
): Promise<string> {
  const found = await session.predecessors.find(TOTAL_TLS_CA.type, { by: byZone, key: zoneId });
  if (found.kind === "unknown") return present === certificateAuthority ? "" : present;
  const { previousCertificateAuthority: before } = found.kind === "known" ? found.state : {};
  return typeof before === "string" ? before : present;
}

/** Keeps the record of a deleted resource for the resource that takes over its zone. */
export function recordPredecessor({ predecessors }: Session, state: TotalTlsState): void {
  predecessors.record(TOTAL_TLS_CA.type, state);
}
