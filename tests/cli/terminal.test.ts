import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { Emulator } from "../../emulator/index";
import { sealPlan } from "../../fleet/plan";
import { TOKEN } from "../support/emulator";
import { freshEmulator } from "../support/emulators";
import { FLEET_PLAN } from "../support/fleet-plan";
import { reportSeed } from "../support/report-seed";
import { cli, folder, inTerminal } from "./support";

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

test.each([[{ NO_COLOR: "1" }], [{ FORCE_COLOR: "1", TERM: "xterm-256color" }]])(
  "with %j, no command prints escape codes to a pipe, and tables fit into 60 columns",
  async (more) => {
    const env = { CLOUDFLARE_API_TOKEN: TOKEN, CLOUDFLARE_BASE_URL: emulator.url, COLUMNS: "60", ...more };
    const printed = await Promise.all(COMMANDS.map((args) => cli(args, env)));
    for (const [index, { stdout, stderr }] of printed.entries()) {
      const text = `${stdout}${stderr}`;
      expect([COMMANDS[index], text]).toEqual([COMMANDS[index], expect.stringMatching(/\S/)]);
      expect([COMMANDS[index], text.match(/\u001b.*/)]).toEqual([COMMANDS[index], null]);
      expect(text.split("\n").filter((line) => /[│┌└]/.test(line) && line.length > 60)).toEqual([]);
    }
    expect(printed[COMMANDS.findIndex(([name]) => name === "fleet")]?.stdout).toContain("canary\n  state: waiting\n");
  },
);

/** Those that print to their standard output. */
const PRINTING = COMMANDS.slice(0, -1);

const hasScript = spawnSync("script", ["--version"], { encoding: "utf8" }).stdout.includes("util-linux");

describe.each([[{}], [{ NO_COLOR: "1" }]])("in a real terminal with %j", (more) => {
  const env = (): Record<string, string> => ({
    CLOUDFLARE_API_TOKEN: TOKEN,
    CLOUDFLARE_BASE_URL: emulator.url,
    ...more,
  });

  (hasScript ? test : test.skip)("no line is wider than 60 columns, but for words and commands that are", async () => {
    for (const args of PRINTING.filter(([name = ""]) => !["rules", "certificates"].includes(name))) {
      const lines = (await inTerminal(args, 60, env())).replaceAll(ESCAPE, "").split(/[\n\r]/);
      const wide = lines.filter(
        (line) =>
          line.length > 60 &&
          line
            .trim()
            .replace(/`[^`]*`$/, "")
            .includes(" "),
      );
      expect([args, wide]).toEqual([args, []]);
    }
  });

  (hasScript ? test : test.skip)("no command needs colours or prints escape codes", async () => {
    for (const args of PRINTING) {
      const text = await inTerminal(args, 100, env());
      expect([args, text.match(ESCAPE)]).toEqual([args, null]);
      expect([args, text]).toEqual([args, expect.stringMatching(/\S/)]);
    }
  });
});
