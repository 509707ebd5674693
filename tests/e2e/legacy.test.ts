import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startEmulator, type Emulator, type Seed } from "../../emulator/index.js";
import { cli, folder } from "../cli/support.js";
import { Service, TOKEN } from "../support/emulator.js";
import { writesIn } from "../support/requests.js";
import { terraformState } from "../support/states.js";
import { ProjectStack } from "./support/project.js";

const guide = join(__dirname, "..", "..", "examples", "page-rules");
const legacySeed = JSON.parse(readFileSync(join(guide, "seed.json"), "utf8")) as Seed;
/** What the test does itself. */
const PREPARED = /^(npx pulumi-rulesets emulator|export) /;
const commands = Array.from(
  readFileSync(join(guide, "README.md"), "utf8").matchAll(/```sh\n(.*?)```/gs),
  ([, text = ""]) => text.trim().split("\n"),
)
  .flat()
  .filter((line) => !PREPARED.test(line));

describe("the guide about page rules and other previous features", () => {
  let emulator: Emulator;
  let service: Service;
  let zone: string;
  const project = new ProjectStack();

  beforeAll(async () => {
    const rulesets: Seed["rulesets"] = [
      {
        zone: "shop.example.com",
        phase: "http_config_settings",
        rules: [
          { action: "set_config", expression: 'http.host eq "a.example.com"', action_parameters: { ssl: "off" } },
        ],
      },
    ];
    emulator = await startEmulator({ seed: { ...legacySeed, rulesets } });
    service = new Service(emulator);
    zone = await service.zoneNamed("shop.example.com");
  });
  afterAll(() => emulator.close());

  const run = async (line: string): Promise<{ readonly code: number; readonly text: string }> => {
    const [command = ""] = line.split(/\s+#/);
    const words = command.replace("--out infra", `--out ${project.folder}`).split(" ");
    const environment = { CLOUDFLARE_API_TOKEN: TOKEN, RULESETS_BASE_URL: emulator.url };
    if (command.startsWith("npx ")) {
      const { code, stdout, stderr } = await cli(words.slice(2), environment);
      return { code, text: stdout + stderr };
    }
    // The page shows no preview before.
    const skip = command === "pulumi up" ? ["--skip-preview"] : [];
    if (command.startsWith("pulumi ")) return { code: 0, text: await project.mustRun(...words.slice(1), ...skip) };
    const [, from = "", to = ""] = /^sed -i 's\/(.*)\/(.*)\/' \*\.ts$/.exec(command) ?? [];
    expect(from).not.toBe("");
    for (const name of readdirSync(project.folder).filter((one) => one.endsWith(".ts"))) {
      const text = readFileSync(join(project.folder, name), "utf8");
      writeFileSync(join(project.folder, name), text.replaceAll(from, to));
    }
    return { code: 0, text: "" };
  };
  const turnOff = async (path: string, change: object): Promise<void> => {
    for (const { id, ...rule } of await service.ask<{ id: string }[]>("GET", `/zones/${zone}/${path}`))
      await service.ask("PUT", `/zones/${zone}/${path}/${id}`, { ...writable(rule), ...change });
  };
  const writable = (rule: object): object =>
    Object.fromEntries(Object.entries(rule).filter(([key]) => !/_on$/.test(key)));

  test("does what it says, and changes no previous rule", async () => {
    const [
      generate = "",
      up = "",
      verifyDisabled = "",
      enable = "",
      again = "",
      verify = "",
      verifyOff = "",
      preview = "",
    ] = commands;
    expect(commands).toHaveLength(8);

    const generated = await run(generate);
    expect([generated.code, generated.text]).toEqual([0, expect.stringContaining("are proved to do")]);
    const page = readFileSync(join(project.folder, "MIGRATION.md"), "utf8");
    expect(page).toMatch(/\| page rule "\\\*shop\.example\.com\/\\\*" \| `legacy-page-\w+-config` \| same \|/);
    expect(page).toContain("remove `enabled: false`");
    expect(existsSync(join(project.folder, "index.ts"))).toBe(true);

    await project.init(emulator.url);
    await service.forget();
    await run(up);
    const disabled = await run(verifyDisabled);
    expect([disabled.code, disabled.text]).toEqual([2, expect.stringContaining("is not deployed, or disabled")]);
    project.checksTypes = false;
    await run(enable);
    await run(again);
    const writes = writesIn(await service.requests());
    expect(writes.filter((write) => /pagerules|firewall\/|rate_limits/.test(JSON.stringify(write)))).toEqual([]);
    expect(writes.length).toBeGreaterThan(0);

    const deployed = await run(verify);
    expect([deployed.code, deployed.text]).toEqual([0, expect.stringContaining('- [ ] user agent rule "BadBot/1.0"')]);
    await turnOff("pagerules", { status: "disabled" });
    await turnOff("firewall/ua_rules", { paused: true });
    const half = await run(verifyOff);
    expect([half.code, half.text]).toEqual([0, expect.stringContaining('- [x] user agent rule "BadBot/1.0"')]);
    expect(half.text).toContain('- [ ] lockdown "shop.example.com/admin/*"');
    await turnOff("firewall/lockdowns", { paused: true });
    expect(await run(verifyOff)).toMatchObject({ code: 0 });
    await run(preview);
  });
});

describe("a zone on a small plan", () => {
  let emulator: Emulator;
  let service: Service;
  const project = new ProjectStack();
  const run = (...args: readonly string[]) =>
    cli([...args], { CLOUDFLARE_API_TOKEN: TOKEN, RULESETS_BASE_URL: emulator.url });
  const pageRule = (value: string, url: string) => ({
    targets: [{ target: "url", constraint: { operator: "matches", value } }],
    actions: [{ id: "forwarding_url", value: { url, status_code: 301 } }],
  });

  beforeAll(async () => {
    const pageRules = Array.from({ length: 12 }, (_, at) =>
      pageRule(`shop.example.com/Old/${String(at)}`, `https://new.example.com/${String(at)}`),
    );
    const accessRules = Array.from({ length: 300 }, (_, at) => ({
      mode: "block",
      configuration: { target: "ip", value: `198.51.${String(at >> 8)}.${String(at & 255)}` },
    }));
    emulator = await startEmulator({
      seed: {
        accounts: [{ name: "Acme" }],
        zones: [{ name: "shop.example.com", plan: "free", legacy: { pageRules, accessRules } }],
      },
    });
    service = new Service(emulator);
  });
  afterAll(() => emulator.close());

  test("gets lists of addresses and redirects, which verify reads", async () => {
    const account = await service.account();
    const zone = ["--zone", "shop.example.com"];
    const alone = await run("generate", ...zone, "--from-legacy");
    expect(alone.stderr).toContain(`12 redirects of single URLs can become a redirect list of the account, if you add`);
    expect(alone.stdout).not.toContain("# Migration");
    const generated = await run(
      ...["generate", ...zone, "--account", account, "--from-legacy", "--out", project.folder],
    );
    expect(generated.stderr).toContain("312 previous rules");
    project.checksTypes = false;
    await project.init(emulator.url);
    await project.mustRun("up", "--skip-preview");
    const verified = await run("migration", "verify", ...zone);
    expect(verified.stdout).not.toContain("Not proved");
    expect(verified.stdout).not.toContain("is not deployed");
    expect(verified.stdout).toContain("a redirect list compares the path with its letter case");
    expect(verified.code).toBe(2);
  });
});

test("a state of Terraform becomes a program, and its resources stay with Terraform", async () => {
  const zone_id = "0123456789abcdef0123456789abcdef";
  const state = terraformState({
    type: "cloudflare_zone_lockdown",
    name: "admin",
    values: {
      ...{ id: "a1b2c3d4e5f60718293a4b5c6d7e8f90", zone_id, urls: ["example.com/admin/*"], paused: false },
      configurations: [{ target: "ip", value: "192.0.2.1" }],
    },
  });
  const path = join(folder({ "a.tfstate": state }), "a.tfstate");
  const counted = await cli(["generate", "--from", path]);
  expect([counted.code, counted.stderr]).toEqual([2, expect.stringContaining("add --from-legacy")]);
  const { code, stdout, stderr } = await cli(["generate", "--from", path, "--from-legacy"]);
  expect([code, stdout]).toEqual([0, expect.stringContaining('ref: "legacy-lockdown-a1b2c3d4e5f6"')]);
  expect(stderr).toContain("The previous rules stay with the old tool");
});

test.each([
  [403, "firewall/lockdowns"],
  [404, "firewall/ua_rules"],
  [500, "pagerules"],
])("a read that is answered with %d is named, and nothing is claimed: %s", async (status, path) => {
  const emulator = await startEmulator({ seed: legacySeed });
  try {
    const service = new Service(emulator);
    const zone = await service.zoneNamed("shop.example.com");
    await service.fault({ path: `/zones/${zone}/${path}`, status, times: 100 });
    const { code, stderr } = await cli(["generate", "--zone", zone, "--from-legacy"], {
      CLOUDFLARE_API_TOKEN: TOKEN,
      RULESETS_BASE_URL: emulator.url,
    });
    expect([code, stderr]).toEqual([3, expect.stringContaining(path)]);
    expect(stderr).toContain(String(status));
  } finally {
    await emulator.close();
  }
});
