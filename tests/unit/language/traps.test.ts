import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkExpression, type LocatedFinding } from "../../../core/language/index.js";
import { checkRules } from "../../../provider/validation/index.js";

const page = readFileSync(join(__dirname, "..", "..", "..", "docs", "findings.md"), "utf8");
const examples = page.split("\n### ").flatMap((section) => {
  const code = /^.*/.exec(section)?.[0] ?? "";
  const [, block = ""] = /^```text\n([^]*?)^```$/m.exec(section) ?? [];
  return Array.from(block.matchAll(/^(bad|good): +(.*)$/gm), ([, kind = "", expression = ""]) => ({
    ...{ code, kind, expression },
  }));
});

const codesIn = (expression: string, phase = "http_request_firewall_custom"): string[] =>
  checkExpression(expression, { phase }).map(({ code }) => code);

/** The findings of a bulk redirect by the list `moved`. */
const codesOfRedirect = (expression: string) => {
  const actionParameters = { fromList: { name: "moved", key: "http.request.full_uri" } };
  const place = { phase: "http_request_redirect", kind: "root" } as const;
  return checkRules([{ action: "redirect", expression, actionParameters }], place).map(({ code }) => code);
};

test("the page of findings has an example of each trap", () => {
  const shown = new Set(examples.map(({ code }) => code));
  expect([...shown]).toEqual(
    expect.arrayContaining([
      "backslash",
      "host-dot",
      "path-start",
      "precedence",
      "private-address",
      "star",
      "only-ipv4",
    ]),
  );
});

test.each(examples)("the $kind example of $code: $expression", ({ code, kind, expression }) => {
  const found = code === "redirect-key" ? codesOfRedirect(expression) : codesIn(expression);
  expect(found).toEqual(kind === "bad" ? expect.arrayContaining([code]) : []);
});

test("a threat score that makes a condition impossible is not left out, which would match more", () => {
  const found = checkExpression("(cf.threat_score ge 5 and not cf.client.bot) or ssl");
  expect(found).toMatchObject([{ code: "constant" }]);
  expect(found[0]?.instead).toBeUndefined();
});

const mended = (text: string): string => {
  const [found] = checkExpression(text).filter(({ instead }) => instead !== undefined);
  const { offset = 0, end = 0, instead = "" } = found ?? ({} as Partial<LocatedFinding>);
  return text.slice(0, offset) + instead + text.slice(end);
};

