import { ownValue } from "../model/json.js";

/** The authorities listed by the operation that edits a custom hostname. Others pass with a warning. */
export const AUTHORITIES = ["google", "lets_encrypt", "ssl_com", "digicert"] as const;
export type CertificateAuthority = (typeof AUTHORITIES)[number];

/** The authority whose chain changes, and the recommended one (developers.cloudflare.com/ssl/reference/migration-guides/lets-encrypt-chain). */
export const AFFECTED_AUTHORITY = "lets_encrypt";
export const RECOMMENDED_AUTHORITY = "google";

const WORDS: Readonly<Record<string, string>> = {
  google: "Google Trust Services",
  lets_encrypt: "Let's Encrypt",
  ssl_com: "SSL.com",
  digicert: "DigiCert",
  "": "the service's default",
};

/** The display name of an authority. */
export function authorityName(authority: string): string {
  return ownValue(WORDS, authority) ?? authority;
}

/** The names that allow an authority in CAA records (developers.cloudflare.com/ssl/reference/certificate-authorities). */
const CAA_NAMES: Readonly<Record<string, string>> = {
  google: "pki.goog",
  lets_encrypt: "letsencrypt.org",
  ssl_com: "ssl.com",
  digicert: "digicert.com",
};

/** The part of a CAA record that matters here; an empty `issue` forbids every authority. */
export interface CaaRecord {
  readonly issue?: string;
  readonly issuewild?: string;
}

/** Looks up the CAA records of one name. */
export type ResolveCaa = (name: string) => Promise<readonly CaaRecord[]>;

/** A hostname and its parents, the nearest first, without the top-level domain alone. */
export function hostnameAndParents(hostname: string): string[] {
  const labels = hostname.replace(/^\*\./, "").split(".");
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join("."));
}

/** CAA records that forbid an authority to issue. */
export interface ForbiddingCaa {
  /** The name that has them: the hostname or one of its parents. */
  readonly name: string;
  /** Authorities that may issue, such as `letsencrypt.org`; empty if none may. */
  readonly allowed: readonly string[];
}

/**
 * The name whose CAA records do not allow an authority to issue for a hostname. The nearest name with records decides
 * (RFC 8659, section 3). A failed lookup counts as allowed.
 */
export async function findForbiddingCaa(
  hostname: string,
  authority: string,
  resolve: ResolveCaa,
): Promise<ForbiddingCaa | undefined> {
  const wanted = ownValue(CAA_NAMES, authority);
  if (wanted === undefined) return undefined;
  const names = hostnameAndParents(hostname);
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

/**
 * The authority that the service's default resolves to for a hostname: the recommended one, or the affected one where a
 * CAA record forbids the recommended one.
 */
export async function resolveDefaultAuthority(
  hostname: string,
  resolve: ResolveCaa,
): Promise<{ readonly authority: string; readonly forbidden?: ForbiddingCaa }> {
  const forbidden = await findForbiddingCaa(hostname, RECOMMENDED_AUTHORITY, resolve);
  return forbidden === undefined ? { authority: RECOMMENDED_AUTHORITY } : { authority: AFFECTED_AUTHORITY, forbidden };
}

/** Whether an authority is among those that a CAA record allows. */
export function isAllowedBy(authority: string, { allowed }: ForbiddingCaa): boolean {
  return allowed.includes(CAA_NAMES[authority] ?? "");
}
