import { actionsFor } from "../../../tools/editor/actions.js";
import { completionsAt } from "../../../tools/editor/completion.js";
import { diagnosticsOf } from "../../../tools/editor/diagnostics.js";
import { formatEdits } from "../../../tools/editor/format.js";
import { hoverAt } from "../../../tools/editor/hover.js";
import { allFields } from "../../../core/language/catalogue/index.js";
import { applied, documentOf, withCursor } from "./support.js";

const hover = (expression: string, name?: string): string | undefined => {
  const { document, offset } = withCursor(expression, name);
  const found = hoverAt(document, offset);
  return found === undefined
    ? undefined
    : `${document.text.slice(found.span.start, found.span.end)}: ${found.text.replaceAll("\n", " ")}`;
};

test.each<[string, RegExp]>([
  ["http.ho|st eq 5", /^http\.host: ```text http\.host: String ``` .*fields\/reference\/http\.host\//],
  ["cf.bot_management.sc|ore lt 30", /Integer.*[Pp]lan: Enterprise add-on/],
  ["starts_|with(http.host, 5)", /^starts_with: ```text starts_with\(.*functions\/#starts_with/],
  ["ip.src.contin|ent eq 5", /Values: `"AF"`/],
  ["ip.src in $cf.vp|n", /^\$cf\.vpn: .*Cloudflare maintains/],
  ["ssl and http.host e|q 5", /^http\.host eq/],
  ["http.ho|st eq and", /^http\.host: /],
])("hover on %s", (expression, expected) => {
  const text = expression.replace(" eq 5", ' eq "a"').replace(", 5)", ', "a")');
  expect(hover(text)).toMatch(expected);
});

test("hover on an operator says what the conditions around it mean", () => {
  expect(hover('(http.host eq "a" o|r ssl) and http.request.method eq "GET"')).toBe(
    'http.host eq \\"a\\" or ssl: Matches when at least one of these is true: - `http.host` is "a" - `ssl` is true',
  );
});

test.each(["not_a_fie|ld eq", "http.host eq ${ho|st}"])("hover on %s says nothing", (expression) => {
  expect(hover(expression, expression.includes("$") ? "a.ts" : undefined)).toBeUndefined();
});

const offered = (expression: string, name?: string): { labels: string[]; replaces: string } => {
  const { document, offset } = withCursor(expression, name);
  const { span, items } = completionsAt(document, offset);
  return {
    labels: items.filter(({ isLast = false }) => !isLast).map(({ label }) => label),
    replaces: document.text.slice(span.start, span.end),
  };
};

test.each<[string, string, string[], string[]]>([
  ["|", "", ["http.host", "starts_with", "any", "not"], ["and", "eq", "http.response.code"]],
  ["ssl and http.re|", "http.re", ["http.request.method"], ["and"]],
  ["ssl and http.re|quest.x eq 5", "http.request.x", ["http.request.method"], []],
  ["http.host |", "", ["eq", "contains", "wildcard"], ["and", "http.host"]],
  ["ip.src |", "", ["in", "eq"], ["contains", "lt"]],
  ["len(http.host) |", "", ["lt", "ge"], ["contains"]],
  ["ssl |", "", ["and", "or"], ["eq", "http.host"]],
  ['http.host eq "a" |', "", ["and", "or", "xor"], ["eq"]],
  ["ip.src in $cf.vpn |", "", ["and"], ["eq"]],
  ["(ssl) |", "", ["and"], ["eq"]],
  ["ip.src in |", "", ["{…}", "cf.vpn"], []],
  ["ip.src in $|", "", ["cf.malware"], []],
  ["ip.src in $office or ip.src in $|", "", ["office", "cf.malware"], []],
  ["ip.src.country eq |", "", ['"DE"'], []],
  ['ip.src.country eq "|"', "", ["DE"], ['"DE"']],
  ['ip.src.country in {"DE" "F|', "F", ["FR"], []],
  ['http.request.headers["a"][0] |', "", ["eq", "contains"], ["and"]],
  ['any(http.request.headers["a"][*] |', "", ["eq"], ["and"]],
  ["lower(|", "", ["http.host"], []],
])("after %s", (expression, replaces, some, none) => {
  const { labels, replaces: replaced } = offered(expression);
  expect(replaced).toBe(replaces);
  expect(labels).toEqual(expect.arrayContaining(some));
  expect(labels.filter((label) => none.includes(label))).toEqual([]);
});

test("every field is offered, those that the phase does not have at the end", () => {
  const { document, offset } = withCursor("|");
  const { items } = completionsAt(document, offset);
  const last = items.filter(({ isLast = false }) => isLast).map(({ label }) => label);
  expect(last).toContain("http.response.code");
  for (const name of allFields().keys()) expect(items.map(({ label }) => label)).toContain(name);
});

test("templates of a program are completed too", () => {
  const { labels, replaces } = offered('http.host eq ${host} and ip.src.country eq "D|"', "a.ts");
  expect([labels.includes("DE"), replaces]).toEqual([true, "D"]);
});

test.each(["name: a|", "invariants: []\n|", "|"])("nothing is offered outside expressions: %s", (text) => {
  const document = documentOf("a.invariants.yaml", text.replace("|", ""));
  expect(completionsAt(document, text.indexOf("|")).items).toEqual([]);
  expect(hoverAt(document, text.indexOf("|"))).toBeUndefined();
});

const LONG =
  'http.host eq "shop.example.com" and starts_with(http.request.uri.path, "/admin") and not ip.src in {192.0.2.0/24}';

test.each<[string, string, string]>([
  ["in one line", 'requests: http.host=="a"  &&  !ssl', 'requests: http.host eq "a" and not ssl'],
  ["in quotes", `requests: "http.host==\\"a\\""`, `requests: "http.host eq \\"a\\""`],
  ["a long one in quotes", `requests: '${LONG}'`, `requests: '${LONG}'`],
  ["a long one", `requests: ${LONG}`, `requests: ${LONG.replaceAll(" and ", "\n      and ")}`],
  [
    "in a block",
    `requests: |\n      ssl  and\n      http.host==\"a\"\n`,
    `requests: |\n      ssl\n      and http.host eq "a"\n`,
  ],
  ["with a mistake", "requests: ssl  and", "requests: ssl  and"],
])("formats an expression %s, once", (_, before, after) => {
  const textOf = (member: string): string => `invariants:\n  - name: a\n    must: block\n    ${member}`;
  const text = textOf(before);
  const formatted = applied(text, formatEdits(documentOf("a.invariants.yaml", text)));
  expect(formatted).toBe(textOf(after));
  const again = documentOf("a.invariants.yaml", formatted);
  expect(applied(formatted, formatEdits(again))).toBe(formatted);
  const meant = documentOf("a.invariants.yaml", text).expressions[0]?.text.split(/\s+/).join(" ");
  if (before === after) expect(again.expressions[0]?.text.split(/\s+/).join(" ")).toBe(meant);
});

test("formats templates and strings of a program, except what inserts values", () => {
  const text =
    'import { expression } from "pulumi-rulesets";\n  const a = expression`ssl&&http.host matches r"\\d"`;\n' +
    "f({ expression: 'ssl==x' }, expression`ssl  and ${b}`);\n" +
    `const b = expression\`${LONG}\`;\n`;
  const formatted = applied(text, formatEdits(documentOf("a.ts", text)));
  expect(formatted).toContain('expression`ssl and http.host matches r"\\d"`');
  expect(formatted).toContain("expression`ssl  and ${b}`");
  expect(formatted).toContain(`expression\`${LONG.replaceAll(" and ", "\n  and ")}\``);
});

const actions = (expression: string): Record<string, string> => {
  const { document, offset } = withCursor(expression);
  const diagnostics = diagnosticsOf(document, { now: "2026-10-01T00:00:00Z" });
  const found = actionsFor(document, diagnostics, { start: offset, end: offset });
  return Object.fromEntries(
    found.map(({ title, edits }) => {
      const text = documentOf("a.invariants.yaml", applied(document.text, edits)).expressions[0]?.text ?? "";
      return [title, text];
    }),
  );
};

test("offers what a finding says to write", () => {
  expect(actions('http.ho|ts eq "a" and htp.host eq "b"')).toEqual({
    "Change to `http.host`": 'http.host eq "a" and htp.host eq "b"',
  });
});

test("offers all fixes that keep the meaning, and those that do not one by one", () => {
  const text = 'ip.geoip.coun|try eq "DE" and http.host matches "a.test" and not false';
  expect(actions(text)).toMatchObject({
    "Change to `ip.src.country`": 'ip.src.country eq "DE" and http.host matches "a.test" and not false',
    "Apply all fixes that keep the meaning": 'ip.src.country eq "DE" and http.host matches "a.test" and not not true',
  });
});

test("merges comparisons of one value", () => {
  expect(
    actions('ssl and (http.host eq "a" |or http.host eq "b" or http.host in {"c" "d"} or ip.src eq 192.0.2.1)'),
  ).toEqual({
    "Merge the comparisons of `http.host` into one set":
      'ssl and (http.host in {"a" "b" "c" "d"} or ip.src eq 192.0.2.1)',
  });
  expect(actions('http.host eq "a" |or not http.host contains "a"')).toEqual({});
});
