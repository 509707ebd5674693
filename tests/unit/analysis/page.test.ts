import { readFileSync } from "node:fs";
import { join } from "node:path";
import { analyse, compare } from "../../../core/analysis/index";
import { renderDiff } from "../../../tools/rules-files/diff/render";
import type { RuleInput, RulesetInput } from "../../../core/simulator/index";

// The examples in docs/analysis.md print the output shown there.
const page = readFileSync(join(__dirname, "..", "..", "..", "docs", "analysis.md"), "utf8");
const examples = [
  ...page.matchAll(/^### (.+)\n\n```json\n([^`]+|(?:[^`]|`(?!``))+)```\n\n```text\n((?:[^`]|`(?!``))+)```/gm),
];
const zone = (rules: readonly RuleInput[]): RulesetInput[] => [
  { kind: "zone", phase: "http_request_firewall_custom", rules },
];

function outputOf(text: string): string {
  const given = JSON.parse(text) as
    | readonly RuleInput[]
    | { before: readonly RuleInput[]; after: readonly RuleInput[] };
  if ("before" in given) return renderDiff(compare({ before: zone(given.before), after: zone(given.after) }));
  const findings = analyse({ rulesets: zone(given) });
  return findings
    .map(({ rule, code, verdict, message }) => `${rule.ref ?? ""}: ${code} (${verdict}): ${message}`)
    .join("\n");
}

test("there are ten examples", () => {
  expect(examples).toHaveLength(10);
});

test.each(examples.map(([, title = "", given = "", output = ""]) => ({ title, given, output })))(
  "$title",
  ({ given, output }) => {
    expect(`${outputOf(given)}\n`).toBe(output);
  },
);
