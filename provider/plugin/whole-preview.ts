import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FoundInWhole } from "../engine/kind-parts.js";
import { newZonesInPreview, textOfZone } from "../engine/new-zones.js";
import { findKind } from "../kinds/index.js";
import { mapValues, parseJson } from "../model/json.js";
import type { Environment } from "../settings.js";

/** The environment variable by which a preview knows that another one waits for what it finds: the folder to write it to. */
const WAITING = "RULESETS_WAITING_PREVIEW";

/** The file in that folder that tells zones apart which the program creates. */
const ZONES = "zones.json";

/** What is said of a program once all of its resources are seen. */
export type PreviewWhole = (stack: string) => Promise<FoundInWhole>;

/**
 * Runs `pulumi preview` of a stack to see every resource of its program. The engine passes a provider plugin one resource after
 * another, does not say when the last one came, and takes no failure after it, so only another preview knows the rest. It has the
 * login, the backend and the passphrase of the running command, as `pulumi stack export` has. Nor does the engine tell a plugin where
 * the ID of a zone comes from that does not exist yet: the preview prints that, so a program that creates zones is previewed again.
 * @throws Error if the preview fails
 */
export async function previewWhole(stack: string, env: Environment): Promise<FoundInWhole> {
  const { found, zones } = await preview(stack, env, {});
  return Object.keys(zones).length === 0 ? found : (await preview(stack, env, zones)).found;
}

interface Previewed {
  readonly found: FoundInWhole;
  readonly zones: Readonly<Record<string, string>>;
}

async function preview(stack: string, env: Environment, zones: Previewed["zones"]): Promise<Previewed> {
  const folder = await mkdtemp(join(tmpdir(), "pulumi-rulesets-"));
  try {
    await writeFile(join(folder, ZONES), JSON.stringify(zones), { mode: 0o600 });
    const printed = await runPreview(stack, { ...env, [WAITING]: folder, [STREAMING]: undefined });
    // Each provider of the program has a process of its own.
    const files = (await readdir(folder)).filter((file) => file !== ZONES);
    if (files.length === 0) throw new Error("`pulumi preview` has not said what it found");
    const found = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
    return {
      found: merged(found.map((text) => JSON.parse(text) as FoundInWhole)),
      zones: mapValues(
        newZonesInPreview(parseJson(printed), (type) => findKind(type)?.description.hasRules === true),
        textOfZone,
      ),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What the providers of a program have found. */
function merged(found: readonly FoundInWhole[]): FoundInWhole {
  return {
    faults: found.flatMap(({ faults }) => faults),
    warnings: found.flatMap(({ warnings }) => warnings),
  };
}

/** With it, `--json` prints an event a line. */
const STREAMING = "PULUMI_ENABLE_STREAMING_JSON_PREVIEW";

function runPreview(stack: string, env: Environment): Promise<string> {
  return new Promise((resolve, reject) => {
    const args = ["preview", "--stack", stack, "--json", "--non-interactive", "--color", "never"];
    execFile("pulumi", args, { env, maxBuffer: Infinity }, (error, stdout) => {
      // Its message could contain what the command has printed.
      if (error === null) resolve(stdout);
      else reject(new Error("`pulumi preview` of the whole program failed"));
    });
  });
}

/** The preview of a whole program that another one waits for. */
export interface WaitingPreview {
  /** By URN of a resource, the zone that the program creates for it, as text. */
  readonly zones: () => Promise<Readonly<Record<string, string>>>;
  readonly tell: (found: FoundInWhole) => Promise<void>;
}

/** Undefined if no other preview waits for this one. */
export function waitingPreview({ [WAITING]: folder }: Environment): WaitingPreview | undefined {
  if (folder === undefined || folder === "") return undefined;
  return {
    zones: async () => JSON.parse(await readFile(join(folder, ZONES), "utf8")) as Readonly<Record<string, string>>,
    tell: (found) => writeFile(join(folder, `${String(process.pid)}.json`), JSON.stringify(found), { mode: 0o600 }),
  };
}
