import type { CertificatePack, CustomCertificate, CustomHostname, TotalTls } from "../model/certificates.js";
import { AFFECTED, authorityWords, RECOMMENDED } from "./authorities.js";
import { bundleMethodOf, bundleWords } from "./bundle.js";

/** The days that count, in UTC; the day itself counts as after (spec 3.3, API facts 6). */
export const CHAIN_TIMELINE = {
  /** The service starts moving managed certificates to another authority. */
  switching: "2024-06-01",
  /** The cross-signed chain is used no more, in issuance and in bundling. */
  selfSigned: "2024-09-09",
  /** The cross-signed chain expires. */
  expired: "2024-09-30",
} as const;

/** Where a date falls. */
export type ChainStage = "before" | keyof typeof CHAIN_TIMELINE;

/** What a zone has of certificates. */
export interface ZoneCertificates {
  /** For the calls that are named; without it they say `<zone>`. */
  readonly zoneId?: string;
  readonly packs?: readonly CertificatePack[];
  readonly customCertificates?: readonly CustomCertificate[];
  readonly customHostnames?: readonly AssessableHostname[];
  readonly totalTls?: TotalTls;
}

/** A custom hostname as far as its chain is concerned. */
export type AssessableHostname = Pick<CustomHostname, "id" | "hostname"> & {
  readonly ssl: Pick<CustomHostname["ssl"], "certificateAuthority">;
  /** What was asked for, where the program knows: empty for the default. The service answers only what is in use. */
  readonly requestedCertificateAuthority?: string;
};

/** The types of certificates that the rules tell apart (spec 3.3). */
export type CertificateKind = "universal" | "advanced" | "totalTls" | "custom" | "customHostname" | "other";

/** What the chain change means for one certificate. */
export interface ChainAssessment {
  readonly kind: CertificateKind;
  readonly id: string;
  /** The hosts it is for. */
  readonly name: string;
  /** As the service calls it; the issuer for uploaded certificates. */
  readonly certificateAuthority: string;
  /** `none`: not touched; `automatic`: the service acts; `act`: the owner must act; `watch`: nothing yet, or no rule known. */
  readonly verdict: "none" | "automatic" | "act" | "watch";
  /** What happens to it at the date. */
  readonly what: string;
  /** Which visitors are affected; empty when none are. */
  readonly clients: string;
  /** Who is told by e-mail; empty when nobody is. */
  readonly email: string;
  /** Who must act, and how; empty when nobody must. */
  readonly action: string;
}

/** Where a date falls in the timeline. */
export function chainStage(at: Date): ChainStage {
  const day = at.toISOString().slice(0, 10);
  if (day >= CHAIN_TIMELINE.expired) return "expired";
  if (day >= CHAIN_TIMELINE.selfSigned) return "selfSigned";
  return day >= CHAIN_TIMELINE.switching ? "switching" : "before";
}

/** Who cannot follow the self-signed chain (spec 3.3). */
const OLD_CLIENTS = "clients without the self-signed root in their trust store, for example Android 7.0 and earlier";

/**
 * Every certificate of a zone against the rules of the chain change, at any date. Certificates of other authorities are
 * not touched.
 */
export function assessCertificateChain(certificates: ZoneCertificates, at: Date = new Date()): ChainAssessment[] {
  const stage = chainStage(at);
  const { packs = [], customCertificates = [], customHostnames = [], totalTls } = certificates;
  const all = [
    ...packs.filter(({ type }) => !UPLOADED_PACKS.has(type)).map((pack) => assessPack(pack, stage)),
    ...(totalTls === undefined ? [] : [assessTotalTls(totalTls, stage)]),
    ...customCertificates.map((certificate) => assessCustom(certificate, stage)),
    ...customHostnames.map((hostname) => assessHostname(hostname, stage)),
  ];
  const exact = (action: string, id: string): string =>
    action.replaceAll("<id>", id).replaceAll("<zone>", certificates.zoneId ?? "<zone>");
  return all.map((assessment) => ({ ...assessment, action: exact(assessment.action, assessment.id) }));
}

