import type { DeployedRule, Ruleset } from "../../../core/model/ruleset.js";
import { decideJoin, type JoinMode } from "../../../provider/ownership/join.js";
import { block } from "../../support/rules.js";

const deployed = (id: string, description: string, ref = id): DeployedRule => ({
  ...block(description, `http.host eq "${description}"`),
  id,
  ref,
  version: "1",
});
const ruleset = (...rules: DeployedRule[]): Ruleset => ({
  id: "r",
  name: "default",
  description: "",
  kind: "zone",
  phase: "http_ratelimit",
  version: "1",
  rules,
});
const rule = (description: string, more: object = {}) => ({
  ...block(description, `http.host eq "${description}"`),
  ...more,
});
const mode = (more: Partial<JoinMode> = {}): JoinMode => ({
  requested: false,
  inherited: new Set(),
  unchanged: new Set(),
  own: new Set(),
  ...more,
});
const kept = (joining: ReturnType<typeof decideJoin>) =>
  joining.kept.map(({ index, rule: { id }, grounds }) => `${String(index)}=${id} ${grounds}`);

describe("which rules of a shared ruleset belong to a program", () => {
  const there = ruleset(deployed("1", "a", "ref-a"), deployed("2", "b"), deployed("3", "c"));

  test.each([
    ["an equal one with another ref is a twin, and stays", [rule("b")], mode(), [], ["2"]],
    ["an equal one with the same ref is adopted", [rule("a", { ref: "ref-a" })], mode(), ["0=1 equal"], []],
    ["a different one with the same ref stays", [rule("x", { ref: "ref-a" })], mode(), [], []],
    ["one referred to by ID is adopted", [rule("x", { ref: "2" })], mode(), ["0=2 requested"], []],
    [
      "adopts equal ones when requested",
      [rule("b"), rule("c")],
      mode({ requested: true }),
      ["0=2 requested", "1=3 requested"],
      [],
    ],
    [
      "adopts one with the same ref when requested",
      [rule("x", { ref: "ref-a" })],
      mode({ requested: true }),
      ["0=1 requested"],
      [],
    ],
    [
      "adopts what another resource managed when it is equal",
      [rule("b"), rule("x")],
      mode({ inherited: new Set(["2", "3"]) }),
      ["0=2 inherited"],
      [],
    ],
    [
      "changes what another resource managed if nobody else changed it",
      [rule("x", { ref: "ref-a" })],
      mode({ inherited: new Set(["1"]), unchanged: new Set(["1"]) }),
      ["0=1 inherited"],
      [],
    ],
    [
      "leaves what another resource managed and somebody changed",
      [rule("x", { ref: "ref-a" })],
      mode({ inherited: new Set(["1"]) }),
      [],
      [],
    ],
    [
      "recognises what this resource managed by weaker evidence",
      [rule("b", { action: "log" })],
      mode({ own: new Set(["2"]) }),
      ["0=2 inherited"],
      [],
    ],
  ])("%s", (_, wanted, how, expected, twins) => {
    const joining = decideJoin(there, wanted, how);
    expect(kept(joining)).toEqual(expected);
    expect(joining.equalRules.map(({ id }) => id)).toEqual(twins);
  });
});
