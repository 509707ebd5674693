import { plural } from "../../../core/model/words.js";
import { markdownText } from "../../../core/model/markdown.js";
import { resourceParts } from "../summarize/markdown.js";
import { resourceText } from "../summarize/text.js";
import type { StackDrift } from "./stack-drift.js";

/** Renders drift for a terminal. */
export function renderDrift(stacks: readonly StackDrift[]): string {
  return stacks
    .map((stack) =>
      [
        headline(stack),
        ...stack.drift.map((resource) => resourceText(resource)),
        ...(stack.notRead.length === 0
          ? []
          : [["Not compared:", ...stack.notRead.map(({ name, reason }) => `  - ${name}: ${reason}`)].join("\n")]),
      ].join("\n\n"),
    )
    .join("\n\n");
}

/** Renders drift for a comment or the summary of a pipeline. */
export function renderDriftMarkdown(stacks: readonly StackDrift[]): string {
  return stacks
    .flatMap((stack) => [
      `### ${markdownText(headline(stack))}`,
      ...stack.drift.flatMap((resource) => resourceParts(resource, Infinity, {})),
      ...(stack.notRead.length === 0
        ? []
        : [
            "#### Not compared",
            stack.notRead.map(({ name, reason }) => `- ${markdownText(name)}: ${markdownText(reason)}`).join("\n"),
          ]),
    ])
    .join("\n\n");
}

function headline({ stack, compared, drift, notRead }: StackDrift): string {
  const found =
    drift.length === 0
      ? `${plural(compared, "resource")} compared, no drift`
      : `${String(drift.length)} of ${plural(compared, "resource")} changed by others`;
  const left = notRead.length === 0 ? "" : `; ${String(notRead.length)} not compared`;
  return `${stack}: ${compared === 0 ? "nothing was compared" : found}${compared === 0 ? "" : left}.`;
}
