import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Emulator, Seed } from "../../emulator/index.js";
import { ruleToWire } from "../../core/model/codec.js";
import { everyAction, sampleSeed } from "../support/every-action.js";
import { Service, TOKEN, type WireRule } from "../support/emulator.js";
import { terraformState } from "../support/states.js";
import { compilerErrors, formatted } from "../support/typescript.js";
import { cli, newFile, root, type Finished } from "./support.js";
import { emulatorWith } from "../support/emulators.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const admin = {
  action: "block",
  description: "Block admin",
  expression: 'starts_with(http.request.uri.path, "/admin")',
};
const secret = { action: "block", expression: 'http.request.headers["x-origin-key"][0] ne "hunter22"' };
const entry = (zone: string, phase: string, ...rules: object[]) => ({
  zone,
  phase,
  rules: rules as Record<string, unknown>[],
});
const managed = {
  action: "execute",
  expression: "true",
  action_parameters: { id: "efb7b8c949ac4650a09736fc376e9aee" },
};
const seed: Seed = {
  ...sampleSeed,
  accounts: [{ name: "Acme" }],
  zones: [
    { name: "a.example.com" },
    {
      name: "b.example.com",
      certificates: { hostnames: [{ hostname: "x.customer.test", certificateAuthority: "google" }] },
    },
    { name: "c.example.com" },
    { name: "every.example.com" },
  ],
  rulesets: [
    entry("a.example.com", "http_request_firewall_custom", admin),
    entry("a.example.com", "http_request_firewall_managed", managed),
    entry("b.example.com", "http_request_firewall_custom", admin),
    entry("c.example.com", "http_request_firewall_custom", secret),
    ...everyAction.map(({ phase, level, rules }) => ({
      ...(level === "zones" ? { zone: "every.example.com" } : { account: "Acme" }),
      phase,
      rules: rules.map(ruleToWire),
    })),
    {
      account: "Acme",
      kind: "custom",
      name: "Blocked",
      phase: "http_request_firewall_custom",
      rules: [admin],
    },
  ],
};

const ANSWER = { success: true, errors: [], messages: [] };

