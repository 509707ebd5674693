import { isList, isObject, type JsonObject, textOf, objectsIn } from "../../../../core/model/json.js";
import type { ForeignResource } from "../foreign.js";

/** What the files say about a group or a rule: its package and its name. */
interface KnownPart {
  readonly packageId: string;
  readonly name: string;
}

/** What the files say about a zone's previous WAF in addition to what they manage. */
export interface WafInformation {
  /** The core rule set in a data source. */
  readonly core: JsonObject | undefined;
  /** Whether a package is the core rule set; undefined if unknown. */
  readonly isCore: (packageId: string) => boolean | undefined;
  readonly group: (id: string) => KnownPart | undefined;
  readonly rule: (id: string) => KnownPart | undefined;
  /** Whether the zone's WAF setting is off. */
  readonly isOff: boolean;
}

/** Resources and data sources with information on the previous WAF that do not manage it. */
export function isWafInformation({ type, address }: ForeignResource): boolean {
  return SWITCHES.has(type) || (LISTS.has(type) && isDataSource(address));
}

/** Whether an address is that of a data source. */
export function isDataSource(address: string): boolean {
  return /(^|\.)data\./.test(address);
}

const SWITCHES = new Set(["cloudflare_zone_settings_override", "cloudflare_zone_setting"]);
const LISTS = new Set(["cloudflare_waf_packages", "cloudflare_waf_groups", "cloudflare_waf_rules"]);

/** The same in every zone; from public examples for Cloudflare's Terraform provider. */
const CORE_PACKAGE = "c504870194831cd12c3fc0284f294abb";
const CLOUDFLARE_PACKAGE = "1e334934fd7ae32ad705667f8c1057aa";
const GROUPS: Readonly<Record<string, string>> = {
  "8df6c9aaddcbdf0eceb047bc50873697": "Cloudflare Drupal",
  ea8687e59929c1fd05ba97574ad43f77: "Cloudflare Magento",
  "07d700cf30fda7548be94ff01087d0c4": "OWASP Bad Robots",
};

export function wafInformation(
  managed: readonly ForeignResource[],
  information: readonly ForeignResource[],
): WafInformation {
  const of = (type: string): JsonObject[] => information.filter((one) => one.type === type).map(({ values }) => values);
  const listed = (type: string, key: string): JsonObject[] => of(type).flatMap((values) => objectsIn(values[key]));
  const packages = listed("cloudflare_waf_packages", "packages");
  const settings = managed.filter(({ type }) => type === "cloudflare_waf_package").map(({ values }) => values);
  const core = new Set([
    CORE_PACKAGE,
    ...packages.filter(isScored).map(({ id }) => textOf(id)),
    ...settings.filter(isScored).map((values) => textOf(values.package_id) || textOf(values.id)),
  ]);
  const others = new Set([CLOUDFLARE_PACKAGE, ...packages.filter((one) => !isScored(one)).map(({ id }) => textOf(id))]);
  const groups = byId(listed("cloudflare_waf_groups", "groups"), ({ name }) => textOf(name));
  const rules = byId(listed("cloudflare_waf_rules", "rules"), ({ description }) => textOf(description));
  return {
    core: packages.find(isScored),
    isCore: (id) => (core.has(id) ? true : others.has(id) ? false : undefined),
    group: (id) =>
      groups.get(id) ?? (Object.hasOwn(GROUPS, id) ? { packageId: "", name: GROUPS[id] ?? "" } : undefined),
    rule: (id) => rules.get(id),
    isOff: [
      ...of("cloudflare_zone_settings_override").map(settingIn),
      ...of("cloudflare_zone_setting").map(ownSetting),
    ].includes("off"),
  };
}

/** The core rule set is the package that adds up scores. */
function isScored({ detection_mode: mode, sensitivity }: JsonObject): boolean {
  return mode === "anomaly" || textOf(sensitivity) !== "";
}

function byId(list: readonly JsonObject[], nameOf: (item: JsonObject) => string): Map<string, KnownPart> {
  return new Map(
    list.map((item) => [textOf(item.id), { packageId: textOf(item.package_id), name: nameOf(item) }] as const),
  );
}

function settingIn({ settings }: JsonObject): string {
  const inside = isList(settings) ? settings[0] : settings;
  return isObject(inside) ? textOf(inside.waf) : "";
}

function ownSetting({ setting_id: id, value }: JsonObject): string {
  return id === "waf" ? textOf(value) : "";
}
