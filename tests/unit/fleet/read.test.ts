import Ajv from "ajv";
import { readFleet } from "../../../tools/fleet/read";
import type { FleetDefinition } from "../../../tools/fleet/definition";
import { TextDocument } from "../../../tools/rules-files/text/text-document";
import schema from "../../../schema/fleet.schema.json";

const isValid = new Ajv({ strict: true, keywords: ["errorMessage"] }).compile(schema);
const document = (text: string): TextDocument => TextDocument.parse(text, "fleet.yaml");
const read = (text: string): FleetDefinition => readFleet(document(text));

const WHOLE = `
program: firewall
stacks: { prefix: prod-, settings: Pulumi.fleet.yaml }
zones:
  accounts: [aaaa]
  include: "*.example.com"
  exclude: [old.example.com]
  plans: [pro, enterprise]
  command: ./zones.sh
shardSize: 50
tokens:
  - { variable: TOKEN_A, accounts: [aaaa] }
  - variable: TOKEN_B
waves:
  - name: canary
    zones: [a.example.com]
    gates:
      - prove: invariants
      - test: [tests]
      - summarize: weakened
      - { run: ./errors.sh, timeout: 5m }
      - wait: 30m
      - approval: the security team
  - { name: one, percent: 1 }
  - name: rest
failures: { failed: 2, moved: 10% }
`;

test("a file is read with all of its parts", () => {
  expect(isValid(document(WHOLE).value)).toBe(true);
  expect(read(WHOLE)).toEqual({
    program: "firewall",
    stacks: { prefix: "prod-", settings: "Pulumi.fleet.yaml" },
    zones: {
      accounts: ["aaaa"],
      include: ["*.example.com"],
      exclude: ["old.example.com"],
      plans: ["pro", "enterprise"],
      command: "./zones.sh",
    },
    shardSize: 50,
    tokens: [{ variable: "TOKEN_A", accounts: ["aaaa"] }, { variable: "TOKEN_B" }],
    waves: [
      {
        name: "canary",
        share: { kind: "zones", patterns: ["a.example.com"] },
        gates: [
          { kind: "prove", files: ["invariants"] },
          { kind: "test", files: ["tests"] },
          { kind: "summarize", failOn: "weakened" },
          { kind: "run", command: "./errors.sh", timeout: 300 },
          { kind: "wait", seconds: 1800 },
          { kind: "approval", of: "the security team" },
        ],
      },
      { name: "one", share: { kind: "percent", percent: 1 }, gates: [] },
      { name: "rest", share: { kind: "rest" }, gates: [] },
    ],
    failures: { failed: { shards: 2 }, moved: { percent: 10 } },
  });
});

test("one wave is enough", () => {
  expect(isValid(document("waves: [{ name: all }]").value)).toBe(true);
  expect(read("waves: [{ name: all }]")).toMatchObject({
    program: ".",
    shardSize: 100,
    zones: {},
    tokens: [{}],
    failures: { failed: { shards: 0 }, moved: { percent: 100 } },
  });
});

const BEYOND_THE_SCHEMA = /another token|two waves|last wave|between 1s and 7d/;
const waves = "waves: [{ name: all }]";

