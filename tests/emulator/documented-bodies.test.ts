import type { Emulator } from "../../emulator/index.js";
import { Caller, codes } from "../support/caller.js";
import { Service } from "../support/emulator.js";
import { visit } from "../support/visit.js";
import { emulatorWith } from "../support/emulators.js";

const CUSTOM = "http_request_firewall_custom";
const CACHE = "http_request_cache_settings";
const RATELIMIT = "http_ratelimit";

interface Rule {
  readonly id: string;
  readonly ref: string;
  readonly version: string;
  readonly expression: string;
  readonly ratelimit?: object;
  readonly action_parameters?: object;
}
interface Saved {
  readonly id: string;
  readonly rules: readonly Rule[];
}

describe("what the documentation shows beside the API description", () => {
  let emulator: Emulator;
  let caller: Caller;
  let zone: string;
  beforeEach(async () => {
    const certificates = { hostnames: [{ hostname: "shop.customer.test" }, { hostname: "*.wild.test" }] };
    emulator = await emulatorWith({ seed: { zones: [{ name: "shop.example.com", certificates }] }, edge: {} });
    caller = new Caller(emulator);
    zone = `/zones/${await new Service(emulator).zone("enterprise")}`;
  });
  const put = (phase: string, ...rules: object[]) =>
    caller.send<Saved>("PUT", `${zone}/rulesets/phases/${phase}/entrypoint`, { rules });
  const block = (expression: string, more: object = {}) => ({ action: "block", expression, ...more });

  test("an empty counting expression counts what the rule matches", async () => {
    const ratelimit = {
      characteristics: ["cf.colo.id", "ip.src"],
      period: 60,
      requests_per_period: 1,
      mitigation_timeout: 60,
      counting_expression: "",
    };
    const saved = await put(RATELIMIT, block('http.request.uri.path eq "/login"', { ratelimit }));
    expect([saved.errors, saved.result.rules[0]?.ratelimit]).toEqual([[], expect.objectContaining(ratelimit)]);
    const statuses = [];
    for (const path of ["/", "/login", "/login"])
      statuses.push((await visit(emulator.edgeUrl ?? "", `http://shop.example.com${path}`)).status);
    expect(statuses).toEqual([200, 200, 429]);
  });

  test.each([[{ include: ["*"] }], [{ exclude: "*" }], [{ include: ["a", "b"] }], [{ exclude: { list: ["a"] } }]])(
    "query parameters of a cache key as %j",
    async (query_string) => {
      const cache_key = { custom_key: { query_string } };
      const saved = await put(CACHE, {
        action: "set_cache_settings",
        expression: "true",
        action_parameters: { cache: true, cache_key },
      });
      expect([saved.errors, saved.result.rules[0]?.action_parameters]).toEqual([[], { cache: true, cache_key }]);
    },
  );

  test("query parameters of a cache key are still checked", async () => {
    for (const query_string of [{ include: [5] }, { include: [] }, { include: ["*"], exclude: ["*"] }]) {
      const action_parameters = { cache: true, cache_key: { custom_key: { query_string } } };
      const sent = { action: "set_cache_settings", expression: "true", action_parameters };
      expect((await put(CACHE, sent)).status).toBe(400);
    }
  });

  test("claims of a token are a field", async () => {
    const claim = 'lookup_json_string(http.request.jwt.claims["3be9ba16"][0], "user")';
    expect((await put(CUSTOM, block(`${claim} eq "root"`))).errors).toEqual([]);
  });

  test("a whole update keeps rules of which it only names the IDs", async () => {
    const first = await put(CUSTOM, block("ssl", { ref: "a", description: "A" }), block("not ssl", { ref: "b" }));
    const [a, b] = first.result.rules;
    const second = await put(CUSTOM, block('http.host eq "c"', { ref: "c" }), { id: b?.id }, { id: a?.id });
    expect(second.errors).toEqual([]);
    expect(second.result.rules.slice(1)).toEqual([b, a]);
    expect(codes(await put(CUSTOM, { id: "0".repeat(32) }))).toEqual([400, undefined]);
    expect((await put(CUSTOM, { id: a?.id }, { id: a?.id })).status).toBe(400);
  });

  describe("metadata of custom hostnames", () => {
    const hostnames = async (hostname: string) => {
      const [found] = await caller.result<{ id: string }[]>("GET", `${zone}/custom_hostnames?hostname=${hostname}`);
      return `${zone}/custom_hostnames/${found?.id ?? ""}`;
    };

    test("has values of any kind, at most 4 KB, also on wildcards", async () => {
      const path = await hostnames("shop.customer.test");
      const custom_metadata = { customer_id: "12345", redirect_to_https: true, tier: 2 };
      expect(await caller.result("PATCH", path, { custom_metadata })).toMatchObject({ custom_metadata });
      const sized = (bytes: number) => ({ custom_metadata: { a: "x".repeat(bytes - '{"a":""}'.length) } });
      expect((await caller.send("PATCH", path, sized(4096))).status).toBe(200);
      expect(codes(await caller.send("PATCH", path, sized(4097)))).toEqual([400, 1400]);
      const create = (hostname: string, size: number) =>
        caller.send("POST", `${zone}/custom_hostnames`, { hostname, ...sized(size) });
      expect(codes(await create("a.customer.test", 4097))).toEqual([400, 1400]);
      expect((await caller.send("PATCH", await hostnames("*.wild.test"), sized(100))).status).toBe(200);
    });

    test("is a field of requests", async () => {
      const tag = 'lookup_json_string(cf.hostname.metadata, "security_tag")';
      await put(
        CUSTOM,
        block(`${tag} eq "low"`, { ref: "low" }),
        block('cf.hostname.metadata ne ""', { ref: "other" }),
      );
      const ruleFor = async (host: string) =>
        (await visit(emulator.edgeUrl ?? "", `http://${host}/`)).headers["x-edge-rule"];
      expect([await ruleFor("shop.customer.test"), await ruleFor("shop.example.com")]).toEqual([undefined, undefined]);
      const path = await hostnames("shop.customer.test");
      await caller.result("PATCH", path, { custom_metadata: { security_tag: "low" } });
      expect([await ruleFor("shop.customer.test:8788"), await ruleFor("shop.example.com")]).toEqual(["low", undefined]);
      await caller.result("PATCH", path, { custom_metadata: { beta: true } });
      expect(await ruleFor("shop.customer.test")).toBe("other");
    });
  });
});
