import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Emulator } from "../../emulator/index.js";
import { echoes, partsOf } from "../support/echoes.js";
import { leaves, program } from "../support/commands.js";
import { Service } from "../support/emulator.js";
import { cli, folder, type Finished } from "./support.js";
import { emulatorWith } from "../support/emulators.js";

/*
 * Credentials and other secrets in every place where a command can get them: the environment, a file of a program's state or
 * preview, and an address with a password. No command may show any, not even in part or encoded, in what it prints or writes:
 * neither while the service repeats them in its errors, nor otherwise.
 */

const SECRETS = {
  RULESETS_API_TOKEN: "Xkq7zVjx_Qvz1kJq-xZv0jKqzXvk",
  CLOUDFLARE_API_TOKEN: "Jwx9qKzv-Zqj3vXk_kQz7wJxvKq",
  CLOUDFLARE_API_KEY: "9f3c7d1b5e8a2f6c4d0b9e7a1c5f3d8b2e6a4",
} as const;
/** Marked as secret in a file. */
const IN_FILE = 'qzX"jvQ\\kxZ<vjq0&KzqV 8jxk';
const { RULESETS_API_TOKEN, CLOUDFLARE_API_TOKEN, CLOUDFLARE_API_KEY } = SECRETS;
const TOKENS = { RULESETS_API_TOKEN, CLOUDFLARE_API_TOKEN };
const KEY = { CLOUDFLARE_EMAIL: "a@shop.example.com", CLOUDFLARE_API_KEY };
/** The mark of a secret in what Pulumi writes. */
const SIGNATURE = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