test.each([
  ["program: a", "fleet.yaml:1:1: waves: is required"],
  [`${waves}\nshardSiz: 3`, "shardSiz: is not known here; did you mean shardSize?"],
  [`${waves}\nshardSize: 0`, "fleet.yaml:2:12: shardSize: must be a whole number of at least 1"],
  [`${waves}\ntokens: [{ variable: "v1.0-abc" }]`, "tokens[0].variable: must be the name of an environment variable"],
  ...["PULUMI_ACCESS_TOKEN", "PULUMI_CONFIG_PASSPHRASE", "SHARD", "FAIL_ON", "GH_TOKEN", "FLEET_PLAN", "PATH"].map(
    (variable): [string, string] => [
      `${waves}\ntokens: [{ variable: ${variable} }]`,
      "not one that has another meaning where the fleet is rolled out. To continue: choose a name such as CLOUDFLARE_TOKEN_A",
    ],
  ),
  [
    `${waves}\ntokens: [{ variable: A }, { variable: B }]`,
    "tokens[1]: another token is for every other account as well",
  ],
  [
    `${waves}\ntokens: [{ variable: CF, accounts: [a] }, { variable: CF, accounts: [b] }]`,
    "tokens[1]: another token is in CF as well: write one token with the accounts of both",
  ],
  [
    `${waves}\ntokens: [{ accounts: [a] }, { variable: CLOUDFLARE_API_TOKEN }]`,
    "tokens[1]: another token is in CLOUDFLARE_API_TOKEN as well",
  ],
  [`${waves}\nfailures: { failed: many }`, "failures.failed: must be a number of shards, or a share of them"],
  ["waves: [{ name: Canary }]", "waves[0].name: must have lower-case letters, digits and - only"],
  ["waves: [{ name: a, percent: 1 }]", "the last wave is for all zones that no other wave has"],
  ["waves: [{ name: a }, { name: b }]", "waves[0]: has neither zones nor percent, so it must be the last wave"],
  ["waves: [{ name: a, zones: x }, { name: a }]", 'waves[1].name: "a" is the name of two waves'],
  ["waves: [{ name: a, gates: [{ wait: soon }] }]", "waves[0].gates[0].wait: must be a time such as 90s"],
  [
    "waves: [{ name: a, gates: [{ run: x, wait: 1s }] }]",
    "waves[0].gates[0]: must have exactly one of prove, test, summarize, run, wait, approval",
  ],
  ["waves: [{ name: a, gates: [{ summarize: all }] }]", "must be one of weakened, removed, drift"],
  [
    "waves: [{ name: a, gates: [{ run: x, timeout: 0s }] }]",
    "waves[0].gates[0].timeout: must be a time between 1s and 7d, such as 10m",
  ],
  [
    "waves: [{ name: a, gates: [{ run: x, timeout: 30d }] }]",
    "waves[0].gates[0].timeout: must be a time between 1s and 7d, such as 10m",
  ],
  [`${waves}\nzones: { timeout: 1s }`, "fleet.yaml:2:19: zones.timeout: is only allowed with `command`"],
  [`${waves}\nzones: { command: x, timeout: 8d }`, "zones.timeout: must be a time between 1s and 7d, such as 10m"],
  ["waves: [{ name: a, gates: [{ wait: 1s, timeout: 1s }] }]", "waves[0].gates[0].timeout: is only allowed with `run`"],
  ["waves: [{ name: b, zones: x, percent: 1 }, { name: a }]", "waves[0]: has both zones and percent"],
  ["waves: [{ name: b, percent: 0 }, { name: a }]", "waves[0].percent: must be a number above 0, at most 100"],
  ["waves: [{ name: b, percent: 101 }, { name: a }]", "waves[0].percent: must be a number above 0, at most 100"],
  ["waves: { name: a }", "waves: must be a list"],
  ["waves: [null]", "waves[0]: must be an object with name"],
  ["", "must be an object with"],
  ["- waves", "must be an object with"],
  [`${waves}\nzones: all`, "zones: must be an object with accounts"],
  [`${waves}\nzones: { include: [] }`, "zones.include: must not be empty"],
  [`${waves}\nzones: { plans: [gold] }`, "zones.plans[0]: must be one of free, pro, business, enterprise"],
  [`${waves}\nstacks: { prefix: a b }`, "stacks.prefix: may have letters, digits, -, _ and . only"],
  [`${waves}\nprogram: ""`, "program: must not be empty: folder of the Pulumi project, relative to this file"],
  [`${waves}\nfailures: { moved: 101% }`, "failures.moved: must be a number of shards, or a share"],
  [`${waves}\nfailures: { moved: -1 }`, "failures.moved: must be a number of shards, or a share"],
  [`${waves}\nfailures: 3`, "failures: must be an object with failed, moved"],
])("%j is refused with its place", (text, message) => {
  expect(() => read(text)).toThrow(message);
  // What an editor cannot know: what two entries say together.
  if (!BEYOND_THE_SCHEMA.test(message)) expect(isValid(document(text).value)).toBe(false);
});
