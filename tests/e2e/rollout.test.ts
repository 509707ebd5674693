import { methodsOf, writesIn } from "../support/requests.js";
import { visit } from "../support/visit.js";
import { EngineStack, type Library } from "./support/stack.js";

const HOST = "shop.example.com";
const phase = "http_request_firewall_custom";
const XMLRPC = 'http.request.uri.path eq "/xmlrpc.php"';

interface Args {
  readonly zoneId: string;
  readonly stage?: string;
  readonly until?: string;
  /** The end of a rule that is a resource of its own. */
  readonly alone?: string;
}

/** The rules, as programs of any language write them. */
const dynamic = ({ PhaseEntrypoint, RulesetRule, staged }: Library, args: Args) => {
  const { zoneId, stage = "full", until, alone } = args;
  if (alone !== undefined) {
    const place = { zoneId, phase: "http_request_firewall_custom" } as const;
    new RulesetRule("alone", { ...place, action: "block", expression: "ssl", until: alone });
    return;
  }
  const rule = { ref: "no-xmlrpc", action: "block", expression: 'http.request.uri.path eq "/xmlrpc.php"' } as const;
  const step = stage === "log" || stage === "full" ? stage : { percent: Number(stage.replace("%", "")) };
  const sale = { ref: "sale", action: "block" as const, expression: 'http.request.uri.path eq "/sale"' };
  const rules = [staged(rule, { stage: step }), ...(until === undefined ? [] : [{ ...sale, until }])];
  new PhaseEntrypoint("waf", { zoneId, phase: "http_request_firewall_custom", rules });
};
const plugin = ({ pulumi }: Library, { zoneId, stage, until, alone }: Args) => {
  class Entrypoint extends pulumi.CustomResource {}
  if (alone !== undefined) {
    const rule = { zoneId, phase: "http_request_firewall_custom", action: "block", expression: "ssl", until: alone };
    new Entrypoint("rulesets:index:RulesetRule", "alone", rule);
    return;
  }
  const rule = { ref: "no-xmlrpc", action: "block", expression: 'http.request.uri.path eq "/xmlrpc.php"' };
  const sale = { ref: "sale", action: "block", expression: 'http.request.uri.path eq "/sale"' };
  const rules = [stage === undefined ? rule : { ...rule, stage }, ...(until === undefined ? [] : [{ ...sale, until }])];
  new Entrypoint("rulesets:index:PhaseEntrypoint", "waf", { zoneId, phase: "http_request_firewall_custom", rules });
};

interface LongArgs {
  readonly zoneId: string;
  /** Of the list to which the members of the rule move. */
  readonly accountId?: string;
  readonly isPlugin: boolean;
}
/** A rule that is too long for one, or its members in a list. */
const long = ({ PhaseEntrypoint, RulesList, pulumi }: Library, { zoneId, accountId, isPlugin }: LongArgs) => {
  class Any extends pulumi.CustomResource {
    declare readonly name: import("@pulumi/pulumi").Output<string>;
  }
  const items = Array.from({ length: 600 }, (__, i) => `198.51.${String(100 + (i >> 8))}.${String(i & 255)}`);
  const listOf = (account: string) => {
    const args = { accountId: account, name: "bad", kind: "ip", items } as const;
    return isPlugin ? new Any("rulesets:index:RulesList", "bad", args) : new RulesList("bad", args);
  };
  const members = accountId === undefined ? `{${items.join(" ")}}` : listOf(accountId).name.apply((name) => `$${name}`);
  const bad = { ref: "bad", action: "block", expression: pulumi.interpolate`ip.src in ${members}` } as const;
  const rules = [accountId === undefined ? { ...bad, split: true } : bad, { ...bad, ref: "other", expression: "ssl" }];
  const args = { zoneId, phase: "http_request_firewall_custom" as const, rules };
  return isPlugin ? new Any("rulesets:index:PhaseEntrypoint", "waf", args) : new PhaseEntrypoint("waf", args);
};

