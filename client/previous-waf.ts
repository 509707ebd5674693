import type { Transport } from "./http/index.js";
import { isList, isObject, textsIn, type JsonObject, objectsIn } from "../core/model/json.js";
import type {
  BypassRule,
  SwitchingPageRule,
  WafGroup,
  WafOverride,
  WafPackage,
  WafRule,
} from "../core/model/migration.js";
import { sendConfirmedDelete } from "./confirmed-delete.js";
import { allPages, encodeSegment, requireList, requireResult, responseText, undefinedIfMissing } from "./pages.js";

const PER_PAGE = 100;

/**
 * The operations of the previous managed rules that a migration needs. They stop working for a zone when its migration
 * finishes: any call may fail with 410.
 */
export class PreviousWafClient {
  constructor(private readonly transport: Transport) {}

  /** The setting of the whole zone: `on` or `off`. */
  async setting(zoneId: string): Promise<string> {
    const call = { method: "GET", path: `${zone(zoneId)}/settings/waf` } as const;
    const says = ({ value }: JsonObject): boolean => responseText(value) !== "";
    return responseText(requireResult(call, await this.transport.send(call), "setting", says).value);
  }

  async packages(zoneId: string): Promise<WafPackage[]> {
    const found = await allPages(this.transport, `${zone(zoneId)}/firewall/waf/packages`, PER_PAGE);
    return found.map((wire) => ({
      id: responseText(wire.id),
      name: responseText(wire.name),
      detectionMode: responseText(wire.detection_mode),
      ...(responseText(wire.sensitivity) === "" ? {} : { sensitivity: responseText(wire.sensitivity) }),
      ...(responseText(wire.action_mode) === "" ? {} : { actionMode: responseText(wire.action_mode) }),
    }));
  }

  /** Groups of a package. */
  async groups(zoneId: string, packageId: string): Promise<WafGroup[]> {
    const path = `${zone(zoneId)}/firewall/waf/packages/${encodeSegment(packageId)}/groups`;
    const found = await allPages(this.transport, path, PER_PAGE);
    return found.map((wire) => ({
      id: responseText(wire.id),
      name: responseText(wire.name),
      mode: responseText(wire.mode),
      rulesCount: Number(wire.rules_count ?? 0),
      modifiedRulesCount: Number(wire.modified_rules_count ?? 0),
    }));
  }

  /** Rules of a package. */
  async rules(zoneId: string, packageId: string): Promise<WafRule[]> {
    const path = `${zone(zoneId)}/firewall/waf/packages/${encodeSegment(packageId)}/rules`;
    const found = await allPages(this.transport, path, PER_PAGE);
    return found.map((wire) => ({
      id: responseText(wire.id),
      name: responseText(wire.description),
      mode: responseText(wire.mode),
      ...(wire.default_mode === undefined ? {} : { defaultMode: responseText(wire.default_mode) }),
      groupId: isObject(wire.group) ? responseText(wire.group.id) : "",
    }));
  }

  /** Overrides by URL. */
  async overrides(zoneId: string): Promise<WafOverride[]> {
    const found = await allPages(this.transport, `${zone(zoneId)}/firewall/waf/overrides`, PER_PAGE);
    return found.map((wire) => ({
      id: responseText(wire.id),
      urls: textsIn(wire.urls),
      description: responseText(wire.description),
      wire,
    }));
  }
  async deleteOverride(zoneId: string, overrideId: string): Promise<void> {
    await sendConfirmedDelete(this.transport, `${zone(zoneId)}/firewall/waf/overrides/${encodeSegment(overrideId)}`, {
      read: () => undefinedIfMissing(this.overrides(zoneId)),
      contains: (overrides) => overrides.some(({ id }) => id === overrideId),
    });
  }

  /** Firewall rules that let requests bypass the managed rules. */
  async bypassRules(zoneId: string): Promise<BypassRule[]> {
    const found = await allPages(this.transport, `${zone(zoneId)}/firewall/rules`, PER_PAGE, { action: "bypass" });
    return found.filter(bypassesWaf).map((wire) => {
      const filter = isObject(wire.filter) ? wire.filter : {};
      return {
        id: responseText(wire.id),
        description: responseText(wire.description),
        expression: responseText(filter.expression),
        paused: wire.paused === true || filter.paused === true,
      };
    });
  }

  /** Active page rules that turn security off, or the WAF on or off. */
  async pageRules(zoneId: string): Promise<SwitchingPageRule[]> {
    const query = { status: "active" };
    const call = { method: "GET", path: `${zone(zoneId)}/pagerules`, query } as const;
    return requireList(call, await this.transport.send(call)).flatMap((wire) => {
      const does = effectOf(objectsIn(wire.actions));
      return does === undefined
        ? []
        : [{ id: responseText(wire.id), url: urlOf(wire), does, priority: Number(wire.priority ?? 0) }];
    });
  }
}

function zone(zoneId: string): string {
  return `/zones/${encodeSegment(zoneId)}`;
}

function bypassesWaf(wire: JsonObject): boolean {
  if (wire.action !== "bypass") return false;
  return !isList(wire.products) || wire.products.includes("waf");
}

function effectOf(actions: readonly JsonObject[]): SwitchingPageRule["does"] | undefined {
  if (actions.some(({ id }) => id === "disable_security")) return "security off";
  const waf = actions.find(({ id }) => id === "waf");
  if (waf === undefined) return undefined;
  return waf.value === "on" ? "WAF on" : "WAF off";
}

function urlOf(wire: JsonObject): string {
  const [target] = objectsIn(wire.targets);
  const constraint = isObject(target?.constraint) ? target.constraint : {};
  return responseText(constraint.value);
}
