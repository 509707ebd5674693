import type { Command } from "commander";
import { createProgram } from "../../tools/cli/program.js";

const nothing = (): never => {
  throw new Error("no command runs");
};

/** The tree of commands, none of which can run; their help is as wide as a terminal of some columns. */
export const program = (columns?: number): Command =>
  createProgram({
    own: { version: "1.2.3", engines: { node: "22" }, peerDependencies: { "@pulumi/pulumi": "3" } },
    print: nothing,
    printNote: nothing,
    columns,
    progress: nothing,
    config: nothing,
    connect: nothing,
    openSession: nothing,
  });

/** All commands and groups of them, with the words that call them. */
export function tree(command: Command, words: readonly string[] = []): readonly (readonly [string, Command])[] {
  const below = command.commands.flatMap((one) => tree(one, [...words, one.name()]));
  return [[words.join(" "), command], ...below];
}

/** The commands that do something, with the words that call them. */
export const leaves = (command: Command): readonly (readonly [string, Command])[] =>
  tree(command).filter(([, { commands }]) => commands.length === 0);
