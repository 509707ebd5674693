import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { terraformState } from "../support/states.js";
import { cli, environment, folder, root } from "./support.js";

const files = folder({
  "a.tfstate": terraformState({
    type: "cloudflare_zone_lockdown",
    name: "admin",
    values: {
      ...{ id: "a1b2c3d4e5f60718293a4b5c6d7e8f90", zone_id: "0123456789abcdef0123456789abcdef" },
      ...{ urls: ["example.com/admin/*"], configurations: [{ target: "ip", value: "192.0.2.1" }] },
    },
  }),
  /** Ends the process at a write or renaming in the folder, of which a file has then half of its text. */
  "kill.cjs": `const fs = require("node:fs");
    let left = Number(process.env.KILL_AT);
    for (const name of ["writeFileSync", "renameSync"]) {
      const own = fs[name];
      fs[name] = (path, ...args) => {
        if (!String(path).startsWith(process.env.OUT) || left-- !== 0) return own(path, ...args);
        if (name === "writeFileSync") own(path, args[0].slice(0, args[0].length / 2));
        process.kill(process.pid, process.env.SIGNAL);
        for (;;);
      };
    }`,
});
const out = join(files, "infra");
const args = ["generate", "--from", join(files, "a.tfstate"), "--from-legacy", "--out", out];

afterEach(() => {
  rmSync(out, { recursive: true, force: true });
});

const FIRST_FILE = 0;
const BEFORE_THE_LAST_IS_IN_PLACE = 9;

test.each([
  ["SIGINT", FIRST_FILE],
  ["SIGKILL", 4],
  ["SIGKILL", BEFORE_THE_LAST_IS_IN_PLACE],
])("%s at write %d leaves no program, and the next run says how to continue", async (signal, at) => {
  const main = join(root, "dist", "tools", "cli", "main.js");
  const env = environment({ OUT: out, KILL_AT: String(at), SIGNAL: signal });
  const killed = spawnSync(process.execPath, ["--require", join(files, "kill.cjs"), main, ...args], { env });
  expect(killed.signal).toBe(signal);
  const left = readdirSync(out).filter((name) => !/\.\d+$/.test(name));
  expect(left).not.toContain("index.ts");
  const next = await cli(args);
  if (left.includes("MIGRATION.md")) {
    const why = "MIGRATION.md, without index.ts, as a run that was interrupted leaves them; nothing was written";
    expect([next.code, next.stderr]).toEqual([1, expect.stringContaining(`${out} already contains ${why}`)]);
    rmSync(out, { recursive: true });
    expect((await cli(args)).code).toBe(0);
  } else expect(next.code).toBe(0);
  expect(readFileSync(join(out, "index.ts"), "utf8")).toContain('ref: "legacy-lockdown-a1b2c3d4e5f6"');
});
