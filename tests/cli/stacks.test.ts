import { chmodSync, readFileSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join, relative } from "node:path";
import type { Emulator } from "../../emulator/index.js";
import { ManagedResource } from "../lifecycle/managed.js";
import { program, tree } from "../support/commands.js";
import { Service, TOKEN } from "../support/emulator.js";
import { cli, folder, root } from "./support.js";
import { emulatorWith } from "../support/emulators.js";

/*
 * A project with two stacks, each of a service of its own with a token of its own, of which one is selected. Every command calls
 * the service of the stack that it uses, with its token, and none with that of the shell.
 */

const ZONE = "0".repeat(31) + "1";
const FIREWALL = "http_request_firewall_custom";
/** Commands that call the service: those that take its address. */
const connecting = tree(program()).flatMap(([name, { options }]) =>
  options.some(({ long }) => long === "--base-url") ? [name] : [],
);

const zone = ["--zone", ZONE];
const entrypoint = [...zone, "--phase", FIREWALL];
/** How each command calls the service. */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  "migration status": zone,
  "migration check": zone,
  "migration plan": zone,
  "migration delete-overrides": zone,
  "migration verify": zone,
  verify: [...zone, "--yes-zone", "shop.test"],
  "certificates report": zone,
  "rules check": ["."],
  "rules try": [...zone, "--request", "https://shop.test/"],
  "rules test": [...zone, "a.firewall.yaml"],
  "rules diff": [...zone, "same.json"],
  "rules prove": [...zone, "a.invariants.yaml"],
  "rules replay run": [...zone, "--after", "same.json", "log.json"],
  generate: zone,
  report: zone,
  "managed lock": [...zone, "--output", "new.lock.json"],
  "managed diff": [...zone, "--lock", "lock.json"],
  summarize: ["preview.json", "--zone-names"],
  "versions list": entrypoint,
  "versions show": ["1", ...entrypoint],
  "versions diff": ["1", "2", ...entrypoint],
  "versions delete": ["1", ...entrypoint],
  "versions restore": ["1", ...entrypoint],
  drift: [],
  doctor: zone,
};

test("the tree of commands has no other one that calls the service, except those of fleets, which have stacks of their own", () => {
  expect(connecting.filter((name) => !name.startsWith("fleet ")).sort()).toEqual(Object.keys(CALLS).sort());
});

