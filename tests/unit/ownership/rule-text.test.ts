import { ruleToTypeScript, ruleWords } from "../../../provider/ownership/rule-text.js";
import type { DeployedRule } from "../../../core/model/ruleset.js";

test("a header is printed under its own name, whatever that is", () => {
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

test("a rule of which a state has only the identity is shown by it", () => {
  const rule = { id: "1", ref: "a", version: "1", action: "", lastUpdated: "2026-11-23T17:56:49Z" };
  expect(ruleWords(rule)).toBe("rule [ref a, last changed 2026-11-23T17:56:49Z]");
});

describe("names of managed rulesets and their rules", () => {
  const MANAGED = "efb7b8c949ac4650a09736fc376e9aee";
  const OWASP = "4814384a9e5d4991b9815dcfc25d2f1f";
  const SCORING = "6179ae15870a4bb7b2d480d4843b323c";
  const OTHER = "0123456789abcdef0123456789abcdef";
  const rule = (action: string, actionParameters: object): DeployedRule => ({
    id: "1",
    ref: "a",
    version: "1",
    action,
    expression: "ssl",
    actionParameters,
  });

  test("follow the IDs in rules to paste, and the text is valid code with the same value", () => {
    const executing = rule("execute", { id: OWASP, overrides: { rules: [{ id: SCORING, scoreThreshold: 25 }] } });
    const text = ruleToTypeScript(executing);
    expect(text).toContain(`id: "${OWASP}", // Cloudflare OWASP Core Ruleset\n`);
    expect(text).toContain(`id: "${SCORING}", // 949110: Inbound Anomaly Score Exceeded\n`);
    const pasted = new Function(`return ${text.replace(/,$/, "")};`)() as DeployedRule;
    expect(pasted.actionParameters).toEqual(executing.actionParameters);
  });

  test("follow the IDs in a skip rule, in a list or as a key", () => {
    expect(ruleToTypeScript(rule("skip", { rulesets: [MANAGED, OTHER] }))).toContain(
      `rulesets: ["${OTHER}", "${MANAGED}"], // Cloudflare Managed Ruleset\n`,
    );
    expect(ruleToTypeScript(rule("skip", { rules: { [OWASP]: [SCORING] } }))).toContain(
      `["${SCORING}"], // Cloudflare OWASP Core Ruleset, 949110: Inbound Anomaly Score Exceeded\n`,
    );
  });

  test.each([
    ["execute", { id: MANAGED }, `execute ${MANAGED} ("Cloudflare Managed Ruleset") when ssl [ref a]`],
    ["execute", { id: OTHER }, `execute ${OTHER} when ssl [ref a]`],
    [
      "skip",
      { rulesets: [MANAGED, OTHER] },
      `skip ${MANAGED} ("Cloudflare Managed Ruleset"), ${OTHER} when ssl [ref a]`,
    ],
    [
      "skip",
      { rules: { [OWASP]: [SCORING] } },
      `skip ${SCORING} ("949110: Inbound Anomaly Score Exceeded") of ${OWASP} ("Cloudflare OWASP Core Ruleset") when ssl [ref a]`,
    ],
    ["skip", { ruleset: "current" }, "skip when ssl [ref a]"],
  ])("%s %j in one line", (action, parameters, words) => {
    expect(ruleWords(rule(action, parameters))).toBe(words);
  });
});
