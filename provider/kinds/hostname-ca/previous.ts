import type { CustomHostname } from "../../model/certificates.js";
import type { JsonObject } from "../../model/json.js";
import type { Session } from "../../engine/session.js";
import { CUSTOM_HOSTNAME_CA, type AuthorityInputs, type AuthorityState, type Previous } from "./description.js";

/**
 * What was in use before this stack chose. A resource that takes a hostname over from another one of the stack goes on
 * with what that one knew: what it finds in use may be the stack's own choice.
 */
export async function findPrevious(
  session: Session,
  { zoneId, customHostnameId }: AuthorityInputs,
  { ssl }: CustomHostname,
  edits: boolean,
): Promise<Previous> {
  const isSame = (state: JsonObject): boolean => state.zoneId === zoneId && state.customHostnameId === customHostnameId;
  const found = await session.predecessors.find(CUSTOM_HOSTNAME_CA.type, isSame);
  if (found.kind === "known") return previousIn(found.state);
  if (found.kind === "unknown" && !edits) return { previousCertificateAuthority: "" };
  return { previousCertificateAuthority: ssl.certificateAuthority, __previousMethod: ssl.method };
}

function previousIn({ previousCertificateAuthority: authority, __previousMethod: method }: JsonObject): Previous {
  return {
    previousCertificateAuthority: typeof authority === "string" ? authority : "",
    ...(typeof method === "string" ? { __previousMethod: method } : {}),
  };
}

/** Leaves what a resource knew to the one that takes its hostname over. */
export function leavePrevious({ predecessors }: Session, state: AuthorityState): void {
  predecessors.leave(CUSTOM_HOSTNAME_CA.type, state);
}
