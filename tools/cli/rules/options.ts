import { Argument, Option, type Command } from "commander";
import { SEVERITIES } from "../../../core/language/finding.js";
import type { CommandContext, ConnectOptions } from "../context.js";
import {
  addConnectionOptions,
  addExpiryOption,
  addForbiddenOption,
  addProgramOptions,
  addZoneSelection,
  collectValues,
  exitCodesHelp,
  OPTIONAL_CREDENTIALS_HELP,
} from "../options.js";
import { projectFolder } from "../project/folder.js";
import type { CheckCommand } from "./check/command.js";
import type { DiffCommand } from "./diff/command.js";
import type { ExplainCommand } from "./explain/command.js";
import type { ProveCommand } from "./prove/command.js";
import type { ReplayCommand } from "./replay/command.js";
import type { ReportOptions } from "./replay/report.js";
import type { TestCommand } from "./test/command.js";
import type { TryCommand } from "./try/command.js";

/** Adds `rules check`, `explain`, `try`, `test`, `diff`, `prove` and `replay`. */
export function addRules(program: Command, context: CommandContext): void {
  const rules = program
    .command("rules")
    .description("check, explain, try and test rules before they are deployed; changes nothing");
  addCheck(rules, context);
  addExplain(rules, context);
  addTry(rules, context);
  addTest(rules, context);
  addDiff(rules, context);
  addProve(rules, context);
  addReplay(rules, context);
}

const WHERE = "folder of a Pulumi program, file of rulesets (JSON or YAML), or JSON of a preview";

/** The options of a command that reads rules of a program, or what is deployed. */
function addSourceOptions(command: Command): Command {
  return addProgramOptions(addConnectionOptions(command)).addHelpText("after", OPTIONAL_CREDENTIALS_HELP);
}

function addCheck(rules: Command, { print, own, connect }: CommandContext): void {
  const command = rules
    .command("check")
    .description("find mistakes in the rules of a program, a file or a zone")
    .argument("[path...]", `${WHERE}, or a file of invariants; default: this folder`)
    .option(
      "-z, --zone <zone>",
      "ID or name of a zone whose deployed rules are checked; can be repeated",
      collectValues,
    )
    .option("-a, --account <id>", "every zone of an account; can be repeated", collectValues);
  addForbiddenOption(addExpiryOption(addSourceOptions(command)))
    .option("--allow-unknown", "pass despite unknown parts of rules, which are still reported")
    .addOption(planOption())
    .option("--waivers <file>", "YAML or JSON file of accepted findings, with reasons")
    .addOption(
      new Option("--fail-on <severity>", "lowest severity that fails the command")
        .choices([...SEVERITIES, "never"])
        .default("error"),
    )
    .option("--fix", "apply fixes that keep the meaning to files of rules; list the others")
    .option("--json", "write JSON")
    .option("--sarif", "write SARIF 2.1.0, which code scanning reads")
    .option("-o, --output <file>", "write to a file")
    .addHelpText(
      "after",
      `
Every finding has a name, which docs/findings.md explains. A file of waivers:
  waivers:
    - finding: unknown-field
      rule: partner            # ref, ID or description; default: every rule
      reason: new field of our contract
      until: 2027-03-31        # last day; default: never expires
${exitCodesHelp({ 0: "no findings at or above --fail-on", 2: "findings at or above --fail-on", 3: "a zone, or a part of it or of its account, could not be read; a part of a rule is not known" })}`,
    )
    .action(async (paths: readonly string[], options: CheckCommand & ConnectOptions) => {
      const { runCheck } = await import("./check/command.js");
      const now = new Date().toISOString();
      process.exitCode = await runCheck(paths, options, {
        connect: () => connect(options, { folder: projectFolder(paths) }),
        print,
        version: own.version,
        now,
      });
    });
}

function addExplain(rules: Command, { print }: CommandContext): void {
  rules
    .command("explain")
    .description("explain an expression in words")
    .argument("<expression>", "quoted for the shell")
    .addOption(
      new Option(
        "--slot <kind>",
        "how the expression is used; by default a filter, or a value if it is not a filter",
      ).choices(["filter", "value", "counting"]),
    )
    .option("--phase <phase>", "warn about names that the phase does not have")
    .addOption(planOption())
    .option("--json", "write JSON")
    .addHelpText("after", exitCodesHelp({ 0: "the service accepts the expression", 2: "the service rejects it" }))
    .action(async (text: string, options: ExplainCommand) => {
      const { runExplain } = await import("./explain/command.js");
      process.exitCode = runExplain(text, options, print);
    });
}

