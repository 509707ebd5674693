import { isatty } from "node:tty";
import { readUserFile, readUserText } from "../../rules-files/text/read-file.js";
import type { Client } from "../../../client/index.js";
import type { Output } from "../context.js";
import { wrapText } from "../wrap.js";
import { columnsFor, writeOutput } from "../write-output.js";
import { renderMarkdown } from "./markdown.js";
import { parsePreview } from "./preview.js";
import { summarize, zoneNamesIn, zonesIn } from "./summarize.js";
import { fails as invariantFails } from "../../../core/invariants/judge.js";
import { readInvariantFiles } from "../../rules-files/invariant-files.js";
import { readZoneFacts } from "../zone-facts.js";
import { invariantsOf } from "./invariants.js";
import type { InvariantChange, Summary, ZoneNames } from "./summary.js";
import { renderText } from "./text.js";

export interface SummarizeCommand {
  readonly markdown?: boolean;
  readonly json?: boolean;
  readonly output?: string;
  /** Ask the service for the names of the zones. */
  readonly zoneNames?: boolean;
  readonly failOn: "never" | "removed" | "weakened" | "drift";
  /** Files of invariants, or folders with `*.invariants.yaml`, that have to be proved. */
  readonly invariants?: readonly string[];
  /** What could not be judged does not fail the command. */
  readonly allowUnknown?: boolean;
}

interface SummarizeContext extends Output {
  readonly connect: () => Client;
  /** Prints problems that are not part of the summary. */
  readonly printNote: (line: string) => void;
  readonly now: Date;
}

/**
 * Summarizes previews for reviewers, and returns the exit code: 0, 2 for what `--fail-on` names, 3 when a preview failed, or did not look for it.
 * @param paths files with the output of `pulumi preview --json`; standard input if empty
 */
export async function runSummarize(
  paths: readonly string[],
  options: SummarizeCommand,
  context: SummarizeContext,
): Promise<0 | 2 | 3> {
  if (options.json === true && options.markdown === true)
    throw new Error("--json and --markdown are mutually exclusive");
  const previews = sources(paths).map(({ text, name }) => parsePreview(text, name));
  const { invariants } = options.invariants === undefined ? {} : readInvariantFiles(options.invariants);
  const zones = options.zoneNames === true ? await readZoneFacts(previews.flatMap(zonesIn), context) : undefined;
  const asked = Array.from(zones ?? [], ([id, { name }]): [string, string] => [id, name]);
  const zoneNames = new Map([...previews.flatMap(zoneNamesIn), ...asked]);
  const summaries = previews.map((preview): Summary => {
    const summary = summarize(preview, zoneNames, context.now.getTime() / 1000);
    if (invariants === undefined) return summary;
    const judged = invariantsOf(preview, { invariants, zones: zones ?? new Map(), now: context.now });
    return { ...summary, invariants: [...judged].sort((a, b) => urgencyOf(a) - urgencyOf(b)) };
  });
  const text = render(summaries, options, zoneNames);
  const isText = options.json !== true && options.markdown !== true;
  writeOutput(isText ? wrapText(text, columnsFor(options, context.columns)) : text, options, context.print);
  if (summaries.some(({ errors }) => errors.length > 0)) return 3;
  if (summaries.some((summary) => fails(summary, options) || violates(summary, options))) return 2;
  if (options.failOn !== "drift" || !summaries.some(({ isDriftUnknown }) => isDriftUnknown)) return 0;
  context.printNote(
    "--fail-on drift: the preview did not refresh, so changes by others are not known. To continue: pulumi preview --refresh --json",
  );
  return 3;
}

function urgencyOf({ verdict }: InvariantChange): number {
  return ["violated", "unknown", "excepted"].indexOf(verdict);
}

/** Whether an invariant does not hold, or may not. */
function violates({ invariants = [] }: Summary, { allowUnknown = false }: SummarizeCommand): boolean {
  return invariants.some(({ verdict }) => invariantFails(verdict, allowUnknown));
}

function render(summaries: readonly Summary[], { json, markdown }: SummarizeCommand, zoneNames: ZoneNames): string {
  if (json === true) return JSON.stringify({ previews: summaries }, undefined, 2);
  return markdown === true ? renderMarkdown(summaries, { zoneNames }) : renderText(summaries, zoneNames);
}

function sources(paths: readonly string[]): { readonly text: string; readonly name: string }[] {
  if (paths.length > 0) return paths.map((path) => ({ text: readUserText(path), name: path }));
  // Not `process.stdin`: whoever touches it makes the pipe non-blocking, so the read would fail until the preview has ended.
  if (isatty(0)) {
    throw new Error(
      "nothing to summarize. To continue: pulumi preview --json | npx pulumi-rulesets summarize, or pass a file",
    );
  }
  return [{ text: readUserFile(0).toString("utf8"), name: "standard input" }];
}

function fails(summary: Summary, { failOn, allowUnknown = false }: SummarizeCommand): boolean {
  switch (failOn) {
    case "never":
      return false;
    case "drift":
      return summary.drift.length > 0;
    case "removed":
      return summary.removes === "yes" || (summary.removes === "unknown" && !allowUnknown);
    case "weakened":
      return summary.weakens === "yes" || (summary.weakens === "unknown" && !allowUnknown);
  }
}
