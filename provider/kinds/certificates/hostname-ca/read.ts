import type { CustomHostname } from "../../../model/certificates.js";
import type { Session } from "../../../engine/session.js";
import { keepIncomplete } from "../../../engine/incomplete.js";
import { inputsIn } from "../../../engine/inputs.js";
import { hostnameReads } from "../hostname-reads.js";
import { addressOf } from "../address.js";
import { CUSTOM_HOSTNAME_CA, type AuthorityInputs, type AuthorityState } from "./description.js";
import { stateFrom } from "./state.js";

/** Sends one GET. An authority chosen by somebody else shows as a change of the input. */
export async function read(
  session: Session,
  id: string,
  olds: AuthorityState | undefined,
): Promise<{ readonly inputs: AuthorityInputs; readonly state: AuthorityState } | undefined> {
  const { zoneId, hostnameId } = addressOf(id);
  const found = await session.part(hostnameReads).byId(zoneId, hostnameId);
  if (found === undefined) return undefined;
  const present = found.ssl.certificateAuthority;
  const inputs: AuthorityInputs =
    olds === undefined
      ? { zoneId, customHostnameId: hostnameId, hostname: found.hostname, certificateAuthority: present }
      : { ...inputsIn(CUSTOM_HOSTNAME_CA, olds), ...drifted(olds, found) };
  const state = stateFrom(inputs, found, olds ?? { previousCertificateAuthority: present }, olds?.validationRecords);
  return { inputs, state: olds === undefined ? state : keepIncomplete(state, olds) };
}

/** The inputs that somebody else changed at the service. */
function drifted(
  { certificateAuthority, method, type }: AuthorityState,
  { ssl }: CustomHostname,
): Partial<AuthorityInputs> {
  const otherAuthority =
    certificateAuthority !== "" && ssl.certificateAuthority !== "" && ssl.certificateAuthority !== certificateAuthority;
  return {
    ...(otherAuthority ? { certificateAuthority: ssl.certificateAuthority } : {}),
    ...(method !== undefined && ssl.method !== "" && ssl.method !== method ? { method: ssl.method } : {}),
    ...(type !== undefined && ssl.type !== "" && ssl.type !== type ? { type: ssl.type } : {}),
  };
}
