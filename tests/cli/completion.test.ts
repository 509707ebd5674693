import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { cli, root } from "./support.js";

const complete = async (...words: string[]): Promise<readonly string[]> => {
  const { code, stdout } = await cli(["complete", "--", ...words]);
  expect(code).toBe(0);
  return stdout.split("\n").flatMap((line) => (line === "" ? [] : [line.split("\t")[0] ?? ""]));
};

test.each<[string[], string[]]>([
  [["ru"], ["rules"]],
  [["rules", "pr"], ["prove"]],
  [["rules", "check", "--fail"], ["--fail-on"]],
  [
    ["rules", "check", "--fail-on", ""],
    ["error", "warning", "note", "never"],
  ],
  [
    ["rules", "check", "--json", "--fail-on", "n"],
    ["note", "never"],
  ],
  [["completion", "b"], ["bash"]],
  // A shell completes file names where nothing is suggested.
  [["rules", "check", "--output", ""], []],
  [["rules", "check", ""], []],
  [["rules", "check", "a.json", ""], []],
])("%j can be continued with %j", async (words, expected) => {
  expect(await complete(...words)).toEqual(expected);
});

test("all commands of the help are suggested at first, without those that only scripts call", async () => {
  const all = await complete("");
  expect(all).toEqual(expect.arrayContaining(["init", "emulator", "rules", "doctor", "completion", "help"]));
  expect(all).not.toContain("complete");
});

/** A folder with the command. */
function folderWithCommand(): string {
  const folder = mkdtempSync(join(tmpdir(), "completion-"));
  const main = join(root, "dist", "cli", "main.js");
  const script = `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`;
  writeFileSync(join(folder, "pulumi-rulesets"), script, { mode: 0o755 });
  return folder;
}

const envOf = (folder: string) => ({ ...process.env, PATH: `${folder}${delimiter}${process.env.PATH ?? ""}` });

/** The words that bash would offer. */
async function inBash(words: readonly string[], folder: string): Promise<readonly string[]> {
  const { stdout: script } = await cli(["completion", "bash"]);
  writeFileSync(join(folder, "completion.bash"), script);
  const text = `source completion.bash
COMP_WORDS=(${["pulumi-rulesets", ...words].map((word) => `'${word}'`).join(" ")})
COMP_CWORD=${String(words.length)}
_pulumi_rulesets
printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync("bash", ["-c", text], { cwd: folder, env: envOf(folder), encoding: "utf8" })
    .trim()
    .split("\n");
}

test("bash offers them, by the script that the command prints", async () => {
  const folder = folderWithCommand();
  expect(await inBash(["rules", "check", "--fail-on", "n"], folder)).toEqual(["note", "never"]);
  expect(await inBash(["versions", "re"], folder)).toEqual(["restore"]);
});

const hasFish = spawnSync("fish", ["--version"]).status === 0;
(hasFish ? test : test.skip)("fish offers them, and files only where nothing is suggested", async () => {
  const { stdout: script } = await cli(["completion", "fish"]);
  const folder = folderWithCommand();
  writeFileSync(join(folder, "completion.fish"), script);
  writeFileSync(join(folder, "a.json"), "[]");
  const inFish = (line: string) => {
    const text = `source completion.fish; complete -C ${JSON.stringify(line)}`;
    return execFileSync("fish", ["--no-config", "-c", text], { cwd: folder, env: envOf(folder), encoding: "utf8" });
  };
  expect(inFish("pulumi-rulesets rules check --fail-on ")).toBe("error\nnever\nnote\nwarning\n");
  expect(inFish("pulumi-rulesets rules check a")).toBe("a.json\n");
});

const hasZsh = spawnSync("zsh", ["--version"]).status === 0;
(hasZsh ? test : test.skip)("zsh offers them, at the keyboard of its own terminal", async () => {
  const folder = folderWithCommand();
  const { stdout: script } = await cli(["completion", "zsh"]);
  writeFileSync(join(folder, "completion.zsh"), script);
  const text = `zmodload zsh/zpty
zpty shell "TERM=dumb zsh -f -i"
zpty -w shell 'autoload -Uz compinit; compinit -u; source completion.zsh; echo rea""dy'
zpty -r shell seen '*ready*'
zpty -n -w shell $'pulumi-rulesets versions re\\t'
zpty -r shell seen '*restore*'
print -r -- "$seen"`;
  expect(execFileSync("zsh", ["-f", "-c", text], { cwd: folder, env: envOf(folder), encoding: "utf8" })).toContain(
    "versions restore",
  );
});

test("an unknown shell is refused", async () => {
  const { code, stderr } = await cli(["completion", "tcsh"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("Allowed choices are bash, zsh, fish")]);
});