/** Packs of uploaded certificates: the list of uploaded certificates says more of them. */
const UPLOADED_PACKS = new Set(["mh_custom", "sni_custom", "legacy_custom", "keyless"]);

type Rule = Pick<ChainAssessment, "verdict" | "what" | "clients" | "email" | "action">;

const UNTOUCHED: Rule = {
  verdict: "none",
  what: "Not touched: another authority.",
  clients: "",
  email: "",
  action: "",
};

/** Which chain a certificate of the affected authority is served with, if the service issues it. */
function served(stage: ChainStage): string {
  return {
    before: "It may be served with the cross-signed chain.",
    switching: "It may be served with the cross-signed chain until 2024-09-09.",
    selfSigned: "It is issued with the self-signed chain; the cross-signed one expires on 2024-09-30.",
    expired: "It is served with the self-signed chain; the cross-signed one has expired.",
  }[stage];
}

function affectedFrom(stage: ChainStage): string {
  return stage === "selfSigned" || stage === "expired" ? OLD_CLIENTS : `from 2024-09-09: ${OLD_CLIENTS}`;
}

function assessPack({ id, type, hosts, certificateAuthority }: CertificatePack, stage: ChainStage): ChainAssessment {
  const kind: PackKind =
    type === "universal" ? "universal" : type === "advanced" ? "advanced" : type === "total_tls" ? "totalTls" : "other";
  const rule = certificateAuthority === AFFECTED ? PACK_RULES[kind](stage, hosts) : UNTOUCHED;
  return { kind, id, name: hosts.join(", "), certificateAuthority, ...rule };
}

type PackKind = Exclude<CertificateKind, "custom" | "customHostname">;

const PACK_RULES: Readonly<Record<PackKind, (stage: ChainStage, hosts: readonly string[]) => Rule>> = {
  universal: (stage) => ({
    verdict: "automatic",
    what:
      stage === "before"
        ? "The service switches it to a more compatible authority from June 2024 on."
        : "The service switches it to a more compatible authority by itself.",
    clients: "",
    email: "",
    action: "",
  }),
  advanced: (stage, hosts) => ({
    verdict: "act",
    what: `Not switched by the service. ${served(stage)}`,
    clients: affectedFrom(stage),
    email:
      "the owner, with the certificates that use it and whether their hostnames get requests from affected clients",
    action:
      `Owner: order another one, POST /zones/<zone>/ssl/certificate_packs/order with type "advanced", hosts ${JSON.stringify(hosts)} ` +
      `and certificate_authority "${RECOMMENDED}"; when it is active, DELETE /zones/<zone>/ssl/certificate_packs/<id>.`,
  }),
  totalTls: (stage) => ({
    verdict: "act",
    what: `Not changed by the service. ${served(stage)}`,
    clients: affectedFrom(stage),
    email: "",
    action: `Owner: choose another authority for Total TLS, with TotalTlsCa { certificateAuthority: "${RECOMMENDED}" } or POST /zones/<zone>/acm/total_tls.`,
  }),
  other: (stage) => ({
    verdict: "watch",
    what: `The service names no rule for this type. ${served(stage)}`,
    clients: affectedFrom(stage),
    email: "",
    action: "Owner: look at how this certificate is renewed.",
  }),
};

function assessTotalTls({ enabled, certificateAuthority }: TotalTls, stage: ChainStage): ChainAssessment {
  const affected = enabled && certificateAuthority === AFFECTED;
  const rule = affected
    ? PACK_RULES.totalTls(stage, [])
    : { ...UNTOUCHED, what: enabled ? UNTOUCHED.what : "Total TLS is off." };
  return { kind: "totalTls", id: "total-tls", name: "the zone's Total TLS setting", certificateAuthority, ...rule };
}

/** Spellings of the affected authority as an issuer (API facts 5.2). */
export function isAffectedIssuer(issuer: string): boolean {
  return /let.?s\s?encrypt/i.test(issuer);
}

