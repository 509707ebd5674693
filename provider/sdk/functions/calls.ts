import type { Client, HostnameFilter } from "../../../client/index.js";
import {
  assessCertificateChain,
  getTotalTls,
  listCertificatePacks,
  listCustomCertificates,
  listCustomHostnames,
} from "./certificates.js";
import { requireArguments } from "./arguments.js";
import { FUNCTIONS, type FunctionName } from "./descriptions.js";
import { effectiveRules } from "./effective-rules.js";
import { getManagedRuleset, listManagedRules } from "./managed-rulesets.js";
import { DirectLookup } from "./options.js";
import { getEntrypoint, getRulesetVersion, listRulesets } from "./rulesets.js";
import { diffRulesetVersions, listRulesetVersions } from "./versions.js";
import { getZone, listZones } from "./zones.js";

interface OfZone {
  readonly zoneId: string;
}

/** By name, each function with its arguments in one object. */
const CALLS = {
  getEntrypoint,
  getRulesetVersion,
  listRulesets,
  listRulesetVersions,
  diffRulesetVersions,
  getManagedRuleset,
  listManagedRules,
  effectiveRules,
  getZone,
  listZones,
  listCertificatePacks: ({ zoneId }: OfZone, lookup: DirectLookup) => listCertificatePacks(zoneId, lookup),
  listCustomCertificates: ({ zoneId }: OfZone, lookup: DirectLookup) => listCustomCertificates(zoneId, lookup),
  listCustomHostnames: ({ zoneId, ...filter }: OfZone & HostnameFilter, lookup: DirectLookup) =>
    listCustomHostnames(zoneId, filter, lookup),
  getTotalTls: ({ zoneId }: OfZone, lookup: DirectLookup) => getTotalTls(zoneId, lookup),
  assessCertificateChain: async ({ zoneId, at }: OfZone & { readonly at?: string }, lookup: DirectLookup) => {
    const [packs, customCertificates, customHostnames, totalTls] = await Promise.all([
      listCertificatePacks(zoneId, lookup),
      listCustomCertificates(zoneId, lookup),
      listCustomHostnames(zoneId, {}, lookup),
      getTotalTls(zoneId, lookup),
    ]);
    const certificates = { zoneId, packs, customCertificates, customHostnames, totalTls };
    return assessCertificateChain(certificates, at === undefined ? undefined : new Date(at));
  },
} satisfies Readonly<Record<FunctionName, (args: never, lookup: DirectLookup) => Promise<object>>>;

/** The functions of the package for the process of a provider, which has a client of its own. */
export class FunctionCalls {
  private readonly lookup: DirectLookup;

  constructor(client: () => Client) {
    this.lookup = new DirectLookup(client);
  }

  /** Throws an error of the function; undefined for a name that no function has. */
  call(name: string, args: object): Promise<object> | undefined {
    const description = FUNCTIONS.find((one) => one.name === name);
    return description === undefined ? undefined : this.answer(description, args);
  }

  /** A package schema has no lists as results: a list is the only property of one. */
  private async answer({ name, result }: (typeof FUNCTIONS)[number], args: object): Promise<object> {
    requireArguments(name, args);
    // Each function checks the values itself.
    const answer = await CALLS[name](args as never, this.lookup);
    const [only = ""] = Object.keys(result);
    return Array.isArray(answer) ? { [only]: answer } : answer;
  }
}
