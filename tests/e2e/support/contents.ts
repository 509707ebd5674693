import type { Service } from "../../support/emulator.js";

/** Every ruleset of some scopes with its version, which every write increments, and the IDs and refs of its rules. */
export async function contentsOf(service: Service, scopes: readonly string[]): Promise<string[]> {
  const contents: string[] = [];
  for (const scope of scopes) {
    for (const { id, kind } of await service.list(scope)) {
      if (kind === "managed") continue;
      const { version, rules } = await service.ruleset(scope, id);
      contents.push([scope, id, version, ...rules.map((rule) => `${rule.id} ${rule.ref}`)].join(" "));
    }
  }
  return contents.sort();
}
