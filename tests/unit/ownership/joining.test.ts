import type { DeployedRule, Ruleset } from "../../../provider/model/ruleset.js";
import { decideJoining, type JoiningMode } from "../../../provider/ownership/joining.js";
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
const mode = (more: Partial<JoiningMode> = {}): JoiningMode => ({
  requested: false,
  inherited: new Set(),
  own: new Set(),
  ...more,
});
const kept = (joining: ReturnType<typeof decideJoining>) =>
  joining.kept.map(({ index, rule: { id }, right }) => `${String(index)}=${id} ${right}`);

describe("which rules of a shared ruleset are a program's", () => {
  const there = ruleset(deployed("1", "a", "ref-a"), deployed("2", "b"), deployed("3", "c"));

  test.each([
    ["an equal one under another ref is a twin, and stays", [rule("b")], mode(), [], ["2"]],
    ["an equal one under the same ref is taken", [rule("a", { ref: "ref-a" })], mode(), ["0=1 equal"], []],
    ["another one under the same ref stays", [rule("x", { ref: "ref-a" })], mode(), [], []],
    ["one named by its id is claimed", [rule("x", { ref: "2" })], mode(), ["0=2 requested"], []],
    [
      "asked for, equal ones are taken",
      [rule("b"), rule("c")],
      mode({ requested: true }),
      ["0=2 requested", "1=3 requested"],
      [],
    ],
    [
      "asked for, one under the same ref is taken",
      [rule("x", { ref: "ref-a" })],
      mode({ requested: true }),
      ["0=1 requested"],
      [],
    ],
    [
      "what another resource held is taken where it says the same",
      [rule("b"), rule("x")],
      mode({ inherited: new Set(["2", "3"]) }),
      ["0=2 inherited"],
      [],
    ],
    [
      "what this resource held is recognised by vague signs",
      [rule("b", { action: "log" })],
      mode({ own: new Set(["2"]) }),
      ["0=2 inherited"],
      [],
    ],
  ])("%s", (_, wanted, how, expected, twins) => {
    const joining = decideJoining(there, wanted, how);
    expect(kept(joining)).toEqual(expected);
    expect(joining.twins.map(({ id }) => id)).toEqual(twins);
  });
});
