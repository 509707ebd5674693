import { inUnknownZonesApart } from "../../../../core/simulator/unknown-zone.js";
import { fork } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { isObject } from "../../../../core/model/json.js";
import type { DeclaredRules } from "../../../testing/load.js";
import type { RuleInput } from "../../../../core/simulator/index.js";
import { unreadCode, type LoadedRules, type ProgramOptions, type SourcePlace } from "../../../rules-files/loaded.js";
import {
  findProject,
  fullKey,
  noSettings,
  readSettingsFile,
  type Project,
  type SettingsFile,
} from "../../project/project.js";
import { isOwnSetting, needsPulumi, readStackSettings, withoutCredentials } from "../../project/settings.js";
import { useStack } from "../../project/stack.js";
import { PREVIEW_COMMAND, PREVIEW_FILE } from "../../preview-command.js";
import type { ProgramResult, ProgramTask } from "./run-program.js";

/** Runs the Pulumi program in a folder without the engine, in a separate process, and returns the rules it declares. */
export async function readProgram(folder: string, options: ProgramOptions): Promise<LoadedRules> {
  const project = projectIn(folder);
  const settings = settingsOf(project, options);
  const main = mainOf(folder, project);
  const {
    rulesets,
    secrets,
    places = [],
    types = [],
    unknown = [],
    pending = [],
    skipped = [],
    resources = [],
    zoneNames,
  } = await runWith(folder, settings, {
    main: resolve(folder, main),
    project: project.name,
    stack: settings.stack ?? "test",
    config: { ...project.defaults, ...settings.config },
    mocks: options.mocks === undefined ? undefined : resolve(options.mocks),
  }).catch((error: unknown) => Promise.reject(explain(error as Error, folder, settings)));
  const file = relative("", join(folder, main));
  const placeOf = (index: number): SourcePlace => {
    const found = places[index];
    return found === undefined ? { file } : { file: relative("", found.file), line: found.line };
  };
  return {
    label: `the program in ${folder}`,
    rulesets: inUnknownZonesApart(rulesets).map((input, index) => ({
      label: input.name ?? input.phase,
      input: { ...input, rules: input.rules.map((rule) => ofVersion(rule, folder)) },
      ...(types[index] === undefined ? {} : { type: types[index] }),
      ...(unknown.includes(index) ? { isUnknown: true } : {}),
      ...(pending[index] === undefined ? {} : { pending: pending[index] }),
      place: () => placeOf(index),
    })),
    notes: [],
    resources,
    ...(skipped.length === 0 ? {} : { unread: unreadCode(skipped) }),
    secrets,
    ...(zoneNames === undefined ? {} : { zoneNames }),
  };
}

function projectIn(folder: string): Project {
  const project = findProject(folder);
  if (project === undefined)
    throw new Error(
      `${folder} is not a Pulumi project: it has no Pulumi.yaml. To continue: pass the folder of a project, a file of rulesets, or --zone`,
    );
  const { language, document } = project;
  if (language === "nodejs") return project;
  throw document.errorAt(
    ["runtime"],
    `only nodejs programs can be run here, not ${language}. To continue: run \`${PREVIEW_COMMAND}\`, and pass ${PREVIEW_FILE} instead of the folder`,
  );
}

/** The settings of the stack as which a program runs. */
interface StackOfRun extends SettingsFile {
  /** @default none */
  readonly stack?: string;
}

/** The settings of the stack, with those that the user gives in their place. */
function settingsOf(project: Project, { stack, config = [] }: ProgramOptions): StackOfRun {
  const given = Object.fromEntries(config.map((text) => readSetting(text, project.name)));
  const chosen = useStack(project, stack, process.env);
  if (chosen === undefined) return { config: given, encrypted: [], hasEnvironment: false };
  const file = readSettingsFile(project, chosen.name);
  if (file === undefined) throw new Error(noSettings(project, chosen.name));
  return {
    ...{ stack: chosen.name, config: { ...file.config, ...given }, hasEnvironment: file.hasEnvironment },
    encrypted: file.encrypted.filter((key) => !(key in given)),
  };
}

/** What is not known in a rule may be another value in another version of the program. */
function ofVersion(rule: RuleInput, folder: string): RuleInput {
  return rule.opaque === undefined ? rule : { ...rule, opaque: `${folder} ${rule.opaque}` };
}

