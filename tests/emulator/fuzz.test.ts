import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Emulator, Seed } from "../../emulator/index.js";
import { answerFaults, api, bodyFaults, bodySchema, operations, type Operation } from "../support/contract.js";
import { TOKEN } from "../support/emulator.js";
import { runs, SEED, TIMES } from "../support/fuzzing.js";
import { mutated, Random, valueOf, type Hints } from "../support/generate.js";
import { send as sendOverHttp } from "../support/http.js";
import { emulatorWith } from "../support/emulators.js";

const RUNS = runs(12);

const file = (name: string): string => readFileSync(join(__dirname, "..", "support", "files", name), "utf8");
const PEM = file("rsa-a.pem");
const MANAGED = "efb7b8c949ac4650a09736fc376e9aee";
const PHASES = [
  "http_request_firewall_custom",
  "http_request_firewall_managed",
  "http_ratelimit",
  "http_request_transform",
];
const zone = (name: string) => ({
  name,
  previousWaf: {
    overrides: [{ urls: ["a"], rules: {} }],
    firewallRules: [{ expression: "ssl" }],
    pageRules: [{ url: "a.test/*", actions: [{ id: "waf", value: "off" }] }],
  },
  certificates: {
    hostnames: [{ hostname: "a.customer.test" }],
    packs: [{ type: "universal" }, { type: "advanced" }],
    custom: [{}],
    pace: { reads: 1 },
  },
});
const seed: Seed = {
  zones: [
    zone("a.example.com"),
    { name: "b.example.com", plan: "pro" },
    { name: "c.example.com", previousWaf: { core: { sensitivity: "off" } } },
  ],
  lists: [
    { name: "office", kind: "ip", items: [{ ip: "192.0.2.1" }] },
    { name: "moved", kind: "redirect" },
  ],
};

const pool: Pool = new Map();
let made = 0;
const fresh = (): string => `n${String((made += 1))}`;
const hints: Hints = {
  expression: (random) =>
    random.pick(["ssl", "true", 'http.host eq "a"', "ip.src in $office", 'cf.zone.plan eq "ENT"', "(ssl"]),
  url: (random) => random.pick(["https://a.example.com/", "https://a.example.com/x?y=%zz", "a"]),
  protocol: (random) => random.pick(["HTTP/1.1", "HTTP/2", "x"]),
  counting_expression: () => "ssl",
  hostname: () => `${fresh()}.customer.test`,
  name: (random) => random.pick([fresh(), `${fresh()}.example.org`]),
  value: (random) => random.pick(["on", "off", "strict"]),
  phase: (random) => random.pick(PHASES),
  kind: (random) => random.pick(["zone", "custom", "root", "ip"]),
  hosts: () => ["a.example.com"],
  certificate: () => PEM,
  custom_certificate: () => PEM,
  content: (random) => random.pick(["192.0.2.1", "::1", "x"]),
  ip: (random) => random.pick(["192.0.2.1", "198.51.100.0/24", "x"]),
  characteristics: () => ["cf.colo.id", "ip.src"],
  period: (random) => random.pick([10, 60, 77]),
  targets: () => [{ target: "url", constraint: { operator: "matches", value: "a.example.com/*" } }],
  ref: () => fresh(),
  id: (random) => random.pick([MANAGED, "http2", "", ...[...pool.values()].map((ids) => ids[0] ?? "")]),
};

/** IDs of existing objects, by the path parameter that takes them. */
type Pool = Map<string, readonly string[]>;

const rule = () => [{ id: pool.get("firewall rule_id")?.[0], action: "log", filter: { expression: "ssl" } }];
/** Bodies for operations whose description requires less than they do. */
const bodies: Readonly<Record<string, () => unknown>> = {
  "POST /zones/{zone_id}/firewall/waf/overrides": () => ({ urls: ["a.example.com/x"], rules: { "100015": "disable" } }),
  "PUT /zones/{zone_id}/firewall/rules": rule,
  "PATCH /zones/{zone_id}/firewall/rules": rule,
  "PUT /zones/{zone_id}/firewall/rules/{rule_id}": () => rule()[0],
  "PATCH /zones/{zone_id}/firewall/rules/{rule_id}": () => rule()[0],
};

