import { readUserFile, readUserText } from "../read-file.js";
import type { Client } from "../../provider/client/index.js";
import { writeOutput } from "../write-output.js";
import { renderMarkdown } from "./markdown.js";
import { parsePreview } from "./preview.js";
import { summarize } from "./summarize.js";
import { isWeaker, type Summary } from "./summary.js";
import { renderText } from "./text.js";

export interface SummarizeCommand {
  readonly markdown?: boolean;
  readonly json?: boolean;
  readonly output?: string;
  /** In characters. */
  readonly budget: string;
  readonly marker?: string;
  /** Ask the service for the names of the zones. */
  readonly zoneNames?: boolean;
  readonly failOn: "never" | "removed" | "weakened" | "drift";
}

export interface SummarizeContext {
  readonly print: (line: string) => void;
  readonly connect: () => Client;
  /** Prints problems that are not part of the summary. */
  readonly printNote: (line: string) => void;
}

/**
 * Summarizes previews for reviewers, and returns the exit code: 0, 2 for what `--fail-on` names, 3 when a preview failed.
 * @param paths files with the output of `pulumi preview --json`; standard input if empty
 */
export async function runSummarize(
  paths: readonly string[],
  options: SummarizeCommand,
  context: SummarizeContext,
): Promise<0 | 2 | 3> {
  if (options.json === true && options.markdown === true)
    throw new Error("--json and --markdown are mutually exclusive");
  const budget = Number(options.budget);
  if (!Number.isInteger(budget) || budget < 1000) {
    throw new Error(`--budget must be a number of characters, at least 1000, not ${options.budget}`);
  }
  const summaries = sources(paths).map(({ text, name }) => summarize(parsePreview(text, name)));
  const zoneNames = options.zoneNames === true ? await namesOf(summaries, context) : undefined;
  const marker = options.marker ?? summaries.map(({ stack }) => stack).join(", ");
  writeOutput(
    render(summaries, options, { budget, marker, ...(zoneNames === undefined ? {} : { zoneNames }) }),
    options,
    context.print,
  );
  if (summaries.some(({ errors }) => errors.length > 0)) return 3;
  return summaries.some((summary) => fails(summary, options.failOn)) ? 2 : 0;
}

function render(
  summaries: readonly Summary[],
  { json, markdown }: SummarizeCommand,
  options: Parameters<typeof renderMarkdown>[1],
): string {
  if (json === true) return JSON.stringify({ previews: summaries }, undefined, 2);
  return markdown === true ? renderMarkdown(summaries, options) : renderText(summaries);
}

function sources(paths: readonly string[]): { readonly text: string; readonly name: string }[] {
  if (paths.length > 0) return paths.map((path) => ({ text: readUserText(path), name: path }));
  if (process.stdin.isTTY) {
    throw new Error(
      "nothing to summarize. To continue: pulumi preview --json | npx pulumi-rulesets summarize, or pass a file",
    );
  }
  return [{ text: readUserFile(0).toString("utf8"), name: "standard input" }];
}

/** One request per zone; a zone that cannot be read keeps its ID. */
async function namesOf(
  summaries: readonly Summary[],
  { connect, printNote }: SummarizeContext,
): Promise<Map<string, string>> {
  const scopes = summaries.flatMap(({ resources }) => resources.map(({ scope }) => scope));
  const ids = [...new Set(scopes.flatMap((scope) => (scope.startsWith("zone ") ? [scope.slice("zone ".length)] : [])))];
  if (ids.length === 0) return new Map();
  const client = connect();
  const found = await Promise.all(
    ids.map(async (id): Promise<readonly (readonly [string, string])[]> => {
      try {
        return [[id, (await client.zones.get(id)).name]];
      } catch (error) {
        printNote(`zone ${id}: ${(error as Error).message}`);
        return [];
      }
    }),
  );
  return new Map(found.flat());
}

/** Changes of others that the preview leaves in force. Of those that it undoes, only what is left in the end counts. */
function leftDrift({ drift, resources }: Summary): Summary["drift"] {
  const undone = new Set(resources.map(({ urn }) => urn));
  return drift.filter(({ urn }) => !undone.has(urn));
}

function removesRules(resource: Summary["drift"][number]): boolean {
  return resource.kind === "ruleset" && resource.rules.some(({ change }) => change === "removed");
}

function fails(summary: Summary, failOn: SummarizeCommand["failOn"]): boolean {
  switch (failOn) {
    case "never":
      return false;
    case "drift":
      return summary.drift.length > 0;
    case "removed":
      return summary.counts.removed > 0 || leftDrift(summary).some(removesRules);
    case "weakened":
      return isWeaker(summary) || isWeaker({ resources: leftDrift(summary) });
  }
}
