import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator } from "../../emulator/index.js";
import { visit } from "../support/visit.js";
import { cli } from "../cli/support.js";
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
  const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...env } });
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
async function waitForOutput(
  run: { child: ChildProcess; text: () => string },
  pattern: RegExp,
): Promise<RegExpExecArray> {
  for (;;) {
    const found = pattern.exec(run.text());
    if (found !== null) return found;
    if (run.child.exitCode !== null) throw new Error(run.text());
    await once(run.child.stdout ?? run.child, "data");
  }
}

describe("pulumi-rulesets emulator", () => {
  const cli = join(root, "dist", "cli", "main.js");

  test("prints its address and how to use it in a stack, keeps its state, and stops on a signal", async () => {
    const state = join(mkdtempSync(join(tmpdir(), "emulator-cli-")), "state.json");
    const first = start([cli, "emulator", "--port", "0", "--state", state, "--token", "just-this-one"]);
    const [, url = ""] = await waitForOutput(first, /runs at (http:\/\/127\.0\.0\.1:\d+\/client\/v4)/);
    await waitForOutput(first, /Stop it with Ctrl-C/);
    expect(first.text()).toContain("pulumi config set --secret rulesets:apiToken just-this-one");
    const answer = await fetch(`${url}/zones`, { headers: { Authorization: "Bearer just-this-one" } });
    const zones = ((await answer.json()) as { result: { id: string }[] }).result;
    expect(first.text()).toContain(`pulumi config set zoneId ${zones.at(-1)?.id ?? ""}`);
    expect((await fetch(`${url}/zones`, { headers: { Authorization: "Bearer another" } })).status).toBe(401);
    const put = {
      method: "PUT",
      headers: { Authorization: "Bearer just-this-one", "Content-Type": "application/json" },
      body: JSON.stringify({ rules: [] }),
    };
    await fetch(`${url}/zones/${zones[0]?.id ?? ""}/rulesets/phases/http_ratelimit/entrypoint`, put);
    first.child.kill("SIGTERM");
    expect((await first.end).code).toBe(0);
    const again = await startEmulator({ stateFile: state });
    expect(await new Service(again).entrypoint(zones[0]?.id ?? "", "http_ratelimit")).toMatchObject({ version: "1" });
    expect(readFileSync(state, "utf8")).not.toContain("just-this-one");
    await again.close();
  });

  test("answers visitors of the zones with --edge-port, at the address it prints", async () => {
    const run = start([cli, "emulator", "--port", "0", "--edge-port", "0"]);
    const [, host = "", edge = ""] = await waitForOutput(run, /curl -i -H 'Host: (\S+)' (http:\S+)\//);
    const answer = await visit(edge, `http://${host}/hello`);
    expect([answer.status, answer.headers["x-edge-outcome"]]).toEqual([200, "allowed"]);
    expect(JSON.parse(answer.text)).toMatchObject({ url: `http://${host}/hello` });
    run.child.kill("SIGTERM");
    expect((await run.end).code).toBe(0);
  });

  test("refuses invalid options in one line", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const port = String((taken.address() as { port: number }).port);
    const seed = join(mkdtempSync(join(tmpdir(), "emulator-cli-")), "seed.json");
    writeFileSync(seed, "{ not json");
    const cases: [string[], string][] = [
      [["--port", port], `port ${port} is already in use; choose another with --port`],
      [["--port", "sometimes"], "--port must be a port from 0 to 65535, not sometimes"],
      [["--edge-port", port], `port ${port} is already in use; choose another with --edge-port`],
      [["--origin", "http://localhost"], "--origin needs --edge-port"],
      [["--edge-port", "0", "--origin", "localhost"], 'the origin must be a URL with http or https, not "localhost"'],
      [["--host", "0.0.0.0"], "only listens on loopback addresses"],
      [["--seed", seed], "cannot be read"],
    ];
    for (const [args, expected] of cases) {
      const { code, text } = await start([cli, "emulator", "--port", "0", ...args]).end;
      expect([code, text]).toEqual([1, expect.stringContaining(expected)]);
      expect(text.trim().split("\n")).toHaveLength(1);
    }
    taken.close();
  });
});

describe("pulumi-rulesets migration delete-overrides", () => {
  test("lists, deletes when confirmed, and reports the remaining ones in its exit code", async () => {
    const name = "old.example.com";
    const overrides = [{ urls: ["old.example.com/*"], rules: { "100015": "block" } }];
    const emulator = await startEmulator({ seed: { zones: [{ name, previousWaf: { overrides } }] } });
    const command = [join(root, "dist", "cli", "main.js"), "migration", "delete-overrides", "--base-url", emulator.url];
    const env = { CLOUDFLARE_API_TOKEN: "token-0123456789" };
    const run = (...args: string[]) => start([...command, ...args], env).end;
    expect(await run("--zone", name)).toMatchObject({ code: 2, text: expect.stringContaining("--yes") as string });
    expect(await run("--zone", name, "--yes")).toMatchObject({ code: 0 });
    expect(await run("--zone", name)).toMatchObject({ code: 0 });
    expect(await run("--zone", "nowhere.example.com")).toMatchObject({ code: 3 });
    expect(await run()).toMatchObject({ code: 1, text: expect.stringContaining("--zone") as string });
    await emulator.close();
  });
});

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
    const running = start([...demo, "--live", "--zone", zoneId], env);
    await waitForOutput(running, /Type the name of the zone to continue/);
    running.child.stdin?.end("enterprise.example.com\n");
    expect((await running.end).text).toContain("4 of 4 rule ids kept");
    await service.create(`zones/${zoneId}`, { name: "x", kind: "custom", phase: "http_request_firewall_custom" });
    const entry = await service.entrypoint(zoneId, "http_request_firewall_custom");
    await service.addRule(`zones/${zoneId}`, entry?.id ?? "", { action: "log", expression: "true" });
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
    await project.init(emulator.url, { "rulesets:apiToken": own });
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
