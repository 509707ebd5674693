import type { RuleInput } from "../../../core/simulator/index";
import { FIREWALL, get, LATE, MANAGED, REDIRECT, rule, run, statuses, TRANSFORM, zone } from "./support";

const redirect = (fromValue: object): RuleInput => rule("r", "redirect", { actionParameters: { fromValue } });

describe("an action decides, or lets the request continue", () => {
  it.each([
    ["block", FIREWALL, {}, "blocked"],
    ["challenge", FIREWALL, {}, "challenged"],
    ["js_challenge", FIREWALL, {}, "challenged"],
    ["managed_challenge", FIREWALL, {}, "challenged"],
    ["redirect", REDIRECT, { fromValue: { targetUrl: { value: "https://a.example/" } } }, "redirected"],
    ["redirect", "http_request_redirect", { fromList: { name: "old", key: "http.request.full_uri" } }, "unknown"],
    ["log", FIREWALL, {}, "allowed"],
    ["skip", FIREWALL, { ruleset: "current" }, "allowed"],
    ["score", MANAGED, { increment: 5 }, "allowed"],
    ["rewrite", TRANSFORM, { uri: { path: { value: "/new" } } }, "allowed"],
    ["route", "http_request_origin", { hostHeader: "origin.example" }, "allowed"],
    ["set_config", "http_config_settings", { bic: true }, "allowed"],
    ["set_cache_settings", "http_request_cache_settings", { cache: true }, "allowed"],
    ["execute", MANAGED, { id: "managed" }, "unknown"],
    ["invented", FIREWALL, {}, "unknown"],
  ])("%s in %s", (action, phase, actionParameters, outcome) => {
    const seen = run([zone(phase, rule("r", action, { actionParameters }))]);
    expect(seen.outcome).toBe(outcome);
    expect(seen.rule?.ref).toBe(["allowed", "unknown"].includes(outcome) ? undefined : "r");
    expect(seen.trace).toMatchObject([{ ref: "r", status: "matched", matched: true, why: "`true` is true" }]);
  });

  it("adds up scores and merges settings, later rules over earlier ones", () => {
    const seen = run([
      zone(
        MANAGED,
        rule("a", "score", { actionParameters: { increment: 5 } }),
        rule("b", "score", { actionParameters: { increment: -2 } }),
      ),
      zone(
        "http_config_settings",
        rule("c", "set_config", { actionParameters: { bic: true, ssl: "full" } }),
        rule("d", "set_config", { actionParameters: { ssl: "strict" } }),
      ),
    ]);
    expect(seen.score).toBe(3);
    expect(seen.settings).toEqual({ http_config_settings: { bic: true, ssl: "strict" } });
  });
});

describe("what the client gets", () => {
  it.each([
    ["as a program writes it", { response: { statusCode: 418, contentType: "text/plain", content: "no" } }],
    ["as the API returns it", { response: { status_code: 418, content_type: "text/plain", content: "no" } }],
  ])("is the response of a block rule, %s", (_, actionParameters) => {
    expect(run([zone(FIREWALL, rule("r", "block", { actionParameters }))]).response).toEqual({
      status: 418,
      headers: { "content-type": "text/plain" },
      body: "no",
    });
  });

  it.each([
    [{ targetUrl: { value: "https://a.example/x" } }, 301, "https://a.example/x"],
    [{ targetUrl: { value: "https://a.example/x" }, statusCode: 307 }, 307, "https://a.example/x"],
    [{ targetUrl: { value: "https://a.example/x#f" }, preserveQueryString: true }, 301, "https://a.example/x?next=/#f"],
    [
      { target_url: { expression: 'concat("https://a.example", http.request.uri.path)' }, status_code: 302 },
      302,
      "https://a.example/login",
    ],
  ])("is a redirect: %j", (fromValue, status, location) => {
    expect(run([zone(REDIRECT, redirect(fromValue))]).response).toEqual({ status, headers: { location } });
  });
});

