import { documentedCore } from "../../provider/kinds/waf-migration/readiness/core-rule-set.js";
import { isObject, type Json, type JsonObject } from "../../provider/model/json.js";
import { managedRulesets } from "../../provider/model/managed-rulesets.js";
import { owasp, type OwaspOptions } from "../../provider/writing/owasp.js";
import type { FoundRule, FoundRuleset, LeftOut } from "../inventory.js";
import type { ForeignResource } from "./foreign.js";
import { textOf } from "./terraform.js";

/** Resources of the previous managed rules and of firewall rules. */
export const PREVIOUS_TYPES: ReadonlySet<string> = new Set([
  "cloudflare_waf_package",
  "cloudflare_waf_group",
  "cloudflare_waf_rule",
  "cloudflare_waf_override",
  "cloudflare_filter",
  "cloudflare_firewall_rule",
  "cloudflare_page_rule",
  "cloudflare_rate_limit",
]);

/** What has no equivalent that could be computed, with the reason. */
const NO_EQUIVALENT: Readonly<Record<string, string>> = {
  cloudflare_waf_group:
    "groups of the previous managed rules have no counterpart by ID; the migration does not carry those of the core rule set over. To continue: override tags of the managed ruleset instead",
  cloudflare_waf_rule:
    "rules of the previous managed rules have other IDs now; the migration does not carry those of the core rule set over. To continue: override the rule of the managed ruleset that does the same",
  cloudflare_waf_override:
    "URI-based overrides stand in the way of a migration and have no equivalent. To continue: write a skip rule for the URLs, and delete them with `npx pulumi-rulesets migration delete-overrides`",
  cloudflare_rate_limit:
    "rate limits of the previous kind count otherwise. To continue: write a rule of http_ratelimit",
};

const ORDER = ["log", "bypass", "allow", "challenge", "managed_challenge", "js_challenge", "block"];
const NOT_MIGRATED =
  "From the previous WAF, by the vendor's documented mapping; the zone has to be migrated first. ZoneWafMigration does that with the configuration that the service generates.";

/** The rulesets that come of the previous WAF of one zone, and what does not. */
export interface FromPrevious {
  readonly rulesets: readonly FoundRuleset[];
  readonly leftOut: readonly LeftOut[];
}

/** Turns the previous WAF of a zone as its migration would, as far as that is documented. */
export function fromPreviousWaf(resources: readonly ForeignResource[], where: string): FromPrevious {
  const of = (type: string): ForeignResource[] => resources.filter((one) => one.type === type);
  const filters = new Map(of("cloudflare_filter").map(({ id, values }) => [id, values]));
  const converted = inOrder(of("cloudflare_firewall_rule")).map((resource) => convert(resource, filters));
  const managed = converted.flatMap((one) => (one.kind === "managed" ? [one.rule] : []));
  const custom = converted.flatMap((one) => (one.kind === "custom" ? [one.rule] : []));
  const executed = executes(of("cloudflare_waf_package"), of("cloudflare_waf_group"));
  const leftOut = [
    ...converted.flatMap((one) => (one.kind === "none" ? [{ what: one.what, reason: one.reason }] : [])),
    ...resources.flatMap(({ type, address, values }) => {
      const reason = type === "cloudflare_page_rule" ? pageRuleReason(values) : NO_EQUIVALENT[type];
      return reason === undefined ? [] : [{ what: address, reason }];
    }),
    ...unusedFilters(of("cloudflare_filter"), of("cloudflare_firewall_rule")),
  ];
  return {
    rulesets: [
      ...entrypoint("http_request_firewall_managed", [...managed, ...executed], NOT_MIGRATED),
      ...entrypoint(
        "http_request_firewall_custom",
        custom,
        "From firewall rules, in the order they ran in. `allow` became `skip` of the custom rules after it.",
      ),
    ],
    leftOut: leftOut.map((one) => ({ where, ...one })),
  };
}

function entrypoint(phase: string, rules: readonly FoundRule[], note: string): FoundRuleset[] {
  if (rules.length === 0) return [];
  return [{ name: "default", description: "", kind: "zone", phase, rules, notes: [note] }];
}

