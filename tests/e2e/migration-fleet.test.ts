import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { Service, TOKEN } from "../support/emulator.js";
import { emulatorWith } from "../support/emulators.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/* The other examples are run by `npm run check-pages`, as their pages say. */

/** Runs Node in a folder; returns its exit code and its output. */
const run = (folder: string, env: object, ...args: string[]): Promise<{ code: number; text: string }> =>
  new Promise((resolve) => {
    const options = { cwd: folder, env: { ...process.env, ...env } };
    execFile(process.execPath, ["--no-warnings", ...args], options, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === "number" ? error.code : 0, text: stdout + stderr });
    });
  });

test("the example of a fleet migrates in waves from a reviewed plan; a zone that has changed since then does not stop the others", async () => {
  const names = ["a", "b", "c"].map((letter) => `${letter}.example.com`);
  const previousWaf = { progression: { seconds: 60 } };
  const emulator = await emulatorWith({
    seed: { zones: names.map((name) => ({ name, plan: "pro" as const, previousWaf })) },
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
    const wave = () => run(folder, env, "index.ts", plan, "1", "2");
    const first = await wave();
    expect(first.text).toContain("a.example.com: finishing");
    expect(first.text).toMatch(
      /b\.example\.com: failed\.[\s\S]*changed since the review[\s\S]*rule 1 is new or was changed/,
    );
    expect([first.code, first.text.trim().split("\n").at(-1)]).toEqual([1, "wave 1: 2 zones, 1 failed"]);
    await service.advanceClock(61);
    expect((await wave()).text).toContain("a.example.com: finished");
    const status = await run(root, env, cli, "migration", "status", "--account", account);
    expect(status.text).toContain("3 zones: 1 migrated.");
  } finally {
    // The engine writes a settings file for each stack next to the program.
    for (const name of names) rmSync(join(folder, `Pulumi.${name}.yaml`), { force: true });
  }
});
