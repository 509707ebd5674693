import type { CustomHostname } from "../../../model/certificates.js";
import { type JsonObject, textOf } from "../../../model/json.js";
import type { KeysOf } from "../../../engine/predecessors.js";
import type { Session } from "../../../engine/session.js";
import {
  CUSTOM_HOSTNAME_CA,
  type AuthorityInputs,
  type AuthorityState,
  type PreviousAuthority,
} from "./description.js";

const byHostname: KeysOf = ({ customHostnameId }) => [customHostnameId];

/**
 * The authority and method in use before this stack chose one. A resource that takes a hostname over from another
 * resource of the stack inherits that resource's record, because the authority in use now may be the stack's own
 * choice.
 */
export async function findPreviousAuthority(
  session: Session,
  { zoneId, customHostnameId }: AuthorityInputs,
  { ssl }: CustomHostname,
  edits: boolean,
): Promise<PreviousAuthority> {
  const found = await session.predecessors.find(
    CUSTOM_HOSTNAME_CA.type,
    { by: byHostname, key: customHostnameId },
    (state) => state.zoneId === zoneId,
  );
  if (found.kind === "known") return previousIn(found.state);
  if (found.kind === "unknown" && !edits) return { previousCertificateAuthority: "" };
  return { previousCertificateAuthority: ssl.certificateAuthority, __previousMethod: ssl.method };
}

function previousIn({
  previousCertificateAuthority: authority,
  __previousMethod: method,
}: JsonObject): PreviousAuthority {
  return {
    previousCertificateAuthority: textOf(authority),
    ...(typeof method === "string" ? { __previousMethod: method } : {}),
  };
}

/** Keeps the record of a deleted resource for the resource that takes over its hostname. */
export function recordPredecessor({ predecessors }: Session, state: AuthorityState): void {
  predecessors.record(CUSTOM_HOSTNAME_CA.type, state);
}
