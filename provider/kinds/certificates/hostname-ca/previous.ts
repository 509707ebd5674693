import type { CustomHostname } from "../../../model/certificates.js";
import { type JsonObject, textOf } from "../../../model/json.js";
import type { KeysOf } from "../../../engine/predecessors.js";
import type { Session } from "../../../engine/session.js";
import { requestedAtFirst } from "./change.js";
import {
  CUSTOM_HOSTNAME_CA,
  type AuthorityInputs,
  type AuthorityState,
  type PreviousAuthority,
} from "./description.js";

const byHostname: KeysOf = ({ customHostnameId }) => [customHostnameId];

/** The resource of the stack that chose the authority of the hostname before, if there is one. */
function findPredecessor(session: Session, { zoneId, customHostnameId }: AuthorityInputs): ReturnType<Find> {
  return session.predecessors.find(
    CUSTOM_HOSTNAME_CA.type,
    { by: byHostname, key: customHostnameId },
    (state) => state.zoneId === zoneId,
  );
}

type Find = Session["predecessors"]["find"];

/** The authority that was requested last before this resource was created, as far as that is known. */
export async function findRequestedAuthority(session: Session, inputs: AuthorityInputs): Promise<string | undefined> {
  const found = await findPredecessor(session, inputs);
  if (found.kind === "known") return textOf(found.state.certificateAuthority);
  return found.kind === "unknown" ? undefined : requestedAtFirst(inputs.certificateAuthority);
}

/**
 * The authority and method in use before this stack chose one. A resource that takes a hostname over from another
 * resource of the stack inherits that resource's record, because the authority in use now may be the stack's own
 * choice.
 */
export async function findPreviousAuthority(
  session: Session,
  inputs: AuthorityInputs,
  { ssl }: CustomHostname,
  edits: boolean,
): Promise<PreviousAuthority> {
  const found = await findPredecessor(session, inputs);
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
