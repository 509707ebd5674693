import { authorityWords } from "../../certificates/authorities.js";
import type { CustomHostname } from "../../model/certificates.js";
import type { Session } from "../../engine/session.js";
import { stillNeeded } from "../../engine/claims.js";
import { differs, edit, type Wanted } from "./change.js";
import { addressOf } from "../hostnames/address.js";
import { resourceIdOf, type AuthorityState } from "./description.js";
import { leavePrevious } from "./previous.js";

/** Takes the choice back as `onDelete` says; `keep` sends nothing. The hostname itself is never deleted. */
export async function release(session: Session, id: string, state: AuthorityState): Promise<void> {
  const { hostname, __urn: urn, certificateAuthority: asked } = state;
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
    report(` no longer exists in zone ${zoneId}: there is no authority to choose. No edit was sent.`);
    return;
  }
  const wanted = wantedOf(state, current);
  const present = authorityWords(current.ssl.certificateAuthority);
  if (typeof wanted === "string") {
    report(` keeps ${present}: ${wanted}. No edit was sent.`);
  } else if (!differs(current, wanted, asked)) {
    report(` keeps ${present}: ${alreadyThere(wanted)}. No edit was sent.`);
  } else {
    await edit(session, zoneId, current, wanted);
    const what = state.onDelete === "restore" ? "restored" : "changed";
    const to = authorityWords(wanted.authority);
    report(`: ${what} from ${present} to ${to}; its certificate is validated again and reissued.`);
  }
}

function alreadyThere({ authority }: Wanted): string {
  return authority === ""
    ? "the service's default was already requested"
    : "the previous authority on record is already in use";
}

/** What a delete asks for; or why it asks for nothing. */
function wantedOf(state: AuthorityState, { ssl }: CustomHostname): Wanted | string {
  const {
    onDelete,
    certificateAuthority: asked,
    previousCertificateAuthority: before,
    __previousMethod: method,
  } = state;
  if (asked !== "" && ssl.certificateAuthority !== "" && ssl.certificateAuthority !== asked)
    return `somebody else chose it after this stack chose ${authorityWords(asked)}`;
  if (onDelete === "default") return { authority: "" };
  if (before === "")
    return 'the authority in use before this stack is not known, so onDelete: "restore" changes nothing';
  return { authority: before, ...(method === undefined || method === "" ? {} : { method }) };
}
