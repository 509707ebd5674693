import type { DeployedRule, Ruleset } from "../../../provider/model/ruleset.js";
import { UNKNOWN } from "../../../provider/model/unknown.js";
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
  ["a rule of which nothing is known yet", UNKNOWN],
  ["a rule of which the expression is not known yet", block("A", UNKNOWN)],
])("%s may be the one that stands there", (_, rule) => {
  expect(decideTakeover(existing, [rule], "fail")).toMatchObject({ allowed: true, kept: [there], changed: [] });
});

test("a rule that is known in part may differ from the one that stands there in what is known", () => {
  expect(decideTakeover(existing, [{ ...block("B", UNKNOWN), ref: "1" }], "fail")).toMatchObject({
    allowed: false,
    changed: [{ rule: there, fields: ["description", "expression"] }],
  });
});
