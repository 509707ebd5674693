import { execFile, type ExecFileException } from "node:child_process";
import type { Environment } from "../../provider/settings.js";
import { readUserFile, readUserText } from "../../provider/files/read-file.js";

/** Which states to read. */
export interface StackChoice {
  readonly stack?: readonly string[];
  readonly allStacks?: boolean;
  readonly state?: readonly string[];
}

/** The text of a state, or why there is none. */
export type StateText = { readonly name: string } & ({ readonly text: string } | { readonly failure: string });

/** Reads the states that are chosen: of the stacks of the project in a folder, with the `pulumi` command, or from files. */
export async function readStates(choice: StackChoice, folder: string, env: Environment): Promise<readonly StateText[]> {
  const { stack = [], allStacks = false, state = [] } = choice;
  if ([stack.length > 0, allStacks, state.length > 0].filter(Boolean).length > 1)
    throw new Error("--stack, --all-stacks and --state are mutually exclusive");
  if (state.length > 0)
    return state.map((path) =>
      path === "-"
        ? { name: "standard input", text: readUserFile(0).toString("utf8") }
        : { name: path, text: readUserText(path) },
    );
  const pulumi = (...args: readonly string[]): Promise<string> => runPulumi(args, folder, env);
  const names = allStacks ? await stacksOf(pulumi) : stack;
  const read = async (name: string, option: readonly string[]): Promise<StateText> => {
    try {
      return { name, text: await pulumi("stack", "export", "--show-secrets", ...option) };
    } catch (error) {
      if (error instanceof PulumiMissing) throw error;
      return { name, failure: (error as Error).message };
    }
  };
  if (names.length === 0 && !allStacks) return [await read("the selected stack", [])];
  // One after the other: each command decrypts the whole state.
  const found: StateText[] = [];
  for (const name of names) found.push(await read(`stack ${name}`, ["--stack", name]));
  return found;
}

async function stacksOf(pulumi: (...args: readonly string[]) => Promise<string>): Promise<readonly string[]> {
  const list: unknown = JSON.parse(await pulumi("stack", "ls", "--json"));
  if (!Array.isArray(list)) throw new Error("`pulumi stack ls --json` returned no list");
  return list.flatMap((one: unknown) => {
    const { name } = one as { readonly name?: unknown };
    return typeof name === "string" ? [name] : [];
  });
}

class PulumiMissing extends Error {}

/** Why a command failed that said nothing: it was ended, or could not be started. */
function reasonOf({ signal, code, message }: ExecFileException): string {
  if (typeof signal === "string") return `it was ended by ${signal}`;
  return typeof code === "number" ? `exit code ${String(code)}` : message;
}

/** Runs a command of Pulumi. Its output may contain secrets, so only what it says about a failure is shown. */
function runPulumi(args: readonly string[], cwd: string, env: Environment): Promise<string> {
  const options = { cwd, env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" }, maxBuffer: 1 << 30 };
  return new Promise((done, fail) => {
    execFile("pulumi", [...args, "--non-interactive", "--color", "never"], options, (error, stdout, stderr) => {
      if (error === null) done(stdout);
      else if (error.code === "ENOENT")
        fail(new PulumiMissing("`pulumi` is not on the PATH. To continue: install it, or pass a state with --state"));
      else fail(new Error(`\`pulumi ${args.slice(0, 2).join(" ")}\` failed: ${stderr.trim() || reasonOf(error)}`));
    });
  });
}
