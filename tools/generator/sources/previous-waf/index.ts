import type { FoundRule, FoundRuleset, LeftOut } from "../../inventory.js";
import type { ForeignResource } from "../foreign.js";
import { convertFirewallRules } from "./firewall-rules.js";
import { wafInformation } from "./waf-information.js";
import { executionRules, executionOf, placeOf } from "./managed-rules.js";
import { MANAGED_PHASE } from "../../../../core/model/migration.js";
import { CUSTOM_PHASE } from "./phases.js";
import { refusalOf, type NotConverted } from "./outcome.js";
import { convertPageRules } from "./page-rules.js";
import { convertUrlOverrides } from "./url-overrides.js";

export { isDataSource, isWafInformation } from "./waf-information.js";
export { phasesOfPrevious } from "./phases.js";

/** Resources of the previous managed rules and of firewall rules. */
export const PREVIOUS_TYPES: ReadonlySet<string> = new Set([
  "cloudflare_waf_package",
  "cloudflare_waf_group",
  "cloudflare_waf_rule",
  "cloudflare_waf_override",
  "cloudflare_filter",
  "cloudflare_firewall_rule",
  "cloudflare_page_rule",
]);

const NOTES = {
  managed:
    "From the previous WAF, following Cloudflare's documented mapping. The zone has to be migrated first: ZoneWafMigration does that, with the configuration that the service generates.",
  urls: "URI-based overrides block a migration: `npx pulumi-rulesets migration delete-overrides` deletes them.",
  custom: "From firewall rules, in the order in which they ran. `allow` became `skip` of the custom rules after it.",
};

/** The rulesets converted from the previous WAF of one zone, and what is left out. */
interface ConvertedWaf {
  readonly rulesets: readonly FoundRuleset[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * Converts the previous WAF of a zone as its migration would, as far as that is documented: exceptions first, then overrides
 * for some URLs, then the executions.
 */
export function convertPreviousWaf(
  resources: readonly ForeignResource[],
  sources: readonly ForeignResource[],
  where: string,
): ConvertedWaf {
  const of = (type: string): ForeignResource[] => resources.filter((one) => one.type === type);
  const information = wafInformation(resources, sources);
  const firewall = convertFirewallRules(of("cloudflare_firewall_rule"), of("cloudflare_filter"));
  const pages = convertPageRules(of("cloudflare_page_rule"), information.isOff);
  const overrides = of("cloudflare_waf_override");
  const isUsed = resources.some(({ type }) => type.startsWith("cloudflare_waf_")) || pages.switchedOn.length > 0;
  const { execution, notConverted } = executionOf(resources, information, placeOf(information.isOff, pages.switchedOn));
  const urls = convertUrlOverrides(overrides, execution);
  const found = checked([...pages.rules, ...urls.rules, ...(isUsed ? executionRules(execution) : [])], MANAGED_PHASE);
  const leftOut = [
    ...(isUsed ? notConverted : []),
    ...urls.notConverted,
    ...pages.notConverted,
    ...firewall.notConverted,
    ...found.notConverted,
  ];
  return {
    rulesets: [
      ...entrypoint(
        MANAGED_PHASE,
        [...firewall.managed, ...found.rules],
        [NOTES.managed, ...(overrides.length === 0 ? [] : [NOTES.urls])],
      ),
      ...entrypoint(CUSTOM_PHASE, firewall.custom, [NOTES.custom]),
    ],
    leftOut: leftOut.map((one) => ({ where, ...one })),
  };
}

function entrypoint(phase: string, rules: readonly FoundRule[], notes: readonly string[]): FoundRuleset[] {
  return rules.length === 0 ? [] : [{ name: "default", description: "", kind: "zone", phase, rules, notes }];
}

/** A rule that a preview would reject does not affect the others. */
function checked(
  rules: readonly FoundRule[],
  phase: string,
): { readonly rules: FoundRule[]; readonly notConverted: NotConverted[] } {
  const judged = rules.map((rule) => ({ rule, reason: refusalOf(rule, phase) }));
  return {
    rules: judged.flatMap(({ rule, reason }) => (reason === undefined ? [rule] : [])),
    notConverted: judged.flatMap(({ rule, reason }) => (reason === undefined ? [] : [{ what: nameOf(rule), reason }])),
  };
}

function nameOf(rule: object): string {
  const { description = "", action = "" } = rule as { readonly description?: string; readonly action?: string };
  return `${action} rule ${JSON.stringify(description)}`;
}
