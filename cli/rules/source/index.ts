import { existsSync, statSync } from "node:fs";
import type { Client } from "../../../provider/client/index.js";
import { findZones } from "../../zones.js";
import { TextDocument } from "../../../provider/files/text-document.js";
import { rulesOfDocument } from "../../../rules-files/document.js";
import type { LoadedRules, ProgramOptions, SourceFailure } from "../../../rules-files/loaded.js";
import { readProgram } from "./program.js";
import { readZone, type AccountReads } from "./zone.js";
import { messageOf } from "../../../provider/model/errors.js";

export { readZone, type AccountReads } from "./zone.js";

/** Reads the rules of a program's folder or of a file. */
export function readPath(path: string, options: ProgramOptions): Promise<LoadedRules> | LoadedRules {
  if (!existsSync(path))
    throw new Error(`${path} does not exist; pass the folder of a program, or a JSON file of rulesets`);
  return statSync(path).isDirectory() ? readProgram(path, options) : rulesOfDocument(TextDocument.read(path));
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
  return [
    ...(await Promise.all(read)),
    ...failures.map(({ zone, failure }) => ({ label: `the zone ${zone.name}`, failure })),
  ];
}
