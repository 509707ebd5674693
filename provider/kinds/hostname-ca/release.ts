import { authorityWords } from "../../certificates/authorities.js";
import type { CustomHostname } from "../../model/certificates.js";
import type { Session } from "../../engine/session.js";
import { stillNeeded } from "../../engine/claims.js";
import { differs, edit, type Wanted } from "./change.js";
import { addressOf } from "../hostnames/address.js";
import { resourceIdOf, type AuthorityState } from "./description.js";
import { leavePrevious } from "./previous.js";

/** Reverts the choice according to `onDelete`; `keep` sends nothing. Never deletes the hostname itself. */
export async function release(session: Session, id: string, state: AuthorityState): Promise<void> {
  const { hostname, __urn: urn, certificateAuthority: requested } = state;
  const report = (text: string): void => {
    session.reporter.info(urn, `${hostname}${text}`);
  };
  const keeper = stillNeeded(session, [resourceIdOf(state)], urn);
  if (keeper !== undefined) {
    leavePrevious(session, state);
    report(` keeps ${authorityWords(state.effectiveCertificateAuthority)}: ${keeper}. No request was sent.`);
    return;
  }
  if ((state.onDelete ?? "keep") === "keep") {
    report(` keeps ${authorityWords(state.effectiveCertificateAuthority)}: onDelete is "keep". No request was sent.`);
    return;
  }
  const { zoneId, hostnameId } = addressOf(id);
  const current = await session.client.customHostnames.find(zoneId, hostnameId);
  if (current === undefined) {
    report(` no longer exists in zone ${zoneId}, so there is no authority to change. No edit was sent.`);
    return;
  }
  const wanted = planEdit(state, current);
  const present = authorityWords(current.ssl.certificateAuthority);
  if (typeof wanted === "string") {
    report(` keeps ${present}: ${wanted}. No edit was sent.`);
  } else if (!differs(current, wanted, requested)) {
    report(` keeps ${present}: ${unchangedReason(wanted)}. No edit was sent.`);
  } else {
    await edit(session, zoneId, current, wanted);
    const what = state.onDelete === "restore" ? "restored" : "changed";
    const to = authorityWords(wanted.authority);
    report(`: ${what} from ${present} to ${to}; its certificate is validated again and reissued.`);
  }
}

function unchangedReason({ authority }: Wanted): string {
  return authority === ""
    ? "the service's default was already requested"
    : "the previous authority on record is already in use";
}

/** The edit that a delete needs; otherwise the reason why it needs none. */
function planEdit(state: AuthorityState, { ssl }: CustomHostname): Wanted | string {
  const {
    onDelete,
    certificateAuthority: requested,
    previousCertificateAuthority: before,
    __previousMethod: method,
  } = state;
  if (requested !== "" && ssl.certificateAuthority !== "" && ssl.certificateAuthority !== requested)
    return `somebody else chose it after this stack chose ${authorityWords(requested)}`;
  if (onDelete === "default") return { authority: "" };
  if (before === "")
    return 'the authority in use before this stack is not known, so onDelete: "restore" changes nothing';
  return { authority: before, ...(method === undefined || method === "" ? {} : { method }) };
}
