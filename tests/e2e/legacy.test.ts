import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startEmulator, type Emulator, type Seed } from "../../emulator/index.js";
import { cli } from "../cli/support.js";
import { Service, TOKEN } from "../support/emulator.js";
import { writesIn } from "../support/requests.js";
import { ProjectStack } from "./support/project.js";

const pageRule = (url: string, ...actions: readonly object[]) => ({
  targets: [{ target: "url", constraint: { operator: "matches", value: url } }],
  actions,
});
const seed: Seed = {
  accounts: [{ name: "Acme" }],
  zones: [
    {
      name: "shop.example.com",
      legacy: {
        pageRules: [
          pageRule("shop.example.com/old/*", {
            id: "forwarding_url",
            value: { url: "https://new.example.com/$1", status_code: 301 },
          }),
          pageRule("shop.example.com/admin/*", { id: "ssl", value: "strict" }, { id: "cache_level", value: "bypass" }),
          pageRule("*shop.example.com/*", { id: "ssl", value: "full" }),
        ],
        userAgentRules: [{ mode: "block", configuration: { target: "ua", value: "BadBot/1.0" } }],
        lockdowns: [
          { urls: ["shop.example.com/admin/*"], configurations: [{ target: "ip_range", value: "192.0.2.0/24" }] },
        ],
        accessRules: Array.from({ length: 300 }, (_, at) => ({
          mode: "block",
          configuration: { target: "ip", value: `198.51.${String(at >> 8)}.${String(at & 255)}` },
        })),
      },
    },
  ],
  rulesets: [
    {
      zone: "shop.example.com",
      phase: "http_config_settings",
      rules: [{ action: "set_config", expression: 'http.host eq "a.example.com"', action_parameters: { ssl: "off" } }],
    },
  ],
};

describe("page rules and other previous features", () => {
  let emulator: Emulator;
  let service: Service;
  const project = new ProjectStack();
  const run = (...args: readonly string[]) =>
    cli([...args], { CLOUDFLARE_API_TOKEN: TOKEN, RULESETS_BASE_URL: emulator.url });

  beforeAll(async () => {
    emulator = await startEmulator({ seed });
    service = new Service(emulator);
  });
  afterAll(() => emulator.close());

  test("become a program that does the same beside them, and nothing of them is changed", async () => {
    const generated = await run("generate", "--zone", "shop.example.com", "--from-legacy", "--out", project.folder);
    expect([generated.code, generated.stderr]).toEqual([0, expect.stringContaining("are proved to do")]);
    const page = readFileSync(join(project.folder, "MIGRATION.md"), "utf8");
    expect(page).toMatch(/\| page rule "\\\*shop\.example\.com\/\\\*" \| `legacy-page-\w+-config` \| same \|/);
    expect(existsSync(join(project.folder, "index.ts"))).toBe(true);

    const before = await run("migration", "verify", "--zone", "shop.example.com");
    expect([before.code, before.stdout]).toEqual([2, expect.stringContaining("is not deployed, or disabled")]);

    await project.init(emulator.url);
    await service.forget();
    await project.mustRun("up");
    const writes = writesIn(await service.requests());
    expect(writes.filter((write) => /pagerules|firewall\/|rate_limits/.test(JSON.stringify(write)))).toEqual([]);
    expect(writes.length).toBeGreaterThan(0);

    const after = await run("migration", "verify", "--zone", "shop.example.com");
    expect([after.code, after.stdout]).toEqual([0, expect.stringContaining('- [ ] user agent rule "BadBot/1.0"')]);
    await project.mustRun("preview", "--expect-no-changes");
  });
});
