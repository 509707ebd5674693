import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { program, tree } from "../support/commands.js";
import { root } from "./support.js";

/** The help of all commands, also of groups, by the words that call them. */
const helps = (program: Command): readonly (readonly [string, string])[] =>
  tree(program).map(([name, command]) => {
    const printed: string[] = [];
    const output = jest.spyOn(process.stdout, "write").mockImplementation((text) => printed.push(String(text)) > 0);
    command.outputHelp();
    output.mockRestore();
    return [name, printed.join("")];
  });

/** What a command's help says about its exit codes, without 1. */
function exitCodes(help: string): readonly string[] {
  const [, list = ""] = help.split("Exit codes:\n");
  const meanings = new Map([...list.matchAll(/^ {2}(\d) {2}(.*)$/gm)].map(([, code = "", text = ""]) => [code, text]));
  return ["0", "2", "3"].map((code) => meanings.get(code) ?? "");
}

test("the page of the commands has the exit codes of their help, of all that have any", () => {
  const page = readFileSync(join(root, "docs", "commands.md"), "utf8");
  const rows = [...page.matchAll(/^\| `([a-z][\w -]*)` \| (.*) \| (.*) \| (.*) \|$/gm)];
  const shown = rows.map(([, name = "", ...codes]) => [name, ...codes.slice(0, 3)]);
  const told = helps(program()).map(([name, help]) => [name, ...exitCodes(help)]);
  expect(shown.sort()).toEqual(told.filter(([, zero]) => zero !== "").sort());
});

test("the help of every command fits into a narrow terminal, and says where credentials come from", () => {
  const texts = helps(program(60)).map(([, help]) => help);
  expect(texts.length).toBeGreaterThan(40);
  const silent = texts.filter((help) => help.includes("--base-url") && !help.includes("RULESETS_API_TOKEN"));
  expect(silent.map((help) => help.split("\n")[0])).toEqual([]);
  // A word that is too long stays whole.
  const wide = texts.flatMap((help) =>
    help.split("\n").filter((line) => line.length > 60 && line.trim().includes(" ")),
  );
  expect(wide).toEqual([]);
});
