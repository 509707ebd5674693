import { spawn, type ChildProcess } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { cli, root, type Finished } from "../../cli/support.js";
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
  const runtime = { name: "nodejs", options: { typescript: false } };
  project.write("Pulumi.yaml", JSON.stringify({ name: "firewall", runtime, main: "index.js" }));
  project.write("package.json", JSON.stringify({ name: "firewall", private: true }));
  project.write("index.js", fleetProgram(phase, rules));
  project.write("Pulumi.fleet.yaml", `secretsprovider: ${process.env.E2E_SECRETS_PROVIDER ?? "passphrase"}\n`);
  project.write(
    "fleet.yaml",
    /^stacks:/m.test(definition) ? definition : `stacks: { settings: Pulumi.fleet.yaml }\n${definition}`,
  );
  return project;
}

/** Runs a command of a fleet to its end. */
export function fleetCommand({ variables, folder }: ProjectStack, ...args: string[]): Promise<Finished> {
  return cli(["fleet", ...args], variables, folder);
}

/** Starts a command of a fleet in a group of processes of its own, which `killGroup` ends. */
export function startFleet(project: ProjectStack, ...args: string[]): ChildProcess {
  return startGroup(
    project,
    process.execPath,
    "--no-warnings",
    join(root, "dist", "tools", "cli", "main.js"),
    "fleet",
    ...args,
  );
}

/** Starts a command with all that it starts in a group of processes of its own. */
export function startGroup({ variables, folder }: ProjectStack, command: string, ...args: string[]): ChildProcess {
  return spawn(command, args, { cwd: folder, env: variables, detached: true, stdio: "ignore" });
}

/** Kills a command and all that it has started, as a machine that loses its power does. */
export async function killGroup(child: ChildProcess): Promise<void> {
  const ended = new Promise((done) => child.on("close", done));
  process.kill(-(child.pid ?? 0), "SIGKILL");
  await ended;
}

/** The source of such a program. */
export function fleetProgram(phase: string, rules: string): string {
  return `const { secret } = require("@pulumi/pulumi");
const { fleetZones, PhaseEntrypoint } = require("pulumi-rulesets");
for (const { id, name } of fleetZones())
  new PhaseEntrypoint(name, { zoneId: id, phase: "${phase}", rules: [${rules}] });
`;
}
