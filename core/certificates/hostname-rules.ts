import type { CustomHostname, HostnameSsl } from "../model/certificates.js";
import { affectedFrom, assessUnused, servedChain, NOT_AFFECTED, type Finding, type Assessment } from "./assessment.js";
import {
  AFFECTED_AUTHORITY,
  authorityName,
  forbiddingCaa,
  RECOMMENDED_AUTHORITY,
  type ApplicableCaa,
} from "./authorities.js";
import { assessUploaded } from "./custom-rules.js";
import { hasCertificate } from "./status.js";
import { chainStage, type ChainStage } from "./timeline.js";

/** The properties of a custom hostname that determine its chain. */
export type AssessableHostname = Pick<CustomHostname, "id" | "hostname"> & {
  readonly ssl: Pick<HostnameSsl, "certificateAuthority"> & Partial<HostnameSsl>;
  /** The authority requested, if the program knows it; empty for the default. The service reports only the one in use. */
  readonly requestedCertificateAuthority?: string;
  /** The CAA records that apply to it, if they were looked up. */
  readonly caa?: ApplicableCaa;
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
  if (!hasCertificate(ssl)) return { ...named, certificateAuthority, ...NOT_AFFECTED, what: "Has no certificate." };
  return { ...named, certificateAuthority, ...(assessUnused(ssl.status) ?? issuedRule(hostname, chainStage(at))) };
}

function issuedRule(hostname: AssessableHostname, stage: ChainStage): Assessment {
  const { ssl, requestedCertificateAuthority: requested } = hostname;
  const { certificateAuthority: present } = ssl;
  const evidence = present === AFFECTED_AUTHORITY ? evidenceOf(hostname) : {};
  if (requested === "" || (requested === undefined && present === ""))
    return { ...defaultRule(present, stage), ...evidence };
  return present === AFFECTED_AUTHORITY ? { ...chosenRule(hostname, stage), ...evidence } : NOT_AFFECTED;
}

/** The record that forbids the recommended authority, or the lookup that failed. */
function evidenceOf({ hostname, caa }: AssessableHostname): Pick<Assessment, "caa"> {
  if (caa?.kind === "failed") return { caa: `the lookup of ${caa.name} failed (${caa.reason})` };
  const forbidden = caa === undefined ? undefined : forbiddingCaa(hostname, RECOMMENDED_AUTHORITY, caa);
  if (forbidden === undefined) return {};
  const { name, allowed } = forbidden;
  return { caa: `${name} allows ${allowed.length === 0 ? "nobody" : allowed.join(", ")}` };
}

const CHOSEN = authorityName(AFFECTED_AUTHORITY);
const PREFERRED = authorityName(RECOMMENDED_AUTHORITY);

/** The authority was chosen explicitly or, if it is unknown what was requested, may be the default's fallback. */
function chosenRule(hostname: AssessableHostname, stage: ChainStage): Assessment {
  const { ssl, requestedCertificateAuthority: requested, caa } = hostname;
  const body = JSON.stringify({
    ssl: { method: ssl.method ?? "<method>", type: ssl.type ?? "dv", certificate_authority: RECOMMENDED_AUTHORITY },
  });
  const call = `${EDIT} ${body}`;
  const how = `CustomHostnameCa { certificateAuthority: "${RECOMMENDED_AUTHORITY}" } or "", or ${call}`;
  const isKnown = requested !== undefined;
  const isForbidden = caa !== undefined && forbiddingCaa(hostname.hostname, RECOMMENDED_AUTHORITY, caa) !== undefined;
  const common = {
    clients: affectedFrom(stage),
    email: isKnown ? "the provider" : `the provider, where ${CHOSEN} was chosen explicitly`,
    calls: [call],
  };
  if (isForbidden) {
    return {
      ...common,
      verdict: isKnown ? "act" : "watch",
      what: `${isKnown ? `${CHOSEN} was chosen explicitly, and a` : "A"} CAA record does not allow ${PREFERRED} to issue${isKnown ? "" : `, so the service's default falls back to ${CHOSEN}`}. ${servedChain(stage)}`,
      action:
        "First, the hostname's owner has to allow pki.goog in that CAA record. " +
        `${isKnown ? "Then" : `Then the default changes by itself; if ${CHOSEN} was chosen explicitly,`} the provider should choose another authority: ${how}.`,
    };
  }
  return {
    ...common,
    verdict: "act",
    what: `${isKnown ? `${CHOSEN} was chosen explicitly, so the service does not change it.` : reasonFor(caa)} ${servedChain(stage)}`,
    action: `${caa?.kind === "failed" ? "If its CAA records allow pki.goog, the" : "The"} provider should choose another authority: ${how}.`,
  };
}

/** Why the affected authority is used, if it is unknown what was requested, and no CAA record is known to forbid the other. */
function reasonFor(caa: ApplicableCaa | undefined): string {
  if (caa === undefined || caa.kind === "failed") {
    const unread = caa === undefined ? "" : " Its CAA records could not be looked up.";
    return `If ${CHOSEN} was chosen explicitly, the service does not change it; otherwise, it was used because of a CAA record.${unread}`;
  }
  return `No CAA record forbids ${PREFERRED} now, so ${CHOSEN} was chosen explicitly, unless a record was changed since; the service does not change an explicit choice.`;
}

function defaultRule(present: string, stage: ChainStage): Assessment {
  const fallback = present === AFFECTED_AUTHORITY;
  return {
    verdict: fallback ? "watch" : "automatic",
    what: `The service chooses: it tries the more compatible authority and falls back to ${CHOSEN} only where a CAA record forbids that.`,
    clients: fallback ? affectedFrom(stage) : "",
    email: "",
    action: fallback ? "The hostname's owner can allow pki.goog in the CAA records." : "",
    calls: [],
  };
}

/** Whether the chain of a hostname depends on the CAA records that apply to it. */
export function dependsOnCaa({ ssl }: AssessableHostname): boolean {
  return (
    ssl.uploaded !== true && ssl.certificateAuthority === AFFECTED_AUTHORITY && assessUnused(ssl.status) === undefined
  );
}