describe("rewrites", () => {
  const rewrite = (ref: string, actionParameters: object, expression = "true"): RuleInput =>
    rule(ref, "rewrite", { actionParameters, expression });

  it("are visible to later phases, not to the rules of their own phase", () => {
    const seen = run([
      zone(
        TRANSFORM,
        rewrite("a", { uri: { path: { expression: 'concat("/v2", http.request.uri.path)' }, query: { value: "" } } }),
        rewrite("b", { uri: { query: { value: "b=1" } } }, 'starts_with(http.request.uri.path, "/v2")'),
      ),
      zone(
        FIREWALL,
        rule("c", "block", { expression: 'http.request.uri eq "/v2/login" and raw.http.request.uri.path eq "/login"' }),
      ),
    ]);
    expect(statuses(seen)).toEqual({ a: "matched", b: "not matched", c: "matched" });
  });

  it("change headers: set, add and remove", () => {
    const headers = {
      "X-Set": { operation: "set", value: "1" },
      "X-Add": { operation: "add", value: "2" },
      "X-Gone": { operation: "remove" },
    };
    const request = get(undefined, { headers: { "x-set": "0", "x-add": "0", "x-gone": "0" } });
    const seen = run([zone(LATE, rewrite("a", { headers }))], { request });
    const named = (name: string): string[] =>
      seen.request.headers.filter(([one]) => one.toLowerCase() === name).map(([, value]) => value);
    expect([named("x-set"), named("x-add"), named("x-gone")]).toEqual([["1"], ["0", "2"], []]);
  });

  it("that may or may not happen make what they change unknown", () => {
    const seen = run([
      zone(TRANSFORM, rewrite("a", { uri: { path: { value: "/admin" } } }, "cf.bot_management.score lt 30")),
      zone(
        FIREWALL,
        rule("b", "block", { expression: 'http.request.uri.path eq "/admin"' }),
        rule("c", "block", { expression: 'http.request.method eq "POST"' }),
      ),
    ]);
    expect(statuses(seen)).toEqual({ a: "unknown", b: "unknown", c: "not matched" });
    expect(seen.outcome).toBe("unknown");
  });
});

describe("response phases", () => {
  const phases = [
    zone(
      "http_custom_errors",
      rule("page", "serve_error", {
        expression: "http.response.code eq 502",
        actionParameters: { statusCode: 503, contentType: "text/plain", content: "soon" },
      }),
    ),
    zone(
      "http_response_headers_transform",
      rule("header", "rewrite", {
        actionParameters: { headers: { Server: { operation: "remove" }, "X-A": { operation: "set", value: "1" } } },
      }),
    ),
  ];

  it("run on the response of the origin", () => {
    expect(run(phases, { response: { status: 502, headers: { Server: "origin" } } }).response).toEqual({
      status: 503,
      headers: { "content-type": "text/plain", "x-a": "1" },
      body: "soon",
    });
  });

  const page = (actionParameters: object) =>
    zone("http_custom_errors", rule("page", "serve_error", { actionParameters }));

  it("replace the body of an error with a page, and keep its other headers and its status", () => {
    const headers = { "Content-Type": "text/html", "Content-Length": "5", "X-A": "1" };
    const seen = run([page({ assetName: "sorry", contentType: "text/html" })], { response: { status: 502, headers } });
    expect(seen.response).toEqual({
      status: 502,
      headers: { "x-a": "1", "content-type": "text/html" },
      body: undefined,
      asset: "sorry",
    });
  });

  it("ignore responses that are not errors", () => {
    const seen = run([page({ content: "soon" })], { response: { status: 200, headers: { "X-A": "1" } } });
    expect(seen.response).toEqual({ status: 200, headers: { "x-a": "1" } });
    expect(seen.trace).toMatchObject([{ status: "not reached", why: "the response is not an error (200)" }]);
  });

  it("ignore the response of a security rule", () => {
    const seen = run([zone(FIREWALL, rule("r", "block")), page({ content: "soon" })], { response: { status: 200 } });
    expect(seen).toMatchObject({ outcome: "blocked", response: { status: 403, body: undefined } });
  });

  it("are not reached without a response, and the trace reports it", () => {
    const [first] = run(phases).trace;
    expect(first).toMatchObject({ ref: "page", status: "not reached", why: "no response of the origin was given" });
  });
});