function assessCustom(
  { id, hosts, issuer, bundleMethod, uploadedOn }: CustomCertificate,
  stage: ChainStage,
): ChainAssessment {
  const named = { kind: "custom" as const, id, name: hosts.join(", "), certificateAuthority: issuer };
  if (!isAffectedIssuer(issuer)) return { ...named, ...UNTOUCHED };
  const uploaded = uploadedOn?.slice(0, 10);
  const rule =
    bundleMethodOf(bundleMethod) === "force"
      ? userDefinedRule(stage, uploaded)
      : bundledRule(stage, uploaded, bundleMethod);
  return { ...named, ...rule };
}

/** Bundle methods compatible and modern: the upload date decides which chain the service puts under the certificate. */
function bundledRule(stage: ChainStage, uploaded: string | undefined, bundleMethod: string): Rule {
  const method = `Bundle method ${bundleWords(bundleMethod)}`;
  const late = uploaded !== undefined && uploaded >= CHAIN_TIMELINE.selfSigned;
  if (late) {
    return {
      verdict: "none",
      what: `${method}, uploaded from 2024-09-09 on: bundled with the self-signed chain.`,
      clients: OLD_CLIENTS,
      email: "",
      action: "",
    };
  }
  const what = `${method}, uploaded before 2024-09-09: the cross-signed chain is used until it expires on 2024-09-30.`;
  return stage === "expired"
    ? {
        verdict: "act",
        what: `${what} It has expired.`,
        clients: OLD_CLIENTS,
        email: "",
        action:
          "Owner: upload the certificate again, PATCH /zones/<zone>/custom_certificates/<id>; it is then bundled with the self-signed chain.",
      }
    : {
        verdict: "watch",
        what,
        clients: `from 2024-09-30: ${OLD_CLIENTS}`,
        email: "",
        action:
          "Owner: upload it again between 2024-09-09 and 2024-09-30; it is then bundled with the self-signed chain.",
      };
}

/** Bundle method user-defined: the uploaded chain is always served. */
function userDefinedRule(stage: ChainStage, uploaded: string | undefined): Rule {
  const what = "Bundle method user-defined: the uploaded chain is always served.";
  const late = uploaded !== undefined && uploaded >= CHAIN_TIMELINE.expired;
  if (stage !== "expired") {
    return {
      verdict: "watch",
      what,
      clients: `from 2024-09-30, if it is the cross-signed chain: ${OLD_CLIENTS}`,
      email: "",
      action: "Owner: upload a chain that does not end in the cross-signed root before 2024-09-30.",
    };
  }
  return {
    verdict: "act",
    what: late ? `${what} Uploaded after 2024-09-30, it should not be the cross-signed one.` : what,
    clients: `if it is the cross-signed chain: ${OLD_CLIENTS}, and every client that does not find another way`,
    email: "",
    action:
      "Owner: check the uploaded chain; if it ends in the cross-signed root, upload another one, PATCH /zones/<zone>/custom_certificates/<id>.",
  };
}

function assessHostname(hostname: AssessableHostname, stage: ChainStage): ChainAssessment {
  const { certificateAuthority } = hostname.ssl;
  const asked = hostname.requestedCertificateAuthority;
  const named = { kind: "customHostname" as const, id: hostname.id, name: hostname.hostname, certificateAuthority };
  if (asked === "" || (asked === undefined && certificateAuthority === ""))
    return { ...named, ...defaultRule(certificateAuthority) };
  if (certificateAuthority !== AFFECTED) return { ...named, ...UNTOUCHED };
  return {
    ...named,
    verdict: "act",
    what: `The authority was chosen explicitly, so the service does not change it${asked === undefined ? ", unless it is the default's fallback for a CAA record" : ""}. ${served(stage)}`,
    clients: affectedFrom(stage),
    email: "the provider",
    action: `Provider: choose another authority, with CustomHostnameCa { certificateAuthority: "${RECOMMENDED}" } or "", or PATCH /zones/<zone>/custom_hostnames/<id>.`,
  };
}

function defaultRule(present: string): Rule {
  const fallback = present === AFFECTED;
  return {
    verdict: fallback ? "watch" : "automatic",
    what: `The service chooses: it tries the more compatible authority and falls back to ${authorityWords(AFFECTED)} only where a CAA record forbids that.`,
    clients: fallback ? OLD_CLIENTS : "",
    email: "",
    action: fallback ? "The hostname's owner: allow pki.goog in the CAA records." : "",
  };
}
