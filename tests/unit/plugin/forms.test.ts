import { inKindForm, inSchemaForm } from "../../../provider/engine/schema-form.js";
import { PHASE_ENTRYPOINT } from "../../../provider/kinds/rulesets/description.js";
import { TOTAL_TLS_CA } from "../../../provider/kinds/certificates/total-tls/description.js";
import type { Description } from "../../../provider/engine/description.js";
import type { JsonObject } from "../../../core/model/json.js";
import { wrappedPaths, wrapSecret } from "../../../core/model/secret.js";
import { UNKNOWN } from "../../../core/model/unknown.js";
import { detailedDiff, topLevelNames } from "../../../provider/border/grpc/detailed-diff.js";
import { RULESET_RULE } from "../../../provider/kinds/rulesets/rule/description.js";
import { asArguments, asChecked, asDeclared } from "../../../provider/border/grpc/imported.js";
import { previewedOutputs } from "../../../provider/border/grpc/preview.js";
import { parseUrn } from "../../../provider/border/grpc/resource-urn.js";

const zoneId = "0123456789abcdef0123456789abcdef";
const service = "0".repeat(31) + "1";
const a = { action: "block", expression: "ssl" };
const b = { ref: "b", action: "log", expression: "not ssl" };
const checked = { zoneId, phase: "p", rules: { a, b }, order: "b\na\n" };

describe("states in the form of the package schema", () => {
  test("have rules as a list in order, each with its ref, and turn back into the same state", () => {
    const state = inSchemaForm(PHASE_ENTRYPOINT, checked);
    expect(state.rules).toEqual([b, { ...a, ref: "a" }]);
    expect(state).not.toHaveProperty("order");
    expect(inKindForm(PHASE_ENTRYPOINT, state)).toEqual(checked);
  });

  test("keep a secret rule one secret, with its ref inside", () => {
    const state = inSchemaForm(PHASE_ENTRYPOINT, { ...checked, rules: { a: wrapSecret(a), b } });
    expect(state.rules).toEqual([b, wrapSecret({ ...a, ref: "a" })]);
  });

  test("of other packages, and of kinds without rules by ref, stay as they are", () => {
    const foreign = { zoneId, rules: [b] };
    expect(inKindForm(PHASE_ENTRYPOINT, foreign)).toEqual(foreign);
    const description: Description = TOTAL_TLS_CA;
    expect(inSchemaForm(description, { zoneId })).toEqual({ zoneId });
  });
});

describe("a detailed difference", () => {
  test("names fields of rules, additions, removals and moves, and nothing else", () => {
    const after = { ...checked, rules: { b: { ...b, expression: "cf.client.bot" }, "c d": a }, order: "c d\nb\n" };
    const found = detailedDiff(checked, { ...after, __urn: "u" });
    expect(found).toEqual({
      "rules.a": "delete",
      "rules.b.expression": "update",
      'rules["c d"]': "add",
      order: "update",
    });
    expect(topLevelNames(Object.keys(found)).sort()).toEqual(["order", "rules"]);
  });

  test("goes into lists of the same length only, and not into secrets", () => {
    const list = (...items: JsonObject[]): JsonObject => ({ list: items });
    expect(detailedDiff(list({ x: 1 }, { x: 2 }), list({ x: 1 }, { x: 3 }))).toEqual({ "list[1].x": "update" });
    expect(detailedDiff(list({ x: 1 }), list({ x: 1 }, { x: 3 }))).toEqual({ list: "update" });
    expect(detailedDiff({ s: wrapSecret("a") }, { s: wrapSecret("b") })).toEqual({ s: "update" });
  });
});

test("an imported single rule keeps what its ID says, which a program need not", () => {
  const inputs = { zoneId, phase: "p", rulesetId: service, action: "log", expression: "ssl" };
  const args = asArguments(RULESET_RULE, `zones/${zoneId}/rulesets/${service}/rules/x`, inputs);
  expect(args).toEqual({
    zoneId,
    rulesetId: service,
    action: "log",
    expression: "ssl",
    __imported: { phase: "p" },
  });
  expect(asDeclared(args)).not.toHaveProperty("__imported");
  expect(asChecked(args)).toEqual(inputs);
});

test("an imported rule has in `wire` what a preview would refuse", () => {
  const phase = "http_request_firewall_custom";
  const inputs = { zoneId, phase, ref: "x", action: "skip", expression: "ssl", actionParameters: { rules: { a: [] } } };
  const args = asArguments(RULESET_RULE, `zones/${zoneId}/phases/${phase}/rules/x`, inputs);
  expect(args).toMatchObject({ action: "skip", expression: "ssl", actionParameters: { wire: { rules: { a: [] } } } });
  expect(args.actionParameters).not.toHaveProperty("rules");
  expect(asChecked(args)).toEqual(inputs);
});

describe("imported inputs", () => {
  const read = {
    zoneId,
    accountId: undefined,
    phase: "p",
    name: "default",
    description: "",
    onExisting: "fail",
    rules: { b: { ...b, enabled: true }, [service]: a },
    order: `b\n${service}\n`,
  };
  test("are what a person would write, and turn into checked ones", () => {
    const args = asArguments(PHASE_ENTRYPOINT, `zones/${zoneId}/phases/p`, read);
    expect(args).toEqual({ zoneId, phase: "p", rules: [b, a], __imported: { order: `b\n${service}\n` } });
    expect(asChecked(args)).toEqual({ zoneId, phase: "p", rules: { b, [service]: a }, order: `b\n${service}\n` });
  });
});

test("a preview knows what an update leaves as it is, and the IDs of rules that stay", () => {
  const before = { rulesetId: "r", version: "3", ruleIds: { a: "1", x: "2" }, deployedRules: [] };
  expect(previewedOutputs(PHASE_ENTRYPOINT, checked, before)).toMatchObject({
    rulesetId: "r",
    version: UNKNOWN,
    ruleIds: { a: "1", b: UNKNOWN },
    deployedRules: UNKNOWN,
  });
  expect(previewedOutputs(PHASE_ENTRYPOINT, checked)).toMatchObject({ rulesetId: UNKNOWN, ruleIds: UNKNOWN });
});

test("secrets are found at any depth", () => {
  const args = { zoneId, rules: [{ expression: wrapSecret("x") }, wrapSecret({ action: "log" })] };
  expect(wrappedPaths(args)).toEqual([
    ["rules", 0, "expression"],
    ["rules", 1],
  ]);
});

test("a URN says the kind and the name, also below a parent", () => {
  expect(parseUrn("urn:pulumi:dev::shop::my:Component$rulesets:index:Ruleset::a::b")).toMatchObject({
    kind: "Ruleset",
    name: "a::b",
  });
});
