import { readUserFile, readUserText } from "../../../../rules-files/text/read-file.js";
import { mergePartials } from "../partial-file.js";
import { reportReplay, type ReplayExitCode, type ReportOptions } from "../report.js";
import { findFiles } from "../sources.js";

/** Adds up results of parts of a log, and reports them as if one run had read all of it. */
export function runReplayMerge(
  named: readonly string[],
  options: ReportOptions,
  print: (line: string) => void,
): ReplayExitCode {
  const { result, ...head } = mergePartials(texts(findFiles(named)));
  return reportReplay(result, { ...options, head }, print);
}

/** One text at a time, so that any number of files fits. */
function* texts(files: readonly string[]): Generator<{ readonly name: string; readonly text: string }> {
  for (const file of files) {
    yield file === "-"
      ? { name: "standard input", text: readUserFile(0).toString() }
      : { name: file, text: readUserText(file) };
  }
}
