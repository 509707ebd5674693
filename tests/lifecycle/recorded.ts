import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { StoredResource } from "./managed.js";

/*
 * States written by released versions, a file for each version, in clear. `npm run record-states` adds the missing ones of
 * this version, and changes none: a newer version must read every one without a difference.
 */

const { version } = JSON.parse(readFileSync(join(__dirname, "..", "..", "package.json"), "utf8")) as {
  readonly version: string;
};

/** Whether states are being recorded, which ordinary test runs do not do. */
export const isRecording = process.env.RECORD_STATES === "1";

/** The kinds whose states are recorded in `states/rulesets`; those of all others are in `states/zones`. */
export const OF_RULESETS = ["PhaseEntrypoint", "Ruleset"] as const;

type Folder = "rulesets" | "zones";

type States = Readonly<Record<string, StoredResource<unknown> | undefined>>;

/** The states of a kind that every version recorded. Throws when this version recorded none. */
export function recordedStates(folder: Folder, kind: string): readonly StoredResource<unknown>[] {
  if (statesIn(folder, version)[kind] === undefined)
    throw new Error(`there is no recorded state of a ${kind} of ${version}. To continue: npm run record-states`);
  const versions = readdirSync(pathOf(folder)).map((file) => file.replace(/[.]json$/, ""));
  return versions.flatMap((each) => statesIn(folder, each)[kind] ?? []);
}

/** Adds the state of a kind to those of this version. A recorded one is not changed. */
export function recordState(folder: Folder, kind: string, kept: StoredResource<unknown> | undefined): void {
  if (kept === undefined) throw new Error(`there is no state of a ${kind} to record`);
  const known = statesIn(folder, version);
  if (known[kind] !== undefined) return;
  const states = { ...known, [kind]: kept };
  writeFileSync(join(pathOf(folder), `${version}.json`), `${JSON.stringify(states, undefined, 2)}\n`);
}

function statesIn(folder: string, of: string): States {
  const files = readdirSync(pathOf(folder));
  if (!files.includes(`${of}.json`)) return {};
  return JSON.parse(readFileSync(join(pathOf(folder), `${of}.json`), "utf8")) as States;
}

function pathOf(folder: string): string {
  return join(__dirname, "states", folder);
}
