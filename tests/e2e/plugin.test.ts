import type { Rule as RulesetRule } from "../../provider/index.js";
import { TOKEN } from "../support/emulator.js";
import { methodsOf } from "../support/requests.js";
import { EngineStack, type Library } from "./support/stack.js";

/*
 * Resources of the provider plugin, as programs of every language have them: without anything of this package in the program.
 */

const phase = "http_request_firewall_custom";
const rules: readonly RulesetRule[] = [
  { ref: "block-admin", action: "block", expression: 'http.request.uri.path eq "/admin"' },
  { action: "log", description: "Watch the API", expression: 'starts_with(http.request.uri.path, "/api")' },
  { ref: "challenge-bots", action: "managed_challenge", expression: "cf.client.bot" },
];

interface Args {
  readonly zoneId: string;
  readonly rules: readonly RulesetRule[];
  readonly options?: object;
}

const program = ({ pulumi }: Library, { zoneId, rules: declared, options = {} }: Args) => {
  class Entrypoint extends pulumi.CustomResource {}
  const expression = pulumi.secret('http.request.headers["x-token"][0] eq "hush-hush"');
  const guarded = { ref: "guarded", action: "block", description: "Needs the token", expression };
  const resource = new Entrypoint(
    "rulesets:index:PhaseEntrypoint",
    "waf",
    {
      zoneId,
      phase: "http_request_firewall_custom",
      rules: [...declared, guarded],
      ruleIds: undefined,
      rulesetId: undefined,
    },
    options,
  );
  const { ruleIds, rulesetId } = resource as unknown as Record<string, unknown>;
  return { ruleIds, rulesetId };
};

let stack: EngineStack;
let zoneId: string;
beforeEach(async () => {
  stack = await EngineStack.start({ seed: { zones: [{ name: "shop.example.com" }] } });
  zoneId = await stack.service.zoneNamed("shop.example.com");
});
const deployed = async () => (await stack.service.entrypoint(zoneId, phase))?.rules ?? [];

test("an entry point with a secret is created, runs again in silence, and is edited with its IDs kept", async () => {
  const up = await stack.up(program, { zoneId, rules });
  expect(up).toMatchObject({ ok: true, changes: { create: 2 } });
  const before = await deployed();
  expect(up.outputs.ruleIds).toEqual(Object.fromEntries(before.map(({ id, ref }) => [ref, id])));
  expect(before.at(-1)?.expression).toContain("hush-hush");
  const silent = await stack.up(program, { zoneId, rules });
  expect(silent).toMatchObject({ ok: true, requests: [], changes: { same: 2 } });

  const [admin, api, bots] = rules as [RulesetRule, RulesetRule, RulesetRule];
  const edited = [bots, { ...admin, expression: 'http.request.uri.path eq "/root"' }, api];
  const preview = await stack.preview(program, { zoneId, rules: edited });
  const shown = preview.text.slice(preview.text.indexOf("~ rulesets:index"), preview.text.indexOf("Resources:"));
  expect(shown).toContain('"/admin');
  expect(shown).toContain('"/root');
  expect(shown).toMatch(/~ order/);
  expect(shown).not.toContain("starts_with");
  // What an update leaves as it is stays known, for resources that use it.
  expect(shown).not.toMatch(/~ rulesetId/);
  for (const { id } of before) expect(shown).not.toMatch(new RegExp(`~ .*${id}`));
  const change = await stack.up(program, { zoneId, rules: edited });
  expect(methodsOf(change.requests)).toEqual(["GET", "PUT"]);
  const ids = [before[2]?.id, before[0]?.id, before[1]?.id, before[3]?.id];
  expect((await deployed()).map(({ id }) => id)).toEqual(ids);

  const refresh = await stack.refresh({ expectNoChanges: true });
  expect(refresh.ok).toBe(true);
  for (const text of [up.text, silent.text, preview.text, change.text, refresh.text, stack.stateText()])
    expect(text).not.toContain("hush-hush");
  expect(stack.stateText()).toContain("Needs the token");
});

interface MovedArgs {
  readonly zoneId: string;
  readonly provider: { readonly apiToken: string; readonly baseUrl: string };
  readonly isMoved?: boolean;
}

