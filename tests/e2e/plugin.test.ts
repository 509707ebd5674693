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
  const resource = new Entrypoint(
    "rulesets:index:PhaseEntrypoint",
    "waf",
    { zoneId, phase: "http_request_firewall_custom", rules: declared, ruleIds: undefined, rulesetId: undefined },
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
afterEach(() => stack.close());
const deployed = async () => (await stack.service.entrypoint(zoneId, phase))?.rules ?? [];

test("an entry point is created, runs again in silence, is edited with its IDs kept, refreshed and destroyed", async () => {
  const first = await stack.preview(program, { zoneId, rules });
  expect(first.text).toContain("+ rulesets:index:PhaseEntrypoint: (create)");
  const up = await stack.up(program, { zoneId, rules });
  expect(up).toMatchObject({ ok: true, changes: { create: 2 } });
  const before = await deployed();
  expect(up.outputs.ruleIds).toEqual(Object.fromEntries(before.map(({ id, ref }) => [ref, id])));
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
  const change = await stack.up(program, { zoneId, rules: edited });
  expect(methodsOf(change.requests)).toEqual(["GET", "PUT"]);
  expect((await deployed()).map(({ id }) => id)).toEqual([before[2]?.id, before[0]?.id, before[1]?.id]);

  const refresh = await stack.refresh({ expectNoChanges: true });
  expect(refresh.ok).toBe(true);
  const destroyed = await stack.destroy();
  expect(destroyed.ok).toBe(true);
  expect(await deployed()).toEqual([]);
});

test("what an update leaves as it is stays known in a preview, for resources that use it", async () => {
  await stack.up(program, { zoneId, rules });
  const ids = (await deployed()).map(({ id }) => id);
  const preview = await stack.preview(program, { zoneId, rules: [...rules, { action: "block", expression: "ssl" }] });
  expect(preview.text).not.toMatch(/~ rulesetId/);
  for (const id of ids) expect(preview.text).not.toMatch(new RegExp(`~ .*${id}`));
});

test("a secret in a rule is neither in the state nor in what the engine prints, and the rest of the rule is", async () => {
  const secretly = ({ pulumi }: Library, args: Args) => {
    const token = pulumi.secret('http.request.headers["x-token"][0] eq "hush-hush"');
    const guarded = { ref: "guarded", action: "block", description: "Needs the token", expression: token };
    class Entrypoint extends pulumi.CustomResource {}
    new Entrypoint("rulesets:index:PhaseEntrypoint", "waf", {
      zoneId: args.zoneId,
      phase: "http_request_firewall_custom",
      rules: [guarded],
    });
  };
  const preview = await stack.preview(secretly, { zoneId, rules });
  const up = await stack.up(secretly, { zoneId, rules });
  expect(up.ok).toBe(true);
  const silent = await stack.up(secretly, { zoneId, rules });
  expect(silent.requests).toEqual([]);
  const refresh = await stack.refresh();
  for (const text of [preview.text, up.text, silent.text, refresh.text, stack.stateText()])
    expect(text).not.toContain("hush-hush");
  expect(stack.stateText()).toContain("Needs the token");
  expect((await deployed())[0]?.expression).toContain("hush-hush");
});

test("a stack moves from the dynamic provider to the plugin and back by an alias, without a write", async () => {
  const dynamic = ({ PhaseEntrypoint }: Library, { zoneId: zone, rules: declared, options = {} }: Args) => {
    new PhaseEntrypoint("waf", { zoneId: zone, phase: "http_request_firewall_custom", rules: [...declared] }, options);
  };
  await stack.up(dynamic, { zoneId, rules });
  const before = await deployed();
  const toPlugin = { aliases: [{ type: "pulumi-nodejs:dynamic/rulesets:PhaseEntrypoint" }] };
  const moved = await stack.up(program, { zoneId, rules, options: toPlugin });
  expect(moved.ok).toBe(true);
  expect(moved.requests.filter((request) => !request.startsWith("GET"))).toEqual([]);
  expect(moved.changes).not.toHaveProperty("replace");
  expect(moved.outputs.ruleIds).toEqual(Object.fromEntries(before.map(({ id, ref }) => [ref, id])));
  expect(await stack.up(program, { zoneId, rules })).toMatchObject({ requests: [], changes: { same: 2 } });
  expect(stack.stateText()).not.toContain("exports.handler");

  const toDynamic = { aliases: [{ type: "rulesets:index:PhaseEntrypoint" }] };
  const back = await stack.up(dynamic, { zoneId, rules, options: toDynamic });
  expect(back.ok).toBe(true);
  expect(back.requests.filter((request) => !request.startsWith("GET"))).toEqual([]);
  expect(back.changes).not.toHaveProperty("replace");
  expect(await stack.up(dynamic, { zoneId, rules })).toMatchObject({ requests: [], changes: { same: 2 } });
  expect(await deployed()).toEqual(before);
});

interface MovedArgs {
  readonly zoneId: string;
  readonly provider: { readonly apiToken: string; readonly baseUrl: string };
  readonly isMoved?: boolean;
}

test("so do single rules, and resources with providers of their own", async () => {
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
  expect(await stack.up(plugin, { zoneId, provider })).toMatchObject({ ok: true, requests: [] });
  const back = await stack.up(dynamic, { zoneId, provider, isMoved: true });
  expect([back.text, back.ok, writes(back.requests)]).toEqual([back.text, true, []]);
  expect(back.changes).not.toHaveProperty("replace");
  expect(await stack.up(dynamic, { zoneId, provider })).toMatchObject({ ok: true, requests: [] });
  expect(await everything()).toEqual(before);
});

test("a preview names a provider whose resources it cannot check, because its token is not known yet", async () => {
  const late = ({ pulumi }: Library, args: { readonly baseUrl: string; readonly zoneId: string }) => {
    class Any extends pulumi.CustomResource {}
    class Account extends pulumi.ProviderResource {}
    const first = new Any("rulesets:index:PhaseEntrypoint", "first", {
      ...{ zoneId: args.zoneId, phase: "http_request_firewall_custom", rules: [] },
    });
    const apiToken = first.id.apply((id) => `token-of-${id}`);
    const provider = new Account("rulesets", "late", { apiToken, baseUrl: args.baseUrl });
    const wrong = { action: "block", expression: "no such thing" };
    new Any(
      "rulesets:index:PhaseEntrypoint",
      "waf",
      { zoneId: args.zoneId, phase: "http_request_transform", rules: [wrong] },
      { provider },
    );
  };
  const { ok, text } = await stack.preview(late, { baseUrl: stack.emulator.url, zoneId });
  expect([text, ok]).toEqual([expect.stringMatching(/warning: apiToken is not known in this preview/), true]);
});

test("ignoring a part of a rule is refused, and ignoring all rules works", async () => {
  await stack.up(program, { zoneId, rules });
  const before = await deployed();
  const edited = rules.map((rule) => ({ ...rule, enabled: false }));
  const part = { ignoreChanges: ['rules["block-admin"].enabled'] };
  const refused = await stack.up(program, { zoneId, rules: edited, options: part });
  expect(refused.ok).toBe(false);
  expect(refused.text).toContain(
    'ignoreChanges names a part of the rule "block-admin", which the provider plugin cannot ignore',
  );
  const misspelled = await stack.up(program, { zoneId, rules, options: { ignoreChanges: ["ruels"] } });
  expect(misspelled.text).toContain("did you mean rules");
  const whole = await stack.up(program, { zoneId, rules: edited, options: { ignoreChanges: ["rules"] } });
  expect(whole).toMatchObject({ ok: true, changes: { same: 2 } });
  expect(await deployed()).toEqual(before);
});

test("the option import takes over an entry point by the zone's name, and the next run finds it unchanged", async () => {
  const content = [
    { ref: "block-admin", action: "block", expression: 'http.request.uri.path eq "/admin"', enabled: true },
    { action: "log", description: "Watch the API", expression: 'starts_with(http.request.uri.path, "/api")' },
  ];
  await stack.service.create(`zones/${zoneId}`, { name: "default", kind: "zone", phase, rules: content });
  const made = await deployed();
  const imported = { import: `zones/shop.example.com/phases/${phase}` };
  const up = await stack.up(program, { zoneId, rules: rules.slice(0, 2), options: imported });
  expect(up.text).not.toContain("inputs to import do not match");
  expect(up.ok).toBe(true);
  expect(methodsOf(up.requests)).not.toContain("PUT");
  expect(await stack.up(program, { zoneId, rules: rules.slice(0, 2) })).toMatchObject({
    ok: true,
    requests: [],
    changes: { same: 2 },
  });
  expect(await deployed()).toEqual(made);
});

test("functions are called in the process of the plugin, with its credentials", async () => {
  await stack.up(program, { zoneId, rules });
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
  const asked = await stack.preview(asking, { zone: "shop.example.com", phase });
  expect(asked.ok).toBe(true);
  const reads = asked.requests.filter((request) => request.endsWith(`/phases/${phase}/entrypoint`));
  expect(reads).toHaveLength(1);
  const up = await stack.up(asking, { zone: "shop.example.com", phase });
  expect(up.outputs).toMatchObject({ id: zoneId, again: 3, rulesets: 1 });
  expect(up.outputs.rules).toMatchObject(rules.map(({ expression }) => ({ expression })));
});

test("a function that fails says what is wrong", async () => {
  const wrong = async ({ pulumi }: Library) => {
    await pulumi.runtime.invoke("rulesets:index:getZone", { name: "shop.exmaple.com" });
  };
  const { ok, text } = await stack.preview(wrong, {});
  expect(ok).toBe(false);
  expect(text).toContain('Did you mean "shop.example.com"?');
});
