import { ignorableNames, type Description } from "../../engine/description.js";
import { checkIgnored, findingText, readIgnored } from "../../validation/index.js";

/**
 * What is wrong with the `ignoreChanges` of a resource. The engine sets ignored values back before it calls the plugin; it
 * cannot find parts of single rules, which a program declares as a list and a state has by ref, and would apply the change.
 */
export function ignoredFaults(description: Description, texts: readonly string[]): string[] {
  const names = ignorableNames(description);
  if (description.keyed !== true) return checkIgnored(texts, description.type, names).map(findingText);
  const { findings, fields } = readIgnored(texts, description.type, names);
  const parts = fields.map(
    ({ ref }) =>
      `ignoreChanges names a part of the rule ${JSON.stringify(ref)}, which the provider plugin cannot ignore. ` +
      'To continue: ignore "rules" as a whole, declare the value that the rule has, or use the dynamic provider.',
  );
  return [...findings.map(findingText), ...new Set(parts)];
}
