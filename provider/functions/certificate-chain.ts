import { assessChain, type ZoneCertificates } from "../chain/assess.js";
import type { ChainAssessment } from "../chain/assessment.js";

/**
 * Assesses every certificate of a zone against the rules of the chain change, at any date. Certificates of other
 * authorities, and those that are expired, deleted or failed, are not affected. Makes no requests.
 * @param at defaults to now
 */
export function assessCertificateChain(certificates: ZoneCertificates, at: Date = new Date()): ChainAssessment[] {
  return assessChain(certificates, at);
}
