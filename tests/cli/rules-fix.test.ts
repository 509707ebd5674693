import { lstatSync, readdirSync, readFileSync, statSync, symlinkSync, chmodSync } from "node:fs";
import { dirname, join } from "node:path";
import { runCheck, type CheckCommand } from "../../tools/cli/rules/check/command.js";
import { newFile } from "./support.js";

async function fix(path: string, options: Partial<CheckCommand> = {}): Promise<string> {
  const lines: string[] = [];
  const context = {
    connect: () => {
      throw new Error("no request");
    },
    print: (line: string) => void lines.push(line),
    version: "1.2.3",
    now: "2026-11-22T00:00:00Z",
  };
  await runCheck([path], { failOn: "never", fix: true, ...options }, context);
  return lines.join("\n");
}

const PHASE = "phase: http_request_firewall_custom # custom rules\n";

test.each<[string, string, string, string]>([
  [
    "a plain text, and comments",
    "a.yaml",
    `# ours\n${PHASE}rules:\n  - {action:   block, expression: ip.geoip.country eq "DE"} # Germany\n`,
    `# ours\n${PHASE}rules:\n  - {action:   block, expression: ip.src.country eq "DE"} # Germany\n`,
  ],
  [
    "a folded block",
    "a.yaml",
    `${PHASE}rules:\n- action: block\n  expression: >-\n    ssl && http.host eq "a.test"\n    and cf.client.bot   \n    or ip.geoip.asnum eq "AS64500"\n`,
    `${PHASE}rules:\n- action: block\n  expression: >-\n    (ssl and http.host eq "a.test"\n    and cf.client.bot)   \n    or ip.src.asnum eq 64500\n`,
  ],
  [
    "a block with its line breaks",
    "a.yaml",
    `${PHASE}rules:\n- action: block\n  expression: |\n    ssl\n      and cf.client.bot\n    or http.host eq "a.test"\n`,
    `${PHASE}rules:\n- action: block\n  expression: |\n    (ssl\n      and cf.client.bot)\n    or http.host eq "a.test"\n`,
  ],
  [
    "quotes, and lines that end as on Windows",
    "a.yaml",
    `${PHASE}rules:\r\n- action: block\r\n  expression: 'http.host eq "it''s" or not false'\r\n- action: block\r\n  expression: "ssl and\r\n    cf.client.bot or http.host eq \\"a\\""\r\n`,
    `${PHASE}rules:\r\n- action: block\r\n  expression: 'http.host eq "it''s" or not not true'\r\n- action: block\r\n  expression: "(ssl and\r\n    cf.client.bot) or http.host eq \\"a\\""\r\n`,
  ],
  [
    "JSON",
    "a.json",
    '{"phase":"http_request_firewall_custom",\n\t"rules":[{"action":"block","expression":"http.host = \\"a\\" AND ip.geoip.asnum in {\\"AS1\\", \\"AS2\\"}"}]}',
    '{"phase":"http_request_firewall_custom",\n\t"rules":[{"action":"block","expression":"http.host eq \\"a\\" and ip.src.asnum in {1  2}"}]}',
  ],
  [
    "an anchor that another rule uses, and a byte order mark",
    "a.yaml",
    `\ufeff${PHASE}rules:\n- action: log\n  expression: &germany ip.geoip.country eq "DE"\n- action: block\n  expression: *germany\n`,
    `\ufeff${PHASE}rules:\n- action: log\n  expression: &germany ip.src.country eq "DE"\n- action: block\n  expression: *germany\n`,
  ],
  [
    "a value",
    "a.yaml",
    `phase: http_request_transform\nrules:\n- action: rewrite\n  expression: ssl\n  action_parameters:\n    uri: { path: { expression: 'concat("/", ip.geoip.country)' } }\n`,
    `phase: http_request_transform\nrules:\n- action: rewrite\n  expression: ssl\n  action_parameters:\n    uri: { path: { expression: 'concat("/", ip.src.country)' } }\n`,
  ],
])("fixes %s, and nothing the second time", async (_, name, before, after) => {
  const file = newFile(name, before);
  expect(await fix(file)).toContain("Fixed:");
  expect(readFileSync(file, "utf8")).toBe(after);
  expect(await fix(file)).not.toContain("Fixed:");
  expect(readFileSync(file, "utf8")).toBe(after);
});

test.each([
  'http.host matches "^www.example.com$"',
  'http.request.uri.path matches "^/api/*"',
  'http.request.uri.path matches "^old/.*"',
  "ip.src in {10.0.0.0/8 198.51.100.1}",
  "ip.src in {0.0.0.0/0}",
  'http.request.method eq "get"',
  'http.hots eq "a"',
  'http.host eq "a" or http.host in {"a" "b"}',
])("only offers what may mean something else: %s", async (expression) => {
  const text = `${PHASE}rules:\n- action: block\n  expression: '${expression}'\n`;
  const file = newFile("offer.yaml", text);
  const said = await fix(file);
  expect(said).toMatch(/Suggested, .*:\n- .*offer\.yaml:4: [\w-]+: (?:without )?`/);
  expect([readFileSync(file, "utf8"), said]).toEqual([text, expect.not.stringContaining("Fixed:")]);
});

test("leaves the old name of a country where rules are about packets, of which it is that of either end", async () => {
  const text = 'phase: magic_transit\nkind: root\nrules:\n- action: block\n  expression: ip.geoip.country eq "DE"\n';
  const file = newFile("packets.yaml", text);
  expect(await fix(file)).toContain("`ip.geoip.country`");
  expect(readFileSync(file, "utf8")).toBe(text);
});

test("makes one at a time of the fixes that only keep the meaning without the other", async () => {
  const star = 'http.user_agent matches "bot*"';
  const file = newFile("twice.yaml", `${PHASE}rules:\n- action: block\n  expression: '${star} or ${star}'\n`);
  await fix(file);
  expect(readFileSync(file, "utf8")).toContain(`'http.user_agent matches "bot.*" or ${star}'`);
});

const RENAMED = `${PHASE}rules:\n- { ref: a, action: block, expression: ip.geoip.country eq "DE" }\n`;

test("keeps the permissions of a file, and the link to it", async () => {
  const file = newFile("kept.yaml", RENAMED);
  chmodSync(file, 0o640);
  const link = join(dirname(file), "link.yaml");
  symlinkSync(file, link);
  await fix(link);
  expect(readFileSync(file, "utf8")).toContain("ip.src.country");
  expect([lstatSync(link).isSymbolicLink(), statSync(file).mode & 0o777]).toEqual([true, 0o640]);
  expect(readdirSync(dirname(file)).toSorted()).toEqual(["kept.yaml", "link.yaml"]);
});

test("leaves what is waived", async () => {
  const file = newFile("waived.yaml", RENAMED);
  const waivers = newFile("waivers.yaml", "waivers:\n- { finding: deprecated, rule: a, reason: ours }\n");
  await fix(file, { waivers });
  expect(readFileSync(file, "utf8")).toBe(RENAMED);
});

test("changes nothing where a path is no file of rules", async () => {
  await expect(fix(dirname(newFile("a.yaml", RENAMED)))).rejects.toThrow(
    /--fix changes files of rules.*nothing was changed/,
  );
});
