import { runExplain, type ExplainCommand } from "../../tools/cli/rules/explain/command.js";

function explain(text: string, options: ExplainCommand = {}): { code: number; text: string } {
  const lines: string[] = [];
  const code = runExplain(text, options, (line) => lines.push(line));
  return { code, text: lines.join("\n") };
}

test.each([
  ["ssl", "`ssl` is true"],
  ["true", "always"],
  ['http.host eq "a"', '`http.host` is "a"  [String]'],
  ['http.host ne "a"', '`http.host` is present and is not "a"'],
  ["http.response.code ge 400", "`http.response.code` is at least 400  [Integer]"],
  ['http.request.uri.path lt "/b"', '`http.request.uri.path` comes before "/b"'],
  ['lower(http.host) contains "x"', '`http.host` in lower case contains "x"'],
  ["len(http.request.uri.path) gt 5", "the length of `http.request.uri.path` is more than 5"],
  ['starts_with(http.request.uri.path, "/a")', '`http.request.uri.path` begins with "/a"'],
  ['http.host wildcard "*.example.com"', 'matches the wildcard "*.example.com" as a whole, in upper or lower case'],
  ['http.host strict wildcard "*.example.com"', 'matches the wildcard "*.example.com" as a whole  ['],
  ['http.host matches "^a"', 'matches the regular expression "^a" somewhere'],
  ["ip.src in {10.0.0.0/8}", "`ip.src` is in {10.0.0.0/8}  [IP address]"],
  ["ip.src in $office", "`ip.src` is in the list $office"],
  ["http.request.uri.path ne raw.http.request.uri.path", "is present and is not `raw.http.request.uri.path`"],
])("explains %s in words", (text, words) => {
  expect(explain(text).text).toContain(
    `Matches when ${words.startsWith("matches") || words.startsWith("is ") ? "" : words}`,
  );
  expect(explain(text).text).toContain(words);
});

test("the tree shows the structure, whatever the notation", () => {
  const text = 'ssl && !(http.host == "a" or any(http.request.headers["x"][*] contains "b"))';
  expect(explain(text).text.split("\n\n")[0]).toBe(
    `Matches when all of these are true:
  - \`ssl\` is true
  - this is false:
      - at least one of these is true:
          - \`http.host\` is "a"  [String]
          - for at least one element:
              - \`http.request.headers["x"][*]\` contains "b"  [String]`,
  );
});

test("fields and functions are shown with their types and what they require", () => {
  const { text, code } = explain(
    'cf.bot_management.score lt 30 and lower(http.host) in {"a" "b"} and ip.geoip.asnum eq 1',
  );
  expect(code).toBe(0);
  expect(text).toMatch(
    /cf\.bot_management\.score {2}Integer: .*\n.*not available in the phases that run first.*\n.*plan: Enterprise/,
  );
  expect(text).toMatch(/lower {2}lower\(value: String\): String: /);
  expect(text).toContain("old name: use ip.src.asnum");
  expect(text).toContain("This is a valid filter, with warnings.");
});

test("a value expression is explained too", () => {
  const { text, code } = explain('concat("https://a.example", http.request.uri.path)');
  expect(code).toBe(0);
  expect(text).toContain('The value is "https://a.example" followed by `http.request.uri.path`  [String]');
  expect(text).toContain("This is a valid value expression.");
});

test("mistakes are shown with their position, and the exit code is 2", () => {
  const { text, code } = explain('ip.src eq "abc" and http.hots eq "a"');
  expect(code).toBe(2);
  expect(text).toContain('error[type] 1:11: `ip.src` has type IP address, but `"abc"` is a string');
  expect(text).toContain("warning[unknown-field] 1:21:");
  expect(text).toContain('  ip.src eq "abc" and http.hots eq "a"\n            ^^^^^');
  expect(explain("http.host eq").text).toContain("The service rejects this as a filter.");
});

test("JSON contains the tree, the names and the findings", () => {
  const { text } = explain('not ssl and http.host eq "a"', { json: true });
  expect(JSON.parse(text)).toMatchObject({
    kind: "filter",
    tree: { words: "all of these are true:", parts: [{ words: "this is false:" }, { type: "String" }] },
    uses: { fields: [{ name: "ssl" }, { name: "http.host" }], functions: [], lists: [] },
    normalForm: 'not ssl and http.host eq "a"',
    findings: [],
  });
});
