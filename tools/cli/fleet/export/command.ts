import { toGithub } from "../../../fleet/export/github.js";
import { writeOutput } from "../../write-output.js";
import { readDefinition, type FleetContext, type FleetOptions } from "../context.js";

export interface ExportOptions extends FleetOptions {
  readonly output?: string;
}

/** Writes the rollout of a fleet as a workflow of GitHub Actions. */
export function runExport(options: ExportOptions, { print }: FleetContext): void {
  writeOutput(toGithub(readDefinition(options)).trimEnd(), options, print);
}