/** The file that Pulumi would run. */
function mainOf(folder: string, { main }: Project): string {
  const named = main ?? mainOfPackage(folder);
  const inFolder = (name: string): string[] =>
    ["index.js", "index.mjs", "index.ts", "index.mts"].map((file) => join(name, file));
  const candidates = named === undefined ? inFolder(".") : [named, ...inFolder(named)];
  const found = candidates.find((name) => existsSync(join(folder, name)) && statSync(join(folder, name)).isFile());
  if (found === undefined) throw new Error(`${folder} has no program: none of ${candidates.join(", ")} exists`);
  return found;
}

function mainOfPackage(folder: string): string | undefined {
  const file = join(folder, "package.json");
  if (!existsSync(file)) return undefined;
  const content: unknown = JSON.parse(readFileSync(file, "utf8"));
  const main = isObject(content) ? content.main : undefined;
  return typeof main === "string" && existsSync(join(folder, main)) ? main : undefined;
}

function readSetting(text: string, project: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at < 1) throw new Error(`--config must be key=value, not ${text}`);
  return [fullKey(text.slice(0, at), project), text.slice(at + 1)];
}

/**
 * Runs a program. Its look-ups use the address and credentials of the stack, as in a run: never those of the shell instead.
 * Settings that are encrypted or come from an environment are read only if a look-up needs them, and until then there are no
 * credentials.
 */
async function runWith(folder: string, { stack, ...known }: StackOfRun, task: ProgramTask): Promise<DeclaredRules> {
  if (stack === undefined || !needsPulumi(known, process.env)) return run(folder, task, process.env);
  try {
    return await run(folder, { ...task, config: withoutCredentials(task.config) }, withoutCredentials(process.env));
  } catch (error) {
    if (!(error instanceof CredentialsMissing)) throw error;
    const settings = readStackSettings(folder, stack, process.env);
    if ("failure" in settings)
      throw new Error(
        `a look-up needs settings of the stack ${stack} that its file does not have in plain text, and ${settings.failure}.\n` +
          "To continue: log in as for `pulumi up`, and set the passphrase of the stack if it has one; or set RULESETS_API_TOKEN",
      );
    const own = Object.fromEntries([...settings.values].filter(([key]) => isOwnSetting(key)));
    return run(folder, { ...task, config: { ...task.config, ...own, ...known.config } }, process.env);
  }
}

/** A look-up of a program found no credentials. */
class CredentialsMissing extends Error {}

/** The program's output goes to standard error, so that standard output contains only the answer. */
function run(folder: string, task: ProgramTask, env: NodeJS.ProcessEnv): Promise<DeclaredRules> {
  return new Promise((done, failed) => {
    const child = fork(join(__dirname, "run-program.js"), [], {
      ...{ cwd: folder, env },
      stdio: ["ignore", 2, 2, "ipc"],
      execArgv: ["--no-warnings"],
      serialization: "advanced",
    });
    let answered = false;
    child.on("message", (answer: ProgramResult) => {
      answered = true;
      if ("error" in answer)
        failed(answer.isMissingCredentials ? new CredentialsMissing(answer.error) : new Error(answer.error));
      else done(answer);
    });
    child.once("error", failed);
    child.once("exit", (code) => {
      if (!answered) failed(new Error(`the program ended with exit code ${String(code)} before it declared its rules`));
    });
    child.send(task);
  });
}

function explain(error: Error, folder: string, { encrypted, stack }: StackOfRun): Error {
  const missing = /Missing required configuration variable '([^']+)'/.exec(error.message)?.[1];
  const notInstalled = /Cannot find (?:module|package) '[^./]/.test(error.message);
  const install = notInstalled ? "\nTo continue: install its packages, for instance with `npm install`" : "";
  if (missing === undefined)
    return new Error(`the program in ${folder} failed: ${error.message}${install}`, { cause: error });
  // Without the SDK's command, which sets it for the stack.
  const said = error.message.replace(/\n\s*please set a value using the command .*/g, "");
  const why = encrypted.includes(missing)
    ? ` It is encrypted in Pulumi.${stack ?? ""}.yaml, and this command does not decrypt settings.`
    : "";
  return new Error(`the program in ${folder} failed: ${said}.${why}\nTo continue: pass --config ${missing}=<value>`, {
    cause: error,
  });
}
