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

  const en = '(starts_with(http.request.uri.path, "/en/"))';
  const header = (name: string, change: object) => ({ headers: { [name]: change } });
  const api = {
    characteristics: ["cf.colo.id", "ip.src", 'http.request.headers["x-api-key"]'],
    period: 60,
    requests_per_period: 100,
    mitigation_timeout: 600,
  };
  const limited = (ratelimit: object, more: object = {}) =>
    block('(http.request.uri.path matches "^/api/")', { ratelimit, ...more });
  const act = (action: string, expression: string, action_parameters: object, more: object = {}) => ({
    action,
    expression,
    action_parameters,
    ...more,
  });
  const page = { status_code: 403, content: "You have been rate limited.", content_type: "text/plain" };
  const country = 'ip.geoip.country eq "GB"';
  const skip = (expression: string, parameters: object, more: object = {}) => act("skip", expression, parameters, more);
  /** Bodies of https://developers.cloudflare.com, below the "via API" pages of each product. */
  const documented: readonly (readonly [phase: string, rule: object])[] = [
    [CACHE, act("set_cache_settings", '(http.host eq "example.com")', { cache: true })],
    [CACHE, act("set_cache_settings", '(http.user_agent contains "Android")', { cache: true, read_timeout: 300 })],
    [
      CACHE,
      act("set_cache_settings", '(http.host eq "example.com")', {
        cache: true,
        edge_ttl: { mode: "bypass_by_default" },
      }),
    ],
    [
      CACHE,
      act("set_cache_settings", "true", {
        cache: true,
        edge_ttl: {
          status_code_ttl: [
            { status_code_range: { to: 299 }, value: 86_400 },
            { status_code_range: { from: 300, to: 499 }, value: 0 },
            { status_code_range: { from: 500 }, value: -1 },
          ],
          mode: "respect_origin",
        },
      }),
    ],
    [
      CACHE,
      act("set_cache_settings", "true", { cache: true, browser_ttl: { mode: "override_origin", default: 1000 } }),
    ],
    [
      CACHE,
      act("set_cache_settings", "true", {
        cache: true,
        cache_key: {
          ignore_query_strings_order: true,
          cache_deception_armor: true,
          custom_key: {
            query_string: { include: ["*"] },
            header: {
              include: ["header1"],
              check_presence: ["header_1"],
              contains: { "accept-encoding": ["br", "zstd"] },
            },
            cookie: { include: ["cookieName1"], check_presence: ["cookie_1"] },
            user: { device_type: true, geo: true, lang: true },
            host: { resolved: false },
          },
        },
      }),
    ],
    [
      CACHE,
      act("set_cache_settings", "true", { cache: true, cache_reserve: { eligible: true, minimum_file_size: 100_000 } }),
    ],
    [CACHE, act("set_cache_settings", "true", { cache: true, additional_cacheable_ports: [8443, 8080] })],
    [CACHE, act("set_cache_settings", "true", { cache: true, read_timeout: 900 })],
    [
      "http_response_headers_transform",
      act("rewrite", en, header("X-Source", { operation: "set", value: "Cloudflare" })),
    ],
    [
      "http_response_headers_transform",
      act("rewrite", en, header("X-Bot-Score", { operation: "set", expression: "to_string(cf.bot_management.score)" })),
    ],
    [
      "http_response_headers_transform",
      act("rewrite", en, header("set-cookie", { operation: "add", value: "mycookie=custom_value" })),
    ],
    ["http_response_headers_transform", act("rewrite", en, header("cf-connecting-ip", { operation: "remove" }))],
    [
      "http_request_late_transform",
      act("rewrite", en, header("X-Source", { operation: "set", value: "Cloudflare" }), { ref: "add_header_source" }),
    ],
    [
      "http_request_late_transform",
      act("rewrite", en, header("cf-connecting-ip", { operation: "remove" }), {
        ref: "remove_header_cf_connecting_ip",
      }),
    ],
    [
      "http_custom_errors",
      act(
        "serve_error",
        "http.response.code eq 500",
        { asset_name: "500_error_template", content_type: "text/html" },
        { ref: "serve_500_template", enabled: true },
      ),
    ],
    [RATELIMIT, limited(api)],
    [RATELIMIT, limited(api, { action_parameters: { response: page } })],
    [RATELIMIT, limited({ ...api, requests_to_origin: true })],
    [
      RATELIMIT,
      block('(http.request.uri.path wildcard "/graphql/*")', {
        ratelimit: {
          characteristics: ["cf.colo.id", 'http.request.headers["x-api-key"]'],
          score_response_header_name: "my-score",
          score_per_period: 400,
          period: 60,
          mitigation_timeout: 600,
          counting_expression: "",
        },
      }),
    ],
    [
      "http_request_dynamic_redirect",
      act("redirect", `(${country} or ip.geoip.country eq "FR") and http.request.uri.path eq "/"`, {
        from_value: {
          target_url: { expression: 'lower(concat("https://", ip.geoip.country, ".example.com"))' },
          status_code: 307,
          preserve_query_string: true,
        },
      }),
    ],
    [
      "http_request_dynamic_redirect",
      act("redirect", 'http.request.uri.path eq "/contacts.html"', {
        from_value: { target_url: { value: "https://example.com/contact-us/" }, status_code: 308 },
      }),
    ],
    [
      "http_request_origin",
      act("route", 'http.request.uri.query contains "/eu/"', { host_header: "eu_server.example.net" }),
    ],
    ["http_request_origin", act("route", 'http.host eq "admin.example.com"', { sni: { value: "sni.example.com" } })],
    [
      "http_request_origin",
      act("route", 'starts_with(http.request.uri.path, "/hr-app/")', {
        host_header: "hr-server.example.com",
        origin: { host: "hr-server.example.com" },
      }),
    ],
    [
      "http_request_origin",
      act("route", 'starts_with(http.request.uri.path, "/team/calendar/")', { origin: { port: 9000 } }),
    ],
    [
      "http_config_settings",
      act("set_config", 'starts_with(http.request.uri.path, "/contact-us/")', { email_obfuscation: true, bic: true }),
    ],
    ["http_config_settings", act("set_config", 'http.host eq "admin.example.com"', { security_level: "under_attack" })],
    [CUSTOM, skip('http.request.uri.path contains "/skip-current-ruleset/"', { ruleset: "current" })],
    [CUSTOM, skip('http.request.uri.path contains "/skip-phase/"', { phases: ["http_ratelimit"] })],
    [
      CUSTOM,
      skip(
        'http.request.uri.path contains "/disable-logging/"',
        { phases: ["http_ratelimit"] },
        { logging: { enabled: false } },
      ),
    ],
    [CUSTOM, skip('http.request.uri.path contains "/skip-products/"', { products: ["zoneLockdown", "uaBlock"] })],
  ];

  test.each(documented)("example %# is returned as it was sent: %s", async (phase, rule) => {
    const { errors, result } = await put(phase, rule);
    expect(errors).toEqual([]);
    const [saved] = result.rules;
    const logging = { enabled: true };
    const added = {
      id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      version: "1",
      last_updated: expect.any(String) as string,
      ref: saved?.id,
      enabled: true,
      ...("action_parameters" in rule && (rule as { action?: string }).action === "skip" ? { logging } : {}),
    };
    expect(saved).toEqual({ ...added, ...rule });
  });

  describe("metadata of custom hostnames", () => {
    const hostnames = async (hostname: string) => {
      const [found] = await caller.result<{ id: string }[]>("GET", `${zone}/custom_hostnames?hostname=${hostname}`);
      return `${zone}/custom_hostnames/${found?.id ?? ""}`;
    };

    test("has values of any kind, at most 4 KB, and none on wildcards", async () => {
      const path = await hostnames("shop.customer.test");
      const custom_metadata = { customer_id: "12345", redirect_to_https: true, tier: 2 };
      expect(await caller.result("PATCH", path, { custom_metadata })).toMatchObject({ custom_metadata });
      const sized = (bytes: number) => ({ custom_metadata: { a: "x".repeat(bytes - '{"a":""}'.length) } });
      expect((await caller.send("PATCH", path, sized(4096))).status).toBe(200);
      expect(codes(await caller.send("PATCH", path, sized(4097)))).toEqual([400, 1400]);
      const create = (hostname: string, size: number) =>
        caller.send("POST", `${zone}/custom_hostnames`, { hostname, ...sized(size) });
      expect(codes(await create("a.customer.test", 4097))).toEqual([400, 1400]);
      expect(codes(await create("*.customer.test", 100))).toEqual([400, 1400]);
      expect(codes(await caller.send("PATCH", await hostnames("*.wild.test"), sized(100)))).toEqual([400, 1400]);
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
