import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { changedFiles, gateFiles } from "../../../tools/cli/fleet/gate/gate-files.js";
import type { Gate } from "../../../tools/fleet/definition.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const FOLDERS = { kind: "prove", files: ["invariants", "one.invariants.yaml"] } as const;
const TESTS = { kind: "test", files: ["invariants"] } as const;
const COMMAND = { kind: "run", command: "sh gate.sh > out.txt" } as const;

describe("the files of a gate", () => {
  const folder = temporaryFolder();
  const file = join(folder, "fleet.yaml");
  const write = (name: string, text = "x"): void => {
    writeFileSync(join(folder, name), text);
  };
  mkdirSync(join(folder, "invariants", "deep"), { recursive: true });
  for (const name of ["one.invariants.yaml", "invariants/two.invariants.yml", "invariants/a.firewall.yaml", "gate.sh"])
    write(name);

  test.each<readonly [string, Gate, string | (() => void), readonly string[]]>([
    ["a file that it does not read", FOLDERS, "invariants/notes.txt", []],
    ["a file in a folder", FOLDERS, "invariants/new.invariants.yaml", ["invariants/new.invariants.yaml"]],
    ["a file below it", FOLDERS, "invariants/deep/b.invariants.json", ["invariants/deep/b.invariants.json"]],
    ["a test", TESTS, "invariants/new.firewall.yaml", ["invariants/new.firewall.yaml"]],
    [
      "another text",
      FOLDERS,
      () => {
        write("one.invariants.yaml", "y");
      },
      ["one.invariants.yaml"],
    ],
    [
      "another name",
      FOLDERS,
      () => {
        renameSync(join(folder, "invariants/two.invariants.yml"), join(folder, "invariants/six.invariants.yml"));
      },
      ["invariants/six.invariants.yml", "invariants/two.invariants.yml"],
    ],
    [
      "a file that is gone",
      FOLDERS,
      () => {
        rmSync(join(folder, "one.invariants.yaml"));
      },
      ["one.invariants.yaml"],
    ],
    ["what a command itself writes", COMMAND, "out.txt", []],
    [
      "a file that a command names and that was missing",
      { kind: "run", command: "sh gate.sh --limits limits.json 'rest/of.csv' https://x.test/a.json" },
      "limits.json",
      ["limits.json"],
    ],
  ])("are different after %s", (_, gate, change, expected) => {
    const planned = gateFiles(gate, { file });
    if (typeof change === "string") write(change);
    else change();
    expect(changedFiles(gate, planned, { file })).toEqual(expected);
  });

  test.each<readonly [string, readonly string[]]>([
    ["npx eslint 'src/**/*.ts'", []],
    ['sh "$CI_PROJECT_DIR/gone.sh" ~/gone.sh `pwd`/gone.sh /bin/sh', []],
    ["bash -ec 'sh gate.sh 2> err.txt; cat < in.csv'", ["gate.sh", "in.csv"]],
    ["node --import tsx --limits=limits.json gate.sh", ["gate.sh", "limits.json"]],
    ["cat in.csv|sh >>out.txt && TZ=UTC ./gate.sh", ["gate.sh", "in.csv"]],
  ])("are those that are there and that a command names: %s", (command, expected) => {
    for (const name of ["in.csv", "err.txt", "out.txt", "limits.json"]) write(name);
    expect(Object.keys(gateFiles({ kind: "run", command }, { file })).sort()).toEqual(expected);
  });
});
