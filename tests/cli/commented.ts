import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runSummarize, type SummarizeCommand } from "../../tools/cli/summarize/command.js";
import type { Client } from "../../client/index.js";
import { folder } from "./support.js";

/** The folder of the comments, as files to read. */
export const COMMENTS = join(__dirname, "summarize-comments");

/** The file of the comment on an edit. */
export const commentFile = (name: string): string => join(COMMENTS, `${name.replace(/[^a-z0-9]+/g, "-")}.md`);

/** Compares a comment with its file. WRITE_COMMENTS=1 writes the files again: read every difference. */
export function expectComment(name: string, comment: string): void {
  if (process.env.WRITE_COMMENTS !== undefined) writeFileSync(commentFile(name), comment);
  expect(comment).toBe(readFileSync(commentFile(name), "utf8"));
}

/** The comment on a preview, and the exit code of `--fail-on weakened`. */
export async function commentOn(
  preview: string,
  client: Client,
  more: Partial<SummarizeCommand> = {},
): Promise<{ readonly code: number; readonly comment: string }> {
  const printed: string[] = [];
  const context = {
    print: (line: string) => printed.push(line),
    printNote: () => undefined,
    connect: () => client,
    now: new Date("2026-11-25T12:00:00Z"),
  };
  const options = { markdown: true, zoneNames: true, failOn: "weakened", ...more } as const;
  const code = await runSummarize([join(folder({ "preview.json": preview }), "preview.json")], options, context);
  // The service numbers its requests.
  return { code, comment: `${printed.join("\n").replaceAll(/request [0-9a-f]{16}/g, "request …")}\n` };
}
