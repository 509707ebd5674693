import { execFileSync } from "node:child_process";
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

/** The words that bash would offer. */
async function inBash(words: readonly string[], folder: string): Promise<readonly string[]> {
  const { stdout: script } = await cli(["completion", "bash"]);
  writeFileSync(join(folder, "completion.bash"), script);
  const text = `source completion.bash
COMP_WORDS=(${["pulumi-rulesets", ...words].map((word) => `'${word}'`).join(" ")})
COMP_CWORD=${String(words.length)}
_pulumi_rulesets
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH ?? ""}` };
  return execFileSync("bash", ["-c", text], { cwd: folder, env, encoding: "utf8" }).trim().split("\n");
}

test("bash offers them, by the script that the command prints", async () => {
  const folder = mkdtempSync(join(tmpdir(), "completion-"));
  const main = join(root, "dist", "cli", "main.js");
  writeFileSync(join(folder, "pulumi-rulesets"), `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`, {
    mode: 0o755,
  });
  expect(await inBash(["rules", "check", "--fail-on", "n"], folder)).toEqual(["note", "never"]);
  expect(await inBash(["versions", "re"], folder)).toEqual(["restore"]);
});

test("an unknown shell is refused", async () => {
  const { code, stderr } = await cli(["completion", "tcsh"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("Allowed choices are bash, zsh, fish")]);
});
