import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cli, root } from "./support.js";

/** Every command, also those in groups, by their help. */
async function commandsBelow(...words: string[]): Promise<readonly string[]> {
  const { stdout } = await cli([...words, "--help"]);
  const [, list = ""] = stdout.split("\nCommands:\n");
  const [own = ""] = list.split("\n\n");
  const names = [...own.matchAll(/^ {2}([a-z][\w-]*)/gm)].map(([, name = ""]) => name);
  const inner = names.filter((name) => name !== "help");
  if (inner.length === 0) return [words.join(" ")];
  const below = await Promise.all(inner.map((name) => commandsBelow(...words, name)));
  return [...(words.length === 0 ? [] : [words.join(" ")]), ...below.flat()];
}

/** What a command's help says about its exit codes, without 1. */
async function exitCodes(command: string): Promise<readonly string[]> {
  const { stdout } = await cli([...command.split(" "), "--help"]);
  const [, list = ""] = stdout.split("Exit codes:\n");
  const meanings = new Map([...list.matchAll(/^ {2}(\d) {2}(.*)$/gm)].map(([, code = "", text = ""]) => [code, text]));
  return ["0", "2", "3"].map((code) => meanings.get(code) ?? "");
}

test("the page of the commands has the exit codes of their help, of all that have any", async () => {
  const page = readFileSync(join(root, "docs", "commands.md"), "utf8");
  const rows = [...page.matchAll(/^\| `([a-z][\w -]*)` \| (.*) \| (.*) \| (.*) \|$/gm)];
  const shown = rows.map(([, name = "", ...codes]) => [name, ...codes.slice(0, 3)]);
  const all = await commandsBelow();
  const told = await Promise.all(all.map(async (name) => [name, ...(await exitCodes(name))]));
  expect(shown.sort()).toEqual(told.filter(([, zero]) => zero !== "").sort());
});

test("the help of every command fits into a narrow terminal, and says where credentials come from", async () => {
  const names = await commandsBelow();
  const all = await Promise.all(names.map((name) => cli([...name.split(" "), "--help"], { COLUMNS: "60" })));
  const helps = all.map(({ stdout }) => stdout);
  const silent = helps.filter((help) => help.includes("--base-url") && !help.includes("RULESETS_API_TOKEN"));
  expect(silent.map((help) => help.split("\n")[0])).toEqual([]);
  // A word that is too long stays whole.
  const wide = helps.flatMap((help) =>
    help.split("\n").filter((line) => line.length > 60 && line.trim().includes(" ")),
  );
  expect(wide).toEqual([]);
});
