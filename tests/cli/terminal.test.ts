import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { Emulator } from "../../emulator/index";
import { sealPlan } from "../../tools/fleet/plan";
import { TOKEN } from "../support/emulator";
import { freshEmulator } from "../support/emulators";
import { FLEET_PLAN } from "../support/fleet-plan";
import { reportSeed } from "../support/report-seed";
import { cliProcess, folder, inTerminal } from "./support";

const ESCAPE = /\u001b\[[0-9;?]*[A-Za-z]/g;

/* What the commands print in a narrow terminal, and where there are no colours. */

const plan = sealPlan({
  ...FLEET_PLAN,
  waves: FLEET_PLAN.waves.slice(0, 1),
  shards: [{ id: "s001", wave: "canary", zones: 2, changes: 2, checksum: "" }],
});

let emulator: Emulator;
beforeAll(async () => {
  emulator = await freshEmulator({ seed: reportSeed });
});

const zone = ["--zone", "shop.example.com"];
const preview = folder({ "preview.json": { steps: [] } });
const program = folder({ "plan.json": plan });

const COMMANDS: readonly (readonly string[])[] = [
  ["--help"],
  ["report", "--all-zones"],
  ["doctor", ...zone],
  ["migration", "status", "--all-zones"],
  ["certificates", "report", "--all-zones"],
  ["versions", "list", ...zone, "--phase", "http_request_firewall_custom"],
  ["rules", "check", ...zone],
  ["rules", "explain", 'http.host eq "shop.example.com"'],
  ["fleet", "status", "--plan", program],
  ["summarize", join(preview, "preview.json")],
  ["report", "--no-such-option"],
];

test("no command prints escape codes to a pipe, even where colours are forced, and tables fit into 60 columns", async () => {
  const forced = { FORCE_COLOR: "1", TERM: "xterm-256color" };
  const env = { CLOUDFLARE_API_TOKEN: TOKEN, CLOUDFLARE_BASE_URL: emulator.url, COLUMNS: "60", ...forced };
  const printed = await Promise.all(COMMANDS.map((args) => cliProcess(args, env)));
  for (const [index, { stdout, stderr }] of printed.entries()) {
    const text = `${stdout}${stderr}`;
    expect([COMMANDS[index], text]).toEqual([COMMANDS[index], expect.stringMatching(/\S/)]);
    expect([COMMANDS[index], text.match(/\u001b.*/)]).toEqual([COMMANDS[index], null]);
    expect(text.split("\n").filter((line) => /[│┌└]/.test(line) && line.length > 60)).toEqual([]);
  }
  expect(printed[COMMANDS.findIndex(([name]) => name === "fleet")]?.stdout).toContain("canary\n  state: waiting\n");
});

/** Those that print to their standard output. */
const PRINTING = COMMANDS.slice(0, -1);
/** Those with lines that are not wrapped. */
const WIDE = ["rules", "certificates"];

const hasScript = spawnSync("script", ["--version"], { encoding: "utf8" }).stdout.includes("util-linux");

(hasScript ? test : test.skip)(
  "in a real terminal, no command prints escape codes or lines wider than 60 columns, but for words and commands that are",
  async () => {
    for (const args of PRINTING) {
      const text = await inTerminal(args, 60, { CLOUDFLARE_API_TOKEN: TOKEN, CLOUDFLARE_BASE_URL: emulator.url });
      expect([args, text.match(ESCAPE)]).toEqual([args, null]);
      expect([args, text]).toEqual([args, expect.stringMatching(/\S/)]);
      const wide = text.split(/[\n\r]/).filter(
        (line) =>
          line.length > 60 &&
          line
            .trim()
            .replace(/`[^`]*`$/, "")
            .includes(" "),
      );
      if (!WIDE.includes(args[0] ?? "")) expect([args, wide]).toEqual([args, []]);
    }
  },
);
