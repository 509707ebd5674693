import type { CustomCertificate } from "../model/certificates.js";
import { assessUnused, OLD_CLIENTS, NOT_AFFECTED, type Finding, type Assessment } from "./assessment.js";
import { bundleMethodOf, describeBundleMethod } from "./bundle.js";
import { ifAffected, issuerIn } from "./issuer.js";
import { CHAIN_TIMELINE, chainStage, instantOf, type ChainStage } from "./timeline.js";
import { dayOf } from "../model/day.js";

/** The properties of an uploaded certificate that determine its chain. */
type Uploaded = Pick<CustomCertificate, "issuer" | "bundleMethod" | "uploadedOn" | "expiresOn"> & {
  readonly status?: string;
};

export function assessCustom(certificate: CustomCertificate, at: Date): Finding {
  const { id, hosts, issuer } = certificate;
  const upload = "PATCH /zones/<zone>/custom_certificates/<id>";
  const rule = assessUploaded(certificate, at, upload);
  return { kind: "custom", id, name: hosts.join(", "), certificateAuthority: issuer, ...rule };
}

/** An uploaded certificate with its times as instants, which may have been written in any offset. */
interface Dated {
  readonly bundleMethod: string;
  readonly uploadedAt: Date | undefined;
  readonly expiresAt: Date | undefined;
}

/** The rule for an uploaded certificate; `upload` is the API call that replaces it. */
export function assessUploaded(certificate: Uploaded, at: Date, upload: string): Assessment {
  const { issuer, bundleMethod, uploadedOn, expiresOn, status } = certificate;
  const by = issuerIn(issuer);
  if (by === "other") return NOT_AFFECTED;
  const dated: Dated = { bundleMethod, uploadedAt: instantOf(uploadedOn), expiresAt: instantOf(expiresOn) };
  const { expiresAt } = dated;
  if (expiresAt !== undefined && expiresAt <= at)
    return { ...NOT_AFFECTED, what: `Not in use: it expired on ${dayOf(expiresAt)}.` };
  const stage = chainStage(at);
  const bundled = bundleMethodOf(bundleMethod) !== "force";
  const rule =
    assessUnused(status) ?? (bundled ? bundledRule(dated, stage, upload) : userDefinedRule(dated, stage, upload));
  return by === "affected" ? rule : ifAffected(rule, issuer);
}

/** Bundle methods compatible and modern: the upload date determines which chain the service adds to the certificate. */
function bundledRule({ bundleMethod, uploadedAt, expiresAt }: Dated, stage: ChainStage, upload: string): Assessment {
  const method = `Bundle method ${describeBundleMethod(bundleMethod)}`;
  if (uploadedAt !== undefined && dayOf(uploadedAt) >= CHAIN_TIMELINE.selfSigned) {
    return {
      verdict: "watch",
      what: `${method}, uploaded on or after 2024-09-09: bundled with the self-signed chain.`,
      clients: OLD_CLIENTS,
      email: "",
      action: `Where such clients matter, the owner can upload a certificate of another authority: ${upload}.`,
      calls: [upload],
    };
  }
  const uploaded = uploadedAt === undefined ? "if uploaded before 2024-09-09" : "uploaded before 2024-09-09";
  const end = expiresAt === undefined ? "" : `, on ${dayOf(expiresAt)}`;
  const expired = stage === "expired" ? " That chain has expired." : "";
  const again = stage === "before" || stage === "switching" ? "from 2024-09-09, it is" : "it is then";
  return {
    verdict: "watch",
    what: `${method}, ${uploaded}: the cross-signed chain is used until the certificate expires${end}.${expired}`,
    clients: stage === "expired" ? OLD_CLIENTS : `from 2024-09-30: ${OLD_CLIENTS}`,
    email: "",
    action: `The owner can upload it again (${upload}); ${again} bundled with the self-signed chain.`,
    calls: [upload],
  };
}

/** Bundle method user-defined: the uploaded chain is always served. The service does not report which one that is. */
function userDefinedRule({ uploadedAt }: Dated, stage: ChainStage, upload: string): Assessment {
  const what = "Bundle method user-defined: the uploaded chain is always served.";
  const check = "check the uploaded chain, and upload another one if it ends in the cross-signed root";
  if (stage === "expired" && uploadedAt !== undefined && dayOf(uploadedAt) >= CHAIN_TIMELINE.expired) {
    return {
      verdict: "act",
      what: `${what} Uploaded after 2024-09-30, it should not be the cross-signed one.`,
      clients: `if it is the cross-signed chain: ${OLD_CLIENTS}`,
      email: "",
      action: `The owner should ${check}: ${upload}.`,
      calls: [upload],
    };
  }
  const from = stage === "expired" ? "" : "from 2024-09-30, ";
  return {
    verdict: "watch",
    what,
    clients: `${from}if it is the cross-signed chain: ${OLD_CLIENTS}`,
    email: "",
    action: `The owner can ${check}: ${upload}.`,
    calls: [upload],
  };
}
