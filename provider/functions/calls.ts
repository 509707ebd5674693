import type { Client, HostnameFilter } from "../client/index.js";
import {
  assessCertificateChain,
  getTotalTls,
  listCertificatePacks,
  listCustomCertificates,
  listCustomHostnames,
} from "./certificates.js";
import type { FunctionName } from "./descriptions.js";
import { effectiveRules, type EffectiveRulesArgs } from "./effective-rules.js";
import { getManagedRuleset, listManagedRules, type ListManagedRulesArgs } from "./managed-rulesets.js";
import { DirectLookup } from "./options.js";
import { getEntrypoint, getRulesetVersion, listRulesets, type ListRulesetsArgs } from "./rulesets.js";
import { diffRulesetVersions, listRulesetVersions, type RulesetVersionsArgs } from "./versions.js";
import { getZone, listZones, type ListZonesArgs } from "./zones.js";

/** A call with arguments that nobody has checked. */
type Call = (args: object, lookup: DirectLookup) => Promise<object>;

/** Each function checks its arguments itself, and names what is wrong. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each function names its arguments
function unchecked<Args>(call: (args: Args, lookup: DirectLookup) => Promise<object>): Call {
  return (args, lookup) => call(args as Args, lookup);
}

interface OfZone {
  readonly zoneId: string;
}

const CALLS: Readonly<Record<FunctionName, Call>> = {
  getEntrypoint: unchecked(getEntrypoint),
  getRulesetVersion: unchecked(getRulesetVersion),
  listRulesets: unchecked(async (args: ListRulesetsArgs, lookup) => ({ rulesets: await listRulesets(args, lookup) })),
  listRulesetVersions: unchecked(async (args: RulesetVersionsArgs, lookup) => ({
    versions: await listRulesetVersions(args, lookup),
  })),
  diffRulesetVersions: unchecked(diffRulesetVersions),
  getManagedRuleset: unchecked(getManagedRuleset),
  listManagedRules: unchecked(async (args: ListManagedRulesArgs, lookup) => ({
    rules: await listManagedRules(args, lookup),
  })),
  effectiveRules: unchecked(async (args: EffectiveRulesArgs, lookup) => ({
    rules: await effectiveRules(args, lookup),
  })),
  getZone: unchecked(getZone),
  listZones: unchecked(async (args: ListZonesArgs, lookup) => ({ zones: await listZones(args, lookup) })),
  listCertificatePacks: unchecked(async ({ zoneId }: OfZone, lookup) => ({
    packs: await listCertificatePacks(zoneId, lookup),
  })),
  listCustomCertificates: unchecked(async ({ zoneId }: OfZone, lookup) => ({
    certificates: await listCustomCertificates(zoneId, lookup),
  })),
  listCustomHostnames: unchecked(async ({ zoneId, ...filter }: OfZone & HostnameFilter, lookup) => ({
    hostnames: await listCustomHostnames(zoneId, filter, lookup),
  })),
  getTotalTls: unchecked(({ zoneId }: OfZone, lookup) => getTotalTls(zoneId, lookup)),
  assessCertificateChain: unchecked(async ({ zoneId, at }: OfZone & { readonly at?: string }, lookup) => {
    const [packs, customCertificates, customHostnames, totalTls] = await Promise.all([
      listCertificatePacks(zoneId, lookup),
      listCustomCertificates(zoneId, lookup),
      listCustomHostnames(zoneId, {}, lookup),
      getTotalTls(zoneId, lookup),
    ]);
    const certificates = { zoneId, packs, customCertificates, customHostnames, totalTls };
    return { assessments: assessCertificateChain(certificates, at === undefined ? undefined : new Date(at)) };
  }),
};

/** The functions of the package for the process of a provider, which has a client of its own. */
export class FunctionCalls {
  private readonly lookup: DirectLookup;

  constructor(client: () => Client) {
    this.lookup = new DirectLookup(client);
  }

  /** Throws an error of the function; undefined for a name that no function has. */
  call(name: string, args: object): Promise<object> | undefined {
    return Object.hasOwn(CALLS, name) ? CALLS[name as FunctionName](args, this.lookup) : undefined;
  }
}
