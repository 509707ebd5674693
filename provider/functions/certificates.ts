import * as pulumi from "@pulumi/pulumi";
import { createClient, type Client } from "../client/index.js";
import type { HostnameFilter } from "../client/index.js";
import type { CertificatePack, CustomCertificate, CustomHostname, TotalTls } from "../model/certificates.js";
import { missingCredentials, readSettings } from "../runtime/config.js";

let shared: Client | undefined;

/** A client with the stack's configuration and the environment, one for the program. */
function client(): Client {
  if (shared !== undefined) return shared;
  const read = (key: string): string | undefined => {
    const [namespace = "", name = ""] = key.split(":");
    return new pulumi.Config(namespace).get(name);
  };
  const { credentials, source, baseUrl, timeoutSeconds, maxRetries } = readSettings(read, process.env);
  if (credentials === undefined) throw missingCredentials();
  shared = createClient({ credentials, credentialsSource: source, baseUrl, timeoutSeconds, maxRetries });
  return shared;
}

/**
 * Every certificate pack of a zone with its authority, active or not, all pages. Reads at once, in previews too.
 * Throws an `ApiError` when the service refuses.
 */
export async function listCertificatePacks(zoneId: string): Promise<CertificatePack[]> {
  return client().certificates.listPacks(zoneId);
}

/** Every certificate that was uploaded to a zone, with its issuer and bundle method, all pages. */
export async function listCustomCertificates(zoneId: string): Promise<CustomCertificate[]> {
  return client().certificates.listCustomCertificates(zoneId);
}

/** Every custom hostname of a zone with its authority, all pages; or those that a filter names. */
export async function listCustomHostnames(zoneId: string, filter: HostnameFilter = {}): Promise<CustomHostname[]> {
  return client().customHostnames.list(zoneId, filter);
}

/** Total TLS of a zone with its authority. */
export async function getTotalTls(zoneId: string): Promise<TotalTls> {
  return client().certificates.getTotalTls(zoneId);
}