describe("pulumi-rulesets generate", () => {
  let emulator: Emulator;
  let service: Service;
  let account: string;
  beforeAll(async () => {
    emulator = await emulatorWith({ seed });
    service = new Service(emulator);
    account = await service.account();
  });
  const generate = async (...args: string[]): Promise<Finished> => {
    await service.forget();
    return cli(["generate", "--base-url", emulator.url, ...args], { CLOUDFLARE_API_TOKEN: TOKEN });
  };

  test("prints the program of a zone, with one list and one request for each ruleset", async () => {
    const zone = await service.zoneNamed("a.example.com");
    const { code, stdout, stderr } = await generate("--zone", zone, "--no-certificates");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain('new PhaseEntrypoint("a-example-com-firewall-custom", {');
    expect(stdout).toContain("managedRulesets.cloudflareManaged");
    const requests = await service.requests();
    expect(requests.map((request) => request.replace(/[0-9a-f]{32}$/, "<id>")).sort()).toEqual([
      // The custom ruleset that the zone lists may belong to the account.
      `GET /accounts/${account}/rulesets`,
      `GET /zones/<id>`,
      `GET /zones/${zone}/rulesets`,
      `GET /zones/${zone}/rulesets/<id>`,
      `GET /zones/${zone}/rulesets/<id>`,
    ]);
    expect((await generate("--zone", "a.example.com", "--no-certificates")).stdout).toBe(stdout);
  });

  test("requests only the selected phases", async () => {
    const { code, stdout } = await generate("--zone", "a.example.com", "--phase", "http_request_firewall_managed");
    expect(code).toBe(0);
    expect(stdout.match(/new \w+/g)).toEqual(["new PhaseEntrypoint"]);
    const requests = await service.requests();
    expect(requests.filter((request) => /rulesets\/|hostnames|total_tls/.test(request))).toHaveLength(1);
  });

  test("writes a complete project that is formatted and compiles, and refuses to overwrite it", async () => {
    const folder = temporaryFolder();
    const { code, stdout, stderr } = await generate("--account", account, "--all-zones", "--out", folder);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("pulumi config set --secret xOriginKey");
    const files = readdirSync(folder).sort();
    expect(files).toEqual([
      "Pulumi.yaml",
      "a-example-com.ts",
      `account-${account.slice(0, 8)}.ts`,
      "b-example-com.ts",
      "c-example-com.ts",
      "every-example-com.ts",
      "index.ts",
      "package.json",
      "shared.ts",
      "tsconfig.json",
    ]);
    for (const name of files.filter((file) => file.endsWith(".ts"))) {
      const text = readFileSync(join(folder, name), "utf8");
      expect(await formatted(text)).toBe(text);
      expect(text).not.toContain("hunter22");
    }
    const { dependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
      dependencies: Record<string, string>;
    };
    expect(resolve(folder, (dependencies["pulumi-rulesets"] ?? "").replace(/^file:/, ""))).toBe(root);
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    expect(compilerErrors(folder)).toEqual([]);

    const again = await generate("--all-zones", "--out", folder);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("already contains index.ts")]);
    expect(await service.requests()).toEqual([]);
  });

  test("leaves the files of a project that are there as they are", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "package.json"), "{}");
    const { stderr } = await generate("--zone", "a.example.com", "--out", folder);
    expect(stderr).toContain("package.json was already there and left unchanged.");
    expect(readFileSync(join(folder, "package.json"), "utf8")).toBe("{}");
    expect(readdirSync(folder).sort()).toEqual(["Pulumi.yaml", "index.ts", "package.json", "tsconfig.json"]);
  });

  describe("a part that the service does not return hides no other", () => {
    afterEach(() => service.noFaults());
    const fail = (path: string, status: number) => service.fault({ method: "GET", path, status, times: 99 });
    const generateB = async () => {
      const { code, stdout, stderr } = await generate("--zone", "b.example.com");
      const declared = [...stdout.matchAll(/new (\w+)\(/g)].map(([, type]) => type);
      return { code, declared, stderr };
    };

    test.each([
      ["/acm/total_tls$", 404, "Total TLS", ["PhaseEntrypoint", "CustomHostnameCa"]],
      ["/acm/total_tls$", 400, "Total TLS", ["PhaseEntrypoint", "CustomHostnameCa"]],
      ["/custom_hostnames$", 404, "custom hostnames", ["PhaseEntrypoint"]],
      ["/zones/[0-9a-f]{32}/rulesets/[0-9a-f]{32}$", 404, "http_request_firewall_custom", ["CustomHostnameCa"]],
    ])("%s, with status %i", async (path, status, what, declared) => {
      await fail(path, status);
      const found = await generateB();
      expect(found).toMatchObject({ code: 2, declared });
      expect(found.stderr).toMatch(new RegExp(`1 item left out:\n {2}b\\.example\\.com: ${what}: .*${String(status)}`));
    });

    test.each([
      ["404", { status: 404 }],
      ["contains no list", { body: { ...ANSWER, result: "none" } }],
      ["contains no list", { body: { ...ANSWER, result: null } }],
      ["not even those of Cloudflare", { body: { ...ANSWER, result: [] } }],
    ])("the list of its rulesets: %s", async (reason, answer) => {
      await service.fault({ method: "GET", path: "/zones/[0-9a-f]{32}/rulesets$", times: 99, ...answer });
      const found = await generateB();
      expect(found).toMatchObject({ code: 3, declared: ["CustomHostnameCa"] });
      expect(found.stderr).toMatch(new RegExp(`b\\.example\\.com could not be read: its rulesets: .*${reason}`));
    });

    test("custom hostnames without a certificate, an ID or a name", async () => {
      const ssl = { method: "http", status: "active", certificate_authority: "google" };
      const result = [
        { id: "h1", hostname: "bare.test", ssl: null },
        { id: null, hostname: "unknown.test", ssl },
        { id: "h3", hostname: null, ssl },
        { id: "h4", hostname: "whole.test", ssl },
        { id: "h5", hostname: "own.test", ssl: { ...ssl, custom_certificate: "-----BEGIN" } },
      ];
      await service.fault({ method: "GET", path: "/custom_hostnames$", times: 9, body: { ...ANSWER, result } });
      const found = await generateB();
      expect(found).toMatchObject({ code: 2, declared: ["PhaseEntrypoint", "CustomHostnameCa"] });
      expect(found.stderr).toContain("custom hostname bare.test: it has no certificate");
      expect(found.stderr).toContain("custom hostname unknown.test: the service returns it without its ID");
      expect(found.stderr).toContain("custom hostname h3: the service returns it without its name");
      expect(found.stderr).toContain("custom hostname own.test: its certificate was uploaded");
    });

    test("a list with an item that is not of its kind", async () => {
      const list = { id: "a".repeat(32), name: "odd", kind: "ip", num_items: 1 };
      const items = { ...ANSWER, result: [{ id: "b".repeat(32), redirect: {} }] };
      await service.fault({ method: "GET", path: "/rules/lists$", times: 9, body: { ...ANSWER, result: [list] } });
      await service.fault({ method: "GET", path: "/items", status: 200, times: 9, body: items });
      const found = await generate("--account", account);
      expect([found.code, found.stdout]).toEqual([2, expect.stringContaining("new Ruleset(")]);
      expect(found.stderr).toMatch(/list odd: .* an item that is not of the kind ip/);
    });

    test.each<[string, (rules: readonly WireRule[]) => unknown]>([
      ["a rule without an ID", (rules) => rules.map(({ id: _id, ...rule }) => rule)],
      ["a rule with the ID of another", (rules) => [...rules, ...rules]],
      ["a rule without an action", (rules) => rules.map(({ action: _action, ...rule }) => rule)],
      ["rules that are no list", () => ({})],
    ])("%s makes its ruleset an answer that cannot be trusted", async (what, rulesOf) => {
      const zone = await service.zoneNamed("b.example.com");
      const { id, ...rest } = (await service.entrypoint(zone, "http_request_firewall_custom")) ?? { id: "", rules: [] };
      const result = { id, ...rest, rules: rulesOf(rest.rules) };
      const body = { ...ANSWER, result };
      await service.fault({ method: "GET", path: `/rulesets/${id}$`, status: 200, body, times: 9 });
      const found = await generateB();
      expect(found).toMatchObject({ code: 2, declared: ["CustomHostnameCa"] });
      expect(found.stderr).toMatch(new RegExp(`the response has ${what}.*, so it cannot be trusted`));
    });
  });

  test("includes the other zones when one fails, and reports it in the exit code", async () => {
    const zone = await service.zoneNamed("b.example.com");
    await service.fault({ method: "GET", path: `/zones/${zone}/rulesets`, status: 403 });
    const { code, stdout, stderr } = await generate("--all-zones");
    await service.noFaults();
    expect(code).toBe(3);
    expect(stderr).toContain("b.example.com could not be read:");
    expect(stdout).toContain("a-example-com-firewall-custom");
    const unknown = await generate("--zone", "nowhere.example.com", "--zone", "a.example.com");
    expect([unknown.code, unknown.stderr]).toEqual([
      3,
      expect.stringContaining("nowhere.example.com could not be read"),
    ]);
  });

  test("asks for secrets as the service compares them: the program with these values means the same", async () => {
    const key = 'ab"cd\\ef';
    const values = {
      xKey: key,
      xApiKey: "first-one",
      xApiKeySecretsExampleCom: "second-one",
      session: "session=abc123",
    };
    const own = await emulatorWith({
      seed: {
        zones: [{ name: "secrets.example.com" }],
        rulesets: [
          entry(
            "secrets.example.com",
            "http_request_firewall_custom",
            { action: "block", expression: 'http.request.headers["x-key"][0] ne "ab\\"cd\\\\ef"' },
            {
              action: "block",
              expression: 'not any(http.request.headers["x-api-key"][*] in {"first-one" "second-one"})',
            },
            {
              action: "skip",
              expression: 'http.cookie contains "session=abc123"',
              action_parameters: { ruleset: "current" },
            },
          ),
        ],
      },
    });
    const path = temporaryFolder();
    const env = { CLOUDFLARE_API_TOKEN: TOKEN };
    const to = ["--base-url", own.url, "--zone", "secrets.example.com"];
    const { code, stderr } = await cli(["generate", ...to, "--no-certificates", "--out", path], env);
    expect(code).toBe(2);
    for (const name of Object.keys(values)) expect(stderr).toContain(`pulumi config set --secret ${name}`);
    expect(stderr).toMatch(
      /x-api-key \(1 of 2\)[\s\S]*x-api-key \(2 of 2\)[\s\S]*session \(with the name, session=…\)/,
    );
    const source = readdirSync(path)
      .filter((name) => name.endsWith(".ts"))
      .map((name) => readFileSync(join(path, name), "utf8"));
    expect(source.join("\n")).not.toMatch(/first-one|second-one|abc123|cd\\/);
    symlinkSync(join(root, "node_modules"), join(path, "node_modules"));
    const settings = (given: Record<string, string>) =>
      Object.entries(given).flatMap(([name, value]) => ["--config", `${name}=${value}`]);
    const diff = (given: Record<string, string>) => cli(["rules", "diff", path, ...to, ...settings(given)], env);
    expect((await diff(values)).stdout).toContain("Equivalent: no request is treated differently.");
    expect((await diff({ ...values, xApiKeySecretsExampleCom: "another-one" })).stdout).not.toContain("Equivalent");
    await own.close();
  });

  test("writes JSON for a pipeline, without secrets", async () => {
    const { code, stdout } = await generate("--zone", "c.example.com", "--json");
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      resources: 1,
      files: [{ path: "index.ts" }],
      secrets: [{ key: "xOriginKey", where: "c.example.com", what: "x-origin-key in http_request_firewall_custom" }],
      leftOut: [],
      notRead: [],
    });
    expect(stdout).not.toContain("hunter22");
  });

  test("generates the same program from a Terraform state as from the service, and explains how to remove it from Terraform", async () => {
    const zone = await service.zoneNamed("a.example.com");
    const rulesets = (await service.list(`zones/${zone}`)).filter(({ kind }) => kind === "zone");
    const whole = await Promise.all(rulesets.map(({ id }) => service.ruleset(`zones/${zone}`, id)));
    const resources = [
      ...whole.map((ruleset) => ({
        type: "cloudflare_ruleset",
        name: ruleset.phase,
        values: { ...ruleset, zone_id: zone },
      })),
      { type: "cloudflare_zone", name: "a", values: { id: zone, name: "a.example.com" } },
    ];
    const file = newFile("terraform.tfstate", JSON.stringify(terraformState(...resources)));
    await service.forget();
    const read = await cli(["generate", "--from", file], { CLOUDFLARE_API_TOKEN: "", RULESETS_API_TOKEN: "" });
    expect(await service.requests()).toEqual([]);
    expect([read.code, read.stderr]).toEqual([
      0,
      expect.stringContaining("terraform state rm cloudflare_ruleset.http_request_firewall_custom"),
    ]);
    expect(read.stdout).toBe((await generate("--zone", zone, "--no-certificates")).stdout);
    const managedOnly = await cli(["generate", "--from", file, "--phase", "http_request_firewall_managed"]);
    expect(managedOnly.stdout.match(/new \w+/g)).toEqual(["new PhaseEntrypoint"]);
    expect(managedOnly.stderr).not.toContain("http_request_firewall_custom");
    expect(await generate("--from", file, "--all-zones")).toMatchObject({ code: 1 });
    const plain = readFileSync(file, "utf8");
    for (const bytes of [`\ufeff${plain}`, Buffer.from(`\ufeff${plain}`, "utf16le")]) {
      writeFileSync(file, bytes);
      expect((await cli(["generate", "--from", file])).stdout).toBe(read.stdout);
    }
    writeFileSync(file, '{"hush-hush": ');
    const broken = await generate("--from", file);
    expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining("is not JSON")]);
    expect(broken.stderr).not.toContain("hush-hush");
  });

  test("reports missing and conflicting options", async () => {
    expect(await generate()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("specify zones with --zone") as string,
    });
    const help = await cli(["generate", "--help"]);
    expect(help.stdout).toContain("Exit codes:\n  0  everything is in the program");
  });
});

