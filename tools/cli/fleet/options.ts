import { setTimeout as sleep } from "node:timers/promises";
import { Argument, Option, type Command } from "commander";
import { DEFAULT_FOLDER } from "../../fleet/command-line.js";
import type { CommandContext } from "../context.js";
import { addAddressOptions, exitCodesHelp, type ExitCodes } from "../options.js";
import type { FleetContext, FleetOptions } from "./context.js";
import type { ExportOptions } from "./export/command.js";
import type { GateOptions } from "./gate/command.js";
import type { FleetPlanOptions } from "./plan/command.js";
import type { ResumeOptions } from "./resume/command.js";
import type { RollbackOptions } from "./rollback/command.js";
import type { RunShardOptions } from "./run-shard/command.js";
import type { StatusOptions } from "./status/command.js";

/** Adds `fleet plan`, `run-shard`, `gate`, `approve`, `status`, `stop`, `resume`, `rollback` and `export`. */
export function addFleet(program: Command, context: CommandContext): void {
  const fleet = program
    .command("fleet")
    .description("roll one program out to many zones, in shards and waves with gates between them");
  addPlan(fleet, context);
  addRunShard(fleet, context);
  addGates(fleet, context);
  addStatus(fleet, context);
  addResume(fleet, context);
  addRollback(fleet, context);
  addExport(fleet, context);
}

const FLEET_CREDENTIALS_HELP = `
Credentials come from the environment variables that the file of the fleet names for its accounts, otherwise from
CLOUDFLARE_API_TOKEN or RULESETS_API_TOKEN.
`;

function addFleetOptions(command: Command, codes: ExitCodes): Command {
  return addAddressOptions(
    command
      .option("-f, --file <file>", "the file of the fleet", "fleet.yaml")
      .option("--plan <folder>", "folder of the plan", DEFAULT_FOLDER)
      .option("--json", "write JSON"),
  ).addHelpText("after", FLEET_CREDENTIALS_HELP + exitCodesHelp(codes));
}

/** What a command of a fleet gets. Tokens come from the environment, by the names in the file of the fleet. */
async function contextOf(options: FleetOptions, { print, printNote, columns }: CommandContext): Promise<FleetContext> {
  const { connect, openSession } = await import("../connect.js");
  return {
    print,
    printNote,
    columns,
    env: process.env,
    now: () => new Date(),
    sleep: (milliseconds) => sleep(milliseconds),
    connect: (env) => connect(options, env, printNote),
    openSession: (env) => openSession(options, env, { print: printNote, printNote }),
  };
}

function addPlan(fleet: Command, context: CommandContext): void {
  addFleetOptions(
    fleet
      .command("plan")
      .description("divide zones into shards, preview every shard, and save the plan")
      .option("--parallel <number>", "concurrent previews", "4")
      .option("--refresh", "read every zone again, to show changes by others")
      .option("--frozen", "fail if fleet.lock.json would gain zones or names; removed zones stay in it")
      .option("--replace", "replace a plan whose rollout has begun")
      .option("--shards-only", "only show which zones are in which shard; writes fleet.lock.json")
      .addOption(
        new Option("--fail-on <what>", "fail if a shard has such a change")
          .choices(["never", "weakened", "removed", "drift"])
          .default("never"),
      ),
    {
      0: "the plan is saved",
      2: "it is saved, and has a change that --fail-on names",
      3: "a shard could not be previewed, or zones could not be listed",
    },
  ).action(async (options: FleetPlanOptions) => {
    const { runPlan } = await import("./plan/command.js");
    process.exitCode = await runPlan(options, await contextOf(options, context));
  });
}

function addRunShard(fleet: Command, context: CommandContext): void {
  addFleetOptions(
    fleet
      .command("run-shard")
      .description("run one shard as it was planned; can be killed at any point, and run again")
      .argument("<id>", "ID of the shard")
      .option("--take-over", "continue a shard whose process on another machine is dead"),
    {
      0: "the shard is done, now or before",
      2: "a zone moved since the plan, or the shard could not be planned; nothing was written",
      3: "not run or not finished; run it again",
    },
  ).action(async (id: string, options: RunShardOptions) => {
    const { runShardCommand } = await import("./run-shard/command.js");
    process.exitCode = await runShardCommand(id, options, await contextOf(options, context));
  });
}

