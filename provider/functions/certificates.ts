import * as pulumi from "@pulumi/pulumi";
import type { Client, HostnameFilter } from "../client/index.js";
import type { CertificatePack, CustomCertificate, CustomHostname, TotalTls } from "../model/certificates.js";
import { missingCredentials, readSettings } from "../runtime/config.js";

let shared: Promise<Client> | undefined;

/** A client with the stack's configuration and the environment, one for the program. */
function client(): Promise<Client> {
  shared ??= connect();
  return shared;
}

async function connect(): Promise<Client> {
  const read = (key: string): string | undefined => {
    const [namespace = "", name = ""] = key.split(":");
    return new pulumi.Config(namespace).get(name);
  };
  const { credentials, source, baseUrl, timeoutSeconds, maxRetries } = readSettings(read, process.env);
  if (credentials === undefined) throw missingCredentials();
  // Programs that call no function need no client, and do not wait for it to load.
  const { createClient } = await import("../client/index.js");
  return createClient({ credentials, credentialsSource: source, baseUrl, timeoutSeconds, maxRetries });
}

/**
 * Every certificate pack of a zone with its authority, active or not, all pages. Reads at once, in previews too.
 * Throws an `ApiError` when the service refuses.
 */
export async function listCertificatePacks(zoneId: string): Promise<CertificatePack[]> {
  return (await client()).certificates.listPacks(zoneId);
}

/** Every certificate that was uploaded to a zone, with its issuer and bundle method, all pages. */
export async function listCustomCertificates(zoneId: string): Promise<CustomCertificate[]> {
  return (await client()).certificates.listCustomCertificates(zoneId);
}

/** Every custom hostname of a zone with its authority, all pages; or those that a filter names. */
export async function listCustomHostnames(zoneId: string, filter: HostnameFilter = {}): Promise<CustomHostname[]> {
  return (await client()).customHostnames.list(zoneId, filter);
}

/** Total TLS of a zone with its authority. */
export async function getTotalTls(zoneId: string): Promise<TotalTls> {
  return (await client()).certificates.getTotalTls(zoneId);
}
