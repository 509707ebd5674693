import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Emulator, Seed } from "../../emulator/index.js";
import { GROUPS } from "../../emulator/groups.js";
import { seedSchema } from "../../emulator/seed.js";
import { Caller } from "../support/caller.js";
import { emulatorWith } from "../support/emulators.js";

describe("a seed is refused, with the path", () => {
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await emulatorWith();
  });

  const zone = { name: "a.example.com" };
  test.each<[string, unknown, string]>([
    ["a switch that is not a boolean", { dryRun: "no" }, "dryRun"],
    ["an unknown key", { zoness: [] }, "there is no zoness; did you mean zones?"],
    [
      "an unknown key of a zone",
      { zones: [zone, { name: "b.test", plann: "pro" }] },
      "zones[1] has no plann; did you mean plan?",
    ],
    [
      "an unknown plan",
      { zones: [{ name: "b.test", plan: "gold" }] },
      'zones[0].plan must be one of free, pro, business, enterprise, not "gold"',
    ],
    ["a zone without a name", { zones: [{}] }, "zones[0].name is required"],
    ["a key that resembles none", { colour: 1 }, "there is no colour; the known ones are ids, zones, accounts"],
    [
      "a key as the service spells it",
      { zones: [{ ...zone, certificates: { totalTls: { certificate_authority: "google" } } }] },
      "zones[0].certificates.totalTls has no certificate_authority; did you mean certificateAuthority?",
    ],
    [
      "the same in a list",
      { zones: [{ ...zone, certificates: { custom: [{ uploaded_on: "2024-09-10T00:00:00Z" }] } }] },
      "zones[0].certificates.custom[0] has no uploaded_on; did you mean uploadedOn?",
    ],
    [
      "a rule that no package of the previous WAF has",
      { zones: [{ ...zone, previousWaf: { rules: { "100015": "block" } } }] },
      "zones[0].previousWaf.rules must be one of 950000, ",
    ],
    [
      "a group that no package of the previous WAF has",
      { zones: [{ ...zone, previousWaf: { groups: { Drupal: "off" } } }] },
      "zones[0].previousWaf.groups must be one of OWASP Bad Robots, ",
    ],
    ["an invalid ID", { zones: [{ name: "b.test", id: "1" }] }, "zones[0].id must match pattern"],
    ["the same zone twice", { zones: [zone, { name: "b.test" }, zone] }, "zones[2] already exists as zones[0]"],
    [
      "the same ID twice",
      {
        zones: [
          { ...zone, id: "a".repeat(32) },
          { name: "b.test", id: "a".repeat(32) },
        ],
      },
      `zones[1] already exists as zones[0]: ${"a".repeat(32)}`,
    ],
    [
      "the same account twice",
      { accounts: [{ name: "A" }, { name: "A" }] },
      "accounts[1] already exists as accounts[0]",
    ],
    [
      "an account that does not exist",
      { zones: [{ ...zone, account: "B" }] },
      "zone a.example.com names the account B, which does not exist",
    ],
    ["a misspelled pace", { zones: [{ ...zone, certificates: { pace: "fast" } }] }, "zones[0].certificates.pace"],
    [
      "a misspelled field of a hostname",
      { zones: [{ ...zone, certificates: { hostnames: [{ hostnam: "a.test" }] } }] },
      "zones[0].certificates.hostnames[0].hostname is required",
    ],
    [
      "a misspelled progression",
      { zones: [{ ...zone, previousWaf: { progression: { read: 1 } } }] },
      "zones[0].previousWaf.progression",
    ],
    [
      "a ruleset without a zone",
      { zones: [zone], rulesets: [{ zone: "b.test", phase: "http_request_origin" }] },
      "rulesets[0]: there is no zone b.test",
    ],
    [
      "a ruleset that the service rejects",
      { zones: [zone], rulesets: [{ zone: zone.name, phase: "http_request_origin", rules: [{}] }] },
      "rulesets[0].rules[0].action: action is required",
    ],
    [
      "an item that is not an object",
      { lists: [{ name: "office", kind: "ip", items: [{ ip: "x" }] }] },
      "lists[0]: 'x' is not a valid value for ip",
    ],
    ["a string", "hello", "it must be object"],
  ])("%s", async (_, seed, words) => {
    const refusal = await emulatorWith({ seed: seed as Seed }).then(
      async (started) => {
        await started.close();
        return "started";
      },
      (error: unknown) => (error as Error).message,
    );
    expect(refusal).toContain(`seed: ${words}`);
    const answer = await new Caller(emulator).control("POST", "/reset", seed);
    expect(answer).toMatchObject({ success: false, errors: [{ message: expect.stringContaining(words) as string }] });
  });

  test("and the emulator keeps its previous content", async () => {
    const caller = new Caller(emulator);
    await caller.control("POST", "/reset", { zones: [zone] });
    await caller.control("POST", "/reset", { zones: [{}] });
    expect(await caller.result("GET", "/zones")).toMatchObject([{ name: "a.example.com" }]);
  });
});

/** Every key of a seed, at any depth: those of the service's own objects are not in the schema. */
function keysIn(schema: unknown): string[] {
  const {
    properties = {},
    items,
    anyOf = [],
  } = (schema ?? {}) as {
    properties?: object;
    items?: unknown;
    anyOf?: unknown[];
  };
  const own = Object.entries(properties).flatMap(([name, inner]) => [name, ...keysIn(inner)]);
  return [...own, ...keysOf(items), ...anyOf.flatMap(keysIn)];
}
const keysOf = (items: unknown): string[] => (items === undefined ? [] : keysIn(items));

test("every key of the seed is in camelCase, and in docs/emulator.md", () => {
  const keys = [...new Set(keysIn(seedSchema(GROUPS)))];
  expect(keys.length).toBeGreaterThan(70);
  expect(keys.filter((key) => !/^[a-z]+([A-Z][a-z]+)*$/.test(key))).toEqual([]);
  const text = readFileSync(join(__dirname, "..", "..", "docs", "emulator.md"), "utf8");
  const rows = ["The seed", "The previous WAF", "Certificates"].map(
    (title) => text.split(`\n## ${title}\n`)[1]?.split("\n## ")[0],
  );
  const code = rows.flatMap((row) => row?.match(/`[^`]+`/g) ?? []).join(" ");
  const words = new Set(code.match(/\w+/g));
  expect(keys.filter((key) => !words.has(key))).toEqual([]);
});
