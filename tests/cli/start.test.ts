import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { folder, root } from "./support.js";

/** Libraries that take long to load. */
const HEAVY = ["@pulumi/pulumi", "ajv", "axios", "cli-progress", "cli-table3", "fastify", "typescript", "yaml"];

const files = folder({
  // Writes which third-party packages the process has loaded.
  "loaded.cjs": `process.on("exit", () => {
    const packages = Object.keys(require.cache).flatMap((path) => /.*node_modules.((?:@[^/]+.)?[^/]+)/.exec(path)?.[1] ?? []);
    require("node:fs").writeFileSync(process.env.LOADED, JSON.stringify([...new Set(packages)]));
  });`,
  "rules.json": { phase: "http_request_firewall_custom", rules: [{ action: "block", expression: "ssl" }] },
  "state.json": { version: 4, resources: [] },
});
const rules = join(files, "rules.json");

function packagesOf(args: readonly string[]): readonly string[] {
  const list = join(files, "loaded.json");
  const main = join(root, "dist", "tools", "cli", "main.js");
  const env = { ...process.env, LOADED: list };
  execFileSync(process.execPath, ["-r", join(files, "loaded.cjs"), main, ...args], { env, stdio: "ignore" });
  return JSON.parse(readFileSync(list, "utf8")) as readonly string[];
}

test("--help loads only the argument parser", () => {
  expect(packagesOf(["--help"])).toEqual(["commander"]);
});

test.each<[string, string[], string[]]>([
  ["rules explain", ["ssl"], []],
  ["rules check", [rules], ["ajv", "yaml"]],
  ["rules try", [rules, "-r", "https://a.example"], ["yaml"]],
  ["generate", ["--from", join(files, "state.json")], []],
])("%s loads what it uses, and no other heavy library", (command, args, expected) => {
  const loaded = packagesOf([...command.split(" "), ...args]);
  expect(loaded.filter((name) => HEAVY.includes(name)).sort()).toEqual(expected);
});

const older = join(
  folder({
    "older.cjs": `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });`,
  }),
  "older.cjs",
);

test.each(["tools/cli/main.js", "pulumi-resource-rulesets.cjs"])(
  "%s says on an older Node which one it needs",
  (command) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ["-r", older, join(root, "dist", command), "--version"],
      {
        encoding: "utf8",
      },
    );
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: "",
      stderr: `pulumi-rulesets: Node.js >=22 is needed, and ${process.execPath} is 20.20.2: install one, and put it first in the PATH\n`,
    });
  },
);

test("a program says on an older Node which one it needs", () => {
  const program = join(folder({ "program.cjs": `require(${JSON.stringify(root)});` }), "program.cjs");
  const { status, stderr } = spawnSync(process.execPath, ["-r", older, program], { encoding: "utf8" });
  expect(status).toBe(1);
  expect(stderr).toContain("pulumi-rulesets: Node.js >=22 is needed, and ");
});
