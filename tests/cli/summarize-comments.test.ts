import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { runSummarize, type SummarizeCommand } from "../../tools/cli/summarize/command.js";
import type { Emulator } from "../../emulator/index.js";
import type { Client } from "../../client/index.js";
import { previewJson, resourceNamed } from "../lifecycle/engine-preview.js";
import { secret } from "../lifecycle/secrets-apart.js";
import { unpacedClientFor } from "../support/client.js";
import {
  COMMENTED_SEED,
  commentedEdits,
  prepared,
  withSecrets,
  type CommentedEdit,
} from "../support/commented-edits.js";
import { Service } from "../support/emulator.js";
import { freshEmulator } from "../support/emulators.js";
import { folder } from "./support.js";

/* The comments that reviewers get for edits, as texts to read. The previews come from the provider's own handlers. */

/** The folder of the comments, as files to read. */
const COMMENTS = join(__dirname, "summarize-comments");

/** The file of the comment on an edit. */
const commentFile = (name: string): string => join(COMMENTS, `${name.replace(/[^a-z0-9]+/g, "-")}.md`);

/** Compares a comment with its file. WRITE_COMMENTS=1 writes the files again: read every difference. */
function expectComment(name: string, comment: string): void {
  if (process.env.WRITE_COMMENTS !== undefined) writeFileSync(commentFile(name), comment);
  expect(comment).toBe(readFileSync(commentFile(name), "utf8"));
}

/** The comment on a preview, and the exit code of `--fail-on weakened`. */
async function commentOn(
  preview: string,
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

let emulator: Emulator;
let client: Client;

/** The preview of an edit of what is deployed. */
async function previewOf(edit: CommentedEdit): Promise<string> {
  const { type, before, after, isUnreachable } = edit;
  const service = new Service(emulator);
  const zoneId = await prepared(service, edit);
  const args = (values: object): object => ({ zoneId, ...(withSecrets(values, secret) as object) });
  const resource = resourceNamed(service, type, "waf");
  if (before !== undefined) await resource.up(args(before));
  if (isUnreachable === true) await service.fault({ status: 503, times: 99 });
  const preview = await previewJson(resource, args(after));
  await service.noFaults();
  return preview;
}

const CODES = { passes: [0, 0], "passes if unknown is allowed": [2, 0], fails: [2, 2] } as const;

describe("the comment on", () => {
  beforeEach(async () => {
    emulator = await freshEmulator({ seed: COMMENTED_SEED });
    client = unpacedClientFor(emulator.url);
  });

  test.each(Object.entries(commentedEdits))("%s", async (name, edit) => {
    const preview = await previewOf(edit);
    const { code, comment } = await commentOn(preview);
    const allowed = await commentOn(preview, { allowUnknown: true });
    expectComment(name, comment);
    expect([code, allowed.code]).toEqual(CODES[edit.gate]);
  });

  test("a preview that failed", async () => {
    const diagnostics = [{ severity: "error", message: "error: rules[0].action: is required\n" }];
    const { code, comment } = await commentOn(JSON.stringify({ steps: [], diagnostics }));
    expectComment("a preview that failed", comment);
    expect(code).toBe(3);
  });

  test("every text belongs to an edit", () => {
    const names = [...Object.keys(commentedEdits), "a preview that failed"].map((name) => basename(commentFile(name)));
    expect(readdirSync(COMMENTS).sort()).toEqual(names.sort());
  });
});
