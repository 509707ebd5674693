import type { CustomHostname, HostnameSsl } from "../model/certificates.js";
import { affectedFrom, assessUnused, servedChain, NOT_AFFECTED, type Finding, type Assessment } from "./assessment.js";
import { AFFECTED_AUTHORITY, authorityName, RECOMMENDED_AUTHORITY } from "../certificates/authorities.js";
import { assessUploaded } from "./custom-rules.js";
import { chainStage, type ChainStage } from "./timeline.js";

/** The properties of a custom hostname that determine its chain. */
export type AssessableHostname = Pick<CustomHostname, "id" | "hostname"> & {
  readonly ssl: Pick<HostnameSsl, "certificateAuthority"> & Partial<HostnameSsl>;
  /** The authority requested, if the program knows it; empty for the default. The service reports only the one in use. */
  readonly requestedCertificateAuthority?: string;
};

const EDIT = "PATCH /zones/<zone>/custom_hostnames/<id>";

export function assessHostname(hostname: AssessableHostname, at: Date): Finding {
  const { id, hostname: name, ssl } = hostname;
  const named = { kind: "customHostname", id, name } as const;
  if (ssl.uploaded === true) {
    const { issuer = "", bundleMethod = "ubiquitous" } = ssl;
    return { ...named, certificateAuthority: issuer, ...assessUploaded({ ...ssl, issuer, bundleMethod }, at, EDIT) };
  }
  const { certificateAuthority } = ssl;
  return { ...named, certificateAuthority, ...(assessUnused(ssl.status) ?? issuedRule(hostname, chainStage(at))) };
}

function issuedRule(
  { ssl, requestedCertificateAuthority: requested }: AssessableHostname,
  stage: ChainStage,
): Assessment {
  const { certificateAuthority: present } = ssl;
  if (requested === "" || (requested === undefined && present === "")) return defaultRule(present, stage);
  return present === AFFECTED_AUTHORITY ? chosenRule(ssl, requested !== undefined, stage) : NOT_AFFECTED;
}

/** The authority was chosen explicitly or, if it is unknown what was requested, may be the default's fallback. */
function chosenRule({ method, type }: AssessableHostname["ssl"], isKnown: boolean, stage: ChainStage): Assessment {
  const chosen = authorityName(AFFECTED_AUTHORITY);
  const body = JSON.stringify({
    ssl: { method: method ?? "<method>", type: type ?? "dv", certificate_authority: RECOMMENDED_AUTHORITY },
  });
  const call = `${EDIT} ${body}`;
  return {
    verdict: "act",
    what: isKnown
      ? `${chosen} was chosen explicitly, so the service does not change it. ${servedChain(stage)}`
      : `If ${chosen} was chosen explicitly, the service does not change it; otherwise, it was used because of a CAA record. ${servedChain(stage)}`,
    clients: affectedFrom(stage),
    email: isKnown ? "the provider" : `the provider, where ${chosen} was chosen explicitly`,
    action: `The provider should choose another authority: CustomHostnameCa { certificateAuthority: "${RECOMMENDED_AUTHORITY}" } or "", or ${call}.`,
    calls: [call],
  };
}

function defaultRule(present: string, stage: ChainStage): Assessment {
  const fallback = present === AFFECTED_AUTHORITY;
  return {
    verdict: fallback ? "watch" : "automatic",
    what: `The service chooses: it tries the more compatible authority and falls back to ${authorityName(AFFECTED_AUTHORITY)} only where a CAA record forbids that.`,
    clients: fallback ? affectedFrom(stage) : "",
    email: "",
    action: fallback ? "The hostname's owner can allow pki.goog in the CAA records." : "",
    calls: [],
  };
}
