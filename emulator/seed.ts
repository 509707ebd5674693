import { createHash } from "node:crypto";
import type { TokenSeed } from "./http/auth.js";
import type { Pace } from "./certificates/model.js";
import type { Progression } from "./previous-waf/model.js";
import type { RateSeed } from "./http/rate.js";
import type { Account, Plan, Zone } from "./zones/model.js";

export interface AccountSeed {
  readonly id?: string;
  readonly name: string;
}

export interface ZoneSeed {
  readonly id?: string;
  readonly name: string;
  /** @default "enterprise" */
  readonly plan?: Plan;
  /** Name or id of the account. @default the first one */
  readonly account?: string;
  /** The previous managed rules, not migrated yet. @default none: the zone was migrated long ago */
  readonly previousWaf?: PreviousWafSeed;
  /** @default only a Universal SSL pack */
  readonly certificates?: CertificatesSeed;
}

/** Certificates of a zone, in the API's notation unless there is a camelCase name. */
export interface CertificatesSeed {
  readonly hostnames?: readonly ({
    readonly hostname: string;
    /** Empty for the service's choice. @default "" */
    readonly certificateAuthority?: string;
    /** @default "txt" */
    readonly method?: string;
    /** @default "dv" */
    readonly type?: string;
    /** Status of the hostname itself. @default "active" */
    readonly status?: string;
    /** Final status of its certificate. @default "active" */
    readonly ends?: string;
    /** Whether its certificate is being issued at the start. @default false */
    readonly issuing?: boolean;
    /** Reject every edit with 1439. @default false */
    readonly locked?: boolean;
    /** Other fields of `ssl`: settings, wildcard, bundle_method. */
    readonly ssl?: Readonly<Record<string, unknown>>;
  } & Readonly<Record<string, unknown>>)[];
  /** How many hostnames the plan allows; with 0, creating one fails with 1404, above the quota with 1405. @default 50000 */
  readonly hostnameQuota?: number;
  /** How fast certificates progress. @default "at-once" */
  readonly pace?: Pace;
  /** CAA records by name: authorities that may issue, such as `letsencrypt.org`. @default none */
  readonly caa?: Readonly<Record<string, readonly string[]>>;
  readonly packs?: readonly Readonly<Record<string, unknown>>[];
  readonly custom?: readonly Readonly<Record<string, unknown>>[];
  readonly totalTls?: { readonly enabled?: boolean; readonly certificate_authority?: string };
}

/** The previous managed rules of a zone, in the API's notation. */
export interface PreviousWafSeed {
  /** The setting for the whole zone. @default "on" */
  readonly setting?: "on" | "off";
  /** The core rule set; default settings if missing. */
  readonly core?: {
    readonly sensitivity?: "high" | "medium" | "low" | "off";
    readonly action?: "simulate" | "block" | "challenge";
  };
  /** Cloudflare's managed rules; `off` turns every group of them off. @default "on" */
  readonly managed?: "on" | "off";
  /** Modes of groups by name. */
  readonly groups?: Readonly<Record<string, "on" | "off">>;
  /** Modes of rules by ID. */
  readonly rules?: Readonly<Record<string, string>>;
  /** URI-based overrides, each of which blocks the migration. */
  readonly overrides?: readonly Readonly<Record<string, unknown>>[];
  /** Firewall rules; the default action is bypass. */
  readonly firewallRules?: readonly ({ readonly expression: string } & Readonly<Record<string, unknown>>)[];
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

/** An initial ruleset, in the API's snake_case notation. */
export interface RulesetSeed {
  /** Name or id of a zone or of an account. */
  readonly zone?: string;
  readonly account?: string;
  readonly name?: string;
  readonly kind?: string;
  readonly phase: string;
  readonly description?: string;
  readonly rules?: readonly Readonly<Record<string, unknown>>[];
}

/** A list that rules refer to as `$name`. */
export interface ListSeed {
  /** Name or id of the account. @default the first one */
  readonly account?: string;
  readonly name: string;
  readonly kind: "ip" | "redirect" | "hostname" | "asn";
  readonly description?: string;
  /** Items as the service accepts them, such as `{ "ip": "192.0.2.0/24" }`. */
  readonly items?: readonly Readonly<Record<string, unknown>>[];
}

/** The initial content of an emulator. Anything missing is as in {@link DEFAULT_SEED}. */
export interface Seed {
  /** Source of the IDs; the same text produces the same IDs in every run. */
  readonly ids?: string;
  readonly accounts?: readonly AccountSeed[];
  readonly zones?: readonly ZoneSeed[];
  readonly rulesets?: readonly RulesetSeed[];
  readonly lists?: readonly ListSeed[];
  readonly tokens?: readonly TokenSeed[];
  readonly rateLimit?: RateSeed;
  /** Whether writes support `dry_run`; older services execute them. @default true */
  readonly dryRun?: boolean;
}

/** One account with one zone of each plan. */
export const DEFAULT_SEED: Seed = {
  ids: "pulumi-rulesets",
  accounts: [{ name: "Example Ltd" }],
  zones: [
    { name: "free.example.com", plan: "free" },
    { name: "pro.example.com", plan: "pro" },
    { name: "business.example.com", plan: "business" },
    { name: "enterprise.example.com", plan: "enterprise" },
  ],
};

/** The ID of an account or zone without one in the seed, derived from its name alone. */
function idFrom(prefix: string, name: string): string {
  return createHash("sha256").update(`${prefix}/${name}`).digest("hex").slice(0, 32);
}

export function accountsOf(seed: Seed): Account[] {
  const accounts = seed.accounts ?? DEFAULT_SEED.accounts ?? [];
  return accounts.map(({ id, name }) => ({ id: id ?? idFrom("account", name), name }));
}

export function zoneOf(seed: ZoneSeed, accounts: readonly Account[]): Zone {
  const { id, name, plan, account } = seed;
  const owner = account === undefined ? accounts[0] : accounts.find((a) => a.id === account || a.name === account);
  if (owner === undefined)
    throw new Error(`seed: zone ${name} names the account ${account ?? "(none)"}, which does not exist`);
  return { id: id ?? idFrom("zone", name), name, plan: plan ?? "enterprise", account: owner };
}
