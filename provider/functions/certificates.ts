import * as pulumi from "@pulumi/pulumi";
import type { Client, HostnameFilter } from "../client/index.js";
import type { CertificatePack, CustomCertificate, CustomHostname, TotalTls } from "../model/certificates.js";
import { RulesetsError } from "../model/errors.js";
import { stableText } from "../model/json.js";
import { readSettings, type Settings } from "../runtime/config.js";
import { failureText } from "../validation/failure.js";
import { checkId } from "../validation/checks/ids.js";

/** By settings: in the Automation API programs of several stacks run in one process. */
const clients = new Map<string, Promise<Client>>();

/** A client with the configuration of the stack that runs, and the environment. Its questions share one pace. */
async function client(zoneId: string): Promise<Client> {
  const [fault] = checkId(["zoneId"], zoneId).failures;
  if (fault !== undefined) throw new RulesetsError(`${failureText(fault)}.`, { code: "ARGUMENTS_INVALID" });
  const settings = readSettings((key) => {
    const [namespace = "", name = ""] = key.split(":");
    return new pulumi.Config(namespace).get(name);
  }, process.env);
  const key = stableText(settings);
  const known = clients.get(key) ?? connect(settings);
  clients.set(key, known);
  return known;
}

/** Programs that call no function need no client, and do not wait for it to load. */
async function connect(settings: Settings): Promise<Client> {
  return (await import("../connect.js")).connect(settings);
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
