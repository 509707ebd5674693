import { bodiesOf, bodyOf, param, zoneOf, type ApiResult, type Body, type Call, type Route } from "../call.js";
import type { GroupDefinition } from "../group-definition.js";
import { refuse } from "../failure.js";
import { selectItems } from "../lists.js";
import { checkControls } from "./bodies.js";
import { BypassService } from "./bypasses.js";
import { by, field, FILTERS, FIREWALL, GROUPS, PACKAGES, paged, RULES } from "./lists.js";
import { lostSettings } from "./mapping.js";
import type { MigrationService } from "./migration.js";
import { previousWafOf, previousWafSeed, type PreviousWafZoneSeed } from "./seed.js";
import { PreviousWafService } from "./service.js";

const ZONE = "/zones/:owner";
const WAF = `${ZONE}/firewall/waf`;
const PACKAGE = `${WAF}/packages/:package`;
const FIREWALL_RULES = `${ZONE}/firewall/rules`;

/** The previous WAF, what bypasses it, and the migration. */
export const previousWaf: GroupDefinition<object, PreviousWafZoneSeed> = {
  seed: previousWafSeed,
  build: ({ store, clock, previousWafs: wafs, migration }) => {
    const service = new PreviousWafService(store, wafs, migration);
    const bypasses = new BypassService(store, wafs, clock);
    return {
      codes: { other: 1000 },
      routes: [
        ...wafRoutes(service),
        ...overrideRoutes(service),
        ...filterRoutes(bypasses),
        ...firewallRoutes(bypasses),
        ...pageRuleRoutes(bypasses),
        ...migrationRoutes(migration),
      ],
      addZone: (zone, seed) => {
        if (seed.previousWaf !== undefined) wafs.fill(zone.id, previousWafOf(zone, seed.previousWaf));
      },
      controls: [
        [
          "POST",
          "/zones/:owner/previous-waf",
          (call) => {
            migration.set(zoneOf(call), checkControls(bodyOf(call)));
            return { ok: true, lost: lostSettings(migration.of(zoneOf(call))) };
          },
        ],
      ],
    };
  },
};

/** The IDs in a query: `?id=…` repeated, or comma-separated. */
function idsOf(call: Call): string[] {
  const list = (call.query.id ?? "").split(",").filter((id) => id !== "");
  if (list.length === 0) throw refuse(400, undefined, "id is required");
  return list;
}

/** The ID in a body item. */
function idIn(body: Body): string {
  if (typeof body.id === "string") return body.id;
  throw refuse(400, undefined, "id is required", "/id");
}

/** Packages, groups and rules. */
const wafRoutes = (previousWaf: PreviousWafService): readonly Route[] => [
  [
    "GET",
    `${WAF}/packages`,
    (call) => paged(call, previousWaf.packages(zoneOf(call)), PACKAGES, { orders: { name: by("name") } }),
  ],
  ["GET", PACKAGE, (call) => previousWaf.package(zoneOf(call), param(call, "package"))],
  ["PATCH", PACKAGE, (call) => previousWaf.updatePackage(zoneOf(call), param(call, "package"), bodyOf(call))],
  [
    "GET",
    `${PACKAGE}/groups`,
    (call) => {
      const all = previousWaf.groups(zoneOf(call), param(call, "package"));
      const orders = { mode: by("mode"), rules_count: (group: ApiResult) => Number(group.rules_count) };
      return paged(call, all, GROUPS, { orders });
    },
  ],
  [
    "GET",
    `${PACKAGE}/groups/:group`,
    (call) => previousWaf.group(zoneOf(call), param(call, "package"), param(call, "group")),
  ],
  [
    "PATCH",
    `${PACKAGE}/groups/:group`,
    (call) => previousWaf.updateGroup(zoneOf(call), param(call, "package"), param(call, "group"), bodyOf(call)),
  ],
  [
    "GET",
    `${PACKAGE}/rules`,
    (call) => {
      const all = previousWaf.rules(zoneOf(call), param(call, "package"));
      const group = (rule: ApiResult) => (rule.group as { id: string }).id;
      const orders = {
        priority: (rule: ApiResult) => Number(rule.priority),
        group_id: group,
        description: by("description"),
      };
      return paged(call, all, RULES, { orders });
    },
  ],
  [
    "GET",
    `${PACKAGE}/rules/:rule`,
    (call) => previousWaf.rule(zoneOf(call), param(call, "package"), param(call, "rule")),
  ],
  [
    "PATCH",
    `${PACKAGE}/rules/:rule`,
    (call) => previousWaf.updateRule(zoneOf(call), param(call, "package"), param(call, "rule"), bodyOf(call)),
  ],
];

