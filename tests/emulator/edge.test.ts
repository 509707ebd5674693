import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Emulator, Seed } from "../../emulator/index.js";
import { Caller } from "../support/caller.js";
import { Service } from "../support/emulator.js";
import { visit, type Visit } from "../support/visit.js";
import { emulatorWith } from "../support/emulators.js";

const CUSTOM = "http_request_firewall_custom";
const RATELIMIT = "http_ratelimit";
const HOST = "shop.example.com";

interface Echo {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly settings: Readonly<Record<string, object>>;
}

const seed: Seed = {
  zones: [{ name: HOST, certificates: { hostnames: [{ hostname: "shop.customer.test" }] } }],
  lists: [{ name: "office", kind: "ip", items: [{ ip: "198.51.100.0/24" }] }],
};
const rule = (ref: string, action: string, expression: string, more: object = {}) => ({
  ref,
  action,
  expression,
  ...more,
});

describe("the edge", () => {
  let emulator: Emulator;
  let caller: Caller;
  let service: Service;
  let zone: string;
  let account: string;

  const start = async (edge: { origin?: string } = {}): Promise<void> => {
    emulator = await emulatorWith({ seed, edge });
    caller = new Caller(emulator);
    service = new Service(emulator);
    zone = `/zones/${await service.zone("enterprise")}`;
    account = `/accounts/${await service.account()}`;
  };

  const get = (path: string, headers: Record<string, string> = {}, more: Omit<Visit, "headers"> = {}) => {
    const { Host = HOST, ...others } = headers;
    return visit(emulator.edgeUrl ?? "", `http://${Host}${path}`, { headers: others, ...more });
  };
  const echoed = async (...request: Parameters<typeof get>): Promise<Echo> =>
    JSON.parse((await get(...request)).text) as Echo;
  const put = async (phase: string, rules: object[], owner = zone) => {
    const answer = await caller.send("PUT", `${owner}/rulesets/phases/${phase}/entrypoint`, { rules });
    expect(answer.errors).toEqual([]);
  };

  test("forwards a request as the origin should see it, when no rule stops it", async () => {
    await start();
    const answer = await get("/a?b=c", { "X-A": "1" }, { method: "POST", body: "hello" });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({ "x-edge-zone": HOST, "x-edge-outcome": "allowed" });
    const echo = JSON.parse(answer.text) as Echo;
    expect(echo).toMatchObject({ method: "POST", url: `http://${HOST}/a?b=c`, body: "hello" });
    expect(echo.headers).toMatchObject({ "X-A": "1", "CF-Connecting-IP": "127.0.0.1", "CF-IPCountry": "XX" });
  });

  test("blocks with the page of the service or the response of the rule, and names the rule", async () => {
    await start();
    const response = { status_code: 418, content_type: "text/plain", content: "no tea" };
    await put(CUSTOM, [
      rule("admin", "block", 'starts_with(http.request.uri.path, "/admin")', { description: "Block admin – 100%" }),
      rule("tea", "block", 'http.request.uri.path eq "/tea"', { action_parameters: { response } }),
    ]);
    const blocked = await get("/admin");
    expect([blocked.status, blocked.headers["content-type"]]).toEqual([403, "text/html; charset=utf-8"]);
    expect(blocked.headers).toMatchObject({
      "x-edge-outcome": "blocked",
      "x-edge-rule": "Block admin %E2%80%93 100%25",
      "x-edge-rule-ref": "admin",
      "x-edge-phase": CUSTOM,
      "x-edge-ruleset": `${CUSTOM} of zone ${HOST}`,
      "x-edge-action": "block",
    });
    const tea = await get("/tea");
    expect([tea.status, tea.text, tea.headers["content-type"]]).toEqual([418, "no tea", "text/plain"]);
    expect((await get("/")).status).toBe(200);
  });

  test("challenges a client until it has solved the challenge", async () => {
    await start();
    await put(CUSTOM, [rule("c", "managed_challenge", "true")]);
    const answer = await get("/");
    expect([answer.status, answer.headers["cf-mitigated"]]).toEqual([403, "challenge"]);
    expect((await get("/", { "X-Edge-Challenge": "solved" })).status).toBe(200);
  });

  test("sets the counter of a rate limit to zero when a client solves its challenge", async () => {
    await start();
    const ratelimit = { characteristics: ["cf.colo.id", "ip.src"], period: 10, requests_per_period: 3 };
    await put(RATELIMIT, [
      rule("l", "managed_challenge", "true", { ratelimit: { ...ratelimit, mitigation_timeout: 0 } }),
    ]);
    const statuses = async (...solved: boolean[]): Promise<number[]> => {
      const found: number[] = [];
      for (const one of solved) found.push((await get("/", one ? { "X-Edge-Challenge": "solved" } : {})).status);
      return found;
    };
    expect(await statuses(false, false, false, false, true)).toEqual([200, 200, 200, 403, 200]);
    expect(await statuses(false, false, false, false)).toEqual([200, 200, 200, 403]);
  });

  test("redirects before everything else, and rewrites what later phases and the origin see", async () => {
    await start();
    await put("http_request_dynamic_redirect", [
      rule("r", "redirect", 'http.request.uri.path eq "/old"', {
        action_parameters: {
          from_value: { status_code: 302, preserve_query_string: true, target_url: { value: "https://a.example/new" } },
        },
      }),
    ]);
    await put("http_request_transform", [
      rule("w", "rewrite", 'http.request.uri.path eq "/in"', {
        action_parameters: { uri: { path: { value: "/out" } } },
      }),
    ]);
    await put(CUSTOM, [rule("b", "block", 'http.request.uri.path in {"/old" "/in"}')]);
    await put("http_request_late_transform", [
      rule("h", "rewrite", "true", {
        action_parameters: {
          headers: { "X-From": { operation: "set", expression: "ip.src.country" }, "X-Gone": { operation: "remove" } },
        },
      }),
    ]);
    const moved = await get("/old?a=b");
    expect([moved.status, moved.headers.location]).toEqual([302, "https://a.example/new?a=b"]);
    const echo = await echoed("/in", { "X-Gone": "1", "X-Edge-Country": "DE" });
    expect(echo.url).toBe(`http://${HOST}/out`);
    expect(echo.headers["X-From"] ?? echo.headers["x-from"]).toBe("DE");
    expect(Object.keys(echo.headers).map((name) => name.toLowerCase())).not.toContain("x-gone");
  });

  test("follows a redirect list of the account", async () => {
    await start();
    const created = await caller.result("POST", `${account}/rules/lists`, { name: "moved", kind: "redirect" });
    const redirect = { source_url: `${HOST}/old`, target_url: "https://a.example/new", status_code: 302 };
    await caller.send("POST", `${account}/rules/lists/${created.id}/items`, [{ redirect }]);
    const from_list = { name: "moved", key: "http.request.full_uri" };
    const all = "http.request.full_uri in $moved";
    await put("http_request_redirect", [rule("m", "redirect", all, { action_parameters: { from_list } })], account);
    const answer = await get("/old");
    expect([answer.status, answer.headers.location]).toEqual([302, "https://a.example/new"]);
    expect((await get("/other")).status).toBe(200);
  });

  test("skips what a skip rule excludes, and runs the account before the zone", async () => {
    await start();
    const created = await caller.result("POST", `${account}/rulesets`, {
      name: "everywhere",
      kind: "custom",
      phase: CUSTOM,
      rules: [rule("all", "block", 'http.user_agent contains "scan"')],
    });
    await put(
      CUSTOM,
      [rule("x", "execute", 'cf.zone.plan eq "ENT"', { action_parameters: { id: created.id } })],
      account,
    );
    await put(CUSTOM, [
      rule("s", "skip", "ip.src in $office", { action_parameters: { ruleset: "current" } }),
      rule("z", "block", 'http.request.uri.path eq "/admin"'),
    ]);
    expect((await get("/", { "User-Agent": "scanner" })).headers["x-edge-rule"]).toBe("all");
    expect((await get("/admin")).headers["x-edge-rule"]).toBe("z");
    expect((await get("/admin", { "X-Edge-IP": "198.51.100.7" })).status).toBe(200);
  });

  test("limits the rate by the emulator's clock", async () => {
    await start();
    const ratelimit = {
      characteristics: ["cf.colo.id", "ip.src"],
      period: 60,
      requests_per_period: 2,
      mitigation_timeout: 600,
    };
    await put(RATELIMIT, [rule("l", "block", 'http.request.uri.path eq "/login"', { ratelimit })]);
    const statuses = async (count: number, ip = "203.0.113.9") => {
      const seen: number[] = [];
      for (let each = 0; each < count; each += 1) seen.push((await get("/login", { "X-Edge-IP": ip })).status);
      return seen;
    };
    expect(await statuses(4)).toEqual([200, 200, 429, 429]);
    expect((await get("/login", { "X-Edge-IP": "203.0.113.9" })).headers["retry-after"]).toBe("600");
    expect(await statuses(1, "203.0.113.10")).toEqual([200]);
    await service.advanceClock(601);
    expect(await statuses(3)).toEqual([200, 200, 429]);
    await caller.control("POST", "/reset", {});
  });

  test("logs requests over a rate limit with action log, and blocks nothing", async () => {
    await start();
    const ratelimit = { characteristics: ["cf.colo.id"], period: 60, requests_per_period: 2, mitigation_timeout: 600 };
    await put(RATELIMIT, [rule("quiet", "log", "true", { ratelimit })]);
    const statuses = [];
    for (let each = 0; each < 4; each += 1) statuses.push((await get("/")).status);
    expect(statuses).toEqual([200, 200, 200, 200]);
    const events = await caller.control<{ ref: string; action: string; source: string }[]>("GET", "/events");
    expect(events.map(({ ref, action, source }) => [ref, action, source])).toEqual([
      ["quiet", "log", "rateLimit"],
      ["quiet", "log", "rateLimit"],
    ]);
    await caller.control("POST", "/reset", {});
  });

  test("limits by the response of the origin, also with overlapping requests", async () => {
    const origin = await serve((_request, response) => {
      response.writeHead(401).end();
    });
    await start({ origin: origin.url });
    const ratelimit = {
      characteristics: ["cf.colo.id", "ip.src"],
      period: 60,
      requests_per_period: 5,
      mitigation_timeout: 60,
      counting_expression: "http.response.code eq 401",
    };
    await put(RATELIMIT, [rule("l", "block", "true", { ratelimit })]);
    const first = await Promise.all(Array.from({ length: 6 }, () => get("/")));
    expect(first.map(({ status }) => status)).toEqual(Array(6).fill(401));
    expect((await get("/")).status).toBe(429);
    await origin.close();
  });

  test("changes the response, and logs the fields in rules", async () => {
    const origin = await serve((request, response) => {
      response.setHeader("Set-Cookie", ["a=1", "b=2"]);
      response.setHeader("X-Powered-By", "origin");
      response.writeHead(request.url === "/missing" ? 404 : 200, { "Content-Type": "text/plain" });
      response.end(`origin sees ${request.headers.host ?? ""}${request.url ?? ""}`);
    });
    await start({ origin: origin.url });
    await put("http_response_headers_transform", [
      rule("h", "rewrite", "true", {
        action_parameters: {
          headers: {
            "X-Powered-By": { operation: "remove" },
            "Strict-Transport-Security": { operation: "set", value: "max-age=1" },
          },
        },
      }),
    ]);
    await put("http_custom_errors", [
      rule("e", "serve_error", "http.response.code eq 404", {
        action_parameters: { status_code: 410, content_type: "text/plain", content: "gone" },
      }),
    ]);
    await put("http_log_custom_fields", [
      rule("f", "log_custom_field", "true", {
        action_parameters: {
          request_fields: [{ name: "x-a" }],
          response_fields: [{ name: "content-type" }],
          cookie_fields: [{ name: "session" }],
        },
      }),
    ]);
    const answer = await get("/a", { "X-A": "1", Cookie: "session=s; other=o" });
    expect(answer.text).toBe(`origin sees ${HOST}/a`);
    expect(answer.headers).toMatchObject({ "set-cookie": ["a=1", "b=2"], "strict-transport-security": "max-age=1" });
    expect(answer.headers["x-powered-by"]).toBeUndefined();
    const missing = await get("/missing");
    expect([missing.status, missing.text]).toEqual([410, "gone"]);
    const logs = await caller.control<object[]>("GET", "/logs");
    expect(logs).toMatchObject([
      {
        edgeResponseStatus: 200,
        originResponseStatus: 200,
        requestHeaders: { "x-a": "1" },
        responseHeaders: { "content-type": "text/plain" },
        cookies: { session: "s" },
      },
      { edgeResponseStatus: 410, originResponseStatus: 404 },
    ]);
    await origin.close();
  });

  test("takes client properties from headers, which neither rules nor the origin see", async () => {
    await start();
    await put(CUSTOM, [
      rule("country", "block", 'ip.src.country eq "KP"'),
      rule("bot", "block", "cf.bot_management.score lt 30 and not cf.client.bot"),
      rule("score", "block", "cf.waf.score lt 20"),
      rule("tls", "block", "ssl and ip.src.asnum eq 64496"),
      rule("header", "block", 'any(lower(http.request.headers.names[*])[*] contains "x-edge-")'),
    ]);
    const ruleFor = async (headers: Record<string, string>) => (await get("/", headers)).headers["x-edge-rule"];
    expect(await ruleFor({ "X-Edge-Country": "KP" })).toBe("country");
    expect(await ruleFor({ "X-Edge-Bot-Score": "1" })).toBe("bot");
    expect(await ruleFor({ "X-Edge-Field-cf.waf.score": "5" })).toBe("score");
    expect(await ruleFor({ "X-Edge-Scheme": "https", "X-Edge-ASN": "64496" })).toBe("tls");
    expect(await ruleFor({ "X-Edge-Country": "DE" })).toBeUndefined();
    expect(Object.keys((await echoed("/", { "X-Edge-Country": "DE" })).headers).join()).not.toMatch(/x-edge/i);
    const wrong = await get("/", { "X-Edge-Bot-Score": "many" });
    expect([wrong.status, wrong.text]).toEqual([400, 'x-edge-bot-score: "many" is not a whole number\n']);
    expect((await get("/", { "X-Edge-IP": "nobody" })).status).toBe(400);
  });

  test("reports what it cannot evaluate, and lets the request pass", async () => {
    await start();
    await put("http_request_firewall_managed", [
      rule("m", "execute", "true", { action_parameters: { id: "efb7b8c949ac4650a09736fc376e9aee" } }),
    ]);
    await put(CUSTOM, [rule("j", "block", 'cf.bot_management.ja4 eq "x"'), rule("b", "block", 'http.host eq "no"')]);
    const answer = await get("/");
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      "x-edge-outcome": "allowed",
      "x-edge-undecided": "j",
      "x-edge-managed": "Cloudflare Managed Ruleset",
    });
  });

  test("serves custom hostnames and names below a zone only; a paused zone has no rules", async () => {
    await start();
    await put(CUSTOM, [rule("b", "block", "true")]);
    expect((await get("/", { Host: "shop.customer.test" })).headers["x-edge-rule"]).toBe("b");
    expect((await get("/", { Host: `www.${HOST}:8788` })).headers["x-edge-rule"]).toBe("b");
    const stranger = await get("/", { Host: "else.test" });
    expect([stranger.status, stranger.text]).toEqual([409, expect.stringContaining(`one of: ${HOST}`)]);
    await caller.result("PATCH", zone, { paused: true });
    expect((await get("/")).status).toBe(200);
  });

  test("reports an origin that does not respond", async () => {
    const gone = await serve(() => undefined);
    await gone.close();
    await start({ origin: gone.url });
    expect((await get("/")).status).toBe(521);
  });

  test("lists the security events by zone, and clears them on a reset", async () => {
    await start();
    await put(CUSTOM, [
      rule("log", "log", "true", { description: "All of them" }),
      rule("b", "block", 'http.request.uri.path eq "/admin"'),
    ]);
    await get("/admin?x=1", { "X-Edge-IP": "203.0.113.9", "X-Edge-Country": "FR", "User-Agent": "curl" });
    const events = await caller.control<object[]>("GET", `/events?zone=${zone.slice("/zones/".length)}`);
    const facts = {
      source: "firewallCustom",
      clientIP: "203.0.113.9",
      clientCountryName: "FR",
      clientRequestPath: "/admin",
      clientRequestQuery: "?x=1",
      userAgent: "curl",
      edgeResponseStatus: 403,
    };
    expect(events).toMatchObject([
      { ...facts, action: "log", ref: "log", description: "All of them" },
      { ...facts, action: "block", ref: "b" },
    ]);
    expect(await caller.control("GET", "/events?zone=other")).toEqual([]);
    await caller.control("POST", "/reset", {});
    expect(await caller.control("GET", "/events")).toEqual([]);
  });

  test("refuses an invalid origin URL at the start", async () => {
    await start();
    await expect(emulatorWith({ edge: { origin: "localhost" } })).rejects.toThrow(
      'the origin must be a URL with http or https, not "localhost"',
    );
  });
});

async function serve(listener: Parameters<typeof createServer>[1]): Promise<{ url: string; close(): Promise<void> }> {
  const server: Server = createServer(listener ?? (() => undefined));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}
