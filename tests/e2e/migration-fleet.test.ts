import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { Service, TOKEN } from "../support/emulator.js";
import { emulatorWith } from "../support/emulators.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/* What the page of the example says of zones as they should be is followed by `npm run check-pages`. */

/** Runs Node in a folder; returns its exit code and its output. */
const run = (folder: string, env: object, ...args: string[]): Promise<{ code: number; text: string }> =>
  new Promise((resolve) => {
    const options = { cwd: folder, env: { ...process.env, ...env } };
    execFile(process.execPath, ["--no-warnings", ...args], options, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === "number" ? error.code : 0, text: stdout + stderr });
    });
  });

test("in the example of a fleet, a zone that has changed since the review does not stop the others", async () => {
  const names = ["a", "b"].map((letter) => `${letter}.example.com`);
  const emulator = await emulatorWith({
    seed: { zones: names.map((name) => ({ name, plan: "pro" as const, previousWaf: {} })) },
  });
  const root = join(__dirname, "..", "..");
  const folder = join(root, "examples", "waf-migration-fleet");
  const backend = temporaryFolder();
  try {
    const service = new Service(emulator);
    const env = {
      CLOUDFLARE_API_TOKEN: TOKEN,
      RULESETS_BASE_URL: emulator.url,
      PULUMI_BACKEND_URL: `file://${backend}`,
      PULUMI_CONFIG_PASSPHRASE: "test",
      PULUMI_HOME: join(backend, "home"),
      PULUMI_SKIP_UPDATE_CHECK: "true",
    };
    const plan = join(backend, "plan.json");
    const account = await service.account();
    const cli = join(root, "dist", "tools", "cli", "main.js");
    expect(await run(root, env, cli, "migration", "plan", "--account", account, "--json", "--output", plan)).toEqual({
      code: 0,
      text: "",
    });
    const changed = await service.zoneNamed("b.example.com");
    await service.ask("PATCH", `/zones/${changed}/settings/waf`, { value: "off" });
    const wave = await run(folder, env, "index.ts", plan, "1", "2");
    expect(wave.text).toContain("a.example.com: finished");
    expect(wave.text).toMatch(
      /b\.example\.com: failed\.[\s\S]*changed since the review[\s\S]*rule 1 is new or was changed/,
    );
    expect([wave.code, wave.text.trim().split("\n").at(-1)]).toEqual([1, "wave 1: 2 zones, 1 failed"]);
  } finally {
    // The engine writes a settings file for each stack next to the program.
    for (const name of names) rmSync(join(folder, `Pulumi.${name}.yaml`), { force: true });
  }
});