describe("with two stacks, of which one is selected", () => {
  const TOKENS = { emulator: "token-of-the-emulator-0123", prod: "token-of-production-01234" };
  const SHELL = "token-of-the-shell-0123456";
  type Stack = keyof typeof TOKENS;
  let services: Readonly<Record<Stack, Emulator>>;
  let files: string;
  let env: Record<string, string>;

  beforeAll(async () => {
    const start = async (token: string): Promise<Emulator> => {
      const tokens = [{ value: token }, { value: TOKEN }];
      const seed = { zones: [{ name: "shop.test", id: ZONE, plan: "enterprise", previousWaf: {} } as const], tokens };
      const started = await emulatorWith({ seed });
      const service = new Service(started);
      const rules = [{ ref: "a", action: "block", expression: "ssl" }];
      const made = await service.create(`zones/${ZONE}`, { name: "x", kind: "zone", phase: FIREWALL, rules });
      await service.replace(`zones/${ZONE}`, made.id, { rules: [] });
      return started;
    };
    services = { emulator: await start(TOKENS.emulator), prod: await start(TOKENS.prod) };
    const urn = (stack: string, type: string, name: string) => `urn:pulumi:${stack}::shop::${type}::${name}`;
    const type = "pulumi-nodejs:dynamic/rulesets:PhaseEntrypoint";
    const inputs = { zoneId: ZONE, phase: FIREWALL, rules: [] };
    const step = { op: "create", urn: urn("emulator", type, "waf"), newState: { type, inputs } };
    const settings = (stack: Stack) => ({
      "rulesets:apiToken": { value: TOKENS[stack], secret: true },
      "rulesets:baseUrl": { value: services[stack].url, secret: false },
    });
    const state = async (stack: Stack) => {
      const waf = new ManagedResource(
        "PhaseEntrypoint",
        new Service(services[stack]),
        urn(stack, type, "waf"),
        services[stack].url,
      );
      await waf.up({ zoneId: ZONE, phase: "http_ratelimit", rules: [] });
      const __provider = "exports.handler = …";
      const { id, inputs: given, outputs } = waf.stored ?? { id: "", inputs: {}, outputs: {} };
      const provider = urn(stack, "pulumi:providers:pulumi-nodejs", "default");
      const config = { "rulesets:apiToken": TOKENS[stack], "rulesets:baseUrl": services[stack].url };
      const resources = [
        { urn: urn(stack, "pulumi:pulumi:Stack", `shop-${stack}`), type: "pulumi:pulumi:Stack" },
        { urn: provider, id: "00", type: "pulumi:providers:pulumi-nodejs", inputs: config },
        {
          ...{ urn: waf.urn, type, custom: true, id },
          inputs: { __provider, ...given },
          outputs: { __provider, ...outputs },
        },
      ];
      return {
        version: 3,
        deployment: { resources: resources.map((one) => ({ provider: `${provider}::00`, ...one })) },
      };
    };
    const file = (stack: Stack) =>
      `config:\n  rulesets:baseUrl: ${services[stack].url}\n  rulesets:apiToken: { secure: v1:abc }\n`;
    files = folder({
      "Pulumi.yaml": "name: shop\nruntime: nodejs\n",
      "Pulumi.emulator.yaml": file("emulator"),
      "Pulumi.prod.yaml": file("prod"),
      "index.js": `
        const { getZoneOutput, PhaseEntrypoint } = require("pulumi-rulesets");
        const zoneId = getZoneOutput({ name: "shop.test" }).id;
        for (const phase of ["${FIREWALL}", "http_ratelimit"]) new PhaseEntrypoint(phase, { zoneId, phase, rules: [] });`,
      "a.firewall.yaml": "tests: [{ name: a, request: { url: 'https://shop.test/' }, expect: allow }]",
      "a.invariants.yaml": "invariants: [{ name: a, requests: ssl, must: be-allowed }]",
      "same.json": { kind: "zone", phase: FIREWALL, rules: [] },
      "log.json": { ClientRequestHost: "shop.test", ClientRequestURI: "/" },
      "lock.json": { version: 1, rulesets: [] },
      "preview.json": { steps: [step], changeSummary: { create: 1 } },
      "emulator.config": settings("emulator"),
      "prod.config": settings("prod"),
      "emulator.state": await state("emulator"),
      "prod.state": await state("prod"),
      pulumi: `#!/bin/sh
        for word; do [ "$before" = --stack ] && stack=$word; before=$word; done
        case "$1 $2" in
          "stack --show-name") echo emulator ;;
          "stack export") cat "$HERE/$stack.state" ;;
          "config --json") cat "$HERE/$stack.config" ;;
          *) echo "error: not expected: $*" >&2; exit 1 ;;
        esac`,
    });
    chmodSync(join(files, "pulumi"), 0o755);
    symlinkSync(join(root, "node_modules"), join(files, "node_modules"));
    env = {
      ...{ HERE: files, PATH: [files, dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter) },
      // What a command without a stack would use.
      ...{ CLOUDFLARE_API_TOKEN: SHELL, CLOUDFLARE_BASE_URL: "http://127.0.0.1:9/client/v4" },
      ...{ RULESETS_API_TOKEN: "", RULESETS_BASE_URL: "", PULUMI_STACK: "" },
    };
  });

  /** How many requests each service got, and those that it rejected for their token. */
  const received = () => {
    const found = Object.entries(services).map(([stack, service]) => {
      const all = service.requests();
      return [stack, { some: all.length > 0, rejected: all.filter(({ status }) => status === 401).length }] as const;
    });
    return Object.fromEntries(found);
  };
  const run = async (command: string, ...more: readonly string[]) => {
    for (const service of Object.values(services)) service.forgetRequests();
    const found = await cli([...command.split(" "), ...(CALLS[command] ?? []), ...more], env, files);
    return { ...found, received: received() };
  };
  const only = (stack: Stack) => ({
    emulator: { some: stack === "emulator", rejected: 0 },
    prod: { some: stack === "prod", rejected: 0 },
  });

  test.each(Object.keys(CALLS))("%s uses the selected one, and another one with --stack", async (command) => {
    const selected = await run(command);
    expect(selected).toMatchObject({ received: only("emulator") });
    if (!["drift", "doctor"].includes(command))
      expect(selected.stderr).toContain("Using the stack emulator, the selected one.\n");
    const other = await run(command, "--stack", "prod");
    expect(other).toMatchObject({ received: only("prod") });
    expect(selected.stdout + selected.stderr + other.stdout + other.stderr).not.toMatch(/token-of/);
  });

  test("nothing is decrypted where the token of the run is another one", async () => {
    const found = await cli(
      ["report", ...zone],
      { ...env, RULESETS_API_TOKEN: TOKENS.emulator, HERE: "/nowhere" },
      files,
    );
    expect(found).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        /^Using the stack emulator, the selected one\.\nusing the token in environment variable RULESETS_API_TOKEN/,
      ) as string,
    });
  });

  test("settings are read where the project keeps them", async () => {
    for (const service of Object.values(services)) service.forgetRequests();
    const settings = `config: { rulesets:baseUrl: ${services.prod.url}, rulesets:apiToken: ${TOKENS.prod} }\n`;
    const stacks = folder({ "Pulumi.prod.yaml": settings });
    const project = folder({
      "Pulumi.yaml": `name: shop\nruntime: nodejs\nstackConfigDir: ${JSON.stringify(relative(files, stacks))}\n`,
    });
    const shell = { ...env, CLOUDFLARE_BASE_URL: services.emulator.url };
    expect((await cli(["report", ...zone], shell, project)).code).toBe(0);
    expect(received()).toEqual(only("prod"));
  });

  test.each([
    ["whose address is encrypted", "config: { rulesets:baseUrl: { secure: v1:abc } }"],
    ["whose settings come from an environment", "environment: [prod]"],
  ])("a look-up of a program calls nothing with the token of the shell for a stack %s", async (_, settings) => {
    for (const service of Object.values(services)) service.forgetRequests();
    const project = folder({
      ...{ "Pulumi.yaml": "name: shop\nruntime: nodejs\n", "Pulumi.prod.yaml": `${settings}\n` },
      "index.js": readFileSync(join(files, "index.js"), "utf8"),
    });
    symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
    const shell = { ...env, CLOUDFLARE_BASE_URL: services.emulator.url };
    const locked = await cli(["rules", "check"], { ...shell, HERE: "/nowhere" }, project);
    expect([locked.code, locked.stderr]).toEqual([1, expect.stringContaining("`pulumi config` failed")]);
    expect(received()).toMatchObject({ emulator: { some: false }, prod: { some: false } });
    const stderr: unknown = expect.not.stringContaining("in plain text");
    expect(await cli(["rules", "check"], shell, project)).toMatchObject({ code: 0, stderr });
    expect(received()).toEqual(only("prod"));
  });

  test("a stack whose settings cannot be read is an error, and nothing is sent with the token of the shell", async () => {
    const locked = { ...env, HERE: "/nowhere" };
    for (const command of ["report", "rules check"]) {
      for (const service of Object.values(services)) service.forgetRequests();
      const { code, stderr } = await cli([...command.split(" "), ...(CALLS[command] ?? [])], locked, files);
      expect([command, code, stderr]).toEqual([
        ...[command, 1],
        expect.stringMatching(
          /the stack emulator[^]*`pulumi config` failed: [^]*To continue: log in as for `pulumi up`/,
        ),
      ]);
      expect(received()).toMatchObject({ emulator: { some: false }, prod: { some: false } });
    }
  });

  test.each([
    ["none is selected", "#!/bin/sh\necho 'error: no stack selected' >&2; exit 255", "no stack selected"],
    ["Pulumi is not installed", undefined, "`pulumi` is not on the PATH"],
  ])("a command stops where %s", async (_, script, reason) => {
    const bin = folder(script === undefined ? {} : { pulumi: script });
    if (script !== undefined) chmodSync(join(bin, "pulumi"), 0o755);
    const path = [bin, dirname(process.execPath), "/bin"].join(delimiter);
    for (const args of [["report", ...zone], ["rules", "check"], ["drift"]]) {
      const { code, stderr } = await cli(args, { ...env, PATH: path }, files);
      expect([args, code, stderr]).toEqual([
        ...[args, 1],
        expect.stringMatching(
          `the project in \\S+ has the stacks emulator, prod, but the selected one is not known: ${reason}.\nTo continue: pass --stack`,
        ),
      ]);
    }
  });

  test("an error of a look-up is said once, however many resources wait for it", async () => {
    await new Service(services.emulator).fault({ method: "GET", path: "/zones", times: 9, status: 403 });
    const { code, stderr } = await run("rules check");
    await new Service(services.emulator).noFaults();
    expect([code, stderr.match(/403/g)?.length, stderr]).toEqual([1, 1, expect.not.stringContaining("serializing")]);
  });
});
