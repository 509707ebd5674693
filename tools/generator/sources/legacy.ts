import plans from "../../../schema/plans.json";
import type { WireRules } from "../../../core/legacy/old-rules.js";
import { isList, isObject, mapValues, objectsIn, omit, textOf, textsIn } from "../../../core/model/json.js";
import type { Json, JsonObject } from "../../../core/model/json.js";
import { snakeCase } from "../../../core/model/shapes.js";
import { hasUnknown, isUnknown, UNKNOWN } from "../../../core/model/unknown.js";
import type { LeftOut } from "../inventory.js";
import type { LegacyZone } from "../legacy/zone.js";
import type { ForeignResource } from "./foreign.js";
import { scopeOf, whyNowhere, zoneNames } from "./inventory.js";
import { isDataSource } from "./previous-waf/index.js";
import { isSwitching } from "./previous-waf/page-rules.js";

type Read = (values: JsonObject) => JsonObject;

/**
 * The resources of previous features, and their rules in the format of the API. Versions up to 4 of the Terraform provider have
 * a list of one block where version 5 has an object, and Pulumi's package has names such as `urlPattern`:
 * https://github.com/cloudflare/terraform-provider-cloudflare/tree/main/internal/services/page_rule/migration
 */
const KINDS: Readonly<Record<string, readonly [keyof WireRules, Read]>> = {
  cloudflare_page_rule: ["pageRules", pageRule],
  cloudflare_user_agent_blocking_rule: ["userAgents", sameAsService],
  cloudflare_zone_lockdown: ["lockdowns", sameAsService],
  cloudflare_access_rule: ["accessRules", sameAsService],
  cloudflare_rate_limit: ["rateLimits", rateLimit],
};

/** Whether a resource declares a rule of a previous feature. */
export function isLegacy({ type, address }: ForeignResource): boolean {
  return KINDS[type] !== undefined && !isDataSource(address);
}

/** What `--from-legacy` would convert, but the conversion of the previous WAF does not. */
export function legacyLeftOut(resources: readonly ForeignResource[]): LeftOut[] {
  const names = zoneNames(resources);
  const isOnlySwitch = ({ type, values }: ForeignResource): boolean =>
    type === "cloudflare_page_rule" &&
    isSwitching(values) &&
    objectsIn(pageRule(values).actions).every(({ id }) => id === "waf" || id === "disable_security");
  const own = resources.filter((one) => isLegacy(one) && !isOnlySwitch(one));
  const places = Map.groupBy(own, ({ type, values }) => `${textOf(values.zone_id)} ${type}`);
  return [...places].map(([place, some]) => {
    const [zone = "", type = ""] = place.split(" ");
    const where = zone === "" ? "an account, or an unknown zone" : (names.get(zone) ?? `zone ${zone}`);
    return { where, what: `${String(some.length)} × ${type}`, reason: "to convert them, add --from-legacy" };
  });
}

/** Page rules and other previous features in states of other tools, by zone, and what belongs to none. */
export function legacyOf(resources: readonly ForeignResource[]): {
  readonly zones: readonly LegacyZone[];
  readonly leftOut: readonly LeftOut[];
} {
  const leftOut: LeftOut[] = [];
  const byZone = Map.groupBy(resources.filter(isLegacy), (resource) => {
    const scope = scopeOf(resource.values);
    if (scope?.level === "zones") return scope.id;
    const where = scope === undefined ? "an unknown zone or account" : `account ${scope.id}`;
    const reason =
      scope === undefined
        ? whyNowhere(resource.values)
        : "it belongs to the account, and acts on all of its zones; write a rule of the account";
    leftOut.push({ where, what: resource.address, reason });
    return "";
  });
  byZone.delete("");
  const names = zoneNames(resources);
  const zones = [...byZone].map(([id, own]): LegacyZone => {
    const rules = (property: keyof WireRules): JsonObject[] => {
      const found = own.flatMap((resource) => {
        const [kind, read] = KINDS[resource.type] ?? [];
        return kind === property && read !== undefined ? [{ ...read(resource.values), id: resource.id }] : [];
      });
      // Two files may contain the same one.
      return [...new Map(found.map((rule) => [rule.id, rule])).values()];
    };
    const wire: WireRules = {
      pageRules: rules("pageRules"),
      userAgents: rules("userAgents"),
      lockdowns: rules("lockdowns"),
      accessRules: rules("accessRules"),
      rateLimits: rules("rateLimits"),
    };
    const accountId = accountOf(resources, id);
    return { id, name: names.get(id) ?? id, plan: planOf(resources, id), accountId, accountName: "", wire };
  });
  return { zones, leftOut };
}

function zonesWith(resources: readonly ForeignResource[], zoneId: string): readonly JsonObject[] {
  return resources
    .filter(({ type, id, values }) => type === "cloudflare_zone" && (id || textOf(values.zone_id)) === zoneId)
    .map(({ values }) => values);
}

/** `pro`, `Pro Website`, or `{ legacy_id: "pro" }`. */
function planOf(resources: readonly ForeignResource[], zoneId: string): string {
  const texts = zonesWith(resources, zoneId).map(({ plan }) => textOf(block(plan).legacy_id) || textOf(plan));
  return plans.plans.find((plan) => texts.some((text) => text.toLowerCase().split(" ")[0] === plan)) ?? "";
}