test.each([
  ['http.request.uri.path matches "^/api/*"', 'http.request.uri.path matches "^/api/.*"'],
  ['http.request.uri.path matches r"^\\/api\\/*"', 'http.request.uri.path matches r"^\\/api\\/.*"'],
  ['http.request.uri.path matches "^/(a/*|b/*)/x"', 'http.request.uri.path matches "^/(a/.*|b/.*)/x"'],
  ['http.request.uri.path matches "^/(a/*|b)"', 'http.request.uri.path matches "^/(a/.*|b)"'],
  ['lower(http.request.uri.path) matches "/*\\.php$"', 'lower(http.request.uri.path) matches "/.*\\.php$"'],
  ['http.request.uri.path matches "^/wp-admin*"', 'http.request.uri.path matches "^/wp-admin.*"'],
  ['http.host matches "^www.example.com$"', 'http.host matches "^www\\.example\\.com$"'],
  ['http.host matches ".example.com$"', 'http.host matches "\\.example\\.com$"'],
  ['lower(http.host) matches "(a|b).example.(com|net)"', 'lower(http.host) matches "(a|b)\\.example\\.(com|net)"'],
  ['http.host matches "[a-z]+.*.example.com"', 'http.host matches "[a-z]+.*\\.example\\.com"'],
  ['http.referer matches "^https?://a.example.com/.*"', 'http.referer matches "^https?://a\\.example\\.com/.*"'],
  ['http.host matches "^*[.]example[.]com$"', 'http.host matches "^.*[.]example[.]com$"'],
  ['http.request.full_uri wildcard "a.example/*"', 'http.request.full_uri wildcard "http*://a.example/*"'],
  ['http.request.full_uri matches "^a[.]example/"', 'http.request.full_uri matches "^https?://a[.]example/"'],
  ['http.request.full_uri matches "^/old/"', 'http.request.full_uri matches "^https?://[^/]+/old/"'],
  ['http.host eq "*.example.com" and ssl', 'http.host wildcard "*.example.com" and ssl'],
  ['http.request.uri.path wildcard "^/api/.*"', 'http.request.uri.path wildcard "/api/*"'],
  ['http.host wildcard ".*.example.com"', 'http.host wildcard "*.example.com"'],
  ['http.request.uri.path eq "admin"', 'http.request.uri.path eq "/admin"'],
  ['ssl and lower(http.request.headers["x"][0]) != "a"', 'ssl and not lower(http.request.headers["x"][0]) eq "a"'],
  ['starts_with(http.request.uri.path, "^/admin")', 'starts_with(http.request.uri.path, "/admin")'],
  ['http.request.uri.path wildcard "admin/*"', 'http.request.uri.path wildcard "/admin/*"'],
  ['http.request.uri matches "^(?:a|b)/"', 'http.request.uri matches "^/(?:a|b)/"'],
  ["ssl and cf.client.bot or ssl", "(ssl and cf.client.bot) or ssl"],
  ["ssl or cf.client.bot and ssl xor ssl", "ssl or ((cf.client.bot and ssl) xor ssl)"],
  ["not (ssl or cf.client.bot and ssl)", "not (ssl or (cf.client.bot and ssl))"],
  ["ssl&&cf.client.bot and ssl", "ssl and cf.client.bot and ssl"],
  ["(ssl || cf.client.bot) and ssl", "(ssl or cf.client.bot) and ssl"],
  ["ip.src in {10.0.0.0/8 198.51.100.1 ::1}", "ip.src in {198.51.100.1}"],
  ["ip.src in {198.51.100.1 fd00::1}", "ip.src in {198.51.100.1}"],
  ["ip.src in {0.0.0.0/1 128.0.0.0/1}", "ip.src in {0.0.0.0/1 128.0.0.0/1 ::/0}"],
  ["ip.src.asnum eq AS64500", "ip.src.asnum eq 64500"],
  ['ip.src.asnum in {"AS64500" 64501}', "ip.src.asnum in {64500 64501}"],
  ["ssl and cf.threat_score lt 10", "ssl"],
  ["cf.threat_score ge 5 or ssl", "ssl"],
])("%s: offers %s", (text, expected) => {
  expect(mended(text)).toBe(expected);
});

test.each([
  ["slashes at the end", 'http.request.uri.path matches "^/wp-login\\.php/*$"'],
  ["slashes at the beginning", 'http.request.uri.path matches "^/*admin"'],
  ["a star after two slashes", 'http.request.uri.path matches "^//*admin"'],
  ["a star in a class", 'http.request.uri.path matches "[/*]a"'],
  ["any text after a slash", 'http.request.uri.path matches "^/api/.*"'],
  ["a character that is repeated before another", 'http.request.uri.path matches "^/files*/a"'],
  ["a comment of SQL", 'http.request.uri.query contains "/*" or http.request.uri.path contains "*"'],
  ["a header that must be there", 'has_key(http.request.headers, "x") and http.request.headers["x"][0] ne "a"'],
  ["any other value", 'any(http.request.headers["x"][*] ne "a") or not http.request.cookies["b"][0] ne "a"'],
  ["a wildcard", 'http.request.uri.path wildcard "/api/*" or http.request.uri.path wildcard "/file.*"'],
  ["any number of characters in a host", 'http.host matches "^.+\\.example\\.com$"'],
  ["one character at the end of a label", 'http.host matches "^node.\\.example\\.com$"'],
  ["several characters in a host", 'http.host matches "^node..-[0-9]\\.example\\.com$"'],
  ["a dot that is no part of a host", 'http.request.full_uri matches "^https://[^/]+/a.html"'],
  ["a dot of a path", 'http.request.uri.path matches "/index.php"'],
  ["an alternative for an empty path", 'http.request.uri.path matches "^(?:/admin)?$"'],
  ["a path that may begin with anything", 'http.request.uri.path matches "^.*admin"'],
  ["a path that is searched", 'http.request.uri.path matches "admin"'],
  ["a class with a slash", 'http.request.uri.path matches "^[^a]"'],
  ["a wildcard at the beginning", 'http.request.uri.path wildcard "*/admin"'],
  ["parentheses", "(ssl and cf.client.bot) or ssl"],
  ["one operator", "ssl and cf.client.bot and not ssl"],
  ["a backslash before a word", 'http.request.uri.path matches "\\\\windows"'],
  ["a decoded backslash", 'lower(url_decode(http.request.uri.path)) matches "\\\\.exe"'],
  ["signs only", "ssl && !cf.client.bot"],
  ["! beside words", "ssl and !cf.client.bot"],
  ["words in a text", 'http.user_agent contains "&&" and ssl'],
  ["addresses of documentation", "ip.src in {192.0.2.1 198.51.100.0/24 2001:db8::/32}"],
  ["a range with public addresses", "ip.src in {8.0.0.0/6}"],
  ["IPv6 clients", "not ip.src in {0.0.0.0/0}"],
  ["all clients, in two parts", "ip.src in {0.0.0.0/0} and not ip.src in {2001:db8::/32}"],
  ["an end of a range", "ip.src in {192.0.2.1..192.0.2.9} and not ip.src in {::1..2001:db8::1}"],
  ["a number of an AS", "ip.src.asnum eq 64500"],
])("%s is no trap: %s", (_, expression) => {
  expect(codesIn(expression)).toEqual([]);
});

