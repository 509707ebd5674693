import { AFFECTED_AUTHORITY } from "./authorities.js";
import type { Assessment } from "./assessment.js";

/** Who issued a certificate: the authority whose chain changes, another one, or one that is not known. */
export type Issuer = "affected" | "other" | "unknown";

/** Names of the affected authority, and of the certificates that it issues with. */
const AFFECTED = /let.?s\s?encrypt|\bisrg\b|internet security research group|^(?:CN=)?[RE]\d{1,2}$/i;

/** Names of other authorities, in any spelling. */
const OTHERS = new RegExp(
  [
    ...["google", "globalsign", "digicert", "geotrust", "thawte", "rapidssl", "verisign", "symantec", "sectigo"],
    ...["comodo", "usertrust", "ssl\\.?\\s?corp", "ssl\\.com", "godaddy", "go daddy", "starfield", "entrust", "amazon"],
    ...["microsoft", "apple", "cloudflare", "certum", "asseco", "buypass", "actalis", "harica", "hellenic academic"],
    ...["quovadis", "swisssign", "identrust", "trustwave", "securetrust", "network solutions", "gandi", "zerossl"],
    ...["d-trust", "telekom", "telesec", "wisekey", "secom", "jprs", "trustasia", "certigna", "viking"],
  ].join("|"),
  "i",
);

/** Uploaded certificates have no field that names the authority, only the issuer in the certificate, if anything. */
export function issuerIn(name: string): Issuer {
  if (AFFECTED.test(name.trim())) return "affected";
  return OTHERS.test(name) ? "other" : "unknown";
}

/** The authority of a certificate that the service issues. */
export function issuerBy(authority: string): Issuer {
  if (authority === AFFECTED_AUTHORITY) return "affected";
  return authority === "" ? "unknown" : "other";
}

/** What holds for a certificate whose issuer is not known: the rule, if the affected authority issued it. */
export function ifAffected(rule: Assessment, name: string): Assessment {
  if (rule.verdict === "none") return rule;
  const who = name === "" ? "The service does not say who issued it." : `Its issuer ${name} is not known here.`;
  return {
    ...rule,
    verdict: rule.verdict === "act" ? "watch" : rule.verdict,
    what: `${who} If that is Let's Encrypt: ${rule.what}`,
  };
}
