import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startEmulator } from "../../emulator/index.js";
import { cli, environment } from "../cli/support.js";
import { Service } from "../support/emulator.js";
import { ProjectStack } from "./support/project.js";

const root = join(__dirname, "..", "..");

interface Finished {
  readonly code: number | null;
  readonly text: string;
}

function start(
  args: readonly string[],
  env: Record<string, string> = {},
): { child: ChildProcess; text: () => string; end: Promise<Finished> } {
  const child = spawn(process.execPath, args, { cwd: root, env: environment(env) });
  let text = "";
  const collect = (chunk: Buffer): void => {
    text += chunk.toString();
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  const end = once(child, "close").then(([code]) => ({ code: code as number | null, text }));
  return { child, text: () => text, end };
}

/** Waits until a process has printed a match of the pattern. */
async function waitForOutput(run: { child: ChildProcess; text: () => string }, pattern: RegExp): Promise<void> {
  while (!pattern.test(run.text())) {
    if (run.child.exitCode !== null) throw new Error(run.text());
    await once(run.child.stdout ?? run.child, "data");
  }
}

describe("the demo", () => {
  const demo = ["--no-warnings", join(root, "scripts", "demo.mjs")];

  test("runs from beginning to end on the embedded service, whatever the environment contains", async () => {
    const elsewhere = {
      CLOUDFLARE_API_TOKEN: "real-token-of-this-machine",
      RULESETS_BASE_URL: "http://127.0.0.1:9/client/v4",
      RULESETS_API_TOKEN: "another",
    };
    const { code, text } = await start(demo, elsewhere).end;
    expect(code).toBe(0);
    for (const part of [
      "7 created",
      "7 unchanged, 0 requests",
      "4 of 4 rule ids kept",
      "runs again, with the same id: true",
      "7 deleted",
    ]) {
      expect(text).toContain(part);
    }
  });

  test("uses the real service only with --live, a zone, a confirmation, and empty phases", async () => {
    const emulator = await startEmulator();
    const service = new Service(emulator);
    const zoneId = await service.zone();
    const env = { RULESETS_BASE_URL: emulator.url, RULESETS_API_TOKEN: "live-token-0123" };
    expect((await start([...demo, "--live"], env).end).text).toContain("--live needs --zone ID");
    const refused = start([...demo, "--live", "--zone", zoneId], env);
    await waitForOutput(refused, /Type the name of the zone to continue/);
    refused.child.stdin?.end("wrong.example.com\n");
    expect((await refused.end).text).toContain("that is not the name of the zone; nothing was done");
    await service.create(`zones/${zoneId}`, { name: "x", kind: "zone", phase: "http_ratelimit", rules: [] });
    const rules = [{ action: "log", expression: "true" }];
    await service.create(`zones/${zoneId}`, { name: "x", kind: "zone", phase: "http_request_firewall_custom", rules });
    const occupied = await start([...demo, "--live", "--zone", zoneId], env).end;
    expect([occupied.code, occupied.text]).toEqual([
      1,
      expect.stringContaining(
        "http_request_firewall_custom of enterprise.example.com has 1 rules: the demo does not touch zones with rules",
      ),
    ]);
    await emulator.close();
  });
});

test("doctor tries the stack's own token, too, and says which it tried", async () => {
  const [own, other] = ["token-of-the-stack-0123", "token-of-the-shell-0123"];
  const emulator = await startEmulator({
    seed: { zones: [{ name: "shop.test" }], tokens: [{ value: own }, { value: other, access: "read" }] },
  });
  const project = new ProjectStack();
  try {
    writeFileSync(join(project.folder, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
    await project.mustRun("stack", "init", "dev");
    const settings = ["--plaintext", `rulesets:baseUrl=${emulator.url}`, "--secret", `rulesets:apiToken=${own}`];
    await project.mustRun("config", "set-all", ...settings);
    const env = { ...project.variables, CLOUDFLARE_API_TOKEN: other, CLOUDFLARE_BASE_URL: emulator.url };
    const { stdout } = await cli(["doctor", "--zone", "shop.test", "--dry-run"], env, project.folder);
    const [shell = "", stack = ""] = stdout.split(/^(?=The service, with )/m).slice(1);
    expect(shell).toMatch(
      /^The service, with the token in environment variable CLOUDFLARE_API_TOKEN\n[^]*write: .*403/,
    );
    expect(stack).toMatch(/^The service, with the token in configuration key rulesets:apiToken of stack dev\n/);
    expect(stack).toMatch(/ok {7}Token: active[^]*ok {7}\S+: write: /);
    expect(stdout).not.toMatch(/token-of/);
    const locked = await cli(["doctor"], { ...env, PULUMI_CONFIG_PASSPHRASE: "wrong" }, project.folder);
    expect(locked.stdout).toMatch(
      /\? {8}Stack dev: its credentials were not tried, because `pulumi config` failed: .*passphrase/,
    );
  } finally {
    project.close();
    await emulator.close();
  }
});