function accountOf(resources: readonly ForeignResource[], zoneId: string): string {
  const known = zonesWith(resources, zoneId).map(
    (values) => textOf(values.account_id) || textOf(block(values.account).id),
  );
  return known.find((id) => id !== "" && !hasUnknown(id)) ?? "";
}

/** A block, which versions up to 4 have as a list, with Terraform's names. */
function block(value: Json | undefined): JsonObject {
  const inside = isList(value) ? value[0] : value;
  if (!isObject(inside)) return {};
  const nameOf = (key: string): string => PLURALS[snakeCase(key)] ?? snakeCase(key);
  const own = Object.entries(inside).filter(([key]) => !key.startsWith("__"));
  return Object.fromEntries(own.map(([key, one]) => [nameOf(key), one]));
}

/** Pulumi's names of lists, up to version 5 of its package. */
const PLURALS: Readonly<Record<string, string>> = {
  cache_ttl_by_statuses: "cache_ttl_by_status",
  check_presences: "check_presence",
  excludes: "exclude",
  includes: "include",
  minifies: "minify",
};

function isUnset(value: Json | undefined): boolean {
  if (isList(value)) return value.length === 0;
  return value === undefined || value === null || value === "" || value === false;
}

/** Marks a rule of which the state hides a part. */
function hidden(values: JsonObject): JsonObject {
  return hasUnknown(omit(values, ["description", "notes"])) ? { hidden: UNKNOWN } : {};
}

/** User agent rules, lockdowns and access rules have the service's fields. */
function sameAsService(values: JsonObject): JsonObject {
  const { mode, urls, priority, paused, configuration, configurations } = values;
  return {
    ...hidden(values),
    mode,
    urls,
    paused,
    ...(typeof priority === "number" && priority > 0 ? { priority } : {}),
    configuration: isUnset(configuration) ? undefined : block(configuration),
    configurations: isList(configurations) ? configurations.map(block) : undefined,
  };
}

function pageRule(values: JsonObject): JsonObject {
  const { target, priority, status, actions } = values;
  const settings = Object.entries(block(actions)).filter(([, value]) => !isUnset(value));
  return {
    priority,
    status,
    targets: [{ target: "url", constraint: { operator: "matches", value: target } }],
    actions: isUnknown(actions)
      ? [{ id: "actions", value: actions }]
      : settings.flatMap(([name, value]) => settingsOf(name, value)),
  };
}

/** A setting as the API has it; none for a default of the provider that sets nothing. */
function settingsOf(id: string, value: Json | undefined): readonly JsonObject[] {
  if (id === "edge_cache_ttl" && value === 0) return [];
  const read = hasUnknown(value) ? undefined : VALUES[id];
  return [read === undefined && value === true ? { id } : { id, value: read === undefined ? value : read(value) }];
}

const VALUES: Readonly<Record<string, (value: Json | undefined) => Json | undefined>> = {
  browser_cache_ttl: numberOf,
  cache_ttl_by_status: ttlByStatus,
  forwarding_url: block,
  minify: block,
  cache_key_fields: (value) => keyFields(block(value)),
};

/** `"14400"`, as version 4 has it. */
function numberOf(value: Json | undefined): Json | undefined {
  return typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value;
}

/** A list of codes and times, or an object of them. */
function ttlByStatus(value: Json | undefined): JsonObject {
  if (!isList(value)) return isObject(value) ? mapValues(value, (ttl) => numberOf(ttl) ?? null) : {};
  return Object.fromEntries(value.map((one) => [textOf(block(one).codes), numberOf(block(one).ttl)]));
}

function keyFields(parts: JsonObject): JsonObject {
  const known = Object.entries(parts)
    .filter(([, part]) => !isUnset(part))
    .map(([name, part]) => {
      const all = block(part);
      const given = Object.entries(all).filter(([, value]) => typeof value === "boolean" || !isUnset(value));
      return [name, name === "query_string" ? queryOf(all) : Object.fromEntries(given)] as const;
    });
  return Object.fromEntries(known.filter(([, part]) => Object.keys(part).length > 0));
}

/** `ignore`, of version 4, leaves out the whole query string. */
function queryOf({ ignore, include, exclude }: JsonObject): JsonObject {
  const [only, without] = [textsIn(include), textsIn(exclude)];
  if (ignore === true || without.includes("*")) return { exclude: "*" };
  if (without.length > 0) return { exclude: without };
  return { include: only.length === 0 || only.includes("*") ? "*" : only };
}

function rateLimit(values: JsonObject): JsonObject {
  const { threshold, period, disabled, description } = values;
  const [match, action] = [block(values.match), block(values.action)];
  const [request, response, answer] = [block(match.request), block(match.response), block(action.response)];
  const { statuses, ...counted } = response;
  const { url_pattern: pattern, url = pattern, ...requested } = request;
  const patterns = textsIn(values.bypass_url_patterns).map((value) => ({ name: "url", value }));
  return {
    ...hidden(values),
    ...{ threshold, period, disabled, description },
    match: {
      request: { ...requested, url },
      response: { ...counted, ...(isUnset(statuses) ? {} : { status: statuses }) },
      headers: match.headers,
    },
    action: {
      mode: action.mode,
      timeout: action.timeout,
      ...(isUnset(answer.body) ? {} : { response: answer }),
    },
    bypass: [...patterns, ...objectsIn(values.bypass)],
    correlate: block(values.correlate),
  };
}
