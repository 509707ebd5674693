import type { RulesetRule } from "../../core/model/generated/rule.js";
import type { DeployedRule } from "../../core/model/ruleset.js";
import { isComplete } from "../../core/model/unknown.js";
import { diffRules, isEmptyDiff, withoutForm } from "../../core/rules/diff.js";
import type { KeyedRules } from "../../core/rules/keyed.js";
import { summaryLine } from "../../core/rules/summary.js";
import { indented } from "./rule-text.js";
import { pasteText } from "./ruleset-messages.js";
import type { Display } from "./words.js";

/**
 * How the program differs from the version that is used instead of its rules, and what to write so that they agree.
 * @param restored the rules of the version
 * @param program the rules of the program, under the same refs where they are the same rules
 */
export function restoredText(version: string, program: KeyedRules, restored: KeyedRules, display: Display): string {
  const head = `version ${version} is used instead of \`rules\``;
  const difference = withoutForm(diffRules(program, restored));
  if (isEmptyDiff(difference))
    return `${head}, which now match it. To continue: remove restoreVersion; no request will be sent.`;
  const { added, removed, changed, moved } = difference;
  const write = new Set([...added, ...changed.map(({ ref }) => ref)]);
  const inOrder = restored.order.filter((ref) => write.has(ref));
  return [
    `${head}, which differ from it. From \`rules\` to version ${version}: ${summaryLine(difference)}.`,
    `To continue: write the rules of version ${version} into \`rules\`, and remove restoreVersion:`,
    ...(inOrder.length === 0
      ? []
      : [
          "  - add, or replace the existing rule with:",
          indented(pasteText(inOrder.map(deployed(restored)), display), "  "),
        ]),
    ...(removed.length === 0 ? [] : [`  - remove: ${removed.join(", ")}`]),
    ...(moved.length === 0 ? [] : [`  - order them: ${restored.order.join(", ")}`]),
    "Or just remove restoreVersion to go back to `rules`.",
  ].join("\n");
}

function deployed({ rules }: KeyedRules): (ref: string) => DeployedRule {
  return (ref) => {
    const rule = rules[ref]?.fields;
    const fields = rule !== undefined && isComplete<RulesetRule>(rule) ? rule : {};
    return { action: "", ...fields, id: ref, ref, version: "" };
  };
}
