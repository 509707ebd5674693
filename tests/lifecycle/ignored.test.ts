import { secretPlaceholder } from "../../provider/engine/secrets.js";
import type { Service } from "../support/emulator.js";
import { block } from "../support/rules.js";
import { ManagedRuleset, startEntrypoint } from "./harness.js";

const phase = "http_request_firewall_custom";
const rules = [block("A", "ssl"), block("B", "not ssl"), block("C", "true")];

describe("rules as an object, and old values passed in by ignoreChanges", () => {
  let service: Service;
  let zoneId: string;
  let resource: ManagedRuleset;
  beforeEach(async () => {
    ({ service, zoneId, resource } = await startEntrypoint());
  });
  const inputs = (list: unknown = rules, more: object = {}) => ({ zoneId, phase, rules: list, ...more });
  const there = async () => (await service.entrypoint(zoneId, phase))?.rules ?? [];
  const names = async () => (await there()).map(({ description }) => description);
  /**
   * The inputs after `ignoreChanges` of the engine: the old value of each ignored argument, or of all. It does not keep the
   * order of keys.
   */
  const ignoring = (wanted: object, ...ignored: string[]): object => {
    const inputs = resource.kept?.inputs as unknown as Record<string, unknown>;
    const sorted = Object.entries(inputs.rules as object).sort(([one], [other]) => (one < other ? -1 : 1));
    const olds: Record<string, unknown> = { ...inputs, rules: Object.fromEntries(sorted) };
    if (ignored.includes("*")) return { ...olds };
    return { ...wanted, ...Object.fromEntries(ignored.map((name) => [name, olds[name]])) };
  };
  const noObject = "rules: must be a list of rules, not an object, which has no order: write Object.values";

  test.each([{}, { a: block("A", "ssl") }, { x: "garbage" }])("%j creates nothing and deletes nothing", async (map) => {
    await expect(resource.preview(inputs(map))).rejects.toThrow(noObject);
    await resource.up(inputs());
    await expect(resource.up(inputs(map))).rejects.toThrow(noObject);
    expect(await names()).toEqual(["A", "B", "C"]);
    const nothing = new ManagedRuleset("Ruleset", service, "urn:other");
    await expect(nothing.up(inputs(map, { kind: "custom", name: "x" }))).rejects.toThrow(noObject);
  });

  test("the rules of another ruleset are not accepted by ref, whatever their order", async () => {
    await resource.up(inputs());
    const other = new ManagedRuleset("PhaseEntrypoint", service, "urn:other");
    const elsewhere = { ...inputs(resource.kept?.inputs.rules), zoneId: await service.zone("pro") };
    await expect(other.up(elsewhere)).rejects.toThrow(noObject);
  });

  test("the path of an ignored secret is recorded once, also when the program has another secret there", async () => {
    const secret = (text: string, more: object = {}) => {
      const rule = { ref: "r", action: "block", expression: secretPlaceholder("0") };
      return inputs([rule], { __secrets: { "0": `http.cookie contains "${text}"` }, ...more });
    };
    await resource.up(secret("hunter2"));
    const ignored = secret("hunter3", { __ignore: ['rules["r"].expression'] });
    const { inputs: checked } = await resource.preview(ignored);
    expect(checked.__secretPaths).toEqual({ r: [["expression"]] });
    expect((await resource.preview(ignored)).action).toBe("none");
  });

  test('"rules" passes the old rules in, in the old order', async () => {
    await resource.up(inputs([...rules].reverse()));
    const ignored = ignoring(inputs([], { description: "New" }), "rules");
    expect((await resource.up(ignored)).action).toBe("update");
    expect(await names()).toEqual(["C", "B", "A"]);
    await resource.settled(ignored);
  });

  test('"*" ignores every change', async () => {
    await resource.up(inputs(rules, { description: "Ours" }));
    const all = ignoring(inputs([], { description: "Other", phase: "http_ratelimit" }), "*");
    expect(await resource.up(all)).toMatchObject({ action: "none", requests: [] });
    await resource.settled(all);
  });

  test.each(["rules", "*"])("%j also ignores foreign rules that a refresh has found", async (name) => {
    await resource.up(inputs());
    const ruleset = await service.entrypoint(zoneId, phase);
    await service.addRule(`zones/${zoneId}`, ruleset?.id ?? "", block("D", "ip.src eq 192.0.2.1"));
    await resource.refresh();
    const ignored = ignoring(inputs([]), name);
    expect(await resource.up(ignored)).toMatchObject({ action: "none", requests: [] });
    await resource.settled(ignored);
    // A delete ignores nothing, but can be told to keep them.
    await expect(resource.destroy()).rejects.toThrow(
      '`pulumi up` with onDelete: "keep" and the option ignoreChanges: ["rules"]',
    );
    expect((await resource.up({ ...ignored, onDelete: "keep" })).requests).toEqual([]);
    expect(await resource.destroy()).toEqual([]);
    expect(await names()).toEqual(["A", "B", "C", "D"]);
  });

  test('"order" keeps the order; a new rule goes after the one that precedes it in the program', async () => {
    await resource.up(inputs());
    const [a, b, c] = rules;
    const moved = ignoring(inputs([c, block("D", "ip.src eq 192.0.2.1"), b, a]), "order");
    await resource.up(moved);
    expect(await names()).toEqual(["A", "B", "C", "D"]);
    await resource.settled(ignoring(inputs([c, block("D", "ip.src eq 192.0.2.1"), b, a]), "order"));
    const first = ignoring(inputs([block("E", "ip.src eq 192.0.2.2"), c, b]), "order");
    await resource.up(first);
    expect(await names()).toEqual(["E", "B", "C"]);
  });

  test("an order set by the program is refused", async () => {
    await expect(resource.preview(inputs(rules, { order: "a\n" }))).rejects.toThrow("has no argument order");
    await resource.up(inputs());
    await expect(resource.preview(inputs(rules, { order: "a\n" }))).rejects.toThrow("has no argument order");
  });

  test.each([
    ["rules[0].enabled", 'uses an index, but rules are identified by ref. Write "rules[\\"<ref>\\"].enabled"'],
    ["rules[*]", 'uses an index, but rules are identified by ref. Write "rules[\\"<ref>\\"]"'],
    ["rules[", "is not a path"],
    ["", "is not a path"],
    ["rules.a b", "is not a path"],
    ["descripton", "PhaseEntrypoint has no argument descripton; did you mean description?"],
    ["rulesInForce", "PhaseEntrypoint has no argument rulesInForce"],
    ["kind", "PhaseEntrypoint has no argument kind"],
    ["description.x", 'has too many steps: write "description"'],
    ["rules.a.enabld", "names a field that does not exist: enabld; did you mean enabled?"],
    ["rules.a.enabled.x", "has too many steps"],
    ["rules.a.actionParameters.overrides.rulez", "names a field that does not exist: rulez; did you mean rules?"],
    ["rules.a.actionParameters.overrides.rules.x", 'uses "x" as the index of a list'],
    ["rules.x.enabled", 'there is no rule with the ref "x"; did you mean a?'],
  ])("ignoreChanges %j is refused", async (text, reason) => {
    const named = rules.map((rule, index) => ({ ...rule, ref: ["a", "bee", "sea"][index] }));
    const refused = resource.preview(inputs(named, { __ignore: [text] }));
    await expect(refused).rejects.toThrow(reason);
  });

  test.each([
    "*",
    "rules",
    "order",
    "zoneId",
    "onDelete",
    "rules.a",
    'rules["a"].actionParameters.overrides.rules[0].enabled',
    "rules.a.actionParameters.wire.anything.at.all",
    "rules.a.wire",
  ])("ignoreChanges %j is accepted", async (text) => {
    const named = [{ ...block("A", "ssl"), ref: "a" }];
    await resource.up(inputs(named, { __ignore: [text] }));
    expect((await resource.preview(inputs(named, { __ignore: [text] }))).action).toBe("none");
  });

  test("a ref may belong to a former rule, and is validated once all rules are known", async () => {
    const named = rules.map((rule, index) => ({ ...rule, ref: `r${String(index)}` }));
    await resource.up(inputs(named));
    await resource.up(inputs(named.slice(1), { __ignore: ["rules.r0.enabled"] }));
    await expect(resource.preview(inputs(named.slice(1), { __ignore: ["rules.r0.enabled"] }))).rejects.toThrow(
      'no rule with the ref "r0"',
    );
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
    await resource.preview(inputs([unknown, ...named.slice(1)], { __ignore: ["rules.r0.enabled"] }));
  });
});
