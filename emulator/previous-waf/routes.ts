import { bodiesOf, bodyOf, Paged, part, zoneOf, type Body, type Call, type Route } from "../call.js";
import type { Group } from "../group.js";
import type { EmulatorClock } from "../clock.js";
import { refuse } from "../failure.js";
import { pageOf } from "../pages.js";
import type { Store } from "../store/store.js";
import { BypassService } from "./bypasses.js";
import type { MigrationService } from "./migration.js";
import { previousWafOf } from "./seed.js";
import { PreviousWafService } from "./service.js";
import type { PreviousWafs } from "./wafs.js";

const ZONE = "/zones/:owner";
const WAF = `${ZONE}/firewall/waf`;
const PACKAGE = `${WAF}/packages/:package`;
const FIREWALL_RULES = `${ZONE}/firewall/rules`;

interface Parts {
  readonly store: Store;
  readonly clock: EmulatorClock;
  readonly wafs: PreviousWafs;
  readonly migration: MigrationService;
}

/** The previous WAF, what lets requests past it, and the road away from it. */
export function previousWaf({ store, clock, wafs, migration }: Parts): Group {
  return {
    routes: [
      ...wafRoutes(new PreviousWafService(store, wafs, migration)),
      ...bypassRoutes(new BypassService(store, wafs, clock)),
      ...migrationRoutes(migration),
    ],
    addZone: (zone, seed) => {
      wafs.fill(zone.id, previousWafOf(zone, seed.previousWaf));
    },
    addEarlier: ({ previousWafs }) => {
      for (const [zone, saved] of previousWafs ?? []) wafs.fill(zone, saved);
    },
    controls: [
      [
        "POST",
        "/zones/:owner/previous-waf",
        (call) => {
          migration.set(zoneOf(call), call.sent ?? {});
          return { ok: true };
        },
      ],
    ],
  };
}

/** One page of a list; the previous interfaces give up to a hundred items at once. */
function paged(call: Call, all: readonly unknown[]): Paged {
  const { result, info } = pageOf(all, call.query, { size: 50, least: 1, most: 100 });
  return new Paged(result, info);
}

/** The items of a list whose fields are what the query asks for. */
function matching(call: Call, all: readonly Body[], fields: readonly string[]) {
  const asked = fields.filter((field) => call.query[field] !== undefined);
  return all.filter((item) => asked.every((field) => String(item[field]) === call.query[field]));
}

/** The ids that a query names: `?id=…` once or more, or with commas. */
function idsOf(call: Call): string[] {
  const named = (call.query.id as string | readonly string[] | undefined) ?? [];
  const list = typeof named === "string" ? named.split(",") : [...named];
  if (list.length === 0) throw refuse(400, undefined, "id is required");
  return list;
}

/** The id that a body of an item names. */
function idIn(body: Body): string {
  if (typeof body.id === "string") return body.id;
  throw refuse(400, undefined, "id is required", "/id");
}

/** Packages, groups, rules, overrides and the switch of the previous WAF. */
const wafRoutes = (previousWaf: PreviousWafService): readonly Route[] => [
  ["GET", `${WAF}/packages`, (call) => paged(call, matching(call, previousWaf.packages(zoneOf(call)), ["name"]))],
  ["GET", PACKAGE, (call) => previousWaf.package(zoneOf(call), part(call, "package"))],
  ["PATCH", PACKAGE, (call) => previousWaf.updatePackage(zoneOf(call), part(call, "package"), bodyOf(call))],
  [
    "GET",
    `${PACKAGE}/groups`,
    (call) => {
      const all = previousWaf.groups(zoneOf(call), part(call, "package"));
      return paged(call, matching(call, all, ["mode", "name"]));
    },
  ],
  [
    "GET",
    `${PACKAGE}/groups/:group`,
    (call) => previousWaf.group(zoneOf(call), part(call, "package"), part(call, "group")),
  ],
  [
    "PATCH",
    `${PACKAGE}/groups/:group`,
    (call) => previousWaf.updateGroup(zoneOf(call), part(call, "package"), part(call, "group"), bodyOf(call)),
  ],
  [
    "GET",
    `${PACKAGE}/rules`,
    (call) => {
      const all = previousWaf.rules(zoneOf(call), part(call, "package"));
      return paged(call, matching(call, all, ["mode", "description"]));
    },
  ],
  [
    "GET",
    `${PACKAGE}/rules/:rule`,
    (call) => previousWaf.rule(zoneOf(call), part(call, "package"), part(call, "rule")),
  ],
  [
    "PATCH",
    `${PACKAGE}/rules/:rule`,
    (call) => previousWaf.updateRule(zoneOf(call), part(call, "package"), part(call, "rule"), bodyOf(call)),
  ],
  ["GET", `${WAF}/overrides`, (call) => paged(call, previousWaf.overrides(zoneOf(call)))],
  ["POST", `${WAF}/overrides`, (call) => previousWaf.createOverride(zoneOf(call), bodyOf(call))],
  ["GET", `${WAF}/overrides/:override`, (call) => previousWaf.override(zoneOf(call), part(call, "override"))],
  [
    "PUT",
    `${WAF}/overrides/:override`,
    (call) => previousWaf.updateOverride(zoneOf(call), part(call, "override"), bodyOf(call)),
  ],
  ["DELETE", `${WAF}/overrides/:override`, (call) => previousWaf.deleteOverride(zoneOf(call), part(call, "override"))],
  ["GET", `${ZONE}/settings/waf`, (call) => previousWaf.setting(zoneOf(call))],
  ["PATCH", `${ZONE}/settings/waf`, (call) => previousWaf.updateSetting(zoneOf(call), bodyOf(call))],
];

