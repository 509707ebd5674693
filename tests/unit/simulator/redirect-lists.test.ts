import type { RedirectInput, RuleInput, SimulateInput } from "../../../core/simulator/index";
import { get, rule, run, zone } from "./support";

const PHASE = "http_request_redirect";
const fromList = (expression = "true", key = "http.request.full_uri"): RuleInput =>
  rule("moved", "redirect", { expression, actionParameters: { fromList: { name: "moved", key } } });

function location(url: string, items: readonly RedirectInput[], more: Partial<SimulateInput> = {}): string {
  const seen = run([zone(PHASE, fromList())], { request: get(url), redirectLists: { moved: items }, ...more });
  if (seen.outcome !== "redirected") return seen.outcome;
  return `${String(seen.response?.status)} ${String(seen.response?.headers.location ?? "")}`;
}

const item = (sourceUrl: string, targetUrl: string, more: RedirectInput = {}): RedirectInput => ({
  sourceUrl,
  targetUrl,
  ...more,
});

// The cases of https://developers.cloudflare.com/rules/url-forwarding/bulk-redirects/how-it-works/
describe("a redirect in a list", () => {
  const about = item("https://example.com/about", "https://example.com/newpage");
  const folder = { subpathMatching: true };
  it.each<[string, string, RedirectInput[], string]>([
    ["applies to its URL", "https://example.com/about", [about], "301 https://example.com/newpage"],
    ["to its host, in upper or lower case", "https://EXAMPLE.com/about", [about], "301 https://example.com/newpage"],
    ["not to another path", "https://example.com/about/us", [about], "allowed"],
    ["not to another scheme", "http://example.com/about", [about], "allowed"],
    [
      "to both schemes when it has none",
      "http://example.com/a",
      [item("example.com/a", "https://x.example/")],
      "301 https://x.example/",
    ],
    [
      "to the root when it has no path",
      "https://example.com/",
      [item("example.com", "https://x.example/")],
      "301 https://x.example/",
    ],
    ["not to a subdomain", "https://a.example.com/about", [about], "allowed"],
    [
      "to subdomains when it includes them",
      "https://a.b.example.com/about",
      [{ ...about, includeSubdomains: true }],
      "301 https://example.com/newpage",
    ],
    [
      "not to a host that only ends the same",
      "https://badexample.com/about",
      [{ ...about, includeSubdomains: true }],
      "allowed",
    ],
    [
      "with another status",
      "https://example.com/about",
      [{ ...about, statusCode: 308 }],
      "308 https://example.com/newpage",
    ],
    ["drops the query", "https://example.com/about?q=term", [about], "301 https://example.com/newpage"],
    [
      "keeps the query when configured",
      "https://example.com/about?q=term",
      [{ ...about, preserveQueryString: true }],
      "301 https://example.com/newpage?q=term",
    ],
    [
      "keeps the rest of the path",
      "https://example.com/foo/bar",
      [item("https://example.com/foo/", "https://example.com/qux/", folder)],
      "301 https://example.com/qux/bar",
    ],
    [
      "also without a slash",
      "https://example.com/blog/foo",
      [item("example.com/blog", "https://example.com/news", folder)],
      "301 https://example.com/news/foo",
    ],
    [
      "not to a path that begins the same",
      "https://example.com/blogger",
      [item("example.com/blog", "https://example.com/news", folder)],
      "allowed",
    ],
    [
      "drops the rest when configured",
      "https://example.com/a/foo",
      [item("https://example.com/a/", "https://example.com/b/", { ...folder, preservePathSuffix: false })],
      "301 https://example.com/b/",
    ],
  ])("%s", (_, url, items, expected) => {
    expect(location(url, items)).toBe(expected);
  });

  it.each<[string, string, RedirectInput[]]>([
    [
      "the longer path",
      "https://example.com/folder/subfolder/item",
      [item("example.com/folder", "https://no/", folder), item("example.com/folder/subfolder", "https://yes/", folder)],
    ],
    [
      "the exact host",
      "https://a.example.com/x",
      [item("example.com/x", "https://no/", { includeSubdomains: true }), item("a.example.com/x", "https://yes/")],
    ],
    [
      "the longer domain",
      "https://qux.foo.bar.com/x",
      [
        item("bar.com/x", "https://no/", { includeSubdomains: true }),
        item("foo.bar.com/x", "https://yes/", { includeSubdomains: true }),
      ],
    ],
    [
      "its own scheme",
      "https://example.com/x",
      [item("example.com/x", "https://no/"), item("https://example.com/x", "https://yes/")],
    ],
  ])("wins by %s", (_, url, items) => {
    expect(location(url, items)).toMatch(/^301 https:\/\/yes/);
    expect(location(url, [...items].reverse())).toMatch(/^301 https:\/\/yes/);
  });

  it("is read as the API returns it", () => {
    const redirect = { source_url: "example.com/a", target_url: "https://x.example/", status_code: 302 };
    expect(location("https://example.com/a", [{ redirect }])).toBe("302 https://x.example/");
  });

  it("has URLs", () => {
    expect(() => location("https://example.com/", [{ targetUrl: "https://x.example/" }])).toThrow(
      'redirectLists["moved"][0]: sourceUrl must be a URL',
    );
  });
});

test("the expression in Cloudflare's documentation queries the same list", () => {
  const rules = [zone(PHASE, fromList("http.request.full_uri in $moved"))];
  const redirectLists = { moved: [item("shop.example.com/old", "https://shop.example.com/")] };
  const old = run(rules, { request: get("https://shop.example.com/old"), redirectLists });
  expect(old).toMatchObject({ outcome: "redirected", rule: { ref: "moved" } });
  const other = run(rules, { request: get("https://shop.example.com/new"), redirectLists });
  expect(other).toMatchObject({ outcome: "allowed", trace: [{ status: "not matched" }] });
});

test("the trace shows which redirect matched, or that none did", () => {
  const redirectLists = { moved: [item("shop.example.com/old", "https://shop.example.com/")] };
  const why = (url: string): string | undefined =>
    run([zone(PHASE, fromList())], { request: get(url), redirectLists }).trace[0]?.why;
  expect(why("https://shop.example.com/old")).toBe("`true` is true; the redirect from shop.example.com/old");
  expect(why("https://shop.example.com/")).toBe(
    '`true` is true; no redirect in the list "moved" matches https://shop.example.com/',
  );
});

test("a list that is not given may redirect", () => {
  const seen = run([zone(PHASE, fromList())], { redirectLists: { other: [] } });
  expect(seen.outcome).toBe("unknown");
  expect(seen.undecided[0]?.because[0]).toContain('pass them as `redirectLists: { "moved": … }`');
});
