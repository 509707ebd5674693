import type { Rule as RulesetRule } from "../../provider/index.js";
import { methodsOf, writesIn } from "../support/requests.js";
import { EngineStack, type Library } from "./support/stack.js";
import { startTwoStacks } from "./support/two-stacks.js";

const phase = "http_request_firewall_custom";
interface Args {
  readonly zoneId: string;
  readonly rules: readonly RulesetRule[];
  readonly ownership?: "exclusive" | "shared";
  readonly more?: object;
}
const program = ({ PhaseEntrypoint }: Library, { zoneId, rules, ownership = "shared", more }: Args) => {
  const where = "http_request_firewall_custom";
  const args = { zoneId, phase: where, rules: [...rules], ownership, ...more };
  const { version, ruleIds } = new PhaseEntrypoint("mine", args);
  return { version, ruleIds };
};
const block = (name: string, more: { readonly ref?: string; readonly enabled?: boolean } = {}) => ({
  action: "block" as const,
  description: name,
  expression: `http.host eq "${name}.example"`,
  ...more,
});

describe("two stacks that share an entry point", () => {
  let a: EngineStack;
  let b: EngineStack;
  let zoneId: string;
  beforeEach(async () => {
    ({ a, b, zoneId } = await startTwoStacks());
  });
  afterEach(async () => {
    await a.close();
    await b.close();
  });
  const deployed = () => a.service.rules(zoneId, phase);
  const names = async () => (await deployed()).map(({ description }) => description);

  test("each changes and deletes only its own rules, and neither sees the other's as drift", async () => {
    expect((await a.up(program, { zoneId, rules: [block("a1"), block("a2")] })).ok).toBe(true);
    const preview = await b.preview(program, { zoneId, rules: [block("b1")] });
    expect(preview.text).toContain("2 rules of others are left unchanged");
    expect(preview.text).toContain('1–2 others, 3 "b1" (yours)');
    expect((await b.up(program, { zoneId, rules: [block("b1")] })).changes).toEqual({ create: 2 });
    expect(await names()).toEqual(["a1", "a2", "b1"]);

    await a.refresh();
    const silent = await a.up(program, { zoneId, rules: [block("a1"), block("a2")] });
    expect([silent.changes, silent.requests]).toEqual([{ same: 2 }, []]);
    expect(silent.text).not.toContain("did not write");

    const changed = await a.up(program, { zoneId, rules: [block("a2"), block("a1"), block("a3")] });
    expect(writesIn(changed.requests)).toHaveLength(2);
    expect(changed.requests.length - writesIn(changed.requests).length).toBe(1);
    expect(await names()).toEqual(["a2", "a1", "a3", "b1"]);

    expect((await b.destroy()).ok).toBe(true);
    expect(await names()).toEqual(["a2", "a1", "a3"]);
    expect((await a.destroy()).ok).toBe(true);
    expect(await names()).toEqual([]);
  });

  test("lose nothing when both run concurrently", async () => {
    await a.up(program, { zoneId, rules: [block("a1")] });
    await b.up(program, { zoneId, rules: [block("b1")] });
    const [one, two] = await Promise.all([
      a.up(program, { zoneId, rules: [block("a0"), block("a1", { enabled: false }), block("a2")] }),
      b.up(program, { zoneId, rules: [block("b2"), block("b1")] }),
    ]);
    expect([one.ok, two.ok]).toEqual([true, true]);
    const all = await names();
    expect(all.filter((name) => String(name).startsWith("a"))).toEqual(["a0", "a1", "a2"]);
    expect(all.filter((name) => String(name).startsWith("b"))).toEqual(["b2", "b1"]);
  });

  test("write nothing when they change from exclusive to shared and back, and continue after a partial failure", async () => {
    const rules = [block("a1"), block("a2")];
    await a.up(program, { zoneId, rules, ownership: "exclusive" });
    const before = await deployed();
    const shared = await a.up(program, { zoneId, rules });
    expect([shared.changes, shared.requests]).toEqual([{ same: 1, update: 1 }, []]);
    await b.up(program, { zoneId, rules: [block("b1")] });

    const three = [...rules, block("a3"), block("a4")];
    await a.service.fault({ method: "POST", path: "/rules$", cut: "after" });
    await a.service.fault({ method: "GET", path: "/rulesets/[0-9a-f]{32}$", status: 503, times: 1 });
    await a.up(program, { zoneId, rules: three });
    await a.service.noFaults();
    const again = await a.up(program, { zoneId, rules: three });
    expect(again.ok).toBe(true);
    expect(await names()).toEqual(["a1", "a2", "a3", "a4", "b1"]);
    expect((await a.up(program, { zoneId, rules: three })).requests).toEqual([]);
    expect((await a.up(program, { zoneId, rules })).ok).toBe(true);

    const back = await a.up(program, { zoneId, rules, ownership: "exclusive" });
    expect(writesIn(back.requests)).toEqual([]);
    expect(back.text).toContain("1 rule that this stack did not write");
    expect((await deployed()).slice(0, 2)).toEqual(before);
    const refused = await a.up(program, { zoneId, rules: [block("a1")], ownership: "exclusive" });
    expect(refused.ok).toBe(false);
    expect(refused.text).toContain('block "b1"');
    expect(await names()).toEqual(["a1", "a2", "b1"]);
  });

  test("write the rest of a create that was refused halfway, also after a refresh", async () => {
    expect((await b.up(program, { zoneId, rules: [block("x", { ref: "x" })] })).ok).toBe(true);
    const rules = [block("a1"), block("x", { ref: "x", enabled: false })];
    const wanted = { zoneId, rules, more: { onExisting: "adopt" } };
    const enabled = async () => (await deployed()).map((rule) => [rule.description, rule.enabled]).sort();
    await a.service.fault({ method: "PATCH", status: 400, times: 1 });
    expect((await a.up(program, wanted)).ok).toBe(false);
    await a.service.noFaults();
    expect(await enabled()).toEqual([
      ["a1", true],
      ["x", true],
    ]);
    expect((await a.refresh()).ok).toBe(true);
    expect((await a.up(program, wanted)).changes).toMatchObject({ update: 1 });
    expect(await enabled()).toEqual([
      ["a1", true],
      ["x", false],
    ]);
  });

  test("delete what the program drops while a replacement is completed that was interrupted after its delete", async () => {
    await a.up(program, { zoneId, rules: [block("a1"), block("a2")] });
    await b.up(program, { zoneId, rules: [block("b1")] });
    await a.rewriteState((text) => text.replace(/"type":"[^"]*:PhaseEntrypoint"/, '$&,"pendingReplacement":true'));
    const args = { zoneId, rules: [block("a2")] };
    expect((await a.preview(program, args)).changes).toEqual({ replace: 1, same: 1 });
    const up = await a.up(program, args);
    expect([up.ok, methodsOf(writesIn(up.requests))]).toEqual([true, ["DELETE"]]);
    expect(await names()).toEqual(["a2", "b1"]);
    expect((await a.up(program, args)).requests).toEqual([]);
  });

  test("stop a replacement that would undo what somebody edited, and undo it after a refresh", async () => {
    const run = { zoneId, rules: [block("a1", { ref: "a1" }), block("a2")] };
    await a.up(program, run);
    const ruleset = await a.service.entrypoint(zoneId, phase);
    const [rule] = ruleset?.rules ?? [];
    const byHand = { action: "block", description: "a1", expression: "ip.src eq 192.0.2.1" };
    await a.service.editRule(`zones/${zoneId}`, ruleset?.id ?? "", rule?.id ?? "", byHand);
    const replace = a.resources().map(({ urn }) => urn);
    const forced = await a.up(program, run, { replace });
    expect([forced.ok, writesIn(forced.requests)]).toEqual([false, []]);
    expect(forced.text).toContain("contains a rule of somebody else with a ref of this program");
    expect((await deployed())[0]?.expression).toBe("ip.src eq 192.0.2.1");
    await a.refresh();
    expect((await a.up(program, run)).ok).toBe(true);
    expect((await deployed())[0]).toMatchObject({ id: rule?.id, expression: 'http.host eq "a1.example"' });
  });

  test("hide a secret description in the preview of how rules interleave", async () => {
    const secret = ({ PhaseEntrypoint, pulumi }: Library, { zoneId: zone }: { readonly zoneId: string }) => {
      new PhaseEntrypoint("mine", {
        zoneId: zone,
        phase: "http_request_firewall_custom",
        ownership: "shared",
        rules: [
          { ref: "hidden", action: "block", description: pulumi.secret("tell-nobody"), expression: 'http.host eq "x"' },
        ],
      });
    };
    await b.up(program, { zoneId, rules: [block("b1")] });
    const preview = await a.preview(secret, { zoneId });
    expect(preview.text).toContain("1 another's, 2 hidden (yours)");
    expect(preview.text).not.toContain("tell-nobody");
    expect((await a.up(secret, { zoneId })).ok).toBe(true);
    expect(await names()).toEqual(["b1", "tell-nobody"]);
    expect(JSON.stringify(a.resources())).not.toContain("tell-nobody");
  });
});

describe("a rule that moves from a shared list to a RulesetRule of the program", () => {
  /** `order` says how the list and the rule are declared, once the rule has left the list. */
  const moving = (
    { PhaseEntrypoint, RulesetRule }: Library,
    { zoneId, order }: { readonly zoneId: string; readonly order?: "rule later" | "rule first" },
  ) => {
    const place = { zoneId, phase: "http_request_firewall_custom" };
    const content = { action: "block", expression: "ssl" } as const;
    const list = (refs: readonly string[], opts: object = {}) => {
      const rules = refs.map((ref) => ({ ref, ...content, description: ref }));
      return new PhaseEntrypoint("list", { ...place, ownership: "shared", maxRemovedPercent: 0, rules }, opts);
    };
    const rule = (opts: object = {}) =>
      new RulesetRule(
        "rule",
        { ...place, ref: "b", ...content, description: "b", enabled: false, onExisting: "adopt" },
        opts,
      );
    if (order === undefined) list(["a", "b"]);
    if (order === "rule later") rule({ dependsOn: list(["a"]) });
    if (order === "rule first") list(["a"], { dependsOn: rule() });
  };

  test("stays, may change, and does not count as removed if it is checked first", async () => {
    const stack = await EngineStack.start();
    try {
      const zoneId = await stack.service.zone();
      const there = async () => (await stack.service.entrypoint(zoneId, phase))?.rules ?? [];
      expect((await stack.up(moving, { zoneId })).ok).toBe(true);
      const before = await there();
      const stopped = await stack.preview(moving, { zoneId, order: "rule later" });
      expect(stopped.ok).toBe(false);
      expect(stopped.text).toContain("this change removes 1 of 2 rules, 50 percent");
      expect(stopped.text).toContain("add that resource to `dependsOn` of this one");
      const preview = await stack.preview(moving, { zoneId, order: "rule first" });
      expect(preview.ok).toBe(true);
      expect(preview.text).toContain("1 rule moves to another resource of this program, and is not deleted");
      const up = await stack.up(moving, { zoneId, order: "rule first" });
      expect(up.ok).toBe(true);
      expect(writesIn(up.requests).map((request) => request.split(" ")[0])).toEqual(["PATCH"]);
      expect((await there()).map(({ id, enabled }) => [id, enabled])).toEqual([
        [before[0]?.id, true],
        [before[1]?.id, false],
      ]);
      await stack.refresh();
      expect((await stack.up(moving, { zoneId, order: "rule first" })).requests).toEqual([]);
    } finally {
      await stack.close();
    }
  });
});

describe("a rule that moves while its list is replaced in another zone, with --continue-on-error", () => {
  interface Zones {
    readonly zoneId: string;
    readonly elsewhere: string;
  }
  const replacing = (
    { PhaseEntrypoint, RulesetRule }: Library,
    { zoneId, elsewhere, moves }: Zones & { readonly moves: boolean },
  ) => {
    const where = "http_request_firewall_custom";
    const content = { action: "block", expression: "ssl" } as const;
    const rules = (moves ? ["a"] : ["a", "b"]).map((ref) => ({ ref, ...content, description: ref }));
    new PhaseEntrypoint("list", { zoneId: moves ? elsewhere : zoneId, phase: where, ownership: "shared", rules });
    if (moves)
      new RulesetRule("rule", {
        ...{ zoneId, phase: where, ref: "b", ...content, description: "b", enabled: false },
        onExisting: "adopt",
      });
  };

  test("stays when its new resource fails, and is adopted in the next run", async () => {
    const stack = await EngineStack.start();
    try {
      const { service } = stack;
      const zones = { zoneId: await service.zone(), elsewhere: await service.zone("business") };
      const rules = async (zoneId: string) => (await service.entrypoint(zoneId, phase))?.rules ?? [];
      const there = async (zoneId: string) => (await rules(zoneId)).map(({ ref, enabled }) => [ref, enabled]);
      expect((await stack.up(replacing, { ...zones, moves: false })).ok).toBe(true);
      const id = (await rules(zones.zoneId))[1]?.id;
      await service.fault({ method: "PATCH", status: 400, times: 1 });
      const failed = await stack.up(replacing, { ...zones, moves: true }, { continueOnError: true });
      await service.noFaults();
      expect(failed.ok).toBe(false);
      expect(await there(zones.zoneId)).toContainEqual(["b", true]);
      expect((await stack.up(replacing, { ...zones, moves: true })).ok).toBe(true);
      expect([await there(zones.zoneId), await there(zones.elsewhere)]).toEqual([[["b", false]], [["a", true]]]);
      expect((await rules(zones.zoneId))[0]?.id).toBe(id);
      expect((await stack.destroy()).ok).toBe(true);
      expect([await there(zones.zoneId), await there(zones.elsewhere)]).toEqual([[], []]);
    } finally {
      await stack.close();
    }
  });
});
