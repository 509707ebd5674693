import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Emulator } from "../../emulator/index.js";
import { parsePlan } from "../../provider/engine/plan-text.js";
import { argumentEffect, type Description, type Effect } from "../../provider/engine/description.js";
import { DESCRIPTIONS } from "../../provider/kinds/descriptions.js";
import type { CUSTOM_HOSTNAME_CA } from "../../provider/kinds/certificates/hostname-ca/description.js";
import type { CUSTOM_HOSTNAME_CERTIFICATE } from "../../provider/kinds/certificates/hostname-certificate/description.js";
import type { RULES_LIST } from "../../provider/kinds/lists/description.js";
import type { PHASE_ENTRYPOINT, RULESET } from "../../provider/kinds/rulesets/description.js";
import type { RULESET_RULE } from "../../provider/kinds/rulesets/rule/description.js";
import type { TOTAL_TLS_CA } from "../../provider/kinds/certificates/total-tls/description.js";
import type { ZONE_WAF_MIGRATION } from "../../provider/kinds/waf-migration/description.js";
import { Service } from "../support/emulator.js";
import { freshEmulator } from "../support/emulators.js";
import { block } from "../support/rules.js";
import { ManagedResource } from "./managed.js";

/* What the description of each argument says about a change of it is what the provider does. */

interface Ids {
  readonly zoneId: string;
  readonly otherZoneId: string;
  readonly accountId: string;
  /** IDs of custom rulesets of the account. */
  readonly rulesetIds: readonly [string, string];
  readonly hostnameIds: readonly [string, string];
}

type Values = Readonly<Record<string, unknown>>;
/** The arguments before and after a change that is more than another value of one argument. */
class Pair {
  constructor(
    readonly before: Values,
    /** Given the state before the change. */
    readonly after: Values | ((state: Values) => Values),
  ) {}
}
/** The arguments of a resource, and another value for each argument that there is. */
interface Case<D extends Description> {
  readonly base: Values;
  readonly changes: Readonly<Record<keyof D["arguments"], unknown>>;
}
interface Cases {
  readonly PhaseEntrypoint: Case<typeof PHASE_ENTRYPOINT>;
  readonly Ruleset: Case<typeof RULESET>;
  readonly RulesetRule: Case<typeof RULESET_RULE>;
  readonly ZoneWafMigration: Case<typeof ZONE_WAF_MIGRATION>;
  readonly CustomHostnameCa: Case<typeof CUSTOM_HOSTNAME_CA>;
  readonly CustomHostnameCertificate: Case<typeof CUSTOM_HOSTNAME_CERTIFICATE>;
  readonly TotalTlsCa: Case<typeof TOTAL_TLS_CA>;
  readonly RulesList: Case<typeof RULES_LIST>;
}

const ITEMS_FILE = join(mkdtempSync(join(tmpdir(), "effects-")), "items.txt");
writeFileSync(ITEMS_FILE, "192.0.2.2\n");
const ZONE = "old.example.com";
const seed = {
  accounts: [{ name: "Example Ltd" }, { name: "Other Ltd", id: "f".repeat(32) }],
  zones: [
    {
      name: ZONE,
      previousWaf: {},
      certificates: {
        hostnames: ["one.test", "two.test"].map((hostname) => ({ hostname, certificateAuthority: "lets_encrypt" })),
        totalTls: { enabled: true, certificateAuthority: "lets_encrypt" },
      },
    },
    { name: "other.example.com", certificates: { hostnames: [{ hostname: "one.test" }] } },
  ],
};
const phase = "http_request_firewall_custom";
const otherPhase = "http_request_transform";
const managed = "http_request_firewall_managed";
const executing = {
  phase: managed,
  action: "execute",
  expression: 'cf.zone.plan eq "ENT"',
  actionParameters: { id: "efb7b8c949ac4650a09736fc376e9aee" },
};
const skipping = { action: "skip", actionParameters: { ruleset: "current" } };
const byName = { customHostnameId: undefined, hostname: "one.test" };

const RULE_CHANGES = {
  action: "log",
  description: "Other",
  enabled: false,
  expression: "not ssl",
  actionParameters: new Pair(
    { action: "skip", actionParameters: { ruleset: "current" } },
    { action: "skip", actionParameters: { phases: ["http_ratelimit"] } },
  ),
  exposedCredentialCheck: { usernameExpression: "http.host", passwordExpression: "http.user_agent" },
  logging: new Pair(
    { action: "skip", actionParameters: { ruleset: "current" } },
    { action: "skip", actionParameters: { ruleset: "current" }, logging: { enabled: false } },
  ),
  ratelimit: new Pair(limited(5), limited(6)),
  wire: { categories: ["a"] },
};

function limited(requestsPerPeriod: number): Values {
  const ratelimit = { characteristics: ["cf.colo.id", "ip.src"], period: 60, requestsPerPeriod, mitigationTimeout: 60 };
  return { phase: "http_ratelimit", ratelimit };
}

