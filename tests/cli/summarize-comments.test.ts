import { readdirSync } from "node:fs";
import { basename } from "node:path";
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
import { commentFile, commentOn, COMMENTS, expectComment } from "./commented.js";

/* The comments that reviewers get for edits, as texts to read. The previews come from the provider's own handlers. */

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
    const { code, comment } = await commentOn(preview, client);
    const allowed = await commentOn(preview, client, { allowUnknown: true });
    expectComment(name, comment);
    expect([code, allowed.code]).toEqual(CODES[edit.gate]);
  });

  test("a preview that failed", async () => {
    const diagnostics = [{ severity: "error", message: "error: rules[0].action: is required\n" }];
    const { code, comment } = await commentOn(JSON.stringify({ steps: [], diagnostics }), client);
    expectComment("a preview that failed", comment);
    expect(code).toBe(3);
  });

  test("every text belongs to an edit", () => {
    const names = [...Object.keys(commentedEdits), "a preview that failed"].map((name) => basename(commentFile(name)));
    expect(readdirSync(COMMENTS).sort()).toEqual(names.sort());
  });
});
