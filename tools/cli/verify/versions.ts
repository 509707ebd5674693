import type { Client, Scope } from "../../../client/index.js";
import { requireVisible } from "../../../core/model/ruleset.js";

/** By ID, the version of every ruleset of a zone. */
export type Versions = ReadonlyMap<string, { readonly phase: string; readonly version: string }>;

export async function readVersions(client: Client, scope: Scope): Promise<Versions> {
  const list = requireVisible(await client.rulesets.list(scope), scope);
  return new Map(list.map(({ id, phase, version }) => [id, { phase, version }]));
}

/** What became different between two readings: a line for each ruleset. */
export function changedVersions(before: Versions, after: Versions): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((id) => {
    const [was, is] = [before.get(id), after.get(id)];
    if (was?.version === is?.version) return [];
    const { phase } = was ?? is ?? { phase: "" };
    return [`${phase}: version ${was?.version ?? "none"} before, ${is?.version ?? "none"} now`];
  });
}
