import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { cli, folder, root } from "./support.js";

const ZONE = ["--zone", "0".repeat(32)];
const PLACE = [...ZONE, "--phase", "http_ratelimit"];
const NOBODY = {
  CLOUDFLARE_API_TOKEN: "",
  CLOUDFLARE_API_KEY: "",
  CLOUDFLARE_EMAIL: "",
  RULESETS_API_TOKEN: "",
  RULESETS_API_KEY: "",
  RULESETS_EMAIL: "",
};

const files = folder({
  "rules.json": { phase: "http_request_firewall_custom", rules: [{ action: "block", expression: "ssl" }] },
  "state.json": { version: 4, resources: [] },
});
const rules = `${files}/rules.json`;

test.each<[string[], string]>([
  [["emulator", "--port", "0", "--token", ""], "--token must be one word"],
  [["emulator", "--port", "0", "--token", "two words"], "--token must be one word"],
  [["rules", "diff", rules, rules, rules], "only two versions can be compared, not 3"],
  [["rules", "diff", rules, rules, "--zone", "x"], "--zone takes the place of the first path"],
  [["rules", "diff", rules, rules, "-o", `${files}/none/out`], `${files}/none/out cannot be written: ENOENT`],
  [["generate", "--from", `${files}/state.json`, "--out", rules], `--out ${rules} is a file, not a folder`],
])("%j is refused, and the command ends", async (args, message) => {
  const { code, stderr } = await cli(args, NOBODY);
  expect(stderr).toContain(message);
  expect(code).toBe(1);
});

test.each<[string[], number]>([
  [["rules", "diff", rules, "nowhere.json"], 1],
  [["rules", "try", ...ZONE, "--request", "https://shop.test/", "--base-url", "http://127.0.0.1:9"], 3],
])("with --json, %j writes its error as JSON too", async (args, expected) => {
  const { code, stdout, stderr } = await cli([...args, "--json"], {
    ...NOBODY,
    RULESETS_API_TOKEN: "a-token-0123456789",
  });
  const { error } = JSON.parse(stdout) as { error: string };
  expect([code, stderr]).toEqual([expected, expect.stringContaining(error)]);
});

test.each<[string, string[], string]>([
  ["migration status", [], "specify zones with --zone"],
  ["migration check", ["--parallel", "0", ...ZONE], "--parallel must be a whole number"],
  ["migration plan", ["--json", "--markdown", ...ZONE], "--json and --markdown are mutually exclusive"],
  ["certificates report", [], "specify zones with --zone"],
  ["certificates report", ["--date", "today", ...ZONE], "--date must be a day"],
  ["report", [], "specify zones with --zone"],
  ["generate", [], "specify zones with --zone"],
  ["generate", ["--disabled", ...ZONE], "add --from-legacy, or omit --disabled"],
  ["generate", ["--from-legacy", "--phase", "http_ratelimit", ...ZONE], "omit --phase"],
  ["generate", ["--from-legacy", "--import-file", "none.json", ...ZONE], "cannot be combined with --from-legacy"],
  ["versions list", [], "specify either a zone with --zone"],
  ["versions show", ["1", ...ZONE], "specify either a ruleset with --ruleset"],
  ["generate", [...ZONE, "--phase", "http_ratelimt"], 'does not exist; did you mean "http_ratelimit"?'],
  ["generate", [...ZONE, "--phase", "firewall_custom"], 'does not exist; did you mean "http_request_firewall_custom"?'],
  ["versions list", [...ZONE, "--phase", "http_ratelimt"], 'does not exist; did you mean "http_ratelimit"?'],
  ["rules explain", ["ssl", "--phase", "http_ratelimt"], 'does not exist; did you mean "http_ratelimit"?'],
  ["versions show", ["x", ...PLACE], "x is not a version number"],
  ["versions diff", ["1", "x", ...PLACE], "x is not a version number"],
  ["versions delete", ["1"], "specify either a zone with --zone"],
  ["versions restore", ["x", ...PLACE], "x is not a version number"],
  ["versions restore", ["1", ...ZONE], "specify either a ruleset with --ruleset"],
  ["versions list", ["--base-url", "api.cloudflare.com", ...PLACE], "--base-url must be an address"],
  ["migration status", ["--requests-per-second", "0", ...ZONE], "--requests-per-second must be a number"],
])("%s %j names the wrong option before it asks for credentials", async (command, options, message) => {
  const { code, stderr } = await cli([...command.split(" "), ...options], NOBODY);
  expect(stderr).toContain(message);
  expect(code).toBe(1);
});

test("a reader that closes the output early does not change the exit code, and causes no error", async () => {
  const child = spawn(process.execPath, [join(root, "dist", "tools", "cli", "main.js"), "rules", "explain", "((("]);
  child.stdout.destroy();
  let errors = "";
  child.stderr.on("data", (text: Buffer) => (errors += text.toString()));
  const [code] = (await once(child, "close")) as [number];
  expect(errors).not.toContain("EPIPE");
  expect(code).toBe(2);
});

test("a reader that closes the notes early does not change the exit code either", async () => {
  const resources = [
    { mode: "managed", type: "cloudflare_rate_limit", name: "a", instances: [{ attributes: { zone_id: ZONE[1] } }] },
  ];
  const state = join(folder({ "a.tfstate": { version: 4, terraform_version: "1.5.0", resources } }), "a.tfstate");
  const args = ["generate", "--from", state];
  expect(await cli(args)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("cloudflare_rate_limit") as string,
  });
  const child = spawn(process.execPath, [join(root, "dist", "tools", "cli", "main.js"), ...args]);
  child.stderr.destroy();
  expect(await once(child, "close")).toEqual([2, null]);
});

test("an output for which there is no space is an error, in one line", async () => {
  const full = openSync("/dev/full", "w");
  const child = spawn(process.execPath, [join(root, "dist", "tools", "cli", "main.js"), "rules", "explain", "ssl"], {
    stdio: ["ignore", full, "pipe"],
  });
  let errors = "";
  child.stderr?.on("data", (text: Buffer) => (errors += text.toString()));
  const [code] = (await once(child, "close")) as [number];
  closeSync(full);
  expect([code, errors]).toEqual([
    1,
    "pulumi-rulesets: the output cannot be written: ENOSPC: no space left on device, write\n",
  ]);
});