function addTry(rules: Command, { print, connect }: CommandContext): void {
  const command = rules
    .command("try")
    .description("show what rules do to a request, rule by rule")
    .argument("[path]", `${WHERE}; default: this folder`)
    .option(
      "-r, --request <request>",
      "`GET https://example.com/path`, an object in YAML, or a file with one; required",
    )
    .option("--ip <address>", "address of the client")
    .option("--country <code>", "country of the client, such as DE")
    .option("--response <status>", "status of the origin's response, so that response phases run")
    .option("--repeat <number>", "how many times the request is sent, for rate limits; the last one is shown", "1")
    .option(
      "-z, --zone <zone>",
      "ID or name of the zone whose deployed rules are tried; with a path, the ID of one of its zones",
    );
  addSourceOptions(command)
    .addOption(planOption())
    .option("--json", "write JSON")
    .option("-o, --output <file>", "write to a file")
    .addHelpText(
      "after",
      `
A request as an object: { method: POST, url: "https://example.com/login", ip: 203.0.113.9, country: DE, botScore: 12,
headers: { user-agent: curl/8 }, fields: { cf.waf.score: 12 }, lists: { office: [203.0.113.0/24] } }. See docs/testing.md for the rest.
${exitCodesHelp({ 0: "the outcome is known", 2: "the outcome depends on something that is not known here", 3: "a zone or a part of it could not be read" })}`,
    )
    .action(async (path: string | undefined, options: TryCommand & ConnectOptions) => {
      const { runTry } = await import("./try/command.js");
      process.exitCode = await runTry(path, options, {
        connect: () => connect(options, { folder: projectFolder([path]) }),
        print,
      });
    });
}

function addTest(rules: Command, { print, connect }: CommandContext): void {
  const command = rules
    .command("test")
    .description("run tests of rules that are written in YAML")
    .addArgument(new Argument("[path...]", "test files, or folders with *.firewall.yaml; default: this folder"))
    .option("--rules <path>", `the rules under test, instead of those that the files name: ${WHERE}`)
    .option("-z, --zone <zone>", "ID or name of a zone: test the rules deployed there")
    .option("--trace", "also run the requests through the service's request tracer, and show where it disagrees")
    .option("--coverage <part>", "minimum share of the rules that tests must hit, from 0 to 1");
  addSourceOptions(command)
    .option("--json", "write JSON")
    .option("-o, --output <file>", "write to a file")
    .addHelpText(
      "after",
      `
A test file (see docs/testing.md):
  rules: ..                    # ${WHERE}
  tests:
    - name: the admin pages are closed
      request: { url: "https://example.com/admin" }
      expect: { block: admin }
${exitCodesHelp({
  0: "all tests passed",
  2: "a test failed, the service disagrees about a rule, or the coverage is too low",
  3: "a zone or a part of it could not be read",
})}`,
    )
    .action(async (paths: readonly string[], options: TestCommand & ConnectOptions) => {
      const { runTests } = await import("./test/command.js");
      process.exitCode = await runTests(paths, options, {
        connect: () => connect(options, { folder: projectFolder([options.rules, ...paths]) }),
        print,
      });
    });
}

function addDiff(rules: Command, { print, connect }: CommandContext): void {
  const command = rules
    .command("diff")
    .description("show what an edit of rules does to requests: equivalent, stricter, looser or both, with examples")
    .argument("<path...>", `before and after, each a ${WHERE}; with --zone, only after`)
    .option("-z, --zone <zone>", "ID or name of a zone: compare with the rules deployed there")
    .option("--no-looser", "fail unless it is proved that enforcement does not weaken")
    .option("--allow-unknown", "with --no-looser: fail only if a request shows it");
  addSourceOptions(command)
    .option("--json", "write JSON")
    .option("-o, --output <file>", "write to a file")
    .addHelpText(
      "after",
      exitCodesHelp({
        0: "success",
        2: "with --no-looser: enforcement weakens, or may weaken",
        3: "a zone could not be read; with --no-looser also if a part of it could not",
      }),
    )
    .action(async (paths: readonly string[], options: DiffCommand & ConnectOptions) => {
      const { runDiff } = await import("./diff/command.js");
      process.exitCode = await runDiff(paths, options, {
        connect: () => connect(options, { folder: projectFolder(paths) }),
        print,
        now: new Date(),
      });
    });
}

