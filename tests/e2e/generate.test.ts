import type { Emulator, Seed } from "../../emulator/index.js";
import { ruleToWire } from "../../core/model/codec.js";
import { cli } from "../cli/support.js";
import { Service, TOKEN } from "../support/emulator.js";
import { everyAction, sampleSeed } from "../support/every-action.js";
import { writesIn } from "../support/requests.js";
import { contentsOf } from "./support/contents.js";
import { ProjectStack } from "./support/project.js";
import { emulatorWith } from "../support/emulators.js";

const seed: Seed = {
  ...sampleSeed,
  zones: [
    {
      name: "shop.example.com",
      certificates: {
        hostnames: [
          { hostname: "a.customer.test", certificateAuthority: "google" },
          { hostname: "b.customer.test", certificateAuthority: "lets_encrypt" },
        ],
        totalTls: { enabled: true, certificateAuthority: "lets_encrypt" },
      },
    },
    { name: "words.example.com" },
    { name: "large.example.com" },
  ],
};

const AWKWARD = [
  'it\'s "so"',
  "back\\slash",
  "`tick` ${x}",
  "日本語 العربية ไทย",
  "two\nlines",
  "\u2028 \u202e hidden",
  "😀",
];

/** The end of 2099. */
const ENDS = "http.request.timestamp.sec lt 4102444800";

describe("a generated program", () => {
  let emulator: Emulator;
  let service: Service;
  let account: string;
  let zones: Record<string, string>;
  const project = new ProjectStack();

  beforeAll(async () => {
    emulator = await emulatorWith({ seed });
    service = new Service(emulator);
    account = await service.account();
    const listed = await service.ask<{ id: string; name: string }[]>("GET", "/zones");
    zones = Object.fromEntries(listed.map(({ name, id }) => [name, id]));
    const shop = `zones/${zones["shop.example.com"] ?? ""}`;
    for (const { phase, level, rules } of everyAction) {
      const scope = level === "zones" ? shop : `accounts/${account}`;
      const kind = level === "zones" ? "zone" : "root";
      await service.create(scope, { name: "default", kind, phase, rules: rules.map(ruleToWire) });
    }
    const custom = await service.create(`accounts/${account}`, {
      name: "Blocked paths",
      kind: "custom",
      phase: "http_request_firewall_custom",
      rules: [{ action: "block", expression: 'http.request.uri.path contains "/."', description: "Dot files" }],
    });
    await service.create(`accounts/${account}`, {
      name: "default",
      kind: "root",
      phase: "http_request_firewall_custom",
      rules: [{ action: "execute", expression: 'cf.zone.plan eq "ENT"', action_parameters: { id: custom.id } }],
    });
    await service.create(`zones/${zones["words.example.com"] ?? ""}`, {
      name: "Words",
      kind: "zone",
      phase: "http_request_firewall_custom",
      description: AWKWARD.join(" "),
      rules: [
        ...AWKWARD.map((text, index) => ({
          action: "log",
          description: text,
          expression: `ip.src eq 192.0.2.${String(index)}\n or http.host eq ${JSON.stringify(text.replace(/[^\x20-\x7e]/g, ""))}`,
        })),
        { ref: "sale", action: "block", expression: `ssl and ${ENDS} and hash_in_range(0, 100, cf.random_seed) lt 5` },
        { ref: "given", action: "block", expression: 'http.request.headers["x-origin-key"][0] ne "hunter22"' },
      ],
    });
    await service.create(`zones/${zones["large.example.com"] ?? ""}`, {
      name: "default",
      kind: "zone",
      phase: "http_request_firewall_custom",
      rules: Array.from({ length: 1000 }, (_, index) => ({
        action: "block",
        // Some rules are identical.
        description: `Rule ${String(index % 990)}`,
        expression: `ip.src eq 192.0.2.${String(index % 99)}`,
      })),
    });
  });

  const contents = () =>
    contentsOf(service, [`accounts/${account}`, ...Object.values(zones).map((id) => `zones/${id}`)]);

  test("adopts every action and phase, unusual texts and 1,000 rules without a write, and then shows no changes", async () => {
    const before = await contents();
    const generated = await cli(
      ["generate", "--account", account, "--all-zones", "--out", project.folder, "--base-url", emulator.url],
      { CLOUDFLARE_API_TOKEN: TOKEN },
    );
    expect([generated.code, generated.stderr]).toEqual([
      2,
      expect.stringContaining("pulumi config set --secret xOriginKey"),
    ]);
    const source = project.read("words-example-com.ts");
    expect(source).toMatch(
      /ref: "sale",\s+action: "block",\s+expression:\s+"ssl and http.request.timestamp.sec lt \d+ and hash/,
    );
    expect(generated.stderr).not.toContain("hunter22");
    expect(generated.stderr).not.toContain("left out");
    const resources = Number(/(\d+) resources in/.exec(generated.stderr)?.[1]);
    // Entry points and the custom ruleset, two hostnames, Total TLS, and the list that rules name.
    expect(resources).toBe(everyAction.length + 2 + 2 + 2 + 1 + 1);
    // Of the same rules, cli/generate checks the types.
    project.checksTypes = false;
    await project.init(emulator.url, { xOriginKey: "hunter22" });
    const preview = await project.mustRun("preview");
    // Rules with explicit refs may belong to another program, so taking them over is a warning.
    expect(preview.match(/PhaseEntrypoint \([\w-]+\):\n(?: {4}.*\n)*? {4}warning: .*takes over .*/g) ?? []).toEqual([
      expect.stringContaining("words-example-com-firewall-custom"),
    ]);
    await service.forget();
    const up = await project.mustRun("up", "--skip-preview");
    // The stack itself, and the provider of the engine's own functions.
    expect(Number(/\+ (\d+) created/.exec(up)?.[1]) - resources).toBeLessThanOrEqual(2);
    const requests = await service.requests();
    expect(requests.length).toBeGreaterThan(0);
    expect(writesIn(requests)).toEqual([]);
    expect(await contents()).toEqual(before);

    await service.forget();
    await project.mustRun("preview", "--expect-no-changes");
    expect(await service.requests()).toEqual([]);
    expect(up).not.toContain("hunter22");
  });
});
