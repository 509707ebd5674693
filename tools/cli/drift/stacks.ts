import type { Environment } from "../../../provider/settings.js";
import { readUserFile, readUserText } from "../../rules-files/text/read-file.js";
import { findProject } from "../project/project.js";
import { runPulumi } from "../project/pulumi.js";
import { chooseStack } from "../project/stack.js";

/** Which states to read. */
export interface StackChoice {
  readonly stack?: readonly string[];
  readonly allStacks?: boolean;
  readonly state?: readonly string[];
}

/** The text of a state, or why there is none. */
export type StateText = { readonly name: string } & ({ readonly text: string } | { readonly failure: string });

/** Reads the states that are chosen: of the stacks of the project in a folder, with the `pulumi` command, or from files. */
export function readStates(choice: StackChoice, folder: string, env: Environment): readonly StateText[] {
  const { stack = [], allStacks = false, state = [] } = choice;
  if ([stack.length > 0, allStacks, state.length > 0].filter(Boolean).length > 1)
    throw new Error("--stack, --all-stacks and --state are mutually exclusive");
  if (state.length > 0)
    return state.map((path) =>
      path === "-"
        ? { name: "standard input", text: readUserFile(0).toString("utf8") }
        : { name: path, text: readUserText(path) },
    );
  const pulumi = (...args: readonly string[]) => runPulumi(args, folder, env);
  const names = allStacks ? stacksOf(pulumi) : stack.length > 0 ? stack : usedStack(folder, env);
  const read = (name: string, option: readonly string[]): StateText => {
    const answer = pulumi("stack", "export", "--show-secrets", ...option);
    return "text" in answer ? { name, text: answer.text } : { name, failure: failed("stack export", answer).message };
  };
  if (names.length === 0 && !allStacks) return [read("the selected stack", [])];
  return names.map((name) => read(`stack ${name}`, ["--stack", name]));
}

/** The stack that every other command uses. */
function usedStack(folder: string, env: Environment): readonly string[] {
  const project = findProject(folder);
  const chosen = project === undefined ? undefined : chooseStack(project, undefined, env);
  return chosen === undefined ? [] : [chosen.name];
}

type Pulumi = (...args: readonly string[]) => ReturnType<typeof runPulumi>;

function stacksOf(pulumi: Pulumi): readonly string[] {
  const answer = pulumi("stack", "ls", "--json");
  if (!("text" in answer)) throw failed("stack ls", answer);
  const list: unknown = JSON.parse(answer.text);
  if (!Array.isArray(list)) throw new Error("`pulumi stack ls --json` returned no list");
  return list.flatMap((one: unknown) => {
    const { name } = one as { readonly name?: unknown };
    return typeof name === "string" ? [name] : [];
  });
}

/** Throws without the `pulumi` command: no state can be read then. */
function failed(command: string, answer: { readonly failure: string; readonly isMissing: boolean }): Error {
  if (answer.isMissing) throw new Error(`${answer.failure}. To continue: install it, or pass a state with --state`);
  return new Error(`\`pulumi ${command}\` failed: ${answer.failure}`);
}
