import type { FoundAccount, FoundList } from "../../../tools/audit/facts.js";
import { endIn, listFindings } from "../../../tools/audit/lists.js";

const TODAY = "2026-06-15";
const rule = (more: object) => ({ id: "1", ref: "1", action: "block", expression: "true", version: "1", ...more });
const account = (list: Partial<FoundList>, ...rules: readonly object[]): FoundAccount =>
  ({
    level: "account",
    id: "a1",
    name: "Example Ltd",
    rulesets: [{ id: "r1", name: "default", kind: "root", phase: "http_request_redirect", rules: rules.map(rule) }],
    unread: [],
    lists: [{ id: "l1", name: "office", kind: "ip", size: 1, references: 1, ...list }],
  }) as unknown as FoundAccount;
const findings = (list: Partial<FoundList>, ...rules: readonly object[]): string[] =>
  listFindings(account(list, ...rules), [], { today: TODAY, hide: (text) => text }).map(
    ({ code, severity, message }) => `${severity} ${code}: ${message}`,
  );
const items = (...keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, ""]));

describe("a list", () => {
  test("that no rule uses is found, by what the service says and what the rules name", () => {
    expect(findings({ references: 0, size: 3 })).toEqual([
      "info unused-list: no rule uses the list, which has 3 items",
    ]);
    expect(findings({ references: 1 })).toEqual([]);
    expect(findings({ references: 0 }, { expression: "ip.src in $office" })).toEqual([]);
    expect(findings({ references: 0 }, { expression: "ip.src in $office_berlin" })).toHaveLength(1);
    const redirect = {
      action: "redirect",
      actionParameters: { fromList: { name: "office", key: "http.request.full_uri" } },
    };
    expect(findings({ references: 0 }, redirect)).toEqual([]);
    expect(findings({ references: 0 }, { ratelimit: { countingExpression: "ip.src in $office" } })).toEqual([]);
  });

  test("has a stable key for each finding", () => {
    const [finding] = listFindings(account({ references: 0 }), [], { today: TODAY, hide: (text) => text });
    expect(finding).toMatchObject({
      key: "accounts/a1/lists/l1/unused-list",
      where: { level: "account", name: "Example Ltd" },
      phase: "lists",
      list: { id: "l1", name: "office" },
    });
  });

  test.each([
    [["0.0.0.0/0"], "every IPv4 address (0.0.0.0/0)"],
    [["0.0.0.0/2", "64.0.0.0/2", "128.0.0.0/2", "192.0.0.0/2"], "every IPv4 address (0.0.0.0/0)"],
    [
      ["128.0.0.0/2", "192.0.0.0/2", "0.0.0.0/2", "64.0.0.0/3", "96.0.0.0/3", "10.0.0.1"],
      "every IPv4 address (0.0.0.0/0)",
    ],
    [["::/0"], "every public IPv6 address (2000::/3)"],
    [["2000::/4", "3000::/4"], "every public IPv6 address (2000::/3)"],
  ])("that covers everybody is found: %j", (keys, words) => {
    expect(findings({ items: items(...keys) })).toEqual([`error list-of-everything: its items cover ${words}`]);
  });

  test("with items that are wider than any network is found", () => {
    expect(findings({ items: items("0.0.0.0/2", "64.0.0.0/2", "10.0.0.0/8", "2a00::/12", "192.0.2.1") })).toEqual([
      "warning wide-item: 2 items cover more addresses than any one network has: 0.0.0.0/2 and 64.0.0.0/2",
    ]);
    expect(findings({ items: items("2000::/4") })[0]).toMatch(/^warning wide-item: 1 item covers/);
    expect(findings({ kind: "hostname", items: items("*.com") })).toEqual([]);
  });

  test("with items whose comment says that they have expired is found once, with those that expired first", () => {
    const expiring = {
      "192.0.2.1": "attacker, until 2026-06-14",
      "192.0.2.2": "until 2026-06-15",
      "192.0.2.3": "expires 2026-01-31",
      "192.0.2.4": "added 2020-01-01",
    };
    expect(findings({ items: expiring })).toEqual([
      "warning expired-item: the comment of 2 items says that they have expired: 192.0.2.3 (2026-01-31) and 192.0.2.1 (2026-06-14)",
    ]);
    const redirect = { "example.com/sale": { target: "https://example.com/", comment: "remove after 1.2.2026" } };
    expect(findings({ kind: "redirect", items: redirect })).toEqual([
      "warning expired-item: the comment of 1 item says that it has expired: example.com/sale (2026-02-01)",
    ]);
  });

  test("hides secrets in what it shows", () => {
    const found = listFindings(account({ items: { "192.0.2.1": "until 2026-01-01" } }), [], {
      today: TODAY,
      hide: (text) => text.replace("192.0.2.1", "[secret]"),
    });
    expect(found[0]?.message).toContain("[secret] (2026-01-01)");
  });
});

describe("the end in a comment", () => {
  test.each([
    ["until 2026-01-31", "2026-01-31"],
    ["Berlin; valid until: 2026-01-31, Bob", "2026-01-31"],
    ["Expires on 2026/01/31", "2026-01-31"],
    ["expiry date: 2026-01-31", "2026-01-31"],
    ["expires=2026-01-31T10:00:00Z", "2026-01-31"],
    ["until 31.1.2026", "2026-01-31"],
    ["remove after 2026.01.31", "2026-01-31"],
    ["TTL 2026-01-31", "2026-01-31"],
    // A day without a word may be when it was added, and other notations may be another day.
    ["2026-01-31", undefined],
    ["since 2026-01-31", undefined],
    ["added 2026-01-31, until further notice", undefined],
    ["until 01/02/2026", undefined],
    ["until 2026-02-30", undefined],
    ["until 2026-01-311", undefined],
    ["until January", undefined],
    ["weekends 2026-01-31", undefined],
    ["", undefined],
  ])("%j is %s", (comment, expected) => {
    expect(endIn(comment)).toBe(expected);
  });
});
