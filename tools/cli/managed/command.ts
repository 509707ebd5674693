import { statSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "../../../client/index.js";
import { readUserText } from "../../rules-files/text/read-file.js";
import { parseLock } from "./lock-file.js";
import { LOCK_FILE, lockedRuleset, lockOf, lockText } from "../../../core/managed/lock.js";
import { plural } from "../../../core/model/words.js";
import { checkZonesOptions, type ZonesOptions } from "../zones.js";
import type { Progress } from "../progress.js";
import { writeFile, writeOutput } from "../write-output.js";
import { judgeManaged } from "./judge.js";
import { readManaged, type ManagedSources } from "./read.js";
import { render } from "./render.js";

export interface LockCommand extends ManagedSources, Pick<ZonesOptions, "parallel"> {}

export interface DiffCommand extends LockCommand {
  readonly markdown?: boolean;
  readonly lock?: string;
  readonly failOn: "effect" | "any" | "never";
}

interface ManagedIo {
  readonly print: (line: string) => void;
  readonly progress: Progress;
}

/** Writes the lock file, and returns the exit code: 3, and nothing is written, if anything could not be read. */
export async function runLock(
  options: LockCommand,
  connect: () => Client,
  { print, progress }: ManagedIo,
): Promise<0 | 3> {
  const parallel = checkZonesOptions(options, []);
  const { rulesets, unread, hide } = await readManaged(options, { client: connect(), parallel, progress });
  const file = options.output ?? lockFileOf(options);
  if (unread.length > 0) {
    print(hide(["Could not be read:", ...unread.map((line) => `- ${line}`), `${file} is not written.`].join("\n")));
    return 3;
  }
  const lock = lockOf(rulesets);
  writeFile(file, lockText(lock));
  const rules = lock.rulesets.reduce((sum, one) => sum + one.rules.length, 0);
  print(`${file}: ${plural(lock.rulesets.length, "managed ruleset")} with ${plural(rules, "rule")}.`);
  return 0;
}

/** Compares the service with the lock file, writes what differs, and returns the exit code. */
export async function runDiff(
  options: DiffCommand,
  connect: () => Client,
  { print, progress }: ManagedIo,
): Promise<0 | 2 | 3> {
  const parallel = checkZonesOptions(options, ["json", "markdown"]);
  const file = options.lock ?? lockFileOf(options);
  const { rulesets: locked } = parseLock(readUserText(file), file);
  const read = await readManaged(options, { client: connect(), parallel, progress });
  const isPartial = read.unread.length > 0;
  const judged = judgeManaged({ ...read, locked, now: read.rulesets.map(lockedRuleset), isPartial });
  writeOutput(read.hide(render({ ...judged, file, unread: read.unread }, options)), options, print);
  if (isPartial) return 3;
  return options.failOn === "never" || !(options.failOn === "any" ? judged.differs : judged.matters) ? 0 : 2;
}

/** Beside the only program; otherwise in this folder. */
function lockFileOf({ program = [] }: ManagedSources): string {
  const [folder] = program;
  const isFolder =
    folder !== undefined && program.length === 1 && statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? join(folder, LOCK_FILE) : LOCK_FILE;
}