/** Where a rule with the ref "theirs" exists. */
const cache = "http_request_cache_settings";
const cached = (ref: string) => ({
  ref,
  action: "set_cache_settings",
  expression: "ssl",
  actionParameters: { cache: false },
});

function rulesetChanges({ zoneId, otherZoneId, accountId }: Ids) {
  const shared = { description: undefined, ownership: "shared" };
  const beside = { ...shared, name: undefined, zoneId: otherZoneId, phase: cache, rules: [cached("a")] };
  return {
    zoneId: new Pair({ zoneId }, { zoneId: otherZoneId }),
    accountId: new Pair({ rules: [] }, { rules: [], zoneId: undefined, accountId }),
    phase: new Pair({ rules: [] }, { rules: [], phase: otherPhase }),
    name: "two",
    description: "Other",
    rules: [block("A", "not ssl")],
    ownership: new Pair({ description: undefined }, { description: undefined, ownership: "shared" }),
    onExisting: "adopt",
    onConflict: "overwrite",
    onDelete: "keep",
    maxRemovedPercent: 50,
    restoreVersion: "1",
    positions: new Pair(beside, { ...beside, positions: { a: { before: "theirs" } } }),
  };
}

function casesFor(ids: Ids): Cases {
  const { zoneId, otherZoneId, accountId, rulesetIds, hostnameIds } = ids;
  const ca = (hostnameId: string): string => `zones/${zoneId}/custom-hostnames/${hostnameId}/certificate-authority`;
  const common = rulesetChanges(ids);
  const inCustom = {
    ...{ name: "custom 1", rulesetId: rulesetIds[0], description: undefined, ownership: "shared" },
    rules: [{ ...block("A", "ssl"), ref: "a" }],
  };
  return {
    PhaseEntrypoint: {
      base: { zoneId, phase, description: "Ours", rules: [block("A", "ssl")] },
      changes: { ...common, name: new Pair({ name: "one" }, { name: "two" }) },
    },
    Ruleset: {
      base: { accountId, kind: "custom", name: "one", phase, description: "Ours", rules: [block("A", "ssl")] },
      changes: {
        ...common,
        zoneId: new Pair({ accountId }, { accountId: undefined, zoneId }),
        accountId: new Pair({ accountId: undefined, zoneId }, { accountId }),
        kind: new Pair({ rules: [] }, { rules: [], kind: "root" }),
        positions: new Pair(inCustom, { ...inCustom, positions: { a: { before: "theirs" } } }),
        rulesetId: new Pair({ name: "custom 1" }, { name: "custom 1", rulesetId: rulesetIds[0] }),
      },
    },
    RulesetRule: {
      base: { zoneId, phase, ref: "a", action: "block", expression: "ssl" },
      changes: {
        ...RULE_CHANGES,
        zoneId: otherZoneId,
        accountId: new Pair({ ...executing, zoneId: otherZoneId }, { ...executing, zoneId: undefined, accountId }),
        phase: new Pair({ ...skipping, zoneId: otherZoneId }, { ...skipping, zoneId: otherZoneId, phase: managed }),
        rulesetId: new Pair(
          { zoneId: undefined, accountId, phase: undefined, rulesetId: rulesetIds[0] },
          { zoneId: undefined, accountId, phase: undefined, rulesetId: rulesetIds[1] },
        ),
        ref: "b",
        position: { index: 1 },
        ruleId: "0".repeat(32),
        onExisting: "adopt",
        onConflict: "overwrite",
        onDelete: "keep",
      },
    },
    ZoneWafMigration: {
      base: { zoneId, mode: "validation" },
      changes: {
        zoneId: otherZoneId,
        mode: new Pair({ acknowledgeIrreversible: ZONE }, { acknowledgeIrreversible: ZONE, mode: "pending" }),
        acknowledgeIrreversible: ZONE,
        expectedConfig: new Pair({}, ({ configDigest }) => ({ expectedConfig: configDigest })),
        adjustments: { append: [{ ...skipping, expression: "ssl" }] },
        rules: [{ ...skipping, expression: "ssl" }],
        existingRules: "replace",
        wait: false,
        waitTimeoutSeconds: 60,
      },
    },
    CustomHostnameCa: {
      base: { zoneId, customHostnameId: hostnameIds[0], certificateAuthority: "google" },
      changes: {
        zoneId: new Pair(byName, { ...byName, zoneId: otherZoneId }),
        customHostnameId: hostnameIds[1],
        hostname: new Pair(byName, { ...byName, hostname: "two.test" }),
        certificateAuthority: "ssl_com",
        method: "http",
        type: "dv",
        onDelete: "restore",
        validationTimeoutSeconds: 5,
      },
    },
    CustomHostnameCertificate: {
      base: { customHostnameCaId: ca(hostnameIds[0]) },
      changes: { customHostnameCaId: ca(hostnameIds[1]), timeoutSeconds: 60 },
    },
    TotalTlsCa: {
      base: { zoneId, certificateAuthority: "google" },
      changes: { zoneId: otherZoneId, certificateAuthority: "ssl_com", onDelete: "restore" },
    },
    RulesList: {
      base: { accountId, name: "one", kind: "ip", items: ["192.0.2.1"] },
      changes: {
        accountId: "f".repeat(32),
        name: "two",
        kind: new Pair({ items: [] }, { items: [], kind: "asn" }),
        description: "Other",
        items: ["192.0.2.2"],
        itemsFile: new Pair({}, { items: undefined, itemsFile: ITEMS_FILE }),
        ownership: "shared",
        onExisting: "adopt",
        onConflict: "overwrite",
        onDelete: "keep",
        maxRemovedPercent: 100,
        timeoutSeconds: 60,
      },
    },
  };
}

