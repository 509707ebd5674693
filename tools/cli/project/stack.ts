import { resolve } from "node:path";
import type { Environment } from "../../../provider/settings.js";
import { stacksIn, type Project } from "./project.js";
import { reasonIn, runPulumi } from "./pulumi.js";

/** A stack that a command uses, and why it is this one. */
export interface ChosenStack {
  readonly name: string;
  readonly why: "--stack" | "PULUMI_STACK" | "selected" | "only";
}

/**
 * The stack that a command uses: the given one, that of PULUMI_STACK, the only one with a settings file, or the one that is
 * selected; undefined if the project has no settings of any stack.
 * @throws Error if there are several, and which one is selected is not known
 */
export function chooseStack(project: Project, stack: string | undefined, env: Environment): ChosenStack | undefined {
  if (stack !== undefined) return { name: stack, why: "--stack" };
  const { PULUMI_STACK: fromEnvironment = "" } = env;
  if (fromEnvironment !== "") return { name: fromEnvironment, why: "PULUMI_STACK" };
  const stacks = stacksIn(project);
  const [only, ...others] = stacks;
  if (only === undefined) return undefined;
  if (others.length === 0) return { name: only, why: "only" };
  const { folder } = project;
  const answer = runPulumi(["stack", "--show-name"], folder, env);
  const name = "text" in answer ? answer.text.trim() : "";
  if (name !== "") return { name, why: "selected" };
  const reason = "failure" in answer ? reasonIn(answer.failure) : "Pulumi names none";
  throw new Error(
    `the project in ${folder} has the stacks ${stacks.join(", ")}, but the selected one is not known: ${reason}.\n` +
      "To continue: pass --stack, or select one with `pulumi stack select`",
  );
}

const WHY: Readonly<Record<ChosenStack["why"], string | undefined>> = {
  "--stack": undefined,
  PULUMI_STACK: "the one in PULUMI_STACK",
  selected: "the selected one",
  only: "the only one with settings",
};

const said = new Set<string>();

/** Chooses a stack like {@link chooseStack}, and says which one, once, unless it was given. */
export function useStack(project: Project, stack: string | undefined, env: Environment): ChosenStack | undefined {
  const chosen = chooseStack(project, stack, env);
  const why = chosen === undefined ? undefined : WHY[chosen.why];
  if (chosen === undefined || why === undefined) return chosen;
  const where = resolve(project.folder) === process.cwd() ? "" : ` of ${project.folder}`;
  const text = `Using the stack ${chosen.name}${where}, ${why}.\n`;
  if (!said.has(text)) process.stderr.write(text);
  said.add(text);
  return chosen;
}