function addProve(rules: Command, { print, progress, connect }: CommandContext): void {
  const command = addZoneSelection(
    rules
      .command("prove")
      .description("prove invariants for all requests of zones, or print a counterexample")
      .argument("[path...]", "files of invariants, or folders with *.invariants.yaml; default: this folder")
      .option(
        "-p, --program <path>",
        `the rules: ${WHERE}; can be repeated; default: the program in this folder`,
        collectValues,
      ),
    { zone: "ID or name of a zone whose deployed rules are judged; can be repeated" },
  );
  addSourceOptions(command)
    .addOption(planOption())
    .option("--zone-names", "ask the service for the names and plans of the program's zones, one request per zone")
    .option("--allow-unknown", "fail only on a counterexample")
    .option("--json", "write JSON")
    .option("-o, --output <file>", "write to a file")
    .addHelpText(
      "after",
      `
A file of invariants (see docs/invariants.md):
  invariants:
    - name: admin only from the office
      zones: { plan: enterprise, name: "*.example.com" }    # default: all
      requests: starts_with(http.request.uri.path, "/admin") and not ip.src in {192.0.2.0/24}
      must: be-stopped
${exitCodesHelp({
  0: "everything is proved, or an exception applies",
  2: "an invariant is violated, or is not proved",
  3: "a zone or a part of it could not be read",
})}`,
    )
    .action(async (paths: readonly string[], options: ProveCommand & ConnectOptions) => {
      const { runProve } = await import("./prove/command.js");
      process.exitCode = await runProve(paths, options, {
        connect: () => connect(options, { folder: projectFolder(options.program ?? []) }),
        progress: progress(),
        print,
        now: new Date(),
      });
    });
}

function addReplay(rules: Command, { print, own, connect }: CommandContext): void {
  const replay = rules
    .command("replay")
    .description("compare how two versions of rules treat recorded requests")
    .addHelpText("after", "\n`rules replay logs/ --after .` is short for `rules replay run logs/ --after .`");
  const command = replay
    .command("run", { isDefault: true })
    .description("run recorded requests through both versions of the rules")
    .argument(
      "[requests...]",
      "Cloudflare's HTTP request log with a JSON object per line: files, folders, patterns, or - for standard input",
    )
    .option(
      "--since <time>",
      "instead of files, what the analytics of the zone have since a time such as 90m, 24h or 7d",
    )
    .option("--before <path>", `${WHERE}; without it, what is deployed in the zone`)
    .option("--after <path>", `${WHERE}; required`)
    .option("-z, --zone <zone>", "ID or name of the zone; with --before, the ID of one of its zones")
    .option("--ip <address>", "address of clients that the recording does not name")
    .option("--country <code>", "their country")
    .option("--field <name=value>", "a field that the recording does not contain; can be repeated", collectValues)
    .option(
      "--save-rules <folder>",
      "instead of a replay, write before.json and after.json, for machines without the program",
    )
    .option("--no-rate-limits", "leave out rate limits, which need all requests in order");
  addSourceOptions(addReplayOutput(command))
    .addHelpText(
      "after",
      exitCodesHelp({
        ...REPLAY_CODES,
        3: `a zone or, with --no-looser, a part of it could not be read; ${REPLAY_CODES[3]}`,
      }),
    )
    .action(async (files: readonly string[], options: ReplayCommand & ConnectOptions) => {
      const { runReplay } = await import("./replay/command.js");
      const folder = projectFolder([options.after]);
      const machine = { connect: () => connect(options, { folder }), print, version: own.version, now: Date.now };
      process.exitCode = await runReplay(files, options, machine);
    });
  addReplayOutput(
    replay
      .command("merge")
      .description("merge the results of the parts of a log")
      .argument("<results...>", "what --partial wrote: files, folders, patterns, or - for standard input"),
  )
    .addHelpText("after", exitCodesHelp(REPLAY_CODES))
    .action(async (files: readonly string[], options: ReportOptions) => {
      const { runReplayMerge } = await import("./replay/merge/command.js");
      process.exitCode = runReplayMerge(files, options, print);
    });
}

const REPLAY_CODES = {
  0: "success",
  2: "with --no-looser: enforcement weakens, or may weaken",
  3: "a file could not be read to its end, or none of its lines has a request; with --no-looser also if one line has none, there is no request, or requests or rate limits were left out",
};

function addReplayOutput(command: Command): Command {
  return command
    .option("--partial <file>", "write a result that `rules replay merge` adds to others; - is standard output")
    .option("--no-looser", "fail if enforcement weakens, or may weaken")
    .option("--allow-unknown", "with --no-looser: fail only if a request shows it, or something could not be read")
    .option("--json", "write JSON")
    .option("-o, --output <file>", "write to a file");
}

function planOption(): Option {
  return new Option("--plan <plan>", "plan of the zone").choices(["free", "pro", "business", "enterprise"]);
}
