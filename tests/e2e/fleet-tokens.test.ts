import type { Emulator } from "../../emulator/index.js";
import { cli, type Finished } from "../cli/support.js";
import { Service } from "../support/emulator.js";
import { fleetCommand, fleetProject } from "./support/fleet-project.js";
import type { ProjectStack } from "./support/project.js";
import { emulatorWith } from "../support/emulators.js";

const PHASE = "http_request_firewall_custom";
const ACCOUNTS = { a: "a".repeat(32), b: "b".repeat(32) };
/** A request quota that a shard of four zones exceeds. */
const QUOTA = 12;
const ZONES = ["a", "b"].flatMap((account) => [0, 1, 2, 3].map((index) => `${account}${String(index)}.test`));

/** A token that may do everything in the zones of one account. */
const tokenFor = (account: string, value: string) => ({
  value,
  policies: [
    {
      permission_groups: ["Zone Read", "Zone WAF Write"].map((name) => ({ name })),
      resources: { [`com.cloudflare.api.account.${account}`]: { "com.cloudflare.api.account.zone.*": "*" } },
    },
  ],
});

describe("a fleet of two accounts", () => {
  let emulator: Emulator;
  let service: Service;
  const zones = new Map<string, string>();
  const projects: ProjectStack[] = [];

  beforeAll(async () => {
    for (const [index, name] of ZONES.entries()) zones.set(name, String(index).padStart(32, "0"));
    emulator = await emulatorWith({
      seed: {
        accounts: [
          { id: ACCOUNTS.a, name: "A" },
          { id: ACCOUNTS.b, name: "B" },
        ],
        zones: [...zones].map(([name, id]) => ({ name, id, account: name.startsWith("a") ? "A" : "B" })),
        tokens: [
          tokenFor(ACCOUNTS.a, "token-of-a"),
          tokenFor(ACCOUNTS.b, "token-of-b"),
          { value: "test-token-0123456789" },
        ],
        rateLimit: { quota: QUOTA, windowSeconds: 3, enforce: true },
      },
    });
    service = new Service(emulator);
  });

  const projectWith = (definition: string): ProjectStack => {
    const project = fleetProject(
      { RULESETS_BASE_URL: emulator.url, TOKEN_A: "token-of-a", TOKEN_B: "token-of-b" },
      {
        phase: PHASE,
        rules: `{ ref: "admin", action: "block", expression: 'http.request.uri.path eq "/admin"' }`,
        definition,
      },
    );
    projects.push(project);
    return project;
  };
  const fleet = (project: ProjectStack, ...args: string[]): Promise<Finished> => fleetCommand(project, ...args);
  const statuses = (): readonly number[] => emulator.requests().map(({ status }) => status);
  const versions = (): Promise<(string | undefined)[]> =>
    Promise.all([...zones.values()].map(async (id) => (await service.entrypoint(id, PHASE))?.version));

  test("writes the zones of each account with its token, and keeps to the quota of each", async () => {
    const project = projectWith(`
tokens:
  - { variable: TOKEN_A, accounts: [${ACCOUNTS.a}] }
  - { variable: TOKEN_B, accounts: [${ACCOUNTS.b}] }
waves: [{ name: all }]
`);
    const planned = await fleet(project, "plan");
    expect([planned.code, planned.stderr]).toEqual([0, expect.stringContaining("s002")]);
    expect(planned.stdout).toMatch(/all +│ 2 +│ 8 +│/);
    const { TOKEN_B: _, ...withoutB } = project.variables;
    const missing = await cli(["fleet", "run-shard", "s002"], withoutB, project.folder);
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("TOKEN_B")]);
    const exchanged = { ...project.variables, TOKEN_B: "token-of-a" };
    const wrong = await cli(["fleet", "run-shard", "s002"], exchanged, project.folder);
    expect([wrong.code, wrong.stdout]).toEqual([3, expect.stringContaining("403")]);
    emulator.forgetRequests();
    const done = await fleet(project, "resume", "--parallel", "2");
    expect([done.code, done.stdout]).toEqual([0, expect.stringContaining("Finished: all 2 shards.")]);
    expect(statuses().filter((status) => status === 403 || status === 429)).toEqual([]);
    expect(await versions()).toEqual(ZONES.map(() => "1"));
  });
});
