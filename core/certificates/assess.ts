import type { CertificatePack, CustomCertificate, TotalTls } from "../model/certificates.js";
import type { ChainAssessment, Finding } from "./assessment.js";
import { assessCustom } from "./custom-rules.js";
import { assessHostname, type AssessableHostname } from "./hostname-rules.js";
import { assessPack, assessTotalTls, isUploadedPack } from "./pack-rules.js";
import { chainStage } from "./timeline.js";

/** The certificates of a zone. */
export interface ZoneCertificates {
  /** Used in the API calls that actions suggest; defaults to `<zone>`. */
  readonly zoneId?: string;
  readonly packs?: readonly CertificatePack[];
  readonly customCertificates?: readonly CustomCertificate[];
  readonly customHostnames?: readonly AssessableHostname[];
  readonly totalTls?: TotalTls;
}

/**
 * Assesses every certificate of a zone against the rules of the chain change, at any date. Certificates of other
 * authorities, and those that are expired, deleted or failed, are not affected.
 */
export function assessChain(certificates: ZoneCertificates, at: Date): ChainAssessment[] {
  const stage = chainStage(at);
  const { zoneId = "<zone>", packs = [], customCertificates = [], customHostnames = [], totalTls } = certificates;
  const placed = (path: string, finding: Finding): ChainAssessment => {
    const complete = (text: string): string => text.replaceAll("<id>", finding.id).replaceAll("<zone>", zoneId);
    const { action, calls } = finding;
    return { key: `zones/${zoneId}/${path}`, ...finding, action: complete(action), calls: calls.map(complete) };
  };
  return [
    ...packs
      .filter((pack) => !isUploadedPack(pack))
      .map((pack) => placed(`ssl/certificate_packs/${pack.id}`, assessPack(pack, stage))),
    ...(totalTls === undefined ? [] : [placed("acm/total_tls", assessTotalTls(totalTls, stage))]),
    ...customCertificates.map((item) => placed(`custom_certificates/${item.id}`, assessCustom(item, at))),
    ...customHostnames.map((item) => placed(`custom_hostnames/${item.id}`, assessHostname(item, at))),
  ];
}