test("a stack with providers of its own moves from dynamic resources to the plugin and back by aliases, without a write", async () => {
  const dynamic = (
    { PhaseEntrypoint, RulesetRule, Provider }: Library,
    { zoneId: zone, provider: args, isMoved }: MovedArgs,
  ) => {
    const provider = new Provider("account", args);
    const from = (type: string) => (isMoved === true ? { aliases: [{ type: `rulesets:index:${type}` }] } : {});
    const rule = { action: "block", expression: "ssl" } as const;
    new PhaseEntrypoint(
      "waf",
      { zoneId: zone, phase: "http_request_firewall_custom", rules: [rule] },
      { provider, ...from("PhaseEntrypoint") },
    );
    new RulesetRule(
      "rule",
      {
        zoneId: zone,
        phase: "http_request_dynamic_redirect",
        ref: "one",
        ...rule,
        action: "redirect",
        actionParameters: { fromValue: { targetUrl: { value: "https://shop.example.com/" } } },
      },
      { provider, ...from("RulesetRule") },
    );
  };
  const plugin = ({ pulumi }: Library, { zoneId: zone, provider: args }: MovedArgs) => {
    class Any extends pulumi.CustomResource {}
    class Account extends pulumi.ProviderResource {
      constructor() {
        super("rulesets", "account", args);
      }
    }
    const provider = new Account();
    const from = (type: string) => ({ provider, aliases: [{ type: `pulumi-nodejs:dynamic/rulesets:${type}` }] });
    const rule = { action: "block", expression: "ssl" };
    new Any(
      "rulesets:index:PhaseEntrypoint",
      "waf",
      { zoneId: zone, phase: "http_request_firewall_custom", rules: [rule] },
      from("PhaseEntrypoint"),
    );
    new Any(
      "rulesets:index:RulesetRule",
      "rule",
      {
        zoneId: zone,
        phase: "http_request_dynamic_redirect",
        ref: "one",
        ...rule,
        action: "redirect",
        actionParameters: { fromValue: { targetUrl: { value: "https://shop.example.com/" } } },
      },
      from("RulesetRule"),
    );
  };
  const provider = { apiToken: TOKEN, baseUrl: stack.emulator.url };
  const everything = async () => [
    await stack.service.rules(zoneId, phase),
    await stack.service.rules(zoneId, "http_request_dynamic_redirect"),
  ];
  const writes = (requests: readonly string[]) => requests.filter((request) => !request.startsWith("GET"));
  expect(await stack.up(dynamic, { zoneId, provider })).toMatchObject({ ok: true });
  const before = await everything();
  const moved = await stack.up(plugin, { zoneId, provider });
  expect([moved.text, moved.ok, writes(moved.requests)]).toEqual([moved.text, true, []]);
  expect(moved.changes).not.toHaveProperty("replace");
  expect(stack.stateText()).not.toContain("exports.handler");
  expect(await stack.up(plugin, { zoneId, provider })).toMatchObject({ ok: true, requests: [] });
  const back = await stack.up(dynamic, { zoneId, provider, isMoved: true });
  expect([back.text, back.ok, writes(back.requests)]).toEqual([back.text, true, []]);
  expect(back.changes).not.toHaveProperty("replace");
  expect(await stack.up(dynamic, { zoneId, provider })).toMatchObject({ ok: true, requests: [] });
  expect(await everything()).toEqual(before);
});

test("ignoring a part of a rule is refused, and ignoring all rules works", async () => {
  await stack.up(program, { zoneId, rules });
  const edited = rules.map((rule) => ({ ...rule, enabled: false }));
  const part = { ignoreChanges: ['rules["block-admin"].enabled'] };
  const refused = await stack.up(program, { zoneId, rules: edited, options: part });
  expect(refused.ok).toBe(false);
  expect(refused.text).toContain(
    'ignoreChanges names a part of the rule "block-admin", which the provider plugin cannot ignore',
  );
  const whole = await stack.up(program, { zoneId, rules: edited, options: { ignoreChanges: ["rules"] } });
  expect(whole).toMatchObject({ ok: true, changes: { same: 2 }, requests: [] });
});

test("functions are called in the process of the plugin, with its credentials, and say what is wrong", async () => {
  const rule = { ref: "tls", action: "block", expression: "ssl" };
  await stack.service.create(`zones/${zoneId}`, { name: "default", kind: "zone", phase, rules: [rule] });
  const asking = async ({ pulumi }: Library, args: { zone: string; phase: string }) => {
    const ask = async <T>(name: string, given: object): Promise<T> =>
      (await pulumi.runtime.invoke(`rulesets:index:${name}`, given)) as T;
    const zone = await ask<{ id: string }>("getZone", { name: args.zone });
    const scope = { zoneId: zone.id, phase: args.phase };
    const entrypoint = await ask<{ rules: object[] }>("getEntrypoint", scope);
    const again = await ask<{ rules: object[] }>("getEntrypoint", scope);
    const listed = await ask<{ rulesets: object[] }>("listRulesets", scope);
    return { id: zone.id, rules: entrypoint.rules, again: again.rules.length, rulesets: listed.rulesets.length };
  };
  const up = await stack.up(asking, { zone: "shop.example.com", phase });
  expect(up.outputs).toMatchObject({ id: zoneId, rules: [{ expression: "ssl" }], again: 1, rulesets: 1 });
  const reads = up.requests.filter((request) => request.endsWith(`/phases/${phase}/entrypoint`));
  expect(reads).toHaveLength(1);
  const { ok, text } = await stack.preview(asking, { zone: "shop.exmaple.com", phase });
  expect([ok, text]).toEqual([false, expect.stringContaining('Did you mean "shop.example.com"?')]);
});
