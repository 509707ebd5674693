import { bulkRedirects } from "../../../core/legacy/bulk.js";
import { convert } from "../../../core/legacy/convert.js";
import { parseOldRules } from "../../../core/legacy/old-rules.js";
import { compileProgram, simulate } from "../../../core/simulator/index.js";
import { makeRequest } from "../../../core/language/index.js";
import { addMigrations, generateProgram, type Inventory } from "../../../tools/generator/index.js";
import { oldOutcome } from "./model.js";

type Rule = readonly [url: string, target: string | undefined];
const pageRules = (rules: readonly Rule[]) =>
  rules.map(([value, url], index) => ({
    id: `p${String(index).padStart(11, "0")}`,
    priority: rules.length - index,
    status: "active",
    targets: [{ target: "url", constraint: { operator: "matches", value } }],
    actions: [
      url === undefined ? { id: "always_use_https" } : { id: "forwarding_url", value: { url, status_code: 302 } },
    ],
  }));
const NONE = { pageRules: [], userAgents: [], lockdowns: [], accessRules: [], rateLimits: [] };
const many = (count: number): Rule[] =>
  Array.from({ length: count }, (_, at) => [`example.com/Old/${String(at)}`, `https://example.org/${String(at)}`]);
const oldOf = (rules: readonly Rule[]) => parseOldRules({ ...NONE, pageRules: pageRules(rules) });
const bulkOf = (rules: readonly Rule[], plan = "free", others = 0) =>
  bulkRedirects(oldOf(rules), convert(oldOf(rules)), { plan, others, suffix: "zone" });

describe("redirect rules and redirect lists", () => {
  test.each<[string, number, number | undefined]>([
    ["free", 10, undefined],
    ["free", 11, 11],
    ["pro", 25, undefined],
    ["pro", 26, 26],
    ["enterprise", 300, undefined],
  ])("on the %s plan, %d page rules make a list of %s", (plan, count, items) => {
    const found = bulkOf(many(count), plan);
    expect(found === undefined ? undefined : Object.keys(found.items).length).toBe(items);
    // A redirect rule that the zone has besides.
    expect(bulkOf(many(count), plan, 1)).toBeDefined();
  });

  test("only what an item can say is moved", () => {
    const found = bulkOf([
      ["example.com/a/*", "https://example.org/$1"],
      ["example.com/a/b", "https://example.org/hidden"],
      ["example.com/q?x=1", "https://example.org/query"],
      ["*.example.com/c", "https://example.org/any-host"],
      ["shop.example.com/early", "https://example.org/early"],
      ["shop.example.com/*", "https://example.org/"],
      ["https://example.com/Secure", "https://example.org/secure"],
      ["example.com", "https://example.org/home"],
      ...many(9),
    ]);
    expect(Object.keys(found?.items ?? {}).filter((key) => !key.includes("/Old/"))).toEqual([
      "https://example.com/Secure",
      "example.com/",
    ]);
  });

  test("a list and its rule redirect as the page rules did", () => {
    const rules = many(12);
    const found = bulkOf(rules);
    const items = Object.entries(found?.items ?? {}).map(([sourceUrl, details]) => ({
      sourceUrl,
      ...(typeof details === "string" ? {} : { targetUrl: details.target, statusCode: details.status }),
    }));
    const program = compileProgram([
      { kind: "root", phase: "http_request_redirect", rules: found === undefined ? [] : [found.rule] },
    ]);
    for (const url of ["https://example.com/Old/3", "http://example.com/Old/11?x=1", "https://example.com/Old/99"]) {
      const request = makeRequest({ url });
      const redirectLists = { [found?.list ?? ""]: items };
      const { outcome, response } = simulate({ program, request, redirectLists, clock: 0 });
      const client = { ip: "192.0.2.1", country: "DE", asn: 1, userAgent: "", cookie: "" };
      const before = oldOutcome(oldOf(rules), { url, ...client });
      expect([outcome, response?.headers.location]).toEqual(
        before.kind === "redirected" ? ["redirected", before.location] : ["allowed", undefined],
      );
    }
  });

  const zone = { id: "0123456789abcdef", name: "example.com", plan: "free", accountId: "acc", accountName: "Acme" };
  const migrate = (scopes: Inventory["scopes"]) =>
    addMigrations(
      { scopes, leftOut: [], isServices: true },
      [{ ...zone, wire: { ...NONE, pageRules: pageRules(many(12)) } }],
      true,
    );

  test("the program has them in its account, after the rules that are there", () => {
    const there = {
      name: "default",
      description: "",
      kind: "root",
      phase: "http_request_redirect",
      rules: [{ ref: "a" }],
    };
    const scope = { level: "accounts", id: "acc" } as const;
    const { inventory, migrations } = migrate([{ scope, name: "Acme", rulesets: [there], hostnames: [] }]);
    const [account] = inventory.scopes.filter(({ scope: { level } }) => level === "accounts");
    expect(account?.rulesets.map(({ rules }) => rules)).toEqual([
      [{ ref: "a" }, expect.objectContaining({ ref: "legacy-redirects-01234567", enabled: false })],
    ]);
    expect(account?.lists?.map(({ name, kind }) => [name, kind])).toEqual([["legacy_redirects_01234567", "redirect"]]);
    expect(migrations.map(({ beyond, bulk }) => [beyond, bulk?.replaced.size])).toEqual([[[], 12]]);
    const again = addMigrations(inventory, [{ ...zone, wire: { ...NONE, pageRules: pageRules(many(12)) } }], true);
    expect(again.inventory.scopes).toEqual(inventory.scopes);
  });

  test("without the rules of the account, it names what to do", () => {
    const { migrations, inventory } = migrate([]);
    expect(migrations.map(({ advice }) => advice)).toEqual([
      "12 redirects of single URLs can become a redirect list of the account, if you add `--account acc`.",
    ]);
    expect(generateProgram(inventory).declared).toHaveLength(1);
  });
});
