import { existsSync } from "node:fs";
import { join } from "node:path";

/** The folder of the project whose stack a command uses: the first of its paths that is one, otherwise the current folder. */
export function projectFolder(paths: readonly (string | undefined)[]): string {
  const isProject = (path: string): boolean =>
    ["Pulumi.yaml", "Pulumi.yml"].some((name) => existsSync(join(path, name)));
  return paths.find((path) => path !== undefined && isProject(path)) ?? ".";
}
