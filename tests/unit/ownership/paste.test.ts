import { ruleToTypeScript } from "../../../provider/ownership/paste.js";
import type { DeployedRule } from "../../../provider/model/ruleset.js";

test("a header is pasted under its own name, whatever it is called", () => {
  const headers = JSON.parse('{"__proto__":{"operation":"remove"},"constructor":{"operation":"remove"}}') as object;
  const rule = {
    id: "1",
    ref: "a",
    version: "1",
    action: "rewrite",
    expression: "true",
    actionParameters: { headers },
  };
  const text = ruleToTypeScript(rule as unknown as DeployedRule);
  const pasted = new Function(`return ${text.replace(/,$/, "")};`)() as typeof rule;
  expect(Object.keys(pasted.actionParameters.headers)).toEqual(["__proto__", "constructor"]);
});
