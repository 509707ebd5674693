import { Limiter, systemClock, Transport, type TransportOptions } from "./http/index.js";
import { RulesetsClient } from "./rulesets.js";
import { CertificatesClient } from "./certificates.js";
import { CustomHostnamesClient } from "./custom-hostnames.js";
import { LegacyClient } from "./legacy.js";
import { ListsClient } from "./lists.js";
import { PreviousWafClient } from "./previous-waf.js";
import { RequestTracerClient } from "./request-tracer.js";
import { AnalyticsClient } from "./analytics.js";
import { TokensClient } from "./tokens.js";
import { WafMigrationClient } from "./waf-migration.js";
import type { ManagedNames } from "../core/managed/names.js";
import { ZonesClient } from "./zones.js";

/** The service, by groups of operations. */
export interface Client {
  readonly rulesets: RulesetsClient;
  readonly zones: ZonesClient;
  /** The token in use. */
  readonly tokens: TokensClient;
  readonly analytics: AnalyticsClient;
  /** The migration from the previous WAF to rulesets. */
  readonly wafMigration: WafMigrationClient;
  readonly previousWaf: PreviousWafClient;
  /** Page rules and other features that rulesets replace. */
  readonly legacy: LegacyClient;
  readonly customHostnames: CustomHostnamesClient;
  /** Lists of an account, which rules refer to as `$name`. */
  readonly lists: ListsClient;
  /** Certificate packs, uploaded certificates and Total TLS. */
  readonly certificates: CertificatesClient;
  /** What the deployed configuration does to a request. */
  readonly requestTracer: RequestTracerClient;
}

/** Options of {@link createClient}; the base URL defaults to the real service's. */
export type ClientOptions = Omit<TransportOptions, "baseUrl" | "limiter"> & {
  readonly baseUrl?: string;
  /** Clients of one account share one. @default one of this client's own */
  readonly limiter?: Limiter;
  /** Collects the names of managed rulesets and their rules from responses; makes no requests. */
  readonly names?: ManagedNames;
};

/** The real service. */
export const DEFAULT_BASE_URL = "https://api.cloudflare.com/client/v4";

/**
 * A typed client of the API. It stays within Cloudflare's rate limits, never repeats a write that may have been carried
 * out, and throws errors that say what to do next.
 *
 * @example
 * ```ts
 * const client = createClient({ credentials: { kind: "token", apiToken: process.env.CLOUDFLARE_API_TOKEN! } });
 * const scope = { level: "zones", id: "0123456789abcdef0123456789abcdef" } as const;
 * for (const ruleset of await client.rulesets.list(scope)) console.log(ruleset.phase, ruleset.name);
 * ```
 */
export function createClient(options: ClientOptions): Client {
  const { baseUrl = DEFAULT_BASE_URL, clock = systemClock, limiter = new Limiter({ clock }) } = options;
  const transport = new Transport({ ...options, baseUrl, clock, limiter });
  return {
    rulesets: new RulesetsClient(transport, options.names),
    zones: new ZonesClient(transport),
    tokens: new TokensClient(transport),
    analytics: new AnalyticsClient(transport),
    wafMigration: new WafMigrationClient(transport),
    previousWaf: new PreviousWafClient(transport),
    legacy: new LegacyClient(transport),
    customHostnames: new CustomHostnamesClient(transport),
    lists: new ListsClient(transport),
    certificates: new CertificatesClient(transport),
    requestTracer: new RequestTracerClient(transport),
  };
}

export { ruleFromWire, ruleToWire } from "../core/model/codec.js";
export { type DryRunOperation } from "./dry-run.js";
export { pathOfPointer, rulePathOfPointer } from "./pointer.js";
export { RulesetsClient, type NewRuleset, type RulesetContent, type WriteOptions } from "./rulesets.js";
export { CertificatesClient } from "./certificates.js";
export { CustomHostnamesClient, type HostnameFilter } from "./custom-hostnames.js";
export { ListsClient, type BulkOperation, type RulesList } from "./lists.js";
export { PreviousWafClient } from "./previous-waf.js";
export { RequestTracerClient, type RequestTrace, type TraceRequest, type TraceStep } from "./request-tracer.js";
export { WafMigrationClient } from "./waf-migration.js";
export { MANAGED_PHASE } from "../core/model/migration.js";
export type { Page } from "./pages.js";
export { AnalyticsClient, type AnalyticsGroup, type AnalyticsSettings, type Period } from "./analytics.js";
export { TokensClient, type TokenState } from "./tokens.js";
export { ZonesClient, type Zone, type ZoneFilter } from "./zones.js";
export {
  Limiter,
  type ObservedResponse,
  type Clock,
  type Credentials,
  type LimiterOptions,
  type TransportOptions,
} from "./http/index.js";
export { ApiError, isAboutTheRequest, type ApiMessage } from "../core/model/errors.js";
export type { Scope } from "../core/model/ids.js";
export type * from "../core/model/certificates.js";
export type * from "../core/model/migration.js";
export type { DeployedRule, Ruleset, RulesetSummary } from "../core/model/ruleset.js";
export type { Action, Kind, Phase, RulesetRule } from "../core/model/generated/rule.js";
