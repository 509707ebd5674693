import { createHash } from "node:crypto";
import type { PreviousWafSeed } from "../seed.js";
import type { Zone } from "../zones/model.js";
import { FINISHED, type PreviousWaf } from "./model.js";
import { CLOUDFLARE_PACKAGE, CORE_PACKAGE, defaultGroups, defaultPackages, defaultRules } from "./packages.js";
import type { Stored } from "../stored.js";

const CREATED = "2024-05-06T07:08:09Z";

/** The previous WAF of a zone from a seed; without one, the zone was migrated long ago. */
export function previousWafOf(zone: Zone, seed: PreviousWafSeed | undefined): PreviousWaf {
  const id = (kind: string, index: number): string =>
    createHash("sha256")
      .update(`${zone.id}/${kind}/${String(index)}`)
      .digest("hex")
      .slice(0, 32);
  const filters: Stored[] = [];
  const firewallRules = (seed?.firewallRules ?? []).map(({ expression, ...rule }, index) => {
    const filter = { id: id("filter", index), expression, paused: false };
    filters.push(filter);
    return { action: "bypass", paused: false, ...rule, id: id("firewall-rule", index), filter: filter.id };
  });
  return {
    setting: seed?.setting ?? "on",
    packages: packagesFrom(seed),
    groups: defaultGroups().map((group) => ({ ...group, mode: seed?.groups?.[group.name] ?? groupMode(group, seed) })),
    rules: defaultRules().map((rule) => ({ ...rule, mode: seed?.rules?.[rule.id] ?? rule.mode })),
    overrides: (seed?.overrides ?? []).map((override, index) => ({
      priority: 1,
      paused: false,
      ...override,
      id: id("override", index),
    })),
    filters,
    firewallRules,
    pageRules: (seed?.pageRules ?? []).map(({ url, actions, status, priority }, index) => ({
      id: id("page-rule", index),
      targets: [{ target: "url", constraint: { operator: "matches", value: url } }],
      actions,
      priority: priority ?? (seed?.pageRules?.length ?? 0) - index,
      status: status ?? "active",
      created_on: CREATED,
      modified_on: CREATED,
    })),
    state: seed === undefined ? FINISHED : (seed.state ?? "start"),
    progression: seed?.progression ?? "at-once",
    finishingState: seed?.finishingState ?? "pending",
    lag: seed?.lag ?? 0,
    created: CREATED,
  };
}

function groupMode({ package_id }: { readonly package_id: string }, seed: PreviousWafSeed | undefined): string {
  return package_id === CLOUDFLARE_PACKAGE && seed?.managed === "off" ? "off" : "on";
}

function packagesFrom(seed: PreviousWafSeed | undefined) {
  return defaultPackages().map((item) =>
    item.id === CORE_PACKAGE
      ? {
          ...item,
          ...(seed?.core?.sensitivity === undefined ? {} : { sensitivity: seed.core.sensitivity }),
          ...(seed?.core?.action === undefined ? {} : { action_mode: seed.core.action }),
        }
      : item,
  );
}
