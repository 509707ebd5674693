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

/** A hostname and its parents, the nearest first, up to the top-level domain (RFC 8659, section 3). */
export function hostnameAndParents(hostname: string): string[] {
  const labels = hostname.replace(/^\*\./, "").split(".");
  return labels.map((_, index) => labels.slice(index).join("."));
}

/** The CAA records that apply to a hostname: those of the nearest name that has any; or why they are not known. */
export type ApplicableCaa =
  | { readonly kind: "none" }
  | { readonly kind: "found"; readonly name: string; readonly records: readonly CaaRecord[] }
  | { readonly kind: "failed"; readonly name: string; readonly reason: string };

/** Looks up the CAA records that apply to a hostname. A name whose lookup fails may have records, so it decides too. */
export async function findApplicableCaa(hostname: string, resolve: ResolveCaa): Promise<ApplicableCaa> {
  const answers = await Promise.all(
    hostnameAndParents(hostname).map(async (name): Promise<ApplicableCaa> => {
      try {
        const records = await resolve(name);
        return records.length === 0 ? { kind: "none" } : { kind: "found", name, records };
      } catch (error) {
        return { kind: "failed", name, reason: (error as Error).message };
      }
    }),
  );
  return answers.find(({ kind }) => kind !== "none") ?? { kind: "none" };
}

/** CAA records that forbid an authority to issue. */
export interface ForbiddingCaa {
  /** The name that has them: the hostname or one of its parents. */
  readonly name: string;
  /** Authorities that may issue, such as `letsencrypt.org`; empty if none may. */
  readonly allowed: readonly string[];
}

/** The CAA records that do not allow an authority to issue for a hostname. Records that are not known forbid nothing. */
export function forbiddingCaa(hostname: string, authority: string, caa: ApplicableCaa): ForbiddingCaa | undefined {
  const wanted = ownValue(CAA_NAMES, authority);
  if (wanted === undefined || caa.kind !== "found") return undefined;
  const { name, records } = caa;
  const wild = hostname.startsWith("*.") && records.some(({ issuewild }) => issuewild !== undefined);
  const values = records
    .flatMap(({ issue, issuewild }) => (wild ? [issuewild] : [issue]))
    .filter((v) => v !== undefined);
  if (values.length === 0) return undefined;
  const allowed = values
    .map((value) => (value.split(";")[0] ?? "").trim().toLowerCase())
    .filter((value) => value !== "");
  return allowed.includes(wanted) ? undefined : { name, allowed };
}

/** Looks up the CAA records that do not allow an authority to issue for a hostname. A failed lookup counts as allowed. */
export async function findForbiddingCaa(
  hostname: string,
  authority: string,
  resolve: ResolveCaa,
): Promise<ForbiddingCaa | undefined> {
  if (ownValue(CAA_NAMES, authority) === undefined) return undefined;
  return forbiddingCaa(hostname, authority, await findApplicableCaa(hostname, resolve));
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
