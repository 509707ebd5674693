import { managedRulesets } from "../../core/managed/rulesets.js";
import { isList, isObject, omit, writtenText, type JsonObject } from "../../core/model/json.js";
import { getShape } from "../../core/model/shapes.js";
import { shapeToWire } from "../../core/model/wire.js";
import { Caller, type Answered } from "../support/caller.js";
import type { Service } from "../support/emulator.js";
import { everyAction } from "../support/every-action.js";
import { failureIfAny } from "../support/failure.js";
import { runs, SEED } from "../support/fuzzing.js";
import { Random } from "../support/generate.js";
import { ManagedRuleset, startService } from "./harness.js";
import { ManagedResource } from "./managed.js";
import { Parity } from "./parity-cases.js";
import { edited, valuesIn } from "./parity-edits.js";

/* As parity.test.ts, for what is no ruleset, and for what a program has too much of. */

const PLANS = ["free", "pro", "business", "enterprise"] as const;
const MANAGED = "http_request_firewall_managed";
const RULE = getShape("RulesetRule");
const HOSTNAME = "shop.customer.test";
/** The ID of a resource, with names in place of the IDs of the zone and the hostname. */
const CA = "zones/ZONE/custom-hostnames/HOSTNAME/certificate-authority";
const NO_ID = "0d89c70d-ad9f-4843-b99f-6cc0252067e9";

const managedRules = everyAction
  .filter(({ level, phase }) => level === "zones" && phase === MANAGED)
  .flatMap(({ rules }) => rules);
const SAMPLES: readonly { readonly kind: string; readonly args: JsonObject }[] = [
  {
    kind: "RulesList",
    args: { name: "ours", kind: "ip", items: ["192.0.2.1", { value: "2001:db8::/32", comment: "b" }] },
  },
  { kind: "RulesList", args: { name: "ours", kind: "asn", items: [64512, { value: 64513, comment: "b" }] } },
  {
    kind: "RulesList",
    args: {
      name: "ours",
      kind: "hostname",
      description: "Ours",
      items: ["a.test", { value: "*.b.test", excludeExactHostname: false }],
    },
  },
  {
    kind: "RulesList",
    args: {
      name: "ours",
      kind: "redirect",
      items: [
        { source: "example.com/a", target: "https://example.com/b", status: 302, preserveQueryString: true },
        { source: "https://example.com/c", target: "https://example.com/d?e=f", subpathMatching: true },
      ],
    },
  },
  { kind: "TotalTlsCa", args: { certificateAuthority: "google", onDelete: "restore" } },
  { kind: "TotalTlsCa", args: { certificateAuthority: "ssl_com" } },
  { kind: "CustomHostnameCa", args: { hostname: HOSTNAME, certificateAuthority: "google", method: "http" } },
  { kind: "CustomHostnameCa", args: { hostname: HOSTNAME, certificateAuthority: "ssl_com", type: "dv" } },
  { kind: "CustomHostnameCertificate", args: { customHostnameCaId: CA, timeoutSeconds: 60 } },
  { kind: "CustomHostnameCertificate", args: { customHostnameCaId: CA.replace("HOSTNAME", NO_ID) } },
  ...managedRules.flatMap((rule) =>
    ["validation", "pending"].map((mode) => ({
      kind: "ZoneWafMigration",
      args: { mode, acknowledgeIrreversible: true, rules: [{ ...rule }] } as JsonObject,
    })),
  ),
];
const values = valuesIn(
  SAMPLES.map(({ args }) => args),
  "args",
);

const errorsOf = ({ success, errors }: Answered<unknown>): string | undefined =>
  success ? undefined : errors.map(({ message }) => message).join("\n");

/** An item as the service spells it, whatever is wrong with it. */
function wireItem(kind: unknown, item: unknown): unknown {
  const { value, source, target, status, comment, ...rest }: Readonly<Record<string, unknown>> = isObject(item)
    ? item
    : { value: item };
  const snake = Object.fromEntries(
    Object.entries(rest).map(([name, one]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), one]),
  );
  const parts = {
    ip: value,
    asn: value,
    hostname: { url_hostname: value, ...snake },
    redirect: { source_url: source, target_url: target, status_code: status, ...snake },
  };
  return { [String(kind)]: Object.entries(parts).find(([name]) => name === kind)?.[1], comment };
}

