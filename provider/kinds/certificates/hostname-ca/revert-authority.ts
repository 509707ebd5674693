import { authorityName } from "../../../../core/certificates/authorities.js";
import { hasCertificate } from "../../../../core/certificates/status.js";
import type { CustomHostname } from "../../../../core/model/certificates.js";
import { hostnameAuthorityId } from "../../../../core/model/ids.js";
import type { Session } from "../../../engine/session.js";
import { reasonToKeep } from "../../../engine/claims.js";
import { isEditNeeded, editHostname, type WantedCertificate } from "./change.js";
import { addressOf } from "../address.js";
import type { AuthorityState } from "./description.js";

/** Reverts the choice according to `onDelete`; `keep` sends nothing. Never deletes the hostname itself. */
export async function revertAuthority(session: Session, id: string, state: AuthorityState): Promise<void> {
  const { hostname, __urn: urn, certificateAuthority: requested } = state;
  const report = (text: string): void => {
    session.reporter.info(urn, `${hostname}${text}`);
  };
  const keeper = reasonToKeep(session, [hostnameAuthorityId(state.zoneId, state.customHostnameId)], urn);
  if (keeper !== undefined) {
    report(` keeps ${authorityName(state.effectiveCertificateAuthority)}: ${keeper}. No request was sent.`);
    return;
  }
  if ((state.onDelete ?? "keep") === "keep") {
    report(` keeps ${authorityName(state.effectiveCertificateAuthority)}: onDelete is "keep". No request was sent.`);
    return;
  }
  const { zoneId, hostnameId } = addressOf(id);
  const current = await session.client.customHostnames.find(zoneId, hostnameId);
  if (current === undefined) {
    report(` no longer exists in zone ${zoneId}, so there is no authority to change. No edit was sent.`);
    return;
  }
  if (!hasCertificate(current.ssl)) {
    report(" has no certificate, so there is no authority to change. No edit was sent.");
    return;
  }
  const wanted = planEdit(state, current);
  const present = authorityName(current.ssl.certificateAuthority);
  if (typeof wanted === "string") {
    report(` keeps ${present}: ${wanted}. No edit was sent.`);
  } else if (isInUse(wanted, current) || !isEditNeeded(current, wanted, requested)) {
    report(` keeps ${present}: ${unchangedReason(wanted)}. No edit was sent.`);
  } else {
    await editHostname(session, zoneId, current, wanted);
    const what = state.onDelete === "restore" ? "restored" : "changed";
    const to = authorityName(wanted.authority);
    report(`: ${what} from ${present} to ${to}; its certificate is validated again and reissued.`);
  }
}

/** Whether an authority to restore is in use, as the default's choice or not: nobody is known to have requested it. */
function isInUse({ authority, method }: WantedCertificate, { ssl }: CustomHostname): boolean {
  return authority !== "" && authority === ssl.certificateAuthority && (method ?? ssl.method) === ssl.method;
}

function unchangedReason({ authority }: WantedCertificate): string {
  return authority === ""
    ? "the service's default was already requested"
    : "the previous authority on record is already in use";
}

/** The edit that a delete needs; otherwise the reason why it needs none. */
function planEdit(state: AuthorityState, { ssl }: CustomHostname): WantedCertificate | string {
  const {
    onDelete,
    certificateAuthority: requested,
    previousCertificateAuthority: before,
    __validation: { previousMethod: method } = {},
  } = state;
  if (requested !== "" && ssl.certificateAuthority !== "" && ssl.certificateAuthority !== requested)
    return `somebody else chose it after this stack chose ${authorityName(requested)}`;
  if (onDelete === "default") return { authority: "" };
  if (before === "")
    return 'the authority in use before this stack is not known, so onDelete: "restore" changes nothing';
  return { authority: before, ...(method === undefined || method === "" ? {} : { method }) };
}
