import type { Rule as RulesetRule } from "../../provider/index.js";
import { EngineStack, type Library } from "./support/stack.js";

/*
 * What the engine prints for ways to change a resource of the provider plugin: what changed, with old and new values, and nothing
 * else. All resources change in one preview, each in a zone of its own.
 */

const phase = "http_request_firewall_custom";
const admin: RulesetRule = { ref: "admin", action: "block", expression: 'http.request.uri.path eq "/admin"' };
const api: RulesetRule = { ref: "api", action: "log", description: "Watch", expression: "not ssl" };
const bots: RulesetRule = { ref: "bots", action: "managed_challenge", expression: "cf.client.bot" };
const entrypoint = (list: readonly object[], more: object = {}) => ({ phase, rules: list, ...more });

/** A resource before and after, and the lines that show the difference. */
interface Case {
  readonly name: string;
  /** @default PhaseEntrypoint */
  readonly type?: string;
  readonly before: object;
  readonly after: object;
  readonly shown: readonly string[];
}

const CASES: readonly Case[] = [
  {
    name: "a rule is added",
    before: entrypoint([admin, api]),
    after: entrypoint([admin, bots, api]),
    shown: [
      "~ order       :",
      "admin",
      "+ bots",
      "api",
      "~ rules       : {",
      "+ bots: {",
      '+ action    : "managed_challenge"',
      '+ expression: "cf.client.bot"',
      '+ ref       : "bots"',
      "}",
      "}",
      "~ rulesInForce: 2 => 3",
    ],
  },
  {
    name: "a rule is moved",
    before: entrypoint([admin, bots, api]),
    after: entrypoint([bots, api, admin]),
    shown: ["~ order:", "- admin", "bots", "api", "+ admin"],
  },
  {
    name: "a field is edited",
    before: entrypoint([admin, api]),
    after: entrypoint([{ ...admin, expression: 'http.request.uri.path eq "/root"' }, api]),
    shown: [
      "~ rules: {",
      "~ admin: {",
      '~ expression: "http.request.uri.path eq \\"/admin\\"" => "http.request.uri.path eq \\"/root\\""',
      "}",
      "}",
    ],
  },
  {
    name: "a secret is edited",
    before: entrypoint([{ ...admin, expression: 'SECRET:http.cookie contains "hush-1"' }, api]),
    after: entrypoint([{ ...admin, expression: 'SECRET:http.cookie contains "hush-2"' }, api]),
    shown: ["~ rules: {", "~ admin: {", "~ expression: [secret] => [secret]", "}", "}"],
  },
  {
    name: "a value is not known",
    before: entrypoint([admin, api]),
    after: entrypoint([{ ...admin, description: "UNKNOWN" }, api]),
    shown: ["~ rules: {", "~ admin: {", "+ description: [unknown]", "}", "}"],
  },
  {
    name: "a shared list",
    before: entrypoint([admin, api], { ownership: "shared" }),
    after: entrypoint([{ ...admin, enabled: false }, bots], { ownership: "shared" }),
    shown: [
      "~ order       :",
      "admin",
      "- api",
      "+ bots",
      "~ rules       : {",
      "~ admin: {",
      "+ enabled: false",
      "}",
      "- api  : {",
      '- action     : "log"',
      '- description: "Watch"',
      '- expression : "not ssl"',
      '- ref        : "api"',
      "}",
      "+ bots : {",
      '+ action    : "managed_challenge"',
      '+ expression: "cf.client.bot"',
      '+ ref       : "bots"',
      "}",
      "}",
      "~ rulesInForce: 2 => 1",
    ],
  },
  {
    name: "a single rule",
    type: "RulesetRule",
    before: { phase, ...admin },
    after: { phase, ...admin, action: "log", position: { index: 1 } },
    shown: ['~ action  : "block" => "log"', "+ position: {", "+ index: 1", "}"],
  },
  {
    name: "items of a list change",
    type: "RulesList",
    before: { name: "office", kind: "ip", items: ["192.0.2.0/24", "198.51.100.7"] },
    after: {
      ...{ name: "office", kind: "ip" },
      items: ["203.0.113.9", { value: "192.0.2.0/24", comment: "Berlin" }],
    },
    // By value, with comments. The engine prints a comment where there was none as an addition.
    shown: ["~ items: {", '+ 192.0.2.0/24: "Berlin"', '- 198.51.100.7: ""', '+ 203.0.113.9 : ""', "}"],
  },
  { name: "nothing", before: entrypoint([admin, api]), after: entrypoint([admin, api]), shown: [] },
];

interface Args {
  readonly account: string;
  readonly resources: readonly { readonly name: string; readonly type: string; readonly args: object }[];
  /** Whether there is a new resource, whose outputs a preview does not know. */
  readonly withNew: boolean;
}

/** `SECRET:` and `UNKNOWN` in texts stand for a secret, and for an output of the new resource. */
const program = ({ pulumi }: Library, { account: accountId, resources, withNew }: Args) => {
  class Any extends pulumi.CustomResource {
    declare readonly rulesetId: unknown;
  }
  const custom = { kind: "custom", name: "New", phase: "http_request_firewall_custom", rules: [] };
  const made = withNew
    ? new Any("rulesets:index:Ruleset", "new", { accountId, ...custom, rulesetId: undefined })
    : undefined;
  const value = (of: unknown): unknown => {
    if (typeof of === "string" && of.startsWith("SECRET:")) return pulumi.secret(of.slice("SECRET:".length));
    if (of === "UNKNOWN") return made?.rulesetId;
    if (Array.isArray(of)) return of.map(value);
    if (typeof of !== "object" || of === null) return of;
    return Object.fromEntries(Object.entries(of).map(([key, item]) => [key, value(item)]));
  };
  for (const { name, type, args } of resources) new Any(`rulesets:index:${type}`, name, value(args) as object);
};

let stack: EngineStack;
beforeEach(async () => {
  const zones = CASES.map((_, index) => ({ name: `zone-${String(index)}.example.com`, plan: "enterprise" as const }));
  stack = await EngineStack.start({ seed: { zones } });
});

/** The lines about each resource in a preview, by the resource's name. */
function linesByName(text: string): Map<string, string[]> {
  const blocks = text.slice(0, text.indexOf("Resources:")).split(/\n(?=\s*[-+~]+\s*rulesets:index:)/);
  return new Map(
    blocks.slice(1).map((block) => {
      const lines = block.split("\n").map((line) => line.trim());
      const name = /::([^:\]]+)\]?$/.exec(lines.find((line) => line.startsWith("[urn=")) ?? "")?.[1] ?? "";
      return [name, lines.slice(1).filter((line) => line !== "" && !line.startsWith("["))];
    }),
  );
}

test("every change is shown by what changed", async () => {
  const ids = await Promise.all(CASES.map((_, index) => stack.service.zoneNamed(`zone-${String(index)}.example.com`)));
  const account = await stack.service.account();
  const resources = (which: "before" | "after") =>
    CASES.map(({ name, type = "PhaseEntrypoint", [which]: args }, index) => ({
      ...{ name, type },
      args: type === "RulesList" ? { ...args, accountId: account } : { zoneId: ids[index], ...args },
    }));
  expect(await stack.up(program, { account, resources: resources("before"), withNew: false })).toMatchObject({
    ok: true,
  });
  const preview = await stack.preview(program, { account, resources: resources("after"), withNew: true });
  const shown = linesByName(preview.text);
  for (const { name, shown: expected } of CASES) expect([name, shown.get(name) ?? []]).toEqual([name, expected]);
  expect(preview.text).not.toContain("hush");
});
