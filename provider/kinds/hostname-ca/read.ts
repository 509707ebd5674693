import type { CustomHostname } from "../../model/certificates.js";
import type { Session } from "../../engine/session.js";
import type { Props } from "../../engine/lifecycle.js";
import { addressOf, inputsOf, stateFrom, type AuthorityInputs, type AuthorityState } from "./model.js";

/** One GET. An authority that somebody else chose shows as a change of the input. */
export async function read(
  session: Session,
  id: string,
  props: Props,
): Promise<{ readonly inputs: AuthorityInputs; readonly state: AuthorityState } | undefined> {
  const { zoneId, hostnameId } = addressOf(id);
  const found = await session.hostnames.byId(zoneId, hostnameId);
  if (found === undefined) return undefined;
  const olds = props as unknown as AuthorityState;
  const known = (olds as Partial<AuthorityState>).certificateAuthority !== undefined;
  const present = found.ssl.certificateAuthority;
  const inputs: AuthorityInputs = known
    ? { ...inputsOf(olds), ...drifted(olds, found) }
    : { zoneId, customHostnameId: hostnameId, hostname: found.hostname, certificateAuthority: present };
  const previous = known ? olds : { previousCertificateAuthority: present };
  const state = { ...stateFrom(inputs, found, previous), ...(known ? usedRecords(olds, found) : {}) };
  return { inputs, state: { ...state, ...(olds.__incomplete === true ? { __incomplete: true } : {}) } };
}

/** Records that were used stay known, or DNS records made of them would go with the next `up` after a refresh. */
function usedRecords(
  { validationRecords }: AuthorityState,
  { ssl }: CustomHostname,
): Partial<Pick<AuthorityState, "validationRecords">> {
  return ssl.status === "active" && ssl.validationRecords.length === 0 ? { validationRecords } : {};
}

/** What somebody else changed of what the program says. */
function drifted(
  { certificateAuthority, method, type }: AuthorityState,
  { ssl }: CustomHostname,
): Partial<AuthorityInputs> {
  const other =
    certificateAuthority !== "" && ssl.certificateAuthority !== "" && ssl.certificateAuthority !== certificateAuthority;
  return {
    ...(other ? { certificateAuthority: ssl.certificateAuthority } : {}),
    ...(method !== undefined && ssl.method !== "" && ssl.method !== method ? { method: ssl.method } : {}),
    ...(type !== undefined && ssl.type !== "" && ssl.type !== type ? { type: ssl.type } : {}),
  };
}
