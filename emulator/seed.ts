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
  /** The previous managed rules, still to be migrated. @default none: the zone was migrated long ago */
  readonly previousWaf?: PreviousWafSeed;
  /** @default a Universal SSL pack and nothing else */
  readonly certificates?: CertificatesSeed;
}

/** Certificates of a zone, in the service's own words where no camelCase name is given. */
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
    /** Status its certificate ends with. @default "active" */
    readonly ends?: string;
    /** Whether its certificate is being issued from the start. @default false */
    readonly issuing?: boolean;
    /** Refuses every edit with 1439. @default false */
    readonly locked?: boolean;
    /** More of `ssl`: settings, wildcard, bundle_method. */
    readonly ssl?: Readonly<Record<string, unknown>>;
  } & Readonly<Record<string, unknown>>)[];
  /** How many hostnames the plan allows; 0 refuses with 1404, one too many with 1405. @default 50000 */
  readonly hostnameQuota?: number;
  /** How fast a certificate goes through its statuses. @default "at-once" */
  readonly pace?: Pace;
  /** CAA records by name: who may issue, such as `letsencrypt.org`. @default none */
  readonly caa?: Readonly<Record<string, readonly string[]>>;
  readonly packs?: readonly Readonly<Record<string, unknown>>[];
  readonly custom?: readonly Readonly<Record<string, unknown>>[];
  readonly totalTls?: { readonly enabled?: boolean; readonly certificate_authority?: string };
}

/** The previous managed rules of a zone, in the service's own words. */
export interface PreviousWafSeed {
  /** The switch of the whole zone. @default "on" */
  readonly setting?: "on" | "off";
  /** The core rule set. Left out, nobody has touched it. */
  readonly core?: {
    readonly sensitivity?: "high" | "medium" | "low" | "off";
    readonly action?: "simulate" | "block" | "challenge";
  };
  /** The vendor's own rules; `off` turns every group of them off. @default "on" */
  readonly managed?: "on" | "off";
  /** Modes of groups by their name. */
  readonly groups?: Readonly<Record<string, "on" | "off">>;
  /** Modes of rules by their id. */
  readonly rules?: Readonly<Record<string, string>>;
  /** URI-based overrides: each stands in the way of the migration. */
  readonly overrides?: readonly Readonly<Record<string, unknown>>[];
  /** Firewall rules; without an action they bypass. */
  readonly firewallRules?: readonly ({ readonly expression: string } & Readonly<Record<string, unknown>>)[];
  readonly pageRules?: readonly {
    readonly url: string;
    readonly actions: readonly { readonly id: string; readonly value?: unknown }[];
    /** @default "active" */
    readonly status?: "active" | "disabled";
    /** Higher numbers count more. @default such that the first of the list counts most */
    readonly priority?: number;
  }[];
  /** @default "start" */
  readonly state?: string;
  /** How the finish comes about once it was asked for. @default "at-once" */
  readonly progression?: Progression;
  /** What the status says while the finish is under way. @default "pending" */
  readonly finishingState?: string;
  /** Reads of the status that still show the state before. @default 0 */
  readonly lag?: number;
}

/** A ruleset that stands there from the start, in the service's own snake_case. */
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

/** A list that rules name as `$name`. */
export interface ListSeed {
  /** Name or id of the account. @default the first one */
  readonly account?: string;
  readonly name: string;
  readonly kind: "ip" | "redirect" | "hostname" | "asn";
  readonly description?: string;
  /** Each as the service takes it, such as `{ "ip": "192.0.2.0/24" }`. */
  readonly items?: readonly Readonly<Record<string, unknown>>[];
}

/** What an emulator starts with. Everything left out is as in {@link DEFAULT_SEED}. */
export interface Seed {
  /** Source of the ids; the same text gives the same ids in every run. */
  readonly ids?: string;
  readonly accounts?: readonly AccountSeed[];
  readonly zones?: readonly ZoneSeed[];
  readonly rulesets?: readonly RulesetSeed[];
  readonly lists?: readonly ListSeed[];
  readonly tokens?: readonly TokenSeed[];
  readonly rateLimit?: RateSeed;
  /** Whether writes heed `dry_run`; older services carry them out. @default true */
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

/** The id of an account or zone that a seed leaves out: it follows from its name alone. */
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
    throw new Error(`seed: zone ${name} names the account ${account ?? "(none)"}, which is not there`);
  return { id: id ?? idFrom("zone", name), name, plan: plan ?? "enterprise", account: owner };
}