/** The core rule set by its sensitivity and action; the vendor's own rules wherever a group of a package is managed. */
function executes(packages: readonly ForeignResource[], groups: readonly ForeignResource[]): FoundRule[] {
  const core = packages.find(({ values }) => textOf(values.sensitivity) !== "");
  if (core === undefined && groups.length === 0 && packages.length === 0) return [];
  const managed: FoundRule = {
    action: "execute",
    expression: "true",
    actionParameters: { id: managedRulesets.cloudflareManaged },
  } as FoundRule;
  const level =
    core === undefined
      ? undefined
      : documentedCore({ sensitivity: textOf(core.values.sensitivity), actionMode: textOf(core.values.action_mode) });
  return level === undefined ? [managed] : [managed, owasp(level as OwaspOptions) as FoundRule];
}

/** By priority, then as the vendor orders actions. */
function inOrder(rules: readonly ForeignResource[]): ForeignResource[] {
  const priority = ({ values }: ForeignResource): number =>
    typeof values.priority === "number" && values.priority > 0 ? values.priority : Number.MAX_SAFE_INTEGER;
  const rank = ({ values }: ForeignResource): number => ORDER.indexOf(textOf(values.action));
  return [...rules].sort((a, b) => priority(a) - priority(b) || rank(a) - rank(b) || (a.address < b.address ? -1 : 1));
}

type Converted =
  | { readonly kind: "managed" | "custom"; readonly rule: FoundRule }
  | { readonly kind: "none"; readonly what: string; readonly reason: string };

function convert({ values, address }: ForeignResource, filters: ReadonlyMap<string, JsonObject>): Converted {
  const filter = filters.get(textOf(values.filter_id));
  const none = (reason: string): Converted => ({ kind: "none", what: address, reason });
  if (filter === undefined) return none("its filter is in none of the files");
  const products = listOf(values.products);
  const action = textOf(values.action);
  const paused = values.paused === true || filter.paused === true;
  const base = {
    ...(textOf(values.description) === "" ? {} : { description: textOf(values.description) }),
    expression: textOf(filter.expression),
    ...(paused ? { enabled: false } : {}),
  };
  switch (action) {
    case "block":
    case "challenge":
    case "js_challenge":
    case "managed_challenge":
    case "log":
      return { kind: "custom", rule: { ...base, action } as FoundRule };
    case "allow":
      return { kind: "custom", rule: skip(base, { ruleset: "current" }) };
    case "bypass":
      if (products.length === 0 || sameProducts(products, ["waf"]))
        return { kind: "managed", rule: skip(base, { ruleset: "current" }) };
      return products.includes("waf")
        ? none(
            `it bypasses ${products.join(", ")}: one rule of the previous kind that would be two in different phases`,
          )
        : { kind: "custom", rule: skip(base, { products }) };
    default:
      return none(`the action ${JSON.stringify(action)} has no equivalent`);
  }
}

function skip(base: object, actionParameters: object): FoundRule {
  return { ...base, action: "skip", actionParameters } as FoundRule;
}

function sameProducts(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item) => b.includes(item));
}

function listOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? (value as Json[]).filter((item) => typeof item === "string") : [];
}

/** Only page rules that switch security or the WAF take part in a migration. */
function pageRuleReason({ actions }: JsonObject): string | undefined {
  const inside = Array.isArray(actions) ? (actions as Json[])[0] : actions;
  if (!isObject(inside)) return undefined;
  const switches = inside.disable_security === true || inside.disableSecurity === true || textOf(inside.waf) !== "";
  return switches
    ? "a page rule that switches the WAF; the migration of the zone carries it over, where its pattern is read by the service"
    : undefined;
}

function unusedFilters(
  filters: readonly ForeignResource[],
  rules: readonly ForeignResource[],
): Omit<LeftOut, "where">[] {
  const used = new Set(rules.map(({ values }) => textOf(values.filter_id)));
  const unused = filters.filter(({ id }) => !used.has(id));
  return unused.map(({ address }) => ({ what: address, reason: "no firewall rule in the files uses this filter" }));
}