function addGates(fleet: Command, context: CommandContext): void {
  addFleetOptions(
    fleet
      .command("gate")
      .description("check the gates of a wave: whether the next wave may start")
      .argument("<wave>", "name of the wave")
      .option("--accept-changed-files", "use the current files of gates, although they have changed since the plan")
      .option("--wait-up-to <time>", "keep checking a gate that waits for this long, such as 2h"),
    { 0: "the next wave may start", 2: "a gate does not hold", 3: "a gate waits, or could not be judged" },
  ).action(async (wave: string, options: GateOptions) => {
    const { runGate } = await import("./gate/command.js");
    process.exitCode = await runGate(wave, options, await contextOf(options, context));
  });
  addFleetOptions(
    fleet
      .command("approve")
      .description("record an approval that a gate of a wave requires")
      .argument("<wave>", "name of the wave")
      .requiredOption("--by <name>", "who approves"),
    { 0: "the approval is recorded" },
  ).action(async (wave: string, options: FleetOptions & { readonly by: string }) => {
    const { approve } = await import("./records.js");
    approve(wave, options, await contextOf(options, context));
  });
}

function addStatus(fleet: Command, context: CommandContext): void {
  addFleetOptions(
    fleet
      .command("status")
      .description("show the progress of a rollout and its next step")
      .option("--shards <wave>", "only list the shards of a wave, as JSON on one line"),
    { 0: "finished, or under way", 2: "stopped" },
  ).action(async (options: StatusOptions) => {
    const { runStatus } = await import("./status/command.js");
    process.exitCode = runStatus(options, await contextOf(options, context));
  });
  addFleetOptions(
    fleet
      .command("stop")
      .description("stop starting shards, on every machine that shares the plan; running shards finish")
      .requiredOption("--reason <text>", "why"),
    { 0: "no further shard starts" },
  ).action(async (options: FleetOptions & { readonly reason: string }) => {
    const { stop } = await import("./records.js");
    stop(options, await contextOf(options, context));
  });
}

function addResume(fleet: Command, context: CommandContext): void {
  addFleetOptions(
    fleet
      .command("resume")
      .description("start or continue a rollout on this machine, wave by wave")
      .option("--parallel <number>", "concurrent shards", "2")
      .option("--take-over", "continue shards whose processes on other machines are dead")
      .option("--accept-changed-files", "use the current files of gates, although they have changed since the plan")
      .option("--no-run", "only remove the stop; something else runs the shards"),
    {
      0: "every wave is done, and its gates have passed",
      2: "a gate does not hold, too many shards failed, or a shard could not be planned",
      3: "something waits, failed or could not be judged; run it again",
    },
  ).action(async (options: ResumeOptions) => {
    const { runResume } = await import("./resume/command.js");
    process.exitCode = await runResume(options, await contextOf(options, context));
  });
}

function addRollback(fleet: Command, context: CommandContext): void {
  addFleetOptions(
    fleet
      .command("rollback")
      .description("restore rulesets changed by a wave")
      .argument("<wave>", "name of the wave")
      .option("--parallel <number>", "concurrent shards", "4")
      .option("--yes", "write; default: only show what would be restored")
      .option("--take-over", "also roll back shards whose processes on other machines are dead"),
    {
      0: "everything is as it was before the wave",
      2: "the changes were shown; run again with --yes to write them",
      3: "some rulesets were not restored; they are listed",
    },
  ).action(async (wave: string, options: RollbackOptions) => {
    const { runRollback } = await import("./rollback/command.js");
    process.exitCode = await runRollback(wave, options, await contextOf(options, context));
  });
}

function addExport(fleet: Command, context: CommandContext): void {
  addFleetOptions(
    fleet
      .command("export")
      .description("write a workflow that runs these commands on another orchestrator")
      .addArgument(new Argument("<target>", "for which one").choices(["github"]))
      .option("-o, --output <file>", "write to a file"),
    { 0: "it is written" },
  ).action(async (_target: "github", options: ExportOptions) => {
    const { runExport } = await import("./export/command.js");
    runExport(options, await contextOf(options, context));
  });
}