test.each([
  ['http.request.uri.path eq "/api/*"', "star"],
  ['starts_with(lower(http.request.uri.path), "/api/*")', "star"],
  ['http.request.full_uri contains "example.com/*/a"', "star"],
  ["ip.addr ne 10.0.0.1", "deprecated", "private-address"],
  ['http.referer contains "*.example.com"', "star"],
  ['http.host in {"*.example.com"}', "star"],
  ['http.host wildcard "^(a|b).example.com"', "star"],
  ['http.host ne "*.example.com"', "star"],
  ['http.request.uri.path matches "^/v\\\\d+\\\\/x\\\\.php$"', "backslash"],
  ['any(http.request.headers["host"][*] matches "^a.example.com$")', "host-dot"],
  ["cidr(ip.src, 24, 48) eq 192.168.0.0", "private-address"],
  ["not ip.src eq ::1", "private-address"],
  ["ip.src in {::ffff:198.51.100.1 fec0::/10}", "private-address"],
  ['http.request.uri.path eq "https://a.example/admin"', "path-start"],
  ["ip.src in {172.16.0.0..172.31.255.255}", "private-address"],
])("%s is a trap: %s", (expression, ...codes) => {
  expect(codesIn(expression)).toEqual(codes);
});

test("a path cannot be made of a URL with one slash", () => {
  expect(checkExpression('http.request.uri.path eq "https://a.example/admin"')[0]?.instead).toBeUndefined();
});

test("packets of a network have private addresses", () => {
  expect(codesIn("ip.src in {10.0.0.0/8}", "magic_transit")).toEqual([]);
});

test.each([
  ['regex_replace(http.request.uri.path, "^old/.*", "/new")', ["path-start"]],
  ['regex_replace(http.request.uri.path, "^/blog/*", "/")', []],
  ['regex_replace(http.request.uri.path, "/*$", "")', []],
  ['regex_replace(http.request.uri.path, "^/old/*/x", "/new")', ["star"]],
  ['wildcard_replace(http.request.uri.path, "old/*", "/new/${1}")', ["path-start"]],
  ['wildcard_replace(http.request.full_uri, "example.com/*", "https://example.org/${1}")', ["path-start"]],
  ['wildcard_replace(http.request.full_uri, "http*://example.com/*", "https://example.org/${2}")', []],
  ['concat("https://", regex_replace(http.host, "^www.example.com", "example.org"))', ["host-dot"]],
])("traps in a value: %s", (expression, expected) => {
  expect(checkExpression(expression, { slot: "value" }).map(({ code }) => code)).toEqual(expected);
});
