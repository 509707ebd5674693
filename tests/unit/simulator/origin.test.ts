import type { UrlNormalization } from "../../../core/simulator/index";
import { FIREWALL, get, REDIRECT, rule, run, statuses, TRANSFORM, zone } from "./support";

const ORIGIN = "http_request_origin";

// The cases of https://developers.cloudflare.com/rules/normalization/examples/
describe("URLs are normalised", () => {
  it.each<[string, UrlNormalization, rules: string, origin: string]>([
    ["/hello", {}, "/hello", "/hello"],
    ["/%68ello", { scope: "none" }, "/%68ello", "/%68ello"],
    ["/%68ello", {}, "/hello", "/%68ello"],
    ["/%68ello", { scope: "both" }, "/hello", "/hello"],
    ["/%68ello//pa\\th", { type: "rfc3986", scope: "incoming" }, "/hello//pa%5Cth", "/%68ello//pa\\th"],
    ["/%68ello//pa\\th", { type: "rfc3986", scope: "both" }, "/hello//pa%5Cth", "/hello//pa%5Cth"],
    ["/%68ello//pa\\th", { type: "cloudflare", scope: "incoming" }, "/hello/pa/th", "/%68ello//pa\\th"],
    ["/%68ello//pa\\th", { type: "cloudflare", scope: "both" }, "/hello/pa/th", "/hello/pa/th"],
    ["/hello//../path", { type: "rfc3986", scope: "both" }, "/hello/path", "/hello/path"],
    ["/hello//../path", { type: "cloudflare", scope: "both" }, "/path", "/path"],
    ["/hello/\\../path", { type: "rfc3986", scope: "both" }, "/hello/%5C../path", "/hello/%5C../path"],
    ["/hello/\\../path", { type: "cloudflare", scope: "both" }, "/path", "/path"],
    ["/a%2fb%c3%a9", {}, "/a%2Fb%C3%A9", "/a%2fb%c3%a9"],
    ["/%2e%2e/./admin/..", {}, "/", "/%2e%2e/./admin/.."],
  ])("%s with %j", (path, urlNormalization, rules, origin) => {
    const seen = run([zone(FIREWALL, rule("r", "log", { expression: `http.request.uri.path eq r"${rules}"` }))], {
      request: get(`https://shop.example.com${path}?a=%68`),
      zone: { urlNormalization },
    });
    expect(statuses(seen)).toEqual({ r: "matched" });
    expect(seen.request.url).toBe(`https://shop.example.com${origin}?a=%68`);
  });

  it("after single redirects, and not in raw fields", () => {
    const seen = run(
      [
        zone(REDIRECT, rule("early", "redirect", { expression: 'http.request.uri.path eq "/admin"' })),
        zone(FIREWALL, rule("raw", "log", { expression: 'raw.http.request.uri.path eq "/%61dmin"' })),
      ],
      { request: get("https://shop.example.com/%61dmin") },
    );
    expect(statuses(seen)).toEqual({ early: "not matched", raw: "matched" });
  });

  it("and a rewritten path goes to the origin as written", () => {
    const rewrite = rule("v2", "rewrite", {
      actionParameters: { uri: { path: { expression: 'concat("/v2", http.request.uri.path)' } } },
    });
    const seen = run([zone(TRANSFORM, rewrite)], { request: get("https://shop.example.com/%61pi") });
    expect(seen.request.url).toBe("https://shop.example.com/v2/api");
  });
});

describe("origin rules", () => {
  const route = (actionParameters: object) => zone(ORIGIN, rule("route", "route", { actionParameters }));

  it("change the Host header at the origin only", () => {
    const seen = run([
      route({ hostHeader: "bucket.storage.example" }),
      zone(FIREWALL, rule("host", "log", { expression: 'http.host eq "shop.example.com"' })),
    ]);
    expect(statuses(seen)).toMatchObject({ host: "matched" });
    expect(seen.request.headers).toEqual([["Host", "bucket.storage.example"]]);
    expect(seen.request.url).toBe("https://bucket.storage.example/login?next=/");
    expect(seen.origin).toBeUndefined();
  });

  it("change the destination", () => {
    const seen = run([route({ origin: { host: "origin.example", port: 8443 }, sni: { value: "tls.example" } })]);
    expect(seen.origin).toEqual({ host: "origin.example", port: 8443, sni: "tls.example" });
    expect(seen.request.url).toBe("https://shop.example.com/login?next=/");
  });

  it("are read as the API returns them", () => {
    expect(run([route({ host_header: "bucket.storage.example" })]).request.url).toContain("//bucket.storage.example/");
  });
});
