import type { Props } from "./lifecycle.js";
import { metadataIn } from "./metadata.js";
import type { SourceCall } from "../rules/rule-line.js";

/** Where a program declares a resource. */
export interface ProgramSource {
  /** The folder that the program runs in, absolute. Messages show paths relative to it. */
  readonly folder: string;
  /** The constructor, and the calls that led to it, with absolute paths. */
  readonly calls: readonly SourceCall[];
}

/** A source as a resource sends it, below the text about the run: every further value would take the SDK time. */
export function sourceText({ folder, calls }: ProgramSource): string {
  return [folder, ...calls.map(({ file, line, column }) => `${String(line)}:${String(column)}:${file}`)].join("\n");
}

/** The source that inputs came with; undefined if there is none. */
export function programSourceIn(props: Props): ProgramSource | undefined {
  const { __program: text } = metadataIn(props);
  const [, folder = "", ...lines] = typeof text === "string" ? text.split("\n") : [];
  if (folder === "") return undefined;
  const calls = lines.flatMap((sent): SourceCall[] => {
    const [, line = "", column = "", file = ""] = /^(\d+):(\d+):(.+)$/.exec(sent) ?? [];
    return file === "" ? [] : [{ file, line: Number(line), column: Number(column) }];
  });
  return { folder, calls };
}