describe("pulumi-rulesets generate, for what a program cannot declare", () => {
  let emulator: Emulator;
  const WORDPRESS = "76103546c9e9738a21047932accefc6e";
  const overrides = { rules: [{ id: WORDPRESS, action: "log" }] };
  beforeAll(async () => {
    emulator = await emulatorWith({
      seed: {
        zones: [{ name: "old.example.com", previousWaf: {} }, { name: "new.example.com" }],
        rulesets: [
          entry("old.example.com", "http_request_firewall_custom", admin),
          entry("new.example.com", "http_request_firewall_managed", {
            ...managed,
            action_parameters: { ...managed.action_parameters, overrides },
          }),
        ],
      },
    });
  });
  const generate = (...args: string[]): Promise<Finished> =>
    cli(["generate", "--base-url", emulator.url, ...args], { CLOUDFLARE_API_TOKEN: TOKEN });

  test("points to the plan of the migration for a zone on the previous WAF", async () => {
    const { code, stderr } = await generate("--zone", "old.example.com", "--zone", "new.example.com");
    expect([code, stderr]).toEqual([0, expect.stringContaining("still protects these zones.")]);
    expect(stderr.match(/migration plan .*/g)).toEqual(["migration plan --zone old.example.com"]);
    expect((await generate("--zone", "old.example.com", "--phase", "http_ratelimit")).stderr).not.toContain(
      "migration",
    );
  });

  test("names the rules of managed rulesets in comments", async () => {
    const { stdout } = await generate("--zone", "new.example.com");
    expect(stdout).toMatch(new RegExp(`// \\w[^\\n]+\\n +id: "${WORDPRESS}",`));
  });

  test("names the nearest zone for a misspelled one", async () => {
    for (const [name, near] of [
      ["old.exmaple.com", "old.example.com"],
      ["new", "new.example.com"],
    ] as const) {
      const { code, stderr } = await generate("--zone", name);
      expect([code, stderr]).toEqual([3, expect.stringContaining(`there is no zone ${name}`)]);
      expect(stderr).toContain(`did you mean ${near}?`);
    }
  });
});
