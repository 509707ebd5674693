import * as pulumi from "@pulumi/pulumi";
import { managedRulesets, owasp, staged } from "../../../provider/index.js";
import { promiseOf } from "../../../provider/resources/promise-of.js";

test("the rule of the core ruleset executes it with the overrides of its level", () => {
  expect(owasp({ paranoiaLevel: 3, ref: "owasp" })).toMatchObject({
    action: "execute",
    expression: "true",
    ref: "owasp",
    actionParameters: { id: managedRulesets.owaspCore, overrides: { categories: [{ category: "paranoia-level-4" }] } },
  });
});

test("a stage can be a share, also one that is not known yet", async () => {
  const percent = pulumi.output(25);
  for (const [stage, text] of [
    [{ percent: 5 }, "5%"],
    [{ percent }, "25%"],
    [pulumi.output("full" as const), "full"],
  ] as const) {
    const written = await promiseOf(
      pulumi.output(staged({ action: "block", expression: "true", ref: "r" }, { stage }).stage),
    );
    expect(written).toBe(text);
  }
});
