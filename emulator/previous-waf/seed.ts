import { createHash } from "node:crypto";
import { boolean, nonEmpty, listOf, oneOf, string } from "../body.js";
import { anyObject, count, exactly, namedAsByService, type SeedPart } from "../seed-part.js";
import type { Schema } from "../schemas.js";
import type { Zone } from "../zones/model.js";
import { progressionSchema } from "./bodies.js";
import { FINISHED, type Package, type PreviousWaf, type Progression } from "./model.js";
import { CLOUDFLARE_PACKAGE, CORE_PACKAGE, defaultGroups, defaultPackages, defaultRules } from "./packages.js";
import type { Stored } from "../stored.js";

/** A URI-based override. */
interface OverrideSeed {
  readonly urls: readonly string[];
  /** Modes of rules and of groups by ID. */
  readonly rules?: Readonly<Record<string, string>>;
  readonly groups?: Readonly<Record<string, string>>;
  readonly rewriteAction?: Readonly<Record<string, string>>;
  readonly description?: string;
  /** @default 1 */
  readonly priority?: number;
  /** @default false */
  readonly paused?: boolean;
}

/** A firewall rule, with its filter's expression. */
interface FirewallRuleSeed {
  readonly expression: string;
  /** @default "bypass" */
  readonly action?: string;
  /** What a bypass skips. */
  readonly products?: readonly string[];
  readonly description?: string;
  readonly priority?: number;
  readonly ref?: string;
  /** @default false */
  readonly paused?: boolean;
}

/** The previous managed rules of a zone. */
export interface PreviousWafSeed {
  /** The setting for the whole zone. @default "on" */
  readonly setting?: "on" | "off";
  /** The core rule set; default settings if missing. */
  readonly core?: {
    /** `default`: none has been chosen, so the package has no sensitivity. */
    readonly sensitivity?: "high" | "medium" | "low" | "off" | "default";
    readonly action?: "simulate" | "block" | "challenge";
  };
  /** Cloudflare's managed rules; `off` turns every group of them off. @default "on" */
  readonly managed?: "on" | "off";
  /**
   * Overrides of the managed ruleset in the generated configuration, in the API's notation: how the service converts groups
   * and rules of Cloudflare's managed rules is not documented. @default none: their settings are lost
   */
  readonly managedOverrides?: Readonly<Record<string, unknown>>;
  /** Modes of groups by name. */
  readonly groups?: Readonly<Record<string, "on" | "off">>;
  /** Modes of rules by ID. */
  readonly rules?: Readonly<Record<string, string>>;
  /** URI-based overrides, each of which blocks the migration. */
  readonly overrides?: readonly OverrideSeed[];
  readonly firewallRules?: readonly FirewallRuleSeed[];
  readonly pageRules?: readonly {
    readonly url: string;
    readonly actions: readonly { readonly id: string; readonly value?: unknown }[];
    /** @default "active" */
    readonly status?: "active" | "disabled";
    /** Higher numbers take precedence. @default descending, so that the first of the list takes precedence */
    readonly priority?: number;
  }[];
  /** @default "start" */
  readonly state?: string;
  /** How a requested finish progresses. @default "at-once" */
  readonly progression?: Progression;
  /** The status while the finish is running. @default "pending" */
  readonly finishingState?: string;
  /** Reads of the status that still return the previous state. @default 0 */
  readonly lag?: number;
}

/** What the previous managed rules add to the seed of a zone. */
export interface PreviousWafZoneSeed {
  /** The previous managed rules, not migrated yet. @default none: the zone was migrated long ago */
  readonly previousWaf?: PreviousWafSeed;
}

const onOff = oneOf("on", "off");
type PageRuleSeed = NonNullable<PreviousWafSeed["pageRules"]>[number];
/** An object with some of these names; what the packages do not have would be lost. */
const named = (names: readonly string[]): Schema => ({ type: "object", propertyNames: { enum: names } });
const modes = { type: "object", additionalProperties: string };
const override = exactly<OverrideSeed>(
  {
    urls: listOf(nonEmpty),
    rules: modes,
    groups: modes,
    rewriteAction: modes,
    description: string,
    priority: { type: "number" },
    paused: boolean,
  },
  ["urls"],
);
const firewallRule = exactly<FirewallRuleSeed>(
  {
    expression: string,
    action: nonEmpty,
    products: listOf(nonEmpty),
    description: string,
    priority: { type: "number" },
    ref: nonEmpty,
    paused: boolean,
  },
  ["expression"],
);
const previousWaf = exactly<PreviousWafSeed>({
  setting: onOff,
  core: exactly<NonNullable<PreviousWafSeed["core"]>>({
    sensitivity: oneOf("high", "medium", "low", "off", "default"),
    action: oneOf("simulate", "block", "challenge"),
  }),
  managed: onOff,
  managedOverrides: anyObject,
  groups: { ...named(defaultGroups().map(({ name }) => name)), additionalProperties: onOff },
  rules: { ...modes, ...named(defaultRules().map(({ id }) => id)) },
  overrides: listOf(override),
  firewallRules: listOf(firewallRule),
  pageRules: listOf(
    exactly<PageRuleSeed>(
      {
        url: nonEmpty,
        actions: listOf({ type: "object", properties: { id: nonEmpty }, required: ["id"] }),
        status: oneOf("active", "disabled"),
        priority: { type: "number" },
      },
      ["url", "actions"],
    ),
  ),
  state: nonEmpty,
  progression: progressionSchema,
  finishingState: string,
  lag: count,
});

export const previousWafSeed: SeedPart<object, PreviousWafZoneSeed> = {
  properties: {},
  zoneProperties: { previousWaf },
};

const CREATED = "2024-05-06T07:08:09Z";

/** The previous WAF of a zone from a seed; without one, the zone was migrated long ago. */
export function previousWafOf(zone: Pick<Zone, "id">, seed: PreviousWafSeed | undefined): PreviousWaf {
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
      ...namedAsByService(override),
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
    ...(seed?.managedOverrides === undefined ? {} : { managedOverrides: seed.managedOverrides }),
    progression: seed?.progression ?? "at-once",
    finishingState: seed?.finishingState ?? "pending",
    lag: seed?.lag ?? 0,
    created: CREATED,
  };
}

function groupMode({ package_id }: { readonly package_id: string }, seed: PreviousWafSeed | undefined): string {
  return package_id === CLOUDFLARE_PACKAGE && seed?.managed === "off" ? "off" : "on";
}

function packagesFrom({ core = {} }: PreviousWafSeed = {}): Package[] {
  return defaultPackages().map((item) => {
    if (item.id !== CORE_PACKAGE) return item;
    const { sensitivity: usual, ...rest } = item;
    const { sensitivity = usual, action } = core;
    return {
      ...rest,
      ...(sensitivity === "default" ? {} : { sensitivity }),
      ...(action === undefined ? {} : { action_mode: action }),
    };
  });
}
