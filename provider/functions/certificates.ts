import type { Client, HostnameFilter } from "../client/index.js";
import type { CertificatePack, CustomCertificate, CustomHostname, TotalTls } from "../model/certificates.js";
import { RulesetsError } from "../model/errors.js";
import { failureText } from "../validation/failure.js";
import { checkId } from "../validation/checks/ids.js";
import { stackClient } from "./stack-client.js";

async function client(zoneId: string): Promise<Client> {
  const [fault] = checkId(["zoneId"], zoneId).failures;
  if (fault !== undefined) throw new RulesetsError(`${failureText(fault)}.`, { code: "ARGUMENTS_INVALID" });
  return stackClient();
}

/**
 * Every certificate pack of a zone with its authority, active or not, all pages. Reads at once, in previews too.
 * Throws an `ApiError` when the service refuses.
 */
export async function listCertificatePacks(zoneId: string): Promise<CertificatePack[]> {
  return (await client(zoneId)).certificates.listPacks(zoneId);
}

/** Every certificate that was uploaded to a zone, with its issuer and bundle method, all pages. */
export async function listCustomCertificates(zoneId: string): Promise<CustomCertificate[]> {
  return (await client(zoneId)).certificates.listCustomCertificates(zoneId);
}

/** Every custom hostname of a zone with its authority, all pages; or those that a filter names. */
export async function listCustomHostnames(zoneId: string, filter: HostnameFilter = {}): Promise<CustomHostname[]> {
  return (await client(zoneId)).customHostnames.list(zoneId, filter);
}

/** Total TLS of a zone with its authority. */
export async function getTotalTls(zoneId: string): Promise<TotalTls> {
  return (await client(zoneId)).certificates.getTotalTls(zoneId);
}
