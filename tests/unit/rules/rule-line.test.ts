import { RuleLines, type SourceCall } from "../../../provider/rules/rule-line";

const calls = (...lines: [file: string, line: number, column?: number][]): SourceCall[] =>
  lines.map(([file, line, column = 1]) => ({ file, line, column }));

/** The line of each rule in programs by file name. */
function linesOf(
  files: Readonly<Record<string, string>>,
  rules: readonly object[],
  from: readonly SourceCall[] = calls(["index.ts", 1]),
): (string | undefined)[] {
  const lines = new RuleLines({
    read: (file) => files[file],
    resolve: (_file, specifier) => [specifier.replace("./", "").replace(/\.js$/, ".ts")],
  });
  return rules.map((rule) => {
    const found = lines.find(rule, rules, from);
    return found === undefined ? undefined : `${found.file}:${String(found.line)}`;
  });
}

const admin = { action: "block", description: "Block admin", expression: 'http.host eq "a"' };
const login = { action: "log", ref: "login", expression: "ssl" };

describe("the line of a rule", () => {
  test.each([
    ["an object in the call", 'new P("waf", {\n  rules: [\n    { description: "Block admin" },\n  ],\n});', 3],
    ["a call of a factory", "new P('waf', { rules: [\n  block({\n    description: 'Block admin' }) ] });", 2],
    ["quoted names", 'new P("waf", { rules: [\n { "description": "Block admin" } ] });', 2],
    ["escapes", 'new P("waf", { rules: [\n { description: "Block\\x20\\u0061dmin" } ] });', 2],
    ["a template", "new P('waf', { rules: [\n { description: `Block admin` } ] });", 2],
    ["a tag", "new P('waf', { rules: [\n { expression: expression`http.host eq \"a\"` } ] });", 2],
    ["an expression only", "new P('waf', { rules: [\n { expression: 'http.host eq \"a\"' } ] });", 2],
    ["a list before the call", 'new P("waf", { rules });\nconst rules = [\n{ description: "Block admin" }];', 3],
    ["comments with quotes", 'new P("waf", { // don\'t\n/* " */ rules: [\n{ description: "Block admin" }] });', 3],
    [
      "regular expressions",
      'new P("waf", { a: /[/"]\\/"/.test(x) ? 1 / 2 : 3, rules: [\n{ description: "Block admin" }] });',
      2,
    ],
    ["templates with values", 'new P(`waf-${{ a: `"` }.a}`, { rules: [\n{ description: "Block admin" }] });', 2],
  ])("is found in %s", (_what, text, line) => {
    expect(linesOf({ "index.ts": text }, [admin])).toEqual([`index.ts:${String(line)}`]);
  });

  test("is that of the call if nothing tells it apart", () => {
    const call = 'new P("waf", { rules });';
    const texts = [
      `${call} // description: "Block admin"`,
      `${call}\nconst title = "Block admin";`,
      `${call}\nconst a = { description: "Block admin" };\nconst b = { description: "Block admin" };`,
      `${call}\nconst other = { description: "Block admin", action: "log" };`,
      `${call}\nconst open = { description: "Block admin`,
    ];
    for (const text of texts) expect(linesOf({ "index.ts": text }, [admin])).toEqual(["index.ts:1"]);
    const loop = `${call}\nfor (const host of hosts) rules.push({ description: "Block admin", expression: e(host) });`;
    expect(linesOf({ "index.ts": loop }, [admin, { ...admin, expression: "ssl" }])).toEqual([
      "index.ts:1",
      "index.ts:1",
    ]);
  });

  test("is that in the call of its own resource, where others have the same rules", () => {
    const one = (name: string) => `new P("${name}", { rules: [\n{ description: "Block admin" }] });\n`;
    const text = one("a") + one("b");
    expect(linesOf({ "index.ts": text }, [admin], calls(["index.ts", 3]))).toEqual(["index.ts:4"]);
  });

  test("is found by another property if the first one does not tell it apart", () => {
    const text =
      'new P("waf", { description: "login", rules: [\n{ ref: "login" },\n{ ref: "login", expression: "ssl" }] });';
    expect(linesOf({ "index.ts": text }, [login])).toEqual(["index.ts:3"]);
  });

  test("is found in the file that calls a component, and in imported files", () => {
    const files = {
      "zone.ts": 'export class Zone {\n constructor({ rules }) { new P("waf", { rules }); } }',
      "index.ts":
        'import { shared } from "./shared.js";\nnew Zone("shop", { rules: [\n { ref: "login" }, ...shared] });',
      "shared.ts": 'export const shared = [\n { description: "Block admin" }];',
    };
    const from = calls(["zone.ts", 2, 28], ["index.ts", 2]);
    expect(linesOf(files, [login, admin], from)).toEqual(["index.ts:3", "shared.ts:2"]);
  });

  test("is that of the call if the file cannot be read, and unknown without a call", () => {
    expect(linesOf({}, [admin])).toEqual(["index.ts:1"]);
    expect(linesOf({}, [admin], [])).toEqual([undefined]);
  });
});
