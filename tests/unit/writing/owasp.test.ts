import { managedRulesets, owasp } from "../../../provider/index.js";

test("the rule of the core ruleset executes it with the overrides of its level", () => {
  expect(owasp({ paranoiaLevel: 3, ref: "owasp" })).toMatchObject({
    action: "execute",
    expression: "true",
    ref: "owasp",
    actionParameters: { id: managedRulesets.owaspCore, overrides: { categories: [{ category: "paranoia-level-4" }] } },
  });
});