describe("no command shows a secret", () => {
  let emulator: Emulator;
  let service: Service;
  let zoneId: string;
  let accountId: string;
  let rulesetId: string;
  let files: string;
  const seen: { readonly what: string; readonly text: string }[] = [];
  beforeAll(async () => {
    emulator = await emulatorWith({
      seed: { zones: [{ name: "shop.example.com", plan: "enterprise", previousWaf: {} }] },
    });
    service = new Service(emulator);
    zoneId = await service.zone();
    accountId = await service.account();
    const phase = "http_request_firewall_custom";
    const rules = [{ action: "block", expression: "ssl" }];
    const ruleset = await service.create(`zones/${zoneId}`, { name: "default", kind: "zone", phase, rules });
    await service.replace(`zones/${zoneId}`, ruleset.id, { rules: [...rules, { action: "log", expression: "true" }] });
    rulesetId = ruleset.id;
    const secret = { ...SIGNATURE, plaintext: JSON.stringify(IN_FILE) };
    const inputs = {
      zoneId,
      phase,
      kind: "zone",
      name: "x",
      rules: [{ action: "block", expression: secret, ref: "r" }],
    };
    const type = "cloudflare:index/ruleset:Ruleset";
    const urn = `urn:pulumi:dev::p::${type}::x`;
    const resource = { urn, type, custom: true, id: "x", inputs, outputs: inputs };
    files = folder({
      "rules.json": { phase, rules },
      "tests.yaml":
        "rules: rules.json\ntests:\n  - name: a\n    request: https://shop.example.com/\n    expect: block\n",
      "requests.json": { ClientRequestHost: "shop.example.com", ClientRequestURI: "/" },
      "part.json": { replay: 1, version: "1.2.3", rules: "x", runs: ["1"], result: {} },
      "state.json": { version: 3, deployment: { resources: [resource] } },
      "preview.json": { steps: [{ op: "create", urn, newState: resource }], changeSummary: { create: 1 } },
    });
  });

  /** How to call each command; others are called with the options that most have. */
  const calls = (): Readonly<Record<string, readonly (readonly string[])[]>> => {
    const file = (name: string) => join(files, name);
    const versions = ["--zone", zoneId, "--ruleset", rulesetId];
    return {
      emulator: [["--token", SECRETS.RULESETS_API_TOKEN, "--seed", file("missing.json")]],
      "rules check": [[file("rules.json")], ["--zone", zoneId]],
      "rules explain": [['http.cookie contains "x"']],
      "rules try": [[file("rules.json"), "-r", "https://shop.example.com"]],
      "rules test": [[file("tests.yaml")], [file("tests.yaml"), "--trace", zoneId]],
      "rules diff": [[file("rules.json"), "--zone", zoneId]],
      "rules replay run": [[file("requests.json"), "--before", file("rules.json"), "--after", file("rules.json")]],
      "rules replay merge": [[file("part.json")]],
      generate: [
        ["--zone", zoneId],
        ["--zone", zoneId, "--out", file("made")],
        ["--from", file("state.json")],
      ],
      report: [
        ["--zone", zoneId],
        ["--zone", zoneId, "--json"],
        ["--all-zones", "--html"],
      ],
      summarize: [[file("preview.json")], [file("preview.json"), "--json"], [file("preview.json"), "--zone-names"]],
      "versions list": [versions, [...versions, "--json"]],
      "versions show": [["1", ...versions]],
      "versions diff": [["1", "2", ...versions]],
      "versions delete": [["1", ...versions, "--yes"]],
      "versions restore": [["1", ...versions, "--yes"]],
      "migration delete-overrides": [["--zone", zoneId, "--yes", "--backup", file("overrides.json")]],
      doctor: [
        ["--zone", zoneId, "--account", accountId],
        ["--json", "--output", file("doctor.json")],
      ],
    };
  };
  const usual = (): readonly (readonly string[])[] => [
    ["--zone", zoneId],
    ["--zone", zoneId, "--json"],
    ["--all-zones"],
  ];

  /** The environment of a run, and whether the service rejects every request and repeats the secret that it was sent. */
  const SITUATIONS = [
    { name: "with two tokens", secret: SECRETS.RULESETS_API_TOKEN, isRefused: true, env: TOKENS },
    { name: "with a key", secret: SECRETS.CLOUDFLARE_API_KEY, isRefused: false, env: KEY },
  ];

  /** The errors repeat parts of a secret too, in every encoding. */
  const refuse = async (secret: string): Promise<void> => {
    const errors = [{ code: 1, message: `near '${secret}'` }];
    await service.fault({ status: 400, body: { success: false, result: null, messages: [], errors }, times: 9999 });
  };

  const record = (what: string, { stdout, stderr }: Finished): void => {
    seen.push({ what: `${what}: output`, text: stdout }, { what: `${what}: errors`, text: stderr });
  };
  const leaks = (): string[] =>
    seen.flatMap(({ what, text }) =>
      Object.entries(echoes).flatMap(([name, echo]) =>
        [...Object.values(SECRETS), IN_FILE].flatMap((secret) => {
          const part = partsOf(secret, 6).find((each) => text.includes(echo(each)));
          return part === undefined ? [] : [`${what}: ${part} (${name})`];
        }),
      ),
    );

  test("whatever the service answers", async () => {
    const commands = leaves(program()).map(([name]) => name);
    expect(commands).toEqual(expect.arrayContaining(["doctor", "rules check", "migration plan"]));
    expect(Object.keys(calls()).filter((name) => !commands.includes(name))).toEqual([]);
    const runs = commands.map((command) => (calls()[command] ?? usual()).map((args) => [command, ...args].join("\0")));
    for (const { name, secret, isRefused, env } of SITUATIONS) {
      if (isRefused) await refuse(secret);
      // Each way to call a command reads credentials alike.
      const open = isRefused ? runs.flat() : runs.flatMap(([first = ""]) => first);
      const work = async (): Promise<void> => {
        for (let run = open.shift(); run !== undefined; run = open.shift()) {
          const [command = "", ...args] = run.split("\0");
          const finished = await cli(
            [...command.split(" "), ...args],
            { RULESETS_BASE_URL: emulator.url, ...env },
            files,
          );
          record(`${command} ${args.join(" ")}, ${name}`, finished);
        }
      };
      await Promise.all([work(), work(), work()]);
      await service.noFaults();
    }
    const written = readdirSync(files, { recursive: true, encoding: "utf8" });
    for (const name of written.filter((each) => !/^(state|preview)\.json$/.test(each)))
      if (statSync(join(files, name)).isFile())
        seen.push({ what: `the file ${name}`, text: readFileSync(join(files, name), "utf8") });
    expect(seen.filter(({ text }) => text !== "").length).toBeGreaterThan(commands.length);
    expect(seen.filter(({ text }) => text.includes("[secret]")).length).toBeGreaterThan(10);
    expect(leaks()).toEqual([]);
  }, 300_000);
});