describe.each([
  ["the dynamic provider", dynamic],
  ["the plugin", plugin],
] as const)("rules of %s that arrive in steps and leave by themselves", (_, program) => {
  let stack: EngineStack;
  let zoneId: string;
  beforeEach(async () => {
    stack = await EngineStack.start({ seed: { zones: [{ name: HOST }] }, edge: {} });
    zoneId = await stack.service.zoneNamed(HOST);
  });
  afterEach(() => stack.close());
  const deployed = async () => (await stack.service.entrypoint(zoneId, phase))?.rules ?? [];
  /** How many of a hundred requests are blocked. */
  const blocked = async (): Promise<number> => {
    let count = 0;
    for (let sent = 0; sent < 100; sent += 1) {
      const { status } = await visit(stack.emulator.edgeUrl ?? "", `http://${HOST}/xmlrpc.php`);
      if (status === 403) count += 1;
    }
    return count;
  };

  test("one rule, with one ref and one ID, logs, stops a share of the requests, and then all", async () => {
    const steps = [
      ["log", undefined, 0],
      ["5%", "log only → 5 % of matching requests", 5],
      ["25%", "5 % → 25 % of matching requests", 25],
      ["full", "25 % → all matching requests", 100],
    ] as const;
    const ids = new Set<string>();
    for (const [stage, words, expected] of steps) {
      const preview = await stack.preview(program, { zoneId, stage });
      if (words !== undefined) expect(preview.text).toContain(`rule "no-xmlrpc": ${words}`);
      expect(await stack.up(program, { zoneId, stage })).toMatchObject({ ok: true });
      expect((await stack.up(program, { zoneId, stage })).requests).toEqual([]);
      const [rule] = await deployed();
      ids.add(`${String(rule?.ref)} ${String(rule?.id)}`);
      // The emulator draws evenly.
      expect(Math.abs((await blocked()) - expected)).toBeLessThanOrEqual(expected % 100 === 0 ? 0 : 1);
    }
    expect(ids.size).toBe(1);
    expect((await deployed())[0]).toMatchObject({ action: "block", expression: XMLRPC });
    expect((await stack.refresh()).changes).toEqual({ same: 2 });
    expect((await stack.destroy()).ok).toBe(true);
  });

  test("a rule whose time is over is reported, and removed if the configuration says so", async () => {
    const over = { zoneId, until: "2020-12-31" };
    const preview = await stack.preview(program, over);
    expect(preview.text.match(/rules\[1\]\.until: it expired at the end of 2020-12-31 \(UTC\)/g)).toHaveLength(1);
    await stack.up(program, over);
    expect((await deployed()).map(({ ref }) => ref)).toEqual(["no-xmlrpc", "sale"]);
    const sale = await visit(stack.emulator.edgeUrl ?? "", `http://${HOST}/sale`);
    expect(sale.status).not.toBe(403);
    expect((await stack.refresh()).changes).toEqual({ same: 2 });
    await stack.setConfig({ "rulesets:removeExpired": { value: "true" } });
    const removal = await stack.preview(program, over);
    expect(removal.text).toContain("it is left out, as rulesets:removeExpired says");
    expect(methodsOf((await stack.up(program, over)).requests)).toEqual(["GET", "PUT"]);
    expect((await deployed()).map(({ ref }) => ref)).toEqual(["no-xmlrpc"]);
    expect((await stack.up(program, over)).requests).toEqual([]);
  });

  test("a rule that is a resource of its own leaves after its end, and comes back with a later one", async () => {
    const [over, later] = [
      { zoneId, alone: "2020-12-31" },
      { zoneId, alone: "2099-12-31" },
    ];
    await stack.up(program, over);
    expect(await deployed()).toHaveLength(1);
    await stack.setConfig({ "rulesets:removeExpired": { value: "true" } });
    const preview = await stack.preview(program, over);
    expect(preview.text).toContain("until: its time is over since the end of 2020-12-31 (UTC): it is left out");
    expect(preview.text).toContain("1 to update");
    expect(methodsOf((await stack.up(program, over)).requests)).toEqual(["GET", "DELETE"]);
    expect(await deployed()).toEqual([]);
    expect((await stack.up(program, over)).requests).toEqual([]);
    expect(await stack.refresh()).toMatchObject({ changes: { same: 2 }, requests: [] });
    expect(methodsOf((await stack.up(program, later)).requests)).toEqual(["GET", "POST"]);
    expect(await deployed()).toHaveLength(1);
    expect((await stack.up(program, later)).requests).toEqual([]);
    await stack.up(program, over);
    expect(await stack.destroy()).toMatchObject({ ok: true, requests: [] });
    expect(await deployed()).toEqual([]);
  });

  test("the members of a split rule move to a list, and its first part keeps its ID", async () => {
    const [accountId, isPlugin] = [await stack.service.account(), program === plugin];
    const ids = async () => Object.fromEntries((await deployed()).map(({ ref, id }) => [ref, id]));
    expect(await stack.up(long, { zoneId, isPlugin })).toMatchObject({ ok: true });
    const parts = await ids();
    expect(Object.keys(parts)).toEqual(["bad", "bad-part-01", "bad-part-1", "bad-part-11", "other"]);

    const args = { zoneId, accountId, isPlugin };
    const preview = await stack.preview(long, args);
    expect(preview.text).toContain("items of the list bad: +600 ~0 -0, 0 unchanged");
    expect(preview.text).toContain("+0 ~1 (expression) -3, 1 unchanged");
    expect(preview.text).not.toContain("lets requests through");
    const up = await stack.up(long, args);
    expect(methodsOf(writesIn(up.requests))).toEqual(["POST", "POST", "PUT"]);
    expect(await ids()).toEqual({ bad: parts.bad, other: parts.other });
    expect((await deployed())[0]?.expression).toBe("ip.src in $bad");
    expect(await stack.up(long, args)).toMatchObject({ changes: { same: 3 } });
  });

  test("a date that does not exist stops the preview, with its path", async () => {
    const preview = await stack.preview(program, { zoneId, until: "2026-02-30" });
    expect(preview.ok).toBe(false);
    expect(preview.text).toContain("rules[1].until: must be a day or a time in UTC");
  });
});
