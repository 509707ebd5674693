import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseJson, textsIn, type Json } from "../model/json.js";
import type { Environment } from "../settings.js";

/** The environment variable by which a preview knows that another one waits for what it finds: the folder to write it to. */
const WAITING = "RULESETS_WAITING_PREVIEW";

/** What stops a program once all of its resources are seen, a message each. */
export type PreviewWhole = (stack: string) => Promise<readonly string[]>;

/**
 * Runs `pulumi preview` of a stack to see every resource of its program. The engine passes a provider plugin one resource after
 * another, does not say when the last one came, and takes no failure after it, so only another preview knows the rest. It has the
 * login, the backend and the passphrase of the running command, as `pulumi stack export` has.
 * @throws Error if the preview fails
 */
export async function previewWhole(stack: string, env: Environment): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), "pulumi-rulesets-"));
  try {
    await preview(stack, { ...env, [WAITING]: folder });
    // Each provider of the program has a process of its own.
    const files = await readdir(folder);
    if (files.length === 0) throw new Error("`pulumi preview` has not said what it found");
    const found = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
    return found.flatMap((text) => textsIn(parseJson(text) as Json));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function preview(stack: string, env: Environment): Promise<void> {
  return new Promise((resolve, reject) => {
    const args = ["preview", "--stack", stack, "--non-interactive", "--color", "never"];
    execFile("pulumi", args, { env, maxBuffer: Infinity }, (error) => {
      // Its message could contain what the command has printed.
      if (error === null) resolve();
      else reject(new Error("`pulumi preview` of the whole program failed"));
    });
  });
}

/** Passes what a preview has found to the one that waits for it; undefined if none does. */
export function waitingPreview({
  [WAITING]: folder,
}: Environment): ((found: readonly string[]) => Promise<void>) | undefined {
  if (folder === undefined || folder === "") return undefined;
  return (found) => writeFile(join(folder, `${String(process.pid)}.json`), JSON.stringify(found), { mode: 0o600 });
}
