import { own } from "../model/json.js";

/** The authorities known today (API facts 5.1). Others pass with a warning. */
export const AUTHORITIES = ["google", "lets_encrypt", "ssl_com", "digicert"] as const;
export type CertificateAuthority = (typeof AUTHORITIES)[number];

/** The authority whose chain changes, and the recommended one (API facts 6). */
export const AFFECTED = "lets_encrypt";
export const RECOMMENDED = "google";

const WORDS: Readonly<Record<string, string>> = {
  google: "Google Trust Services",
  lets_encrypt: "Let's Encrypt",
  ssl_com: "SSL.com",
  digicert: "DigiCert",
  "": "the service's default",
};

/** An authority as a person reads it. */
export function authorityWords(authority: string): string {
  return own(WORDS, authority) ?? authority;
}

/** Names that CAA records allow an authority by (API facts 6). */
const CAA_NAMES: Readonly<Record<string, string>> = {
  google: "pki.goog",
  lets_encrypt: "letsencrypt.org",
  ssl_com: "ssl.com",
  digicert: "digicert.com",
};

/** The part of a CAA record that matters here; `issue` without a name forbids everybody. */
export interface CaaRecord {
  readonly issue?: string;
  readonly issuewild?: string;
}

/** Looks up the CAA records of one name. */
export type ResolveCaa = (name: string) => Promise<readonly CaaRecord[]>;

/** A hostname and its parents, the nearest first, without the top-level domain alone. */
export function namesAbove(hostname: string): string[] {
  const labels = hostname.replace(/^\*\./, "").split(".");
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join("."));
}

/**
 * The name whose CAA records forbid an authority to issue for a hostname. The nearest name with records decides
 * (RFC 8659, 3). A look-up that fails says nothing.
 */
export async function forbiddenBy(
  hostname: string,
  authority: string,
  resolve: ResolveCaa,
): Promise<{ readonly name: string; readonly allowed: readonly string[] } | undefined> {
  const wanted = own(CAA_NAMES, authority);
  if (wanted === undefined) return undefined;
  const names = namesAbove(hostname);
  const answers = await Promise.all(names.map((name) => resolve(name).catch(() => undefined)));
  const index = answers.findIndex((records) => records === undefined || records.length > 0);
  const records = answers[index];
  const name = names[index];
  if (records === undefined || name === undefined) return undefined;
  const wild = hostname.startsWith("*.") && records.some(({ issuewild }) => issuewild !== undefined);
  const values = records
    .flatMap(({ issue, issuewild }) => (wild ? [issuewild] : [issue]))
    .filter((v) => v !== undefined);
  if (values.length === 0) return undefined;
  const allowed = values.map((value) => (value.split(";")[0] ?? "").trim()).filter((value) => value !== "");
  return allowed.includes(wanted) ? undefined : { name, allowed };
}
