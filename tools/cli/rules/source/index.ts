import { existsSync, statSync } from "node:fs";
import type { Client } from "../../../../client/index.js";
import { findZones } from "../../zones.js";
import { TextDocument } from "../../../rules-files/text/text-document.js";
import { rulesOfDocument } from "../../../rules-files/document.js";
import { NoAnswer } from "../../../rules-files/no-answer.js";
import type { LoadedRules, ProgramOptions, SourceFailure } from "../../../rules-files/loaded.js";
import { readProgram } from "./program.js";
import { readZone, type AccountReads } from "./zone.js";
import { readUserText } from "../../../rules-files/text/read-file.js";
import { messageOf } from "../../../../core/model/errors.js";

export { readZone, type AccountReads } from "./zone.js";

/** Reads the rules of a program's folder, of a file of rulesets, or of a preview. */
export async function readPath(path: string, options: ProgramOptions): Promise<LoadedRules> {
  if (!existsSync(path))
    throw new Error(
      `${path} does not exist; pass the folder of a program, a file of rulesets, or what \`pulumi preview --json\` wrote`,
    );
  if (statSync(path).isDirectory()) return readProgram(path, options);
  const text = readUserText(path);
  if (!isPreview(text)) return rulesOfDocument(TextDocument.parse(text, path));
  const { rulesOfPreview } = await import("./preview.js");
  return rulesOfPreview(text, path);
}

export function isPreviewFile(path: string): boolean {
  return isPreview(readUserText(path));
}

/** Whether a text is what `pulumi preview --json` writes: an object that begins with its settings, steps or messages. */
function isPreview(text: string): boolean {
  return /^\s*\{\s*"(?:config|steps|diagnostics|duration|changeSummary)":/.test(text);
}

/**
 * What a gate says of a program or a file without rulesets is nothing that anybody asked for.
 * @throws Error for such a source; a preview may show that the last ruleset is removed
 */
export function requireRulesets(source: LoadedRules, done: "checked" | "proved about it"): LoadedRules {
  const { label, rulesets, resources, isPreview = false } = source;
  if (rulesets.length > 0 || isPreview) return source;
  const nothing = `so nothing is ${done}`;
  if (resources === undefined)
    throw new Error(`${label} contains no ruleset, ${nothing}. To continue: pass another file`);
  throw new Error(
    `${label} declares no ruleset, ${nothing}. To continue: pass the settings that it needs with --stack or --config, ` +
      "or name another one. A function of the Automation API is judged in its previews, with a policy pack",
  );
}

/** Reads the rules deployed in zones. A failing zone does not affect the others. */
export async function readZones(
  client: Client,
  named: readonly string[],
  accounts: readonly string[] = [],
): Promise<readonly (LoadedRules | SourceFailure)[]> {
  const { zones, failures } = await findZones(client, named, accounts);
  const accountReads: AccountReads = new Map();
  const read = zones.map((zone) =>
    readZone(client, zone, accountReads).catch((error: unknown): SourceFailure => {
      return { label: `the zone ${zone.name}`, failure: messageOf(error) };
    }),
  );
  return [...(await Promise.all(read)), ...failures.map(({ label, failure }) => ({ label, failure }))];
}

/**
 * Reads the rules deployed in one zone.
 * @throws NoAnswer if it could not be read
 */
export async function readDeployed(client: Client, zone: string): Promise<LoadedRules> {
  const [loaded] = await readZones(client, [zone]);
  if (loaded === undefined || "failure" in loaded) throw new NoAnswer(loaded?.failure ?? `there is no zone ${zone}`);
  return loaded;
}
