import { startEmulator, type Seed } from "../../../emulator/index.js";
import { createClient, type Client, type ObservedResponse, type Zone } from "../../../client/index.js";
import { managedRulesets } from "../../../core/managed/rulesets.js";

/** The emulator with a zone like one at the service. */
export interface Witness {
  readonly client: Client;
  /** Without rules. */
  readonly empty: Zone;
  /** With something of everything that is read, before and after the migration from the previous WAF. */
  readonly full: readonly Zone[];
  readonly close: () => Promise<void>;
}

const NAMES = { empty: "empty.example", full: "full.example", old: "old.example", ready: "ready.example" };

const CERTIFICATES = { hostnames: [{ hostname: "a.example.net", ssl: { method: "txt", type: "dv" } }] };

/** What rulesets replace. */
const OLD = {
  previousWaf: {
    overrides: [{ urls: ["old.example/*"], rules: { "100015": "disable" } }],
    firewallRules: [{ expression: "ssl", products: ["waf"] }],
    pageRules: [{ url: "old.example/a*", actions: [{ id: "waf", value: "off" }] }],
  },
  legacy: {
    userAgentRules: [{ mode: "block", configuration: { target: "ua", value: "Example" } }],
    lockdowns: [{ urls: ["old.example/b*"], configurations: [{ target: "ip", value: "192.0.2.1" }] }],
    accessRules: [{ mode: "block", configuration: { target: "ip", value: "192.0.2.2" } }],
    rateLimits: [
      { threshold: 5, period: 60, match: { request: { url: "old.example/c*" } }, action: { mode: "ban", timeout: 60 } },
    ],
  },
};

/** What it has: an empty zone of a plan, and others with something of everything that is read. */
export const seedFor = (plan: string): Seed =>
  ({
    zones: [
      { name: NAMES.empty, plan },
      { name: NAMES.full, certificates: CERTIFICATES },
      { name: NAMES.old, ...OLD },
      { name: NAMES.ready, previousWaf: {} },
    ],
    rulesets: [
      {
        ...{ account: "Example Ltd", kind: "root", phase: "http_request_firewall_managed" },
        rules: [
          {
            ...{ action: "execute", expression: '(ssl) and cf.zone.plan eq "ENT"' },
            action_parameters: { id: managedRulesets.cloudflareManaged },
          },
        ],
      },
      {
        zone: NAMES.full,
        phase: "http_request_firewall_custom",
        rules: [{ action: "block", expression: "ssl", description: "Example" }],
      },
      {
        zone: NAMES.full,
        phase: "http_request_firewall_managed",
        rules: [
          { action: "execute", expression: "true", action_parameters: { id: managedRulesets.cloudflareManaged } },
        ],
      },
      {
        zone: NAMES.full,
        phase: "http_ratelimit",
        rules: [
          {
            ...{ action: "block", expression: "ssl" },
            ratelimit: {
              characteristics: ["cf.colo.id", "ip.src"],
              period: 60,
              requests_per_period: 5,
              mitigation_timeout: 60,
            },
          },
        ],
      },
    ],
    lists: [
      { name: "addresses", kind: "ip", items: [{ ip: "192.0.2.1", comment: "Example" }] },
      { name: "hosts", kind: "hostname", items: [{ hostname: { url_hostname: "a.example.com" } }] },
      { name: "numbers", kind: "asn", items: [{ asn: 64496 }] },
      {
        name: "moved",
        kind: "redirect",
        items: [{ redirect: { source_url: "a.example.com/x", target_url: "https://b.example.com/" } }],
      },
    ],
  }) as Seed;

/** Starts an emulator on this machine, with a zone of a plan. */
export async function startWitness(plan: string, onResponse: (response: ObservedResponse) => void): Promise<Witness> {
  const emulator = await startEmulator({ seed: seedFor(plan) });
  const credentials = { kind: "token", apiToken: "any" } as const;
  const client = createClient({ baseUrl: emulator.url, credentials, onResponse });
  const zones = new Map((await client.zones.list()).map((zone) => [zone.name, zone]));
  const empty = zones.get(NAMES.empty);
  const full = [...zones.values()].filter(({ name }) => name !== NAMES.empty);
  if (empty === undefined) throw new Error("the emulator has no zone");
  return { client, empty, full, close: () => emulator.close() };
}
