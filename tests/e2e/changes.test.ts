import type { Rule as RulesetRule } from "../../provider/index.js";
import { methodsOf, writesIn } from "../support/requests.js";
import { block } from "../support/rules.js";
import { EngineStack, type Library } from "./support/stack.js";

const phase = "http_request_firewall_custom";
interface Args {
  readonly zoneId: string;
  readonly phase: string;
  readonly rules: readonly RulesetRule[];
  readonly name?: string;
  readonly options?: object;
  readonly more?: object;
}
const program = ({ PhaseEntrypoint, Ruleset }: Library, { zoneId, phase: where, rules, name, options, more }: Args) => {
  if (name !== undefined) {
    const custom = new Ruleset("mine", { zoneId, kind: "custom", name, phase: where, rules: [...rules] });
    const execute = { action: "execute" as const, expression: "true", actionParameters: { id: custom.rulesetId } };
    new PhaseEntrypoint("custom", { zoneId, phase: where, rules: [execute] });
    return;
  }
  new PhaseEntrypoint("custom", { zoneId, phase: where, rules: [...rules], ...more }, options);
};
const rules = [block("A", "ssl"), block("B", "not ssl"), block("C", "ip.src eq 192.0.2.1")];

describe("changes", () => {
  let stack: EngineStack;
  let zoneId: string;
  beforeEach(async () => {
    stack = await EngineStack.start();
    zoneId = await stack.service.zone();
  });
  afterEach(() => stack.close());
  const deployed = (where = phase) => stack.service.rules(zoneId, where);
  const run = (more: Partial<Args> = {}): Args => ({ zoneId, phase, rules, ...more });

  test("drift shows in a refresh and in the next preview, field by field, and up reverts it", async () => {
    await stack.up(program, run());
    const before = await stack.service.entrypoint(zoneId, phase);
    await stack.service.editRule(`zones/${zoneId}`, before?.id ?? "", before?.rules[1]?.id ?? "", {
      action: "block",
      expression: "true",
      description: "B",
      enabled: false,
    });
    await stack.service.deleteRule(`zones/${zoneId}`, before?.id ?? "", before?.rules[2]?.id ?? "");
    const refreshed = await stack.command("refresh", "--yes", "--skip-preview", "--diff", "--color", "never");
    expect(refreshed).toMatch(/\+ enabled +: false/);
    expect(refreshed).toMatch(/~ expression *: "not ssl" => "true"/);
    expect(refreshed).toContain("~ 1 updated");
    const preview = await stack.preview(program, run());
    expect(preview.text).toContain(": +1 ~1 (enabled, expression) -0, 1 unchanged");
    expect(preview.text).toMatch(/~ expression *: "true" => "not ssl"/);
    const up = await stack.up(program, run());
    expect(methodsOf(up.requests)).toEqual(["GET", "PUT"]);
    expect((await deployed()).map(({ id }) => id).slice(0, 2)).toEqual(before?.rules.map(({ id }) => id).slice(0, 2));
    expect((await stack.up(program, run())).requests).toEqual([]);
    expect((await stack.refresh()).changes).toEqual({ same: 2 });
  });

  test("a partial failure leaves the resource in the state, and the next up finishes it", async () => {
    await stack.up(program, run());
    const id = (await stack.service.entrypoint(zoneId, phase))?.id ?? "";
    await stack.service.fault({ method: "PUT", cut: "after" });
    await stack.service.fault({ method: "GET", path: `*/rulesets/${id}`, status: 500, times: 9 });
    const changed = run({ rules: [...rules, block("D", "true")] });
    const failed = await stack.up(program, changed);
    expect(failed.ok).toBe(false);
    expect(failed.text).toContain("It is not known whether the request was carried out");
    await stack.service.noFaults();
    expect(stack.resources()).toHaveLength(1);
    const next = await stack.up(program, changed);
    expect(next.changes).toEqual({ same: 1, update: 1 });
    expect(writesIn(next.requests)).toEqual([]);
    expect((await stack.up(program, changed)).changes).toEqual({ same: 2 });
    expect(await deployed()).toHaveLength(4);
  });

  test("only another scope, kind, phase, or name of a custom ruleset is a replacement, and creates the new one first", async () => {
    await stack.up(program, run({ name: "one" }));
    const preview = await stack.preview(program, run({ name: "two" }));
    expect(preview.changes).toMatchObject({ replace: 1 });
    const up = await stack.up(program, run({ name: "two" }));
    expect(up.ok).toBe(true);
    expect(methodsOf(writesIn(up.requests))).toEqual(["POST", "PUT", "DELETE"]);
    const custom = (await stack.service.list(`zones/${zoneId}`)).filter(({ kind }) => kind === "custom");
    expect(custom.map(({ name }) => name)).toEqual(["two"]);
    const described = await stack.preview(program, run({ name: "two", rules: rules.slice(1) }));
    expect(described.changes).toEqual({ same: 2, update: 1 });
  });

  test("with another phase, the new entry point is created before the old one is emptied", async () => {
    await stack.up(program, run());
    const other = "http_request_dynamic_redirect";
    const redirect: RulesetRule = {
      action: "redirect",
      expression: "true",
      actionParameters: { fromValue: { targetUrl: { value: "https://example.com" } } },
    };
    const up = await stack.up(program, run({ phase: other, rules: [redirect] }));
    expect(methodsOf(writesIn(up.requests))).toEqual(["POST", "PUT"]);
    expect(await deployed()).toEqual([]);
    expect(await deployed(other)).toHaveLength(1);
  });

  test("up --replace, a taint and replaceOnChanges keep rules and IDs", async () => {
    await stack.up(program, run());
    const before = await deployed();
    const [resource] = stack.resources();
    const urn = resource?.urn ?? "";
    const forced = await stack.up(program, run(), { replace: [urn] });
    expect(forced.changes).toMatchObject({ replace: 1 });
    expect(writesIn(forced.requests)).toEqual([]);
    expect(forced.text).toContain("was not deleted: this run creates it again");
    expect(await deployed()).toEqual(before);
    const deletedFirst = await stack.up(program, run({ options: { deleteBeforeReplace: true } }), { replace: [urn] });
    expect(deletedFirst.changes).toMatchObject({ replace: 1 });
    expect(await deployed()).toEqual(before);
    await stack.command("state", "taint", urn, "--yes");
    const tainted = await stack.up(program, run());
    expect(tainted.changes).toMatchObject({ replace: 1 });
    expect(await deployed()).toEqual(before);
    const edited = [...rules.slice(0, 2), block("C", "ip.src eq 192.0.2.2")];
    const replaced = await stack.up(program, run({ rules: edited, options: { replaceOnChanges: ["rules"] } }));
    expect(replaced.changes).toMatchObject({ replace: 1 });
    expect((await deployed()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect((await deployed())[2]?.expression).toBe("ip.src eq 192.0.2.2");
    expect((await stack.up(program, run({ rules: edited }))).requests).toEqual([]);
    expect((await stack.destroy()).ok).toBe(true);
    expect(await deployed()).toEqual([]);
  });

  test('ignoreChanges: "rules" ignores all rules, and one field of one rule is ignored by its ref', async () => {
    await stack.up(program, run());
    const ignoring = await stack.preview(program, run({ rules: [], options: { ignoreChanges: ["rules"] } }));
    expect(ignoring.changes).toEqual({ same: 2 });
    const described = await stack.up(
      program,
      run({ rules: [], options: { ignoreChanges: ["rules"] }, more: { description: "New" } }),
    );
    expect(described.changes).toEqual({ same: 1, update: 1 });
    expect((await deployed()).map(({ description }) => description)).toEqual(["A", "B", "C"]);
    const ref = String((await deployed())[0]?.ref);
    const changed = [{ ...block("A", "ssl"), enabled: false }, block("B", "true"), block("C", "ip.src eq 192.0.2.1")];
    const one = await stack.up(
      program,
      run({ rules: changed, options: { ignoreChanges: [`rules["${ref}"].enabled`] } }),
    );
    expect(one.ok).toBe(true);
    expect((await deployed()).map(({ enabled, expression }) => [enabled, expression])).toEqual([
      [true, "ssl"],
      [true, "true"],
      [true, "ip.src eq 192.0.2.1"],
    ]);
  });

  test('ignoreChanges: "*" ignores every change, and "order" ignores changes of the order', async () => {
    await stack.up(program, run());
    const changed = run({
      rules: [block("Z", "true")],
      more: { description: "New" },
      options: { ignoreChanges: ["*"] },
    });
    for (const outcome of [await stack.preview(program, changed), await stack.up(program, changed)]) {
      expect([outcome.ok, outcome.changes, outcome.requests]).toEqual([true, { same: 2 }, []]);
    }
    const [a, b, c] = rules as [RulesetRule, RulesetRule, RulesetRule];
    const moved = run({ rules: [c, b, a, block("D", "ssl")], options: { ignoreChanges: ["order"] } });
    const preview = await stack.preview(program, moved);
    expect([preview.ok, preview.changes]).toEqual([true, { same: 1, update: 1 }]);
    expect(preview.text).toContain("+1 ~0 -0, 3 unchanged");
    await stack.up(program, moved);
    expect((await deployed()).map(({ description }) => description)).toEqual(["A", "D", "B", "C"]);
    expect((await stack.up(program, moved)).requests).toEqual([]);
  });

  test("the rules of one resource can be used in another, in order, with secrets", async () => {
    const copying = (
      { PhaseEntrypoint, pulumi }: Library,
      { from, to, list }: { from: string; to: string; list: readonly RulesetRule[] },
    ) => {
      const where = "http_request_firewall_custom";
      const secret = list.map((rule) => ({ ...rule, expression: pulumi.secret(rule.expression) }));
      const one = new PhaseEntrypoint("one", { zoneId: from, phase: where, rules: secret });
      new PhaseEntrypoint("other", { zoneId: to, phase: where, rules: one.rules });
    };
    const to = await stack.service.zone("pro");
    const copied = async () => (await stack.service.entrypoint(to, phase))?.rules.map(({ expression }) => expression);
    const list = [...rules].reverse();
    expect((await stack.up(copying, { from: zoneId, to, list })).ok).toBe(true);
    expect(await copied()).toEqual(list.map(({ expression }) => expression));
    expect((await stack.up(copying, { from: zoneId, to, list })).changes).toEqual({ same: 3 });
    expect((await stack.up(copying, { from: zoneId, to, list: rules })).changes).toEqual({ same: 1, update: 2 });
    expect(await copied()).toEqual(rules.map(({ expression }) => expression));
    expect(stack.stateText()).not.toContain("192.0.2.1");
  });

  test("arguments that only affect this package are not a change; onDelete is saved without a request", async () => {
    await stack.up(program, run());
    expect(await stack.up(program, run({ more: { onExisting: "adopt", onConflict: "overwrite" } }))).toMatchObject({
      changes: { same: 2 },
      requests: [],
    });
    expect(await stack.up(program, run({ more: { onDelete: "keep" } }))).toMatchObject({
      changes: { same: 1, update: 1 },
      requests: [],
    });
    const destroyed = await stack.destroy();
    expect(destroyed.requests).toEqual([]);
    expect(await deployed()).toHaveLength(3);
  });
});

test("a static get reads what this program does not manage", async () => {
  const stack = await EngineStack.start();
  try {
    const zoneId = await stack.service.zone();
    const ruleset = await stack.service.create(`zones/${zoneId}`, {
      name: "theirs",
      kind: "zone",
      phase,
      rules: [{ action: "log", expression: "ssl", ref: "r" }],
    });
    const reading = ({ PhaseEntrypoint, Ruleset }: Library, { zone, id }: { zone: string; id: string }) => {
      const entrypoint = PhaseEntrypoint.get("byPhase", `zones/${zone}/phases/http_request_firewall_custom`);
      const whole = Ruleset.get("byId", `zones/${zone}/rulesets/${id}`);
      return {
        rules: entrypoint.rules,
        rulesetId: entrypoint.rulesetId,
        name: whole.name,
        kind: whole.kind,
        same: whole.rulesetId,
        deployed: whole.deployedRules,
      };
    };
    const up = await stack.up(reading, { zone: zoneId, id: ruleset.id });
    expect(up.outputs).toMatchObject({
      rules: [{ ref: "r", action: "log", expression: "ssl" }],
      rulesetId: ruleset.id,
      same: ruleset.id,
      name: "theirs",
      kind: "zone",
      deployed: [{ ref: "r", id: ruleset.rules[0]?.id }],
    });
    expect(up.requests.every((request) => request.startsWith("GET"))).toBe(true);
    expect((await stack.destroy()).requests).toEqual([]);
    expect((await stack.service.entrypoint(zoneId, phase))?.rules).toHaveLength(1);
  } finally {
    await stack.close();
  }
});
