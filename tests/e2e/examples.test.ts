import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator } from "../../emulator/index.js";
import seed from "../../examples/waf-migration/seed.json";
import { Service, TOKEN } from "../support/emulator.js";
import { writesIn } from "../support/requests.js";
import { EngineStack } from "./support/stack.js";
import type { Seed } from "../../emulator/index.js";

describe("the programs of the examples", () => {
  let stack: EngineStack;
  let zoneId: string;
  beforeEach(async () => {
    stack = await EngineStack.start();
    zoneId = await stack.service.zone();
  });
  afterEach(() => stack.close());

  test("managed-rules: lookups run in the preview too, with two requests in addition to those of the rulesets", async () => {
    await stack.setConfig({ zoneName: { value: "enterprise.example.com" } });
    const lookUps = (requests: readonly string[]): string[] =>
      requests.filter((request) => /zones$|efb7b8c949ac4650a09736fc376e9aee$/.test(request));
    const preview = await stack.example("preview", "managed-rules");
    expect(preview.text).toContain("log: Wordpress - Broken access control");
    expect(preview.text).not.toContain("Drupal - remote code execution");
    // The provider reads the managed ruleset too, for the tag that an override names.
    expect(lookUps(preview.requests)).toHaveLength(3);
    expect(preview.text).toContain(
      'managed rules: 5de7edfa648c4d6891dc3e7f84534ffa ("Wordpress - Broken access control")',
    );
    const up = await stack.example("up", "managed-rules");
    expect(up.changes).toEqual({ create: 3 });
    expect(up.outputs.deployed).toEqual(["Managed rules", "OWASP", "Office passes", "Admin pages are for the office"]);
    const rules = (await stack.service.entrypoint(zoneId, "http_request_firewall_custom"))?.rules;
    expect(rules?.map(({ expression }) => expression)).toEqual([
      "ip.src in {192.0.2.0/24}",
      'starts_with(http.request.uri.path, "/admin") and not ip.src in {192.0.2.0/24}',
    ]);
  });

  test("shared-by-teams, with the rules of another team", async () => {
    const phase = "http_request_firewall_custom";
    const theirs = {
      ref: "mail",
      description: "Theirs",
      action: "block",
      expression: 'http.host eq "mail.example.com"',
    };
    await stack.service.create(`zones/${zoneId}`, { name: "default", kind: "zone", phase, rules: [theirs] });
    await stack.setConfig({ zoneId: { value: zoneId } });
    expect((await stack.example("up", "shared-by-teams")).changes).toEqual({ create: 2 });
    await stack.setConfig({ zoneId: { value: zoneId }, before: { value: "mail" } });
    expect((await stack.example("preview", "shared-by-teams")).text).toContain(
      `1 "Partners of shop pass" (yours), 2 another's, 3 "Block the admin pages of shop" (yours)`,
    );
    expect((await stack.example("up", "shared-by-teams")).changes).toEqual({ same: 1, update: 1 });
    const rules = (await stack.service.entrypoint(zoneId, phase))?.rules.map(({ ref }) => ref);
    expect(rules).toEqual(["shop-partners", "mail", "shop-admin"]);
  });

  test("go-back: a limit stops a mistake, and the first version is restored", async () => {
    const phase = "http_request_firewall_custom";
    const names = async () =>
      (await stack.service.entrypoint(zoneId, phase))?.rules.map(({ description }) => description);
    await stack.setConfig({ zoneId: { value: zoneId } });
    expect((await stack.example("up", "go-back")).changes).toEqual({ create: 2 });
    const whole = ["Block /admin", "Block /login", "Block /.env"];
    expect(await names()).toEqual(whole);
    const first = (await stack.service.entrypoint(zoneId, phase))?.version ?? "";
    await stack.setConfig({ blockedPaths: { value: "/admin" } });
    const stopped = await stack.example("up", "go-back");
    expect([stopped.ok, stopped.text]).toEqual([false, expect.stringContaining("Block /.env")]);
    expect(await names()).toEqual(whole);
    await stack.setConfig({ blockedPaths: { value: "/admin,/login" } });
    expect((await stack.example("up", "go-back")).outputs).toMatchObject({ previousVersion: first });
    expect(await names()).toEqual(whole.slice(0, 2));
    await stack.setConfig({ restoreVersion: { value: first } });
    expect((await stack.example("up", "go-back")).ok).toBe(true);
    expect(await names()).toEqual(whole);
    await stack.removeConfig("restoreVersion", "blockedPaths");
    const back = await stack.example("up", "go-back");
    expect(writesIn(back.requests)).toEqual([]);
  });

  test("dry-run: messages and errors of the service are in the preview, which stores nothing", async () => {
    await stack.setConfig({ zoneId: { value: zoneId }, "rulesets:dryRun": { value: "on" } });
    const overridden = "feedfacefeedfacefeedfacefeedface";
    await stack.setConfig({ overriddenRule: { value: overridden } });
    const noted = await stack.example("preview", "dry-run");
    expect(noted.text).toContain("the service accepts the change (dry run)");
    expect(noted.text).toContain(`the service says: rule ${overridden} of ruleset`);
    await stack.removeConfig("overriddenRule");
    await stack.setConfig({ field: { value: "http.request.partner" } });
    const stopped = await stack.example("preview", "dry-run");
    expect([stopped.ok, stopped.text]).toEqual([false, expect.stringMatching(/rules\[1\].*the service rejects/)]);
    expect(await stack.service.entrypoint(zoneId, "http_request_firewall_custom")).toBeUndefined();
  });

  test("zone-security, with its attack mode", async () => {
    await stack.setConfig({ zoneId: { value: zoneId }, accountId: { value: await stack.service.account() } });
    expect((await stack.example("up", "zone-security")).changes).toEqual({ create: 7 });
    const before = (await stack.service.entrypoint(zoneId, "http_request_firewall_custom"))?.rules ?? [];
    await stack.setConfig({ underAttack: { value: "true" } });
    const attack = await stack.example("up", "zone-security");
    expect(attack.changes).toEqual({ same: 5, update: 2 });
    expect(attack.requests).toHaveLength(4);
    const after = (await stack.service.entrypoint(zoneId, "http_request_firewall_custom"))?.rules ?? [];
    expect(after.slice(1)).toEqual(before);
  });
});

