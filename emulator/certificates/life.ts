import type { CertificateSettings, Hostname, Pace } from "./model.js";

/** The way of a certificate that turns out well (API facts 5.1). */
const WAY = ["initializing", "pending_validation", "pending_issuance", "pending_deployment", "active"];
/** From which status of the way each bad end branches off. */
const BAD_ENDS: Readonly<Record<string, number>> = {
  initializing_timed_out: 1,
  validation_timed_out: 2,
  issuance_timed_out: 3,
  deployment_timed_out: 4,
};

/** The statuses a hostname goes through, the last one for good. */
function wayOf({ ends }: Hostname): readonly string[] {
  if (ends === "active") return WAY;
  return [...WAY.slice(0, BAD_ENDS[ends] ?? WAY.length), ends];
}

/** How many steps were made since a validation began. */
function stepsMade(pace: Pace, { since, reads }: NonNullable<Hostname["issuance"]>, now: number): number {
  if (pace === "at-once") return Number.MAX_SAFE_INTEGER;
  if ("reads" in pace) return Math.floor(reads / pace.reads);
  return Math.floor((now - since) / (pace.seconds * 1000));
}

/** The status of a hostname's certificate at a time. */
export function sslStatus(hostname: Hostname, pace: Pace, now: number): string {
  const way = wayOf(hostname);
  const last = way.at(-1) ?? "active";
  if (hostname.issuance === undefined) return last;
  return way[Math.min(stepsMade(pace, hostname.issuance, now), way.length - 1)] ?? last;
}

/** How to prove control of a hostname; missing before the service has made them, and after they were used. */
export function validationRecords(hostname: Hostname, status: string): object[] | undefined {
  if (status === "initializing" || status === "active") return undefined;
  const { hostname: name, round, ssl } = hostname;
  const value = `${hostname.id.slice(0, 16)}-${String(round)}`;
  if (ssl.method === "http") {
    const url = `http://${name}/.well-known/pki-validation/${value}.txt`;
    return [{ status: "pending", http_url: url, http_body: value }];
  }
  if (ssl.method === "email") return [{ status: "pending", emails: [`admin@${name}`, `hostmaster@${name}`] }];
  return [{ status: "pending", txt_name: `_acme-challenge.${name}`, txt_value: value }];
}

/** The authority the service picks: the more compatible one, and the other only where CAA records forbid it (spec 3.3). */
export function effectiveAuthority({ authority, hostname }: Hostname, caa: CertificateSettings["caa"]): string {
  if (authority !== "") return authority;
  const labels = hostname.split(".");
  const names = labels.map((_, index) => labels.slice(index).join("."));
  const records = names.map((name) => caa[name]).find((found) => found !== undefined);
  return records === undefined || records.includes("pki.goog") ? "google" : "lets_encrypt";
}
