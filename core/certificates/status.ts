import type { ValidationRecord } from "../model/certificates.js";

/** Statuses that a certificate does not recover from on its own (`ssl.status` of the operations on custom hostnames). */
const FAILED = new Set([
  "initializing_timed_out",
  "validation_timed_out",
  "issuance_timed_out",
  "deployment_timed_out",
  "deletion_timed_out",
  "expired",
  "deleted",
  "inactive",
  "deactivating",
  "pending_deletion",
  "pending_cleanup",
]);

/** The outcome that a status means for a wait; an unknown status counts as "waiting". */
export function outcomeOf(status: string): "active" | "failed" | "waiting" {
  if (status === "active") return "active";
  return FAILED.has(status) ? "failed" : "waiting";
}

/** Whether a custom hostname has a certificate; the service returns `ssl: null` for one without, or only that it was deleted. */
export function hasCertificate({ status, method }: { readonly status?: string; readonly method?: string }): boolean {
  return method !== "" || (status !== "" && status !== "deleted");
}

/** What is said of a hostname without a certificate, for which no authority can be chosen. */
export function noCertificateText(hostname: string): string {
  return (
    `${hostname} has no certificate, so there is no authority to choose. To continue: set \`method\`, with which one is ordered, ` +
    "or remove the resource"
  );
}

/** The validation records to publish, one per line. */
export function recordLines(records: readonly ValidationRecord[]): string[] {
  return records.flatMap((record) => [
    ...(record.txtName === undefined ? [] : [`TXT ${record.txtName} = ${record.txtValue ?? ""}`]),
    ...(record.cname === undefined ? [] : [`CNAME ${record.cname} -> ${record.cnameTarget ?? ""}`]),
    ...(record.httpUrl === undefined ? [] : [`HTTP ${record.httpUrl} must return ${record.httpBody ?? ""}`]),
    ...(record.emails === undefined ? [] : [`e-mail to ${record.emails.join(", ")}: follow the link in it`]),
  ]);
}