describe("the examples of the migration", () => {
  test("one zone: validation, the finish, and the handover without a change", async () => {
    const stack = await EngineStack.start({ seed: seed as Seed });
    try {
      const zoneId = await stack.service.zone();
      const config = (values: Record<string, string>) =>
        stack.setConfig(Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value }])));
      await config({ zoneId, zoneName: "shop.example.com", mode: "validation" });
      expect((await stack.example("up", "waf-migration")).outputs).toMatchObject({ phase: "validation" });
      await stack.service.setPreviousWaf(zoneId, { progression: "at-once" });
      await config({ mode: "pending" });
      expect((await stack.example("up", "waf-migration")).outputs).toMatchObject({ phase: "finished" });
      await config({ handOver: "true" });
      const handed = await stack.example("up", "waf-migration");
      expect(writesIn(handed.requests)).toEqual([]);
      expect(await stack.example("up", "waf-migration")).toMatchObject({ requests: [], changes: { same: 3 } });
    } finally {
      await stack.close();
    }
  });

  /** Runs Node in a folder; returns its exit code and its output. */
  const run = (folder: string, env: object, ...args: string[]): Promise<{ code: number; text: string }> =>
    new Promise((resolve) => {
      const options = { cwd: folder, env: { ...process.env, ...env } };
      execFile(process.execPath, ["--no-warnings", ...args], options, (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === "number" ? error.code : 0, text: stdout + stderr });
      });
    });

  test("a fleet in waves from a reviewed plan; a zone that has changed since then does not stop the others", async () => {
    const names = ["a", "b", "c", "d", "e"].map((letter) => `${letter}.example.com`);
    const previousWaf = { progression: { seconds: 60 } };
    const emulator = await startEmulator({
      seed: { zones: names.map((name) => ({ name, plan: "pro" as const, previousWaf })) },
    });
    const root = join(__dirname, "..", "..");
    const folder = join(root, "examples", "waf-migration-fleet");
    const backend = mkdtempSync(join(tmpdir(), "pulumi-rulesets-fleet-"));
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
      const cli = join(root, "dist", "cli", "main.js");
      expect(await run(root, env, cli, "migration", "plan", "--account", account, "--json", "--output", plan)).toEqual({
        code: 0,
        text: "",
      });
      const changed = await service.zoneNamed("b.example.com");
      await service.ask("PATCH", `/zones/${changed}/settings/waf`, { value: "off" });
      const wave = () => run(folder, env, "index.ts", plan, "1", "3");
      const first = await wave();
      expect(first.text).toContain("a.example.com: finishing");
      expect(first.text).toMatch(
        /b\.example\.com: failed\.[\s\S]*changed since the review[\s\S]*rule 1 is new or was changed/,
      );
      expect(first.text).toContain("c.example.com: finishing");
      expect([first.code, first.text.trim().split("\n").at(-1)]).toEqual([1, "wave 1: 3 zones, 1 failed"]);
      await service.advanceClock(61);
      expect((await wave()).text).toContain("a.example.com: finished");
      const status = await run(root, env, cli, "migration", "status", "--account", account);
      expect(status.text).toContain("5 zones: 2 migrated.");
    } finally {
      await emulator.close();
      rmSync(backend, { recursive: true, force: true });
      // The engine writes a settings file for each stack next to the program.
      for (const name of names) rmSync(join(folder, `Pulumi.${name}.yaml`), { force: true });
    }
  });
});

describe("the examples of certificates", () => {
  let stack: EngineStack;
  beforeEach(async () => {
    const hostnames = [
      { hostname: "a.customer.test", certificateAuthority: "lets_encrypt" },
      { hostname: "b.customer.test", certificateAuthority: "google" },
      { hostname: "c.customer.test", certificateAuthority: "ssl_com" },
    ];
    stack = await EngineStack.start({ seed: { zones: [{ name: "saas.example.com", certificates: { hostnames } }] } });
    await stack.setConfig({ zoneId: { value: await stack.service.zone() }, to: { value: "google" } });
  });
  afterEach(() => stack.close());
  const edits = (requests: readonly string[]): number => requests.filter((item) => item.startsWith("PATCH")).length;

  test("every hostname of the affected authority is moved, after a preview", async () => {
    const preview = await stack.example("preview", "move-hostnames");
    expect(preview.text).toContain("a.customer.test: from Let's Encrypt to Google Trust Services");
    expect(preview.text).toContain("b.customer.test is already issued by Google Trust Services; no edit will be sent");
    expect(edits(preview.requests)).toBe(0);
    const up = await stack.example("up", "move-hostnames");
    expect(edits(up.requests)).toBe(1);
    expect(up.outputs).toMatchObject({ act: ["a.customer.test"], hostnames: ["a.customer.test", "b.customer.test"] });
  });
});