interface Started {
  readonly emulator: Emulator;
  readonly service: Service;
  readonly ids: Ids;
}

async function start(): Promise<Started> {
  const emulator = await freshEmulator({ seed });
  const service = new Service(emulator);
  const zones = await service.ask<{ id: string; name: string }[]>("GET", "/zones");
  const [zoneId = "", otherZoneId = ""] = [ZONE, "other.example.com"].map(
    (name) => zones.find((zone) => zone.name === name)?.id ?? "",
  );
  const accountId = await service.account();
  const custom = async (name: string): Promise<string> => {
    const body = { kind: "custom", name, phase, rules: [{ ref: "theirs", action: "log", expression: "true" }] };
    return (await service.ask<{ id: string }>("POST", `/accounts/${accountId}/rulesets`, body)).id;
  };
  const { ref, action, expression, actionParameters } = cached("theirs");
  const rules = [{ ref, action, expression, action_parameters: actionParameters }];
  await service.create(`zones/${otherZoneId}`, { name: "default", kind: "zone", phase: cache, rules });
  const rulesetIds = [await custom("custom 1"), await custom("custom 2")] as const;
  const hostnames = await service.ask<{ id: string }[]>("GET", `/zones/${zoneId}/custom_hostnames`);
  const [first = "", second = ""] = hostnames.map(({ id }) => id);
  return { emulator, service, ids: { zoneId, otherZoneId, accountId, rulesetIds, hostnameIds: [first, second] } };
}

const ARGUMENTS = DESCRIPTIONS.flatMap((description: Description) =>
  Object.keys(description.arguments).map((name) => [description.type as keyof Cases, name, description] as const),
);

/** What the provider does with a change of an argument, and what the description says. */
async function effectOf(
  { service, ids }: Started,
  kind: keyof Cases,
  name: string,
  description: Description,
): Promise<{ readonly done: Effect; readonly said: Effect }> {
  const { base, changes }: { base: Values; changes: Readonly<Record<string, unknown>> } = casesFor(ids)[kind];
  const given = changes[name];
  const change = given instanceof Pair ? given : new Pair({}, { [name]: given });
  const resource = new ManagedResource<Values>(kind, service);
  await resource.up({ ...base, ...change.before });
  const changed = typeof change.after === "function" ? change.after(resource.kept?.state ?? {}) : change.after;
  const after = { ...base, ...changed };
  const said = argumentEffect(description, name, after);
  try {
    const { plans } = await resource.preview(after);
    const { action, requests } = await resource.up(after);
    if (action === "update") expectPlanned(plans, requests);
    if (action === "replace" || action === "none") return { said, done: action };
    // What may have to be written may turn out to be what the service has already.
    return { said, done: said === "write" || requests.some((one) => !one.startsWith("GET")) ? "write" : "record" };
  } catch (error) {
    if ((error as Error).message.startsWith(`${name}: `)) return { said, done: "refuse" };
    throw error;
  }
}

/** The preview has named every write, and none that is not sent, unless it says when. */
function expectPlanned(plans: readonly string[], requests: readonly string[]): void {
  const writes = plans.flatMap((text) => parsePlan(text)?.writes ?? []);
  const calls = writes.map(({ call }) => call.split(" (")[0]);
  const sent = requests.filter((one) => !one.startsWith("GET ")).map((one) => one.split("?")[0]);
  const sure = writes.filter(({ unless }) => unless === undefined);
  expect(sent).toEqual(expect.arrayContaining(sure.map(({ call }) => call.split(" (")[0])));
  expect(calls).toEqual(expect.arrayContaining(sent));
  if (sent.length === 0) expect(calls).toEqual([]);
}

test.each(ARGUMENTS)("a change of %s.%s does what the description says", async (kind, name, description) => {
  const started = await start();
  const { done, said } = await effectOf(started, kind, name, description);
  expect(done).toBe(said);
  await started.emulator.close();
});
