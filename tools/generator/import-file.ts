import type { DeclaredResource } from "./program/program.js";

/**
 * A file for `pulumi import --file`: the resources that a program declares, as resources of the provider plugin, under the same
 * names. What does not exist yet is not in it.
 */
export function importFile(declared: readonly DeclaredResource[]): string {
  const resources = declared.flatMap(({ type, name, id }) =>
    id === undefined ? [] : [{ type: `rulesets:index:${type}`, name, id }],
  );
  return `${JSON.stringify({ resources }, undefined, 2)}\n`;
}
