import type { Rule as RulesetRule } from "../../provider/index.js";
import { methodsOf, writesIn } from "../support/requests.js";
import { block } from "../support/rules.js";
import { EngineStack, type Library } from "./support/stack.js";

const phase = "http_request_firewall_custom";
interface Args {
  readonly zoneId: string;
  readonly rules: readonly RulesetRule[];
  readonly name?: string;
  readonly secret?: string;
  readonly options?: object;
  readonly more?: object;
}
const program = (
  { PhaseEntrypoint, Ruleset, pulumi }: Library,
  { zoneId, rules, name, secret, options, more }: Args,
) => {
  const where = "http_request_firewall_custom";
  if (name !== undefined) {
    const custom = new Ruleset("mine", { zoneId, kind: "custom", name, phase: where, rules: [...rules] });
    const execute = { action: "execute" as const, expression: "true", actionParameters: { id: custom.rulesetId } };
    new PhaseEntrypoint("custom", { zoneId, phase: where, rules: [execute] });
    return;
  }
  const hidden = { action: "block" as const, expression: pulumi.secret(`http.cookie contains "${String(secret)}"`) };
  const all = [...rules, ...(secret === undefined ? [] : [hidden])];
  new PhaseEntrypoint("custom", { zoneId, phase: where, rules: all, ...more }, options);
};
const rules = [block("A", "ssl"), block("B", "not ssl"), block("C", "ip.src eq 192.0.2.1")];

describe("changes", () => {
  let stack: EngineStack;
  let zoneId: string;
  beforeEach(async () => {
    stack = await EngineStack.start();
    zoneId = await stack.service.zone();
  });
  const deployed = () => stack.service.rules(zoneId, phase);
  const run = (more: Partial<Args> = {}): Args => ({ zoneId, rules, ...more });

  test("another name of a custom ruleset is a replacement, and creates the new one first", async () => {
    await stack.up(program, run({ name: "one" }));
    const up = await stack.up(program, run({ name: "two" }));
    expect(up.changes).toMatchObject({ replace: 1 });
    expect(methodsOf(writesIn(up.requests))).toEqual(["POST", "PUT", "DELETE"]);
    const custom = (await stack.service.list(`zones/${zoneId}`)).filter(({ kind }) => kind === "custom");
    expect(custom.map(({ name }) => name)).toEqual(["two"]);
  });

  test("up --replace, deleteBeforeReplace and replaceOnChanges keep rules and IDs", async () => {
    await stack.up(program, run());
    const before = await deployed();
    const replace = stack.resources().map(({ urn }) => urn);
    const forced = await stack.up(program, run(), { replace });
    expect([forced.changes, writesIn(forced.requests)]).toMatchObject([{ replace: 1 }, []]);
    expect(forced.text).toContain("was not deleted: this run creates it again");
    expect(forced.text).toContain("perhaps that of another stack");
    expect(await deployed()).toEqual(before);
    const edited = [...rules.slice(0, 2), block("C", "ip.src eq 192.0.2.2")];
    const options = { deleteBeforeReplace: true, replaceOnChanges: ["rules"] };
    expect((await stack.up(program, run({ rules: edited, options }))).changes).toMatchObject({ replace: 1 });
    expect((await deployed()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect((await deployed())[2]?.expression).toBe("ip.src eq 192.0.2.2");
    expect((await stack.up(program, run({ rules: edited }))).requests).toEqual([]);
  });

  test("ignoreChanges ignores everything with secrets kept, one field of one rule, or the order", async () => {
    await stack.up(program, run({ secret: "hunter2-very-secret" }));
    const all = { rules: [block("Z", "true")], more: { description: "New" }, options: { ignoreChanges: ["*"] } };
    expect(await stack.up(program, run(all))).toMatchObject({ ok: true, changes: { same: 2 }, requests: [] });
    expect(stack.stateText()).not.toContain("hunter2");

    const ref = String((await deployed())[0]?.ref);
    const [a, b, c] = [block("A", "ssl"), block("B", "true"), block("C", "ip.src eq 192.0.2.1")];
    const field = { rules: [{ ...a, enabled: false }, b, c], options: { ignoreChanges: [`rules["${ref}"].enabled`] } };
    expect((await stack.up(program, run(field))).ok).toBe(true);
    expect((await deployed()).map(({ enabled, expression }) => [enabled, expression])).toEqual([
      [true, "ssl"],
      [true, "true"],
      [true, "ip.src eq 192.0.2.1"],
    ]);

    const moved = run({ rules: [c, b, a, block("D", "ssl")], options: { ignoreChanges: ["order"] } });
    expect((await stack.up(program, moved)).changes).toEqual({ same: 1, update: 1 });
    expect((await deployed()).map(({ description }) => description)).toEqual(["A", "D", "B", "C"]);
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
    expect((await stack.up(copying, { from: zoneId, to, list: rules })).changes).toEqual({ same: 1, update: 2 });
    expect(await copied()).toEqual(rules.map(({ expression }) => expression));
    expect(stack.stateText()).not.toContain("192.0.2.1");
  });
});