/** Firewall rules, their filters, and page rules. */
const bypassRoutes = (bypasses: BypassService): readonly Route[] => [
  ["GET", `${ZONE}/filters`, (call) => paged(call, matching(call, bypasses.filters(zoneOf(call)), ["id", "ref"]))],
  ["POST", `${ZONE}/filters`, (call) => bypasses.createFilters(zoneOf(call), bodiesOf(call))],
  [
    "PUT",
    `${ZONE}/filters`,
    (call) => bodiesOf(call).map((body) => bypasses.updateFilter(zoneOf(call), idIn(body), body)),
  ],
  ["DELETE", `${ZONE}/filters`, (call) => idsOf(call).map((id) => bypasses.deleteFilter(zoneOf(call), id))],
  ["GET", `${ZONE}/filters/:filter`, (call) => bypasses.filter(zoneOf(call), part(call, "filter"))],
  ["PUT", `${ZONE}/filters/:filter`, (call) => bypasses.updateFilter(zoneOf(call), part(call, "filter"), bodyOf(call))],
  ["DELETE", `${ZONE}/filters/:filter`, (call) => bypasses.deleteFilter(zoneOf(call), part(call, "filter"))],
  [
    "GET",
    FIREWALL_RULES,
    (call) => paged(call, matching(call, bypasses.firewallRules(zoneOf(call)), ["action", "paused", "id"])),
  ],
  ["POST", FIREWALL_RULES, (call) => bodiesOf(call).map((body) => bypasses.createFirewallRule(zoneOf(call), body))],
  [
    "PUT",
    FIREWALL_RULES,
    (call) => bodiesOf(call).map((body) => bypasses.updateFirewallRule(zoneOf(call), idIn(body), body)),
  ],
  [
    "PATCH",
    FIREWALL_RULES,
    (call) => bodiesOf(call).map((body) => bypasses.updateFirewallRule(zoneOf(call), idIn(body), body)),
  ],
  ["DELETE", FIREWALL_RULES, (call) => idsOf(call).map((id) => bypasses.deleteFirewallRule(zoneOf(call), id))],
  ["GET", `${FIREWALL_RULES}/:rule`, (call) => bypasses.firewallRule(zoneOf(call), part(call, "rule"))],
  [
    "PUT",
    `${FIREWALL_RULES}/:rule`,
    (call) => bypasses.updateFirewallRule(zoneOf(call), part(call, "rule"), bodyOf(call)),
  ],
  [
    "PATCH",
    `${FIREWALL_RULES}/:rule`,
    (call) => [bypasses.updateFirewallRule(zoneOf(call), part(call, "rule"), bodyOf(call))],
  ],
  ["DELETE", `${FIREWALL_RULES}/:rule`, (call) => bypasses.deleteFirewallRule(zoneOf(call), part(call, "rule"))],
  ["GET", `${ZONE}/pagerules`, (call) => matching(call, bypasses.pageRules(zoneOf(call)), ["status"])],
  ["POST", `${ZONE}/pagerules`, (call) => bypasses.createPageRule(zoneOf(call), bodyOf(call))],
  ["GET", `${ZONE}/pagerules/:rule`, (call) => bypasses.pageRule(zoneOf(call), part(call, "rule"))],
  [
    "PUT",
    `${ZONE}/pagerules/:rule`,
    (call) => bypasses.updatePageRule(zoneOf(call), part(call, "rule"), bodyOf(call), true),
  ],
  [
    "PATCH",
    `${ZONE}/pagerules/:rule`,
    (call) => bypasses.updatePageRule(zoneOf(call), part(call, "rule"), bodyOf(call), false),
  ],
  ["DELETE", `${ZONE}/pagerules/:rule`, (call) => bypasses.deletePageRule(zoneOf(call), part(call, "rule"))],
];

/** The road to rulesets (spec 4.2); its last step is a query of the entry point update. */
const migrationRoutes = (migration: MigrationService): readonly Route[] => [
  ["GET", `${ZONE}/waf_migration/check`, (call) => migration.check(zoneOf(call), call.query)],
  ["GET", `${ZONE}/waf_migration/config`, (call) => migration.config(zoneOf(call), call.query)],
  ["GET", `${ZONE}/waf_migration/status`, (call) => migration.status(zoneOf(call))],
];