describe("refusals", () => {
  let service: Service;
  let caller: Caller;
  let random: Random;
  const zones = new Map<string, string>();
  const accounts = new Map<string, string>();
  const parity = new Parity();
  beforeAll(async () => {
    ({ service } = await startService({
      accounts: PLANS.map((name) => ({ name })),
      zones: PLANS.map((plan) => ({
        name: `${plan}.example.com`,
        plan,
        account: plan,
        certificates: { hostnames: [{ hostname: HOSTNAME, certificateAuthority: "lets_encrypt" as const }] },
      })),
    }));
    caller = new Caller(service.emulator);
    for (const plan of PLANS) {
      const id = await service.zoneNamed(`${plan}.example.com`);
      zones.set(plan, id);
      const zone = await caller.result<{ account: { id: string } }>("GET", `/zones/${id}`);
      accounts.set(plan, zone.account.id);
    }
  });
  beforeEach(() => {
    random = new Random(SEED);
  });
  afterAll(() => {
    parity.print();
  });

  const zoneOf = (plan: string): string => zones.get(plan) ?? "";
  const accountOf = (plan: string): string => accounts.get(plan) ?? "";
  const pick = (args: JsonObject, names: Readonly<Record<string, string>>): object =>
    Object.fromEntries(Object.entries(names).map(([name, wire]) => [wire, args[name]]));

  const removeLists = async (account: string): Promise<void> => {
    const lists = await caller.result<{ id: string }[]>("GET", `/accounts/${account}/rules/lists`);
    for (const { id } of lists) await caller.result("DELETE", `/accounts/${account}/rules/lists/${id}`);
  };
  const sendList = async (account: string, args: JsonObject): Promise<string | undefined> => {
    const path = `/accounts/${account}/rules/lists`;
    const { kind, items } = args;
    const created = await caller.send<{ id: string }>("POST", path, omit(args, ["items", "accountId"]));
    if (!created.success) return errorsOf(created);
    const sent = Array.isArray(items) ? items.map((item) => wireItem(kind, item)) : items;
    return errorsOf(await caller.send("PUT", `${path}/${created.result.id}/items`, sent));
  };

  /** What the service says of what resources of a kind send; nothing is left behind. */
  const SENDS: Readonly<Record<string, (plan: string, args: JsonObject) => Promise<string | undefined>>> = {
    RulesList: async (plan, args) => {
      const refused = await sendList(accountOf(plan), args);
      await removeLists(accountOf(plan));
      return refused;
    },
    TotalTlsCa: async (plan, args) => {
      const body = { enabled: false, ...pick(args, { certificateAuthority: "certificate_authority" }) };
      return errorsOf(await caller.send("POST", `/zones/${zoneOf(plan)}/acm/total_tls`, body));
    },
    CustomHostnameCa: async (plan, args) => {
      const path = `/zones/${zoneOf(plan)}/custom_hostnames`;
      const name = encodeURIComponent(writtenText(args.hostname ?? ""));
      const [found] = await caller.result<{ id: string }[]>("GET", `${path}?hostname=${name}`);
      if (found === undefined) return "no custom hostname";
      const names = { certificateAuthority: "certificate_authority", method: "method", type: "type" };
      const ssl = { method: "txt", type: "dv", ...(JSON.parse(JSON.stringify(pick(args, names))) as JsonObject) };
      return errorsOf(await caller.send("PATCH", `${path}/${found.id}`, { ssl }));
    },
    CustomHostnameCertificate: async (_plan, { customHostnameCaId }) => {
      const path = writtenText(customHostnameCaId ?? "").replace("custom-hostnames", "custom_hostnames");
      return errorsOf(await caller.send("GET", `/${path.replace(/\/certificate-authority$/, "")}`));
    },
    ZoneWafMigration: async (plan, { mode, rules }) => {
      const path = `/zones/${zoneOf(plan)}/rulesets/phases/${MANAGED}/entrypoint`;
      const sent = isList(rules) ? rules.map((rule) => (isObject(rule) ? shapeToWire(rule, RULE) : rule)) : rules;
      const query = `?waf_migration=${encodeURIComponent(writtenText(mode ?? ""))}&phase_two=1`;
      return errorsOf(await caller.send("PUT", `${path}${query}`, { rules: sent }));
    },
  };
  /** The ID of a resource, with the IDs of a zone and its hostname. */
  const withIds = async (id: string, plan: string): Promise<string> => {
    const zone = zoneOf(plan);
    const [found] = await caller.result<{ id: string }[]>("GET", `/zones/${zone}/custom_hostnames`);
    return id.replace("ZONE", zone).replace("HOSTNAME", found?.id ?? "");
  };
  /** Forgets what a case has left in a zone. */
  const resetZone = async (plan: string): Promise<void> => {
    const zone = zoneOf(plan);
    await service.setPreviousWaf(zone, { state: "default" });
    const { id } = (await service.entrypoint(zone, MANAGED)) ?? {};
    if (id !== undefined) await service.delete(`zones/${zone}`, id);
  };

  test("of a list or a setting are the same", async () => {
    for (const plan of PLANS) await resetZone(plan);
    for (let times = runs(250); times > 0; times -= 1) {
      const { kind, args } = random.pick(SAMPLES);
      const plan = random.pick(PLANS);
      const changed = edited(args, "args", random, values) as JsonObject;
      const scope = kind === "RulesList" ? { accountId: accountOf(plan) } : { zoneId: zoneOf(plan) };
      const { customHostnameCaId: ca } = changed;
      const named = typeof ca === "string" ? { customHostnameCaId: await withIds(ca, plan) } : {};
      const tried = { ...(kind === "CustomHostnameCertificate" ? {} : scope), ...changed, ...named };
      const ofPreview = await failureIfAny(new ManagedResource(kind, service).preview(tried));
      let ofService = await SENDS[kind]?.(plan, tried);
      await resetZone(plan);
      const ofUp = ofPreview ?? (await failureIfAny(new ManagedResource(kind, service).up(tried)));
      await removeLists(accountOf(plan));
      await resetZone(plan);
      // What is sent has no parts that mean nothing.
      if (ofPreview === undefined) ofService = ofUp;
      parity.compare(`${kind}, ${plan}`, { tried }, ofPreview, ofService);
    }
    expect(parity.open).toEqual([]);
  });

  /** What previews of several resources of one program say first. */
  const previewAll = async (
    program: readonly { readonly kind: string; readonly args: object }[],
  ): Promise<string | undefined> => {
    const resources = program.map(({ kind }, index) => new ManagedResource(kind, service, `urn:${String(index)}`));
    const run = resources[0]?.start();
    let first: string | undefined;
    for (const [index, resource] of resources.entries()) {
      if (run !== undefined) resource.run = run;
      const failed = await failureIfAny(resource.plan(program[index]?.args ?? {}, true));
      first ??= failed;
    }
    return first;
  };
  const draws = <T>(most: number, make: (index: number) => T): T[] =>
    Array.from({ length: 1 + Math.floor(random.next() * most) }, (_, index) => make(index));

  test("of more lists and items than an account has are the same", async () => {
    for (let times = runs(20); times > 0; times -= 1) {
      const plan = random.pick(PLANS);
      const kinds = { ip: "10.0.", asn: "", hostname: ".test", redirect: "" };
      const lists = draws(random.pick([2, 7, 12]), (list): JsonObject => {
        const kind = random.pick(["ip", "ip", "asn", "hostname", "redirect"] as const);
        const size = random.chance(0.05) ? 6000 : random.pick([1, 3, 17]);
        const items = Array.from({ length: size }, (_, index) => {
          const at = String(index);
          if (kind === "asn") return index + 1;
          if (kind === "ip") return `${kinds.ip}${String(index >> 8)}.${String(index % 256)}`;
          if (kind === "hostname") return `h${at}${kinds.hostname}`;
          const source = random.chance(0.5) ? `a.test/${at}` : "a.test/same";
          return { source: `${source}${kinds.redirect}`, target: "https://a.test/b" };
        });
        const unique = new Map(items.map((item) => [JSON.stringify(item), item]));
        return { name: `l${String(list)}`, kind, items: [...unique.values()] };
      });
      const accountId = accountOf(plan);
      const ofPreview = await previewAll(lists.map((list) => ({ kind: "RulesList", args: { accountId, ...list } })));
      let ofService: string | undefined;
      for (const list of lists) ofService ??= await sendList(accountId, list);
      await removeLists(accountId);
      const tried = { lists: lists.map(({ kind, items }) => [kind, (items as unknown[]).length]) };
      parity.compare(`lists, ${plan}`, tried, ofPreview, ofService);
    }
    expect(parity.open).toEqual([]);
  });

  test("of more custom rulesets and rules than a scope has are the same", async () => {
    for (let times = runs(12); times > 0; times -= 1) {
      const plan = random.pick(PLANS);
      const isZone = random.chance(0.5);
      const scope = isZone ? `zones/${zoneOf(plan)}` : `accounts/${accountOf(plan)}`;
      const owner = isZone ? { zoneId: zoneOf(plan) } : { accountId: accountOf(plan) };
      const rulesets = draws(random.pick([2, 6, 12]), (index) => ({
        name: `r${String(index)}`,
        kind: "custom",
        phase: "http_request_firewall_custom",
        rules: Array.from({ length: isZone ? 1 : random.pick([1, 90, 300]) }, (_, rule) => ({
          action: "block",
          expression: `http.request.uri.path eq "/${String(rule)}"`,
          ref: `r${String(rule)}`,
        })),
      }));
      const ofPreview = await previewAll(rulesets.map((args) => ({ kind: "Ruleset", args: { ...owner, ...args } })));
      let ofService: string | undefined;
      for (const ruleset of rulesets) ofService ??= errorsOf(await caller.send("POST", `/${scope}/rulesets`, ruleset));
      for (const { id, kind } of await service.list(scope)) if (kind === "custom") await service.delete(scope, id);
      const tried = { rulesets: rulesets.map(({ rules }) => rules.length) };
      parity.compare(`custom rulesets ${isZone ? "zone" : "account"}, ${plan}`, tried, ofPreview, ofService);
    }
    expect(parity.open).toEqual([]);
  });

  test("of a managed ruleset that a rule outside the program executes are the same", async () => {
    const zoneId = zoneOf("enterprise");
    const scope = `zones/${zoneId}`;
    const execute = (id: string) => ({ action: "execute", expression: "true", actionParameters: { id } });
    const wire = (id: string, ref: string) => ({ ...shapeToWire(execute(id), RULE), ref });
    const ids = [managedRulesets.cloudflareManaged, managedRulesets.owaspCore];
    for (let times = runs(10); times > 0; times -= 1) {
      const theirs = random.pick(ids);
      const body = { name: "default", kind: "zone", phase: MANAGED, rules: [wire(theirs, "theirs")] };
      const { id } = await service.create(scope, body);
      const own = random.pick(ids);
      const isRule = random.chance(0.5);
      const resource = new ManagedRuleset(isRule ? "RulesetRule" : "PhaseEntrypoint", service);
      const args = (ofRule: object) => ({
        zoneId,
        phase: MANAGED,
        ...(isRule ? { ref: "ours", ...ofRule } : { ownership: "shared", rules: [{ ref: "ours", ...ofRule }] }),
      });
      // A new resource, or an edit of one.
      const isEdit = random.chance(0.5);
      if (isEdit)
        await resource.up(args({ ...execute(ids[0] ?? ""), action: "skip", actionParameters: { ruleset: "current" } }));
      const ofPreview = await failureIfAny(resource.preview(args(execute(own))));
      const ofService = errorsOf(await caller.send("POST", `/${scope}/rulesets/${id}/rules`, wire(own, "new")));
      await service.delete(scope, id);
      parity.compare("beside a rule of others", { theirs, own, isRule, isEdit }, ofPreview, ofService);
    }
    expect(parity.open).toEqual([]);
  });
});
