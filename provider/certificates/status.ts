import type { ValidationRecord } from "../model/certificates.js";

/** Statuses a certificate does not leave by itself for the better (`ssl.status` of the operations on custom hostnames). */
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

/** What a status means for somebody who waits: a status that nobody knows is waited for. */
export function outcomeOf(status: string): "active" | "failed" | "waiting" {
  if (status === "active") return "active";
  return FAILED.has(status) ? "failed" : "waiting";
}

/** What a person must publish, a line each. */
export function recordLines(records: readonly ValidationRecord[]): string[] {
  return records.flatMap((record) => [
    ...(record.txtName === undefined ? [] : [`TXT ${record.txtName} = ${record.txtValue ?? ""}`]),
    ...(record.cname === undefined ? [] : [`CNAME ${record.cname} -> ${record.cnameTarget ?? ""}`]),
    ...(record.httpUrl === undefined ? [] : [`HTTP ${record.httpUrl} must answer ${record.httpBody ?? ""}`]),
    ...(record.emails === undefined ? [] : [`e-mail to ${record.emails.join(", ")}: follow the link in it`]),
  ]);
}
