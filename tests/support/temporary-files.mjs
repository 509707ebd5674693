import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Gives a run of the tests one folder for its temporary files, those of processes that it starts too, removed at its end. */
export default function setup() {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-rulesets-tests-"));
  process.env.TMPDIR = folder;
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
}
