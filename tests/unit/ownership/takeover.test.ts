import type { DeployedRule, Ruleset } from "../../../core/model/ruleset.js";
import { UNKNOWN } from "../../../core/model/unknown.js";
import { decideTakeover } from "../../../provider/ownership/takeover.js";
import { block } from "../../support/rules.js";

const there: DeployedRule = { ...block("A", "ssl"), id: "1", ref: "1", version: "1" };
const existing: Ruleset = {
  id: "r",
  name: "default",
  description: "",
  kind: "zone",
  phase: "http_ratelimit",
  version: "1",
  rules: [there],
};

test.each([
  ["a rule with only unknown values", UNKNOWN],
  ["a rule with an unknown expression", block("A", UNKNOWN)],
])("%s may match the existing one", (_, rule) => {
  expect(decideTakeover(existing, [rule], "fail")).toMatchObject({ allowed: true, kept: [there], changed: [] });
});

test("a partly known rule may still differ from the existing one in its known fields", () => {
  expect(decideTakeover(existing, [{ ...block("B", UNKNOWN), ref: "1" }], "fail")).toMatchObject({
    allowed: false,
    changed: [{ rule: there, fields: ["description", "expression"] }],
  });
});