describe("every response is one of the API description, and never a 500", () => {
  let emulator: Emulator;
  const random = new Random(SEED);
  const succeeded = new Set<string>();
  const sent = { cases: 0, succeeded: 0 };

  beforeAll(async () => {
    emulator = await emulatorWith({ seed, keep: { requests: 0 } });
  });
  // Each operation starts with all objects, also after one that deletes zones.
  beforeEach(async () => {
    made = 0;
    await sendOverHttp(emulator.url.replace("/client/v4", "/__emulator/reset"), "POST", { body: "{}" });
    await fill();
  });
  afterAll(() => {
    if (TIMES > 1)
      process.stdout.write(
        `${String(sent.cases)} cases of ${String(operations.length)} operations, of which ${String(sent.succeeded)} succeeded\n`,
      );
  });

  const send = async (
    method: string,
    path: string,
    body?: string,
  ): Promise<{ status: number; body: unknown; text: string }> => {
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const { status, text } = await sendOverHttp(`${emulator.url}${path}`, method, {
      headers,
      body: method === "GET" ? undefined : body,
    });
    return { status, text, body: text === "" ? undefined : (JSON.parse(text) as unknown) };
  };
  const learn = (key: string, answers: unknown): void => {
    const list = (Array.isArray(answers) ? answers : [answers]) as ({ id?: unknown } | null)[];
    const ids = list.flatMap((each) => (typeof each?.id === "string" ? [each.id] : []));
    pool.set(key, [...(pool.get(key) ?? []), ...ids]);
  };
  const ask = async <T = { id: string }>(method: string, path: string, body?: object): Promise<T> =>
    ((await send(method, path, JSON.stringify(body))).body as { result: T }).result;

  /** Objects of every kind; the first ones of each kind belong together. */
  async function fill(): Promise<void> {
    pool.clear();
    const zones = await ask<{ id: string; account: { id: string } }[]>("GET", "/zones");
    const [z, a] = [`/zones/${zones[0]?.id ?? ""}`, `/accounts/${zones[0]?.account.id ?? ""}`];
    learn("zone_id", zones);
    learn("account_id", zones[0]?.account);
    for (const [key, path] of [
      ["", z],
      ["account ", a],
    ] as const) {
      const body = { name: "c", kind: "custom", phase: PHASES[0], rules: [{ action: "block", expression: "ssl" }] };
      const made = await ask<{ id: string; rules: unknown }>("POST", `${path}/rulesets`, body);
      await ask("PUT", `${path}/rulesets/${made.id}`, { description: "Twice", rules: body.rules });
      await ask("PUT", `${path}/rulesets/phases/${PHASES[0] ?? ""}/entrypoint`, { rules: [] });
      const newest = await ask<{ rules: unknown }>("GET", `${path}/rulesets/${made.id}`);
      learn(`${key}ruleset_id`, [made, ...(await ask<unknown[]>("GET", `${path}/rulesets`))]);
      learn(`${key}rule_id`, newest.rules);
    }
    const bundle = [PEM, file("ec-a.pem")].map((pem) => ({ custom_certificate: pem, custom_key: "k" }));
    const uploaded = await ask<{ ssl: { certificates: unknown } }>(
      "POST",
      `/zones/${zones[2]?.id ?? ""}/custom_hostnames`,
      {
        hostname: "own.customer.test",
        ssl: { method: "http", type: "dv", custom_cert_bundle: bundle },
      },
    );
    const filter = await ask<unknown[]>("POST", `${z}/filters`, [{ expression: "ssl" }]);
    await ask("PUT", `${z}/custom_hostnames/fallback_origin`, { origin: "o.a.example.com" });
    const list = (await ask<{ id: string }[]>("GET", `${a}/rules/lists`))[0]?.id ?? "";
    const { operation_id } = await ask<{ operation_id: string }>("POST", `${a}/rules/lists/${list}/items`, [
      { ip: "::1" },
    ]);
    const waf = `${z}/firewall/waf/packages`;
    const packages = await ask<{ id: string }[]>("GET", waf);
    const lists: Record<string, unknown> = {
      custom_hostname_id: await ask("GET", `${z}/custom_hostnames`),
      certificate_pack_id: (await ask<unknown[]>("GET", `${z}/ssl/certificate_packs?status=all`)).reverse(),
      "uploaded zone_id": zones[2],
      "uploaded custom_hostname_id": uploaded,
      certificate_id: uploaded.ssl.certificates,
      custom_certificate_id: await ask("GET", `${z}/custom_certificates`),
      package_id: packages,
      "waf group_id": await ask("GET", `${waf}/${packages[0]?.id ?? ""}/groups`),
      "waf rule_id": await ask("GET", `${waf}/${packages[0]?.id ?? ""}/rules`),
      overrides_id: await ask("GET", `${z}/firewall/waf/overrides`),
      filter_id: filter,
      "firewall rule_id": await ask("GET", `${z}/firewall/rules`),
      pagerule_id: await ask("GET", `${z}/pagerules`),
      dns_record_id: await ask("POST", `${z}/dns_records`, { type: "A", name: "w", content: "192.0.2.1" }),
      list_id: { id: list },
      item_id: await ask("GET", `${a}/rules/lists/${list}/items`),
      operation_id: { id: operation_id },
    };
    for (const [key, answers] of Object.entries(lists)) learn(key, answers);
    pool.set("managed ruleset_id", [MANAGED]);
    pool.set("managed ruleset_version", ["latest"]);
    pool.set("migrating zone_id", pool.get("uploaded zone_id") ?? []);
    pool.set("ruleset_phase", PHASES);
    pool.set("ruleset_version", ["1", "2", "latest", "34"]);
    pool.set("rule_tag", ["xss"]);
    pool.set("setting_id", ["http2", "ssl", "waf", "minify"]);
  }

  /** Parameters with the same name stand for different kinds of objects. */
  function keyOf(template: string, name: string): string {
    if (template.includes("/by_tag/") && pool.has(`managed ${name}`)) return `managed ${name}`;
    if (template.includes("/certificate_pack/") && pool.has(`uploaded ${name}`)) return `uploaded ${name}`;
    if (template.endsWith("/waf_migration/config") && pool.has(`migrating ${name}`)) return `migrating ${name}`;
    if (template.includes("/firewall/waf/") && pool.has(`waf ${name}`)) return `waf ${name}`;
    if (template.includes("/firewall/rules")) return `firewall ${name}`;
    return template.startsWith("/accounts") && pool.has(`account ${name}`) ? `account ${name}` : name;
  }

  const part = (template: string, name: string, careful: boolean): string => {
    const known = pool.get(keyOf(template, name)) ?? pool.get(name) ?? [];
    if (known.length > 0 && (careful || random.chance(0.7))) return known[0] ?? "";
    if (known.length > 0 && random.chance(0.6)) return random.pick(known);
    const others = [...pool.values()].map((ids) => ids[0] ?? "x");
    return encodeURIComponent(random.pick(["0".repeat(32), "constructor", "__proto__", "x y", "ü", "-1", ...others]));
  };
  const query = (template: string, { parameters = [] }: Operation): string => {
    const named = parameters.map(({ name }) => name).filter((name) => typeof name === "string");
    const pairs = [...named, "page", "per_page", "dry_run", "direction", "order", "match", "cursor"]
      .filter(() => random.chance(0.08))
      .map((name) => [
        name,
        encodeURIComponent(random.pick(["1", "5", "true", "desc", "x", "-1", "1.5", "a:b", "", "%zz"])),
      ]);
    const several = template.includes("/firewall/rules") ? "firewall rule_id" : "filter_id";
    if (/\/(filters|firewall\/rules)$/.test(template) && random.chance(0.7))
      pairs.push(["id", pool.get(several)?.at(-1) ?? ""]);
    return pairs.length === 0 ? "" : `?${pairs.map((pair) => pair.join("=")).join("&")}`;
  };

  test.each(operations)("%s", async (name) => {
    const [method = "", template = ""] = name.split(" ");
    const operation = api.paths[template]?.[method.toLowerCase()] as Operation;
    const schema = bodySchema(operation);
    // An operation that has not succeeded by then is sent with valid values until it does.
    for (let run = 0; run < RUNS || (!succeeded.has(name) && run < RUNS * 20); run += 1) {
      const careful = run >= RUNS;
      const path =
        template.replace(/\{(\w+)\}/g, (_, parameter: string) => part(template, parameter, careful)) +
        query(template, operation);
      const whole = careful && bodies[name] !== undefined ? bodies[name]() : schema && valueOf(schema, random, hints);
      const value = schema !== undefined && !careful && random.chance(0.5) ? mutated(whole, random) : whole;
      const body = value === undefined ? undefined : JSON.stringify(value);
      const answer = await send(method, path, body);
      const shown = `${method} ${path} ${body?.slice(0, 2000) ?? ""} => ${String(answer.status)} ${answer.text.slice(0, 2000)} (FUZZ_SEED=${String(SEED)})`;
      if (answer.status >= 500) throw new Error(shown);
      sent.cases += 1;
      if (answer.status < 300) {
        succeeded.add(name);
        sent.succeeded += 1;
      }
      const faults =
        answer.status >= 400
          ? refusalFaults(name, answer.body)
          : answerFaults(name, operation, answer.status, withExpressions(answer.body));
      if (faults.length > 0) throw new Error(`${faults.join("; ")}: ${shown}`);
      const wrong =
        value === undefined || answer.status >= 300 ? [] : bodyFaults(name, operation, JSON.parse(body ?? "null"));
      if (wrong.length > 0 && !isKnown(name, body ?? "")) throw new Error(`taken, but ${wrong.join("; ")}: ${shown}`);
    }
  });

  test("every operation has succeeded at least once", () => {
    expect(operations.filter((name) => !succeeded.has(name))).toEqual([]);
  });

  /** Every refusal has the same shape; only the rulesets service leaves codes out. */
  function refusalFaults(name: string, body: unknown): string[] {
    const { result, success, errors, messages } = body as Record<string, unknown>;
    if (result !== null || success !== false || !Array.isArray(messages)) return ["no refusal in the envelope"];
    const entries = errors as { code?: unknown; message?: unknown }[];
    const coded = entries.every(({ code }) =>
      code === undefined ? name.includes("/rulesets") : Number(code) >= 1000 || code === 971,
    );
    const worded = entries.length > 0 && entries.every(({ message }) => typeof message === "string" && message !== "");
    return coded && worded ? [] : ["an error without a code or words"];
  }

  /** The rules of managed rulesets come without expressions, which the description requires of every rule. */
  function withExpressions(body: unknown): unknown {
    const { result } = (body ?? {}) as { result?: { kind?: string; rules?: object[] } };
    if (result?.kind !== "managed" || result.rules === undefined) return body;
    return {
      ...(body as object),
      result: { ...result, rules: result.rules.map((rule) => ({ expression: "hidden", ...rule })) },
    };
  }

  /** What the service accepts although its description does not allow it. */
  function isKnown(name: string, body: string): boolean {
    if (name.includes("custom_hostnames")) return /"certificate_authority":""|"method":"cname"/.test(body);
    if (name.includes("/firewall/rules")) return true;
    return name.includes("rulesets") && /"(id|ref|version)":""/.test(body);
  }
});
