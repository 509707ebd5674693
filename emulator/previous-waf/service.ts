import type { ApiResult, Body } from "../call.js";
import { invalidValue, refuse } from "../failure.js";
import type { Store } from "../store/store.js";
import { findStored, getStored, replaceItem, type Stored } from "../stored.js";
import type { MigrationService } from "./migration.js";
import { checkGroup, checkNewOverride, checkOverride, checkPackage, checkRule, checkSetting } from "./bodies.js";
import type { WafGroup, Package, WafRule, WafSettings } from "./model.js";
import type { PreviousWafs } from "./wafs.js";

/** Packages, groups, rules, URI-based overrides and the zone setting of the previous WAF. */
export class PreviousWafService {
  constructor(
    private readonly store: Store,
    private readonly wafs: PreviousWafs,
    private readonly migration: MigrationService,
  ) {}

  packages(zone: string): ApiResult[] {
    return this.waf(zone).packages.map((item) => withZone(zone, item));
  }
  package(zone: string, id: string): ApiResult {
    return withZone(zone, findPackage(this.waf(zone), id));
  }
  updatePackage(zone: string, id: string, body: Body): ApiResult {
    const waf = this.waf(zone);
    const found = findPackage(waf, id);
    const change = checkPackage(body);
    if (found.detection_mode !== "anomaly") throw refuse(400, undefined, "only anomaly packages can be changed");
    const changed: Package = { ...found, ...change };
    this.put(zone, { ...waf, packages: replaceItem(waf.packages, changed) });
    return withZone(zone, changed);
  }

  groups(zone: string, packageId: string): ApiResult[] {
    const waf = this.waf(zone);
    findPackage(waf, packageId);
    return waf.groups.filter((group) => group.package_id === packageId).map((group) => groupAnswer(waf, group));
  }
  group(zone: string, packageId: string, id: string): ApiResult {
    const waf = this.waf(zone);
    return groupAnswer(waf, findGroup(waf, packageId, id));
  }
  updateGroup(zone: string, packageId: string, id: string, body: Body): ApiResult {
    const waf = this.waf(zone);
    const changed: WafGroup = { ...findGroup(waf, packageId, id), ...checkGroup(body) };
    this.put(zone, { ...waf, groups: replaceItem(waf.groups, changed) });
    return groupAnswer(waf, changed);
  }

  rules(zone: string, packageId: string): ApiResult[] {
    const waf = this.waf(zone);
    const found = findPackage(waf, packageId);
    return waf.rules.filter((rule) => rule.package_id === packageId).map((rule) => ruleAnswer(found, rule));
  }
  rule(zone: string, packageId: string, id: string): ApiResult {
    const waf = this.waf(zone);
    return ruleAnswer(findPackage(waf, packageId), findRule(waf, packageId, id));
  }
  updateRule(zone: string, packageId: string, id: string, body: Body): ApiResult {
    const waf = this.waf(zone);
    const found = findRule(waf, packageId, id);
    const { mode = found.mode } = checkRule(body) as { mode?: string };
    if (!found.allowed_modes.includes(mode))
      throw invalidValue(mode, "mode", `it must be one of ${found.allowed_modes.join(", ")}`, { pointer: "/mode" });
    const changed = { ...found, mode };
    this.put(zone, { ...waf, rules: replaceItem(waf.rules, changed) });
    return ruleAnswer(findPackage(waf, packageId), changed);
  }

  overrides(zone: string): readonly Stored[] {
    this.waf(zone);
    return this.wafs.overrides.in(zone);
  }
  override(zone: string, id: string): Stored {
    this.waf(zone);
    return getStored(this.wafs.overrides, zone, id, 1001, "override");
  }
  createOverride(zone: string, sent: Body): Stored {
    this.waf(zone);
    const body = checkNewOverride(sent);
    if (body.rules === undefined && body.groups === undefined)
      throw refuse(400, undefined, "rules or groups is required");
    const created = { priority: 1, paused: false, ...body, id: this.store.ids.next() };
    this.wafs.overrides.put(zone, created.id, created);
    return created;
  }
  updateOverride(zone: string, id: string, sent: Body): Stored {
    const found = this.override(zone, id);
    const body = checkOverride(sent);
    const changed = { ...found, ...body, id };
    this.wafs.overrides.put(zone, id, changed);
    return changed;
  }
  deleteOverride(zone: string, id: string): ApiResult {
    this.override(zone, id);
    this.wafs.overrides.delete(zone, id);
    return { id };
  }

  setting(zone: string): ApiResult {
    return { id: "waf", value: this.waf(zone).setting, editable: true, modified_on: null };
  }
  updateSetting(zone: string, body: Body): ApiResult {
    const { value } = checkSetting(body) as { value: WafSettings["setting"] };
    this.put(zone, { ...this.waf(zone), setting: value });
    return this.setting(zone);
  }

  private waf(zone: string): WafSettings {
    return this.migration.requireNotFinished(zone);
  }
  private put(zone: string, waf: WafSettings): void {
    this.wafs.put(zone, waf);
  }
}

function withZone(zone: string, item: Package): ApiResult {
  return { ...item, zone_id: zone };
}

function groupAnswer({ rules }: WafSettings, { default_mode: _default, ...group }: WafGroup): ApiResult {
  const own = rules.filter((rule) => rule.group.id === group.id);
  const modified = own.filter((rule) => rule.mode !== (rule.default_mode === "on" ? "on" : "default"));
  return {
    ...group,
    allowed_modes: ["on", "off"],
    rules_count: own.length,
    modified_rules_count: modified.length,
  };
}

function ruleAnswer({ detection_mode }: Package, { default_mode, ...rule }: WafRule): ApiResult {
  return detection_mode === "anomaly" ? rule : { ...rule, default_mode };
}

function findPackage({ packages }: WafSettings, id: string): Package {
  return findStored(packages, id, 1002, "package");
}
function findGroup({ groups }: WafSettings, packageId: string, id: string): WafGroup {
  return findStored(
    groups.filter((group) => group.package_id === packageId),
    id,
    1003,
    "group",
  );
}
function findRule({ rules }: WafSettings, packageId: string, id: string): WafRule {
  return findStored(
    rules.filter((rule) => rule.package_id === packageId),
    id,
    1004,
    "rule",
  );
}
