import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { changedFiles, gateFiles } from "../../../tools/cli/fleet/gate/gate-files.js";
import type { Gate } from "../../../tools/fleet/definition.js";

const FOLDERS = { kind: "prove", files: ["invariants", "one.invariants.yaml"] } as const;
const TESTS = { kind: "test", files: ["invariants"] } as const;
const COMMAND = { kind: "run", command: "sh gate.sh > out.txt" } as const;
const BASELINE = { kind: "report", baseline: "baseline.json" } as const;

describe("the files of a gate", () => {
  const folder = mkdtempSync(join(tmpdir(), "gate-files-"));
  const file = join(folder, "fleet.yaml");
  const write = (name: string, text = "x"): void => {
    writeFileSync(join(folder, name), text);
  };
  mkdirSync(join(folder, "invariants", "deep"), { recursive: true });
  for (const name of ["one.invariants.yaml", "invariants/two.invariants.yml", "invariants/a.firewall.yaml", "gate.sh"])
    write(name);

  test.each<readonly [string, Gate, () => void, readonly string[]]>([
    ["nothing", FOLDERS, () => undefined, []],
    [
      "a file that it does not read",
      FOLDERS,
      () => {
        write("invariants/notes.txt");
      },
      [],
    ],
    [
      "a file in a folder",
      FOLDERS,
      () => {
        write("invariants/new.invariants.yaml");
      },
      ["invariants/new.invariants.yaml"],
    ],
    [
      "a file below it",
      FOLDERS,
      () => {
        write("invariants/deep/b.invariants.json");
      },
      ["invariants/deep/b.invariants.json"],
    ],
    [
      "a test",
      TESTS,
      () => {
        write("invariants/new.firewall.yaml");
      },
      ["invariants/new.firewall.yaml"],
    ],
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
    [
      "what a command itself writes",
      COMMAND,
      () => {
        write("out.txt");
      },
      [],
    ],
    [
      "a file that a command names and that was missing",
      { kind: "run", command: "sh gate.sh --limits limits.json 'rest/of.csv' https://x.test/a.json" },
      () => {
        write("limits.json");
      },
      ["limits.json"],
    ],
    [
      "a baseline that was missing",
      BASELINE,
      () => {
        write("baseline.json");
      },
      [],
    ],
  ])("are different after %s", (_, gate, change, expected) => {
    const planned = gateFiles(gate, { file });
    change();
    expect(changedFiles(gate, planned, { file })).toEqual(expected);
  });

  test.each([
    "sh missing.sh",
    "echo; ./check zones",
    "TZ=UTC node checks/run.mjs | tee out.txt",
    "cd scripts && sh gone.sh",
    "bash -c 'sh gone.sh'",
    "sh -e missing.sh",
    "sh check",
  ])("cannot be planned without the script that a command runs: %s", (command) => {
    const script = /\S*(?:missing\.sh|check\b|run\.mjs|gone\.sh)/.exec(command)?.[0] ?? "";
    expect(() => gateFiles({ kind: "run", command }, { file })).toThrow(
      `${script} is not there. To continue: create it, or name it relative to fleet.yaml`,
    );
    // It may be gone later: the gate then says that it has changed.
    expect(gateFiles({ kind: "run", command }, { file }, true)).toMatchObject({});
  });

  test("cannot be planned with a script that nobody may execute", () => {
    const gate = { kind: "run" as const, command: "true && ./gate.sh zones" };
    expect(() => gateFiles(gate, { file })).toThrow(
      "./gate.sh is not executable. To continue: `chmod +x ./gate.sh`, or name what runs it, such as `sh ./gate.sh`",
    );
    expect(Object.keys(gateFiles(gate, { file }, true))).toEqual(["gate.sh"]);
    chmodSync(join(folder, "gate.sh"), 0o755);
    expect(Object.keys(gateFiles(gate, { file }))).toEqual(["gate.sh"]);
  });

  test.each<readonly [string, readonly string[]]>([
    ["npx eslint 'src/**/*.ts' src/{a,b}.ts", []],
    ['sh "$CI_PROJECT_DIR/gone.sh" ~/gone.sh `pwd`/gone.sh', []],
    ['sh "my check.sh" it\\ s.txt', ["it s.txt", "my check.sh"]],
    ["bash -ec 'sh gate.sh 2> err.txt; cat < in.csv'", ["gate.sh", "in.csv"]],
    ["node --import tsx --limits=limits.json gate.sh", ["gate.sh", "limits.json"]],
    ["cat in.csv | sh; node invariants", ["in.csv"]],
    ["TZ=UTC python3 -m checks >> out.sh && echo", []],
    ['echo "a > b.sh; sh c.sh"', ["a > b.sh; sh c.sh"]],
  ])("are those that a shell would take from: %s", (command, expected) => {
    write("my check.sh");
    expect(Object.keys(gateFiles({ kind: "run", command }, { file })).sort()).toEqual(expected);
  });
});
