import { createRequire } from "node:module";
import { Argument, type Command } from "commander";
import type { CommandContext } from "../context.js";
import type { Shell } from "./scripts.js";

const load = createRequire(__filename);
const SHELLS: readonly Shell[] = ["bash", "zsh", "fish"];

/** Adds `completion`, and the hidden command that its scripts call. */
export function addCompletion(program: Command, { print }: CommandContext): void {
  program
    .command("completion")
    .description("print a script with which a shell completes commands, options and their values")
    .addArgument(new Argument("<shell>", "the shell").choices(SHELLS))
    .addHelpText(
      "after",
      `
To complete \`pulumi-rulesets\` in every new shell, with node_modules/.bin or a global installation on the PATH:
  bash  pulumi-rulesets completion bash >> ~/.bashrc
  zsh   pulumi-rulesets completion zsh >> ~/.zshrc      (after compinit)
  fish  pulumi-rulesets completion fish > ~/.config/fish/completions/pulumi-rulesets.fish`,
    )
    .action((shell: Shell) => {
      const { completionScript } = load("./scripts.js") as typeof import("./scripts.js");
      print(completionScript(shell));
    });
  program
    .command("complete", { hidden: true })
    .argument("[words...]")
    .action((words: readonly string[]) => {
      const { suggestions } = load("./suggestions.js") as typeof import("./suggestions.js");
      for (const { value, description } of suggestions(program, words)) print(`${value}\t${description}`);
    });
}