/** URI-based overrides, and the zone's WAF setting. */
const overrideRoutes = (previousWaf: PreviousWafService): readonly Route[] => [
  ["GET", `${WAF}/overrides`, (call) => paged(call, previousWaf.overrides(zoneOf(call)), {})],
  ["POST", `${WAF}/overrides`, (call) => previousWaf.createOverride(zoneOf(call), bodyOf(call))],
  ["GET", `${WAF}/overrides/:override`, (call) => previousWaf.override(zoneOf(call), param(call, "override"))],
  [
    "PUT",
    `${WAF}/overrides/:override`,
    (call) => previousWaf.updateOverride(zoneOf(call), param(call, "override"), bodyOf(call)),
  ],
  ["DELETE", `${WAF}/overrides/:override`, (call) => previousWaf.deleteOverride(zoneOf(call), param(call, "override"))],
  ["GET", `${ZONE}/settings/waf`, (call) => previousWaf.setting(zoneOf(call))],
  ["PATCH", `${ZONE}/settings/waf`, (call) => previousWaf.updateSetting(zoneOf(call), bodyOf(call))],
];

const filterRoutes = (bypasses: BypassService): readonly Route[] => [
  ["GET", `${ZONE}/filters`, (call) => paged(call, bypasses.filters(zoneOf(call)), FILTERS, { size: 25 })],
  ["POST", `${ZONE}/filters`, (call) => bypasses.createFilters(zoneOf(call), bodiesOf(call))],
  [
    "PUT",
    `${ZONE}/filters`,
    (call) => bodiesOf(call).map((body) => bypasses.updateFilter(zoneOf(call), idIn(body), body)),
  ],
  ["DELETE", `${ZONE}/filters`, (call) => idsOf(call).map((id) => bypasses.deleteFilter(zoneOf(call), id))],
  ["GET", `${ZONE}/filters/:filter`, (call) => bypasses.filter(zoneOf(call), param(call, "filter"))],
  [
    "PUT",
    `${ZONE}/filters/:filter`,
    (call) => bypasses.updateFilter(zoneOf(call), param(call, "filter"), bodyOf(call)),
  ],
  ["DELETE", `${ZONE}/filters/:filter`, (call) => bypasses.deleteFilter(zoneOf(call), param(call, "filter"))],
];

/** Firewall rules, one or several. */
const firewallRoutes = (bypasses: BypassService): readonly Route[] => [
  ["GET", FIREWALL_RULES, (call) => paged(call, bypasses.firewallRules(zoneOf(call)), FIREWALL, { size: 25 })],
  ["POST", FIREWALL_RULES, (call) => bodiesOf(call).map((body) => bypasses.createFirewallRule(zoneOf(call), body))],
  [
    "PUT",
    FIREWALL_RULES,
    (call) => bodiesOf(call).map((body) => bypasses.updateFirewallRule(zoneOf(call), idIn(body), body, true)),
  ],
  [
    "PATCH",
    FIREWALL_RULES,
    (call) => bodiesOf(call).map((body) => bypasses.updateFirewallRule(zoneOf(call), idIn(body), body, false)),
  ],
  ["DELETE", FIREWALL_RULES, (call) => idsOf(call).map((id) => bypasses.deleteFirewallRule(zoneOf(call), id))],
  ["GET", `${FIREWALL_RULES}/:rule`, (call) => bypasses.firewallRule(zoneOf(call), param(call, "rule"))],
  [
    "PUT",
    `${FIREWALL_RULES}/:rule`,
    (call) => bypasses.updateFirewallRule(zoneOf(call), param(call, "rule"), bodyOf(call), true),
  ],
  [
    "PATCH",
    `${FIREWALL_RULES}/:rule`,
    (call) => [bypasses.updateFirewallRule(zoneOf(call), param(call, "rule"), bodyOf(call), false)],
  ],
  ["DELETE", `${FIREWALL_RULES}/:rule`, (call) => bypasses.deleteFirewallRule(zoneOf(call), param(call, "rule"))],
];

const pageRuleRoutes = (bypasses: BypassService): readonly Route[] => [
  [
    "GET",
    `${ZONE}/pagerules`,
    (call) =>
      selectItems<ApiResult>(
        bypasses.pageRules(zoneOf(call)),
        call.query,
        { status: field("status") },
        { status: by("status"), priority: (rule) => Number(rule.priority) },
      ),
  ],
  ["POST", `${ZONE}/pagerules`, (call) => bypasses.createPageRule(zoneOf(call), bodyOf(call))],
  ["GET", `${ZONE}/pagerules/:rule`, (call) => bypasses.pageRule(zoneOf(call), param(call, "rule"))],
  [
    "PUT",
    `${ZONE}/pagerules/:rule`,
    (call) => bypasses.updatePageRule(zoneOf(call), param(call, "rule"), bodyOf(call), true),
  ],
  [
    "PATCH",
    `${ZONE}/pagerules/:rule`,
    (call) => bypasses.updatePageRule(zoneOf(call), param(call, "rule"), bodyOf(call), false),
  ],
  ["DELETE", `${ZONE}/pagerules/:rule`, (call) => bypasses.deletePageRule(zoneOf(call), param(call, "rule"))],
];

/** The migration to rulesets; its last step is a query parameter of the entry point update. */
const migrationRoutes = (migration: MigrationService): readonly Route[] => [
  ["GET", `${ZONE}/waf_migration/check`, (call) => migration.check(zoneOf(call), call.query)],
  ["GET", `${ZONE}/waf_migration/config`, (call) => migration.config(zoneOf(call), call.query)],
  ["GET", `${ZONE}/waf_migration/status`, (call) => migration.status(zoneOf(call))],
];
