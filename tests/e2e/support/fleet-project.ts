import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../cli/support.js";
import { ProjectStack } from "./project.js";

/** A fleet: what its program declares in each zone, and `fleet.yaml`. */
interface FleetFiles {
  readonly phase: string;
  /** The rules of the entry point, as source text in which `name` is that of the zone. */
  readonly rules: string;
  readonly definition: string;
}

/** A project with a fleet, whose program declares an entry point in each zone. */
export function fleetProject(
  variables: Readonly<Record<string, string>>,
  { phase, rules, definition }: FleetFiles,
): ProjectStack {
  const project = new ProjectStack(variables);
  symlinkSync(join(root, "node_modules"), join(project.folder, "node_modules"));
  project.write("Pulumi.yaml", JSON.stringify({ name: "firewall", runtime: "nodejs", main: "index.js" }));
  project.write("package.json", JSON.stringify({ name: "firewall", private: true }));
  project.write("index.js", fleetProgram(phase, rules));
  project.write("fleet.yaml", definition);
  return project;
}

/** The source of such a program. */
export function fleetProgram(phase: string, rules: string): string {
  return `const { secret } = require("@pulumi/pulumi");
const { fleetZones, PhaseEntrypoint } = require("pulumi-rulesets");
for (const { id, name } of fleetZones())
  new PhaseEntrypoint(name, { zoneId: id, phase: "${phase}", rules: [${rules}] });
`;
}
