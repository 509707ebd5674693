import { execFile } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { Emulator } from "../../emulator/index.js";
import { cli } from "../cli/support.js";
import { Service, TOKEN } from "../support/emulator.js";
import { emulatorWith } from "../support/emulators.js";
import { fleetCommand, fleetProject } from "./support/fleet-project.js";
import type { ProjectStack } from "./support/project.js";

interface Step {
  readonly run?: string;
}
type GithubJobs = Record<string, { readonly steps: readonly Step[] }>;

const PHASE = "http_request_firewall_custom";
const ACCOUNTS = { a: "a".repeat(32), b: "b".repeat(32) };
/** A request quota that a shard of four zones exceeds. */
const QUOTA = 12;
const ZONES = ["a", "b"].flatMap((account, at) =>
  [1, 2, 3, 4].map((index) => ({
    name: `${account}${String(index)}.test`,
    id: `${String(at)}${String(index)}`.padStart(32, "0"),
    account: account.toUpperCase(),
  })),
);

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

/* The shell of what `fleet export` writes, run in the order of the jobs, for two accounts with a token and a wave each. */

describe("the shell of an exported rollout", () => {
  let project: ProjectStack;
  let emulator: Emulator;
  let service: Service;
  beforeAll(async () => {
    emulator = await emulatorWith({
      seed: {
        accounts: Object.entries(ACCOUNTS).map(([name, id]) => ({ id, name: name.toUpperCase() })),
        zones: ZONES,
        tokens: [tokenFor(ACCOUNTS.a, "token-of-a"), tokenFor(ACCOUNTS.b, "token-of-b"), { value: TOKEN }],
        rateLimit: { quota: QUOTA, windowSeconds: 3, enforce: true },
      },
    });
    service = new Service(emulator);
    project = fleetProject(
      { RULESETS_BASE_URL: emulator.url, TOKEN_A: "token-of-a", TOKEN_B: "token-of-b" },
      {
        phase: PHASE,
        rules: `{ ref: "admin", action: "block", expression: 'http.request.uri.path eq "/admin"' }`,
        definition: `
tokens:
  - { variable: TOKEN_A, accounts: [${ACCOUNTS.a}] }
  - { variable: TOKEN_B, accounts: [${ACCOUNTS.b}] }
waves:
  - { name: canary, zones: "a*.test" }
  - { name: rest, gates: [{ approval: somebody }] }
`,
      },
    );
    const { code, stdout, stderr } = await fleetCommand(project, "plan");
    expect([code, stdout, stderr]).toEqual([0, expect.stringMatching(/canary +│ 1 +│ 4 +│/), expect.any(String)]);
  });
  const shell = (script: string, env: Readonly<Record<string, string>>): Promise<string> =>
    new Promise((done) => {
      const options = { cwd: project.folder, env: { ...project.variables, ...env } };
      execFile("bash", ["-euc", script], options, (error, stdout, stderr) => {
        done(`${stdout}${stderr}${error === null ? "" : `\nexit ${String(error.code)}`}`);
      });
    });
  const own = (script: string): boolean => script.includes("pulumi-rulesets fleet") && !script.includes("fleet plan ");

  test("of GitHub Actions writes the zones of each account with its token, and keeps to the quota of each", async () => {
    const { stdout: workflow } = await fleetCommand(project, "export", "github");
    const { jobs } = parse(workflow) as { jobs: GithubJobs };
    const run = (job: string, env: Readonly<Record<string, string>> = {}): Promise<string> => {
      const scripts = jobs[job]?.steps.flatMap(({ run: script }) => script ?? []).filter(own) ?? [];
      return shell(scripts.join("\n"), env);
    };
    project.write("outputs", "");
    await run("plan", { GITHUB_OUTPUT: join(project.folder, "outputs") });
    expect(project.read("outputs")).toBe('wave-canary=["s001"]\nwave-rest=["s002"]\n');
    expect(await run("wave-rest", { SHARD: "s002" })).toMatch(
      /(s002: not run: the wave canary before it is not done\n){3}[^]*exit 3/,
    );
    // A missing token is a mistake in the call; with that of another account, nothing is written.
    const { TOKEN_A: _, ...withoutA } = project.variables;
    const missing = await cli(["fleet", "run-shard", "s001"], withoutA, project.folder);
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("TOKEN_A")]);
    const exchanged = { ...project.variables, TOKEN_A: "token-of-b" };
    const wrong = await cli(["fleet", "run-shard", "s001"], exchanged, project.folder);
    expect([wrong.code, wrong.stdout]).toEqual([3, expect.stringContaining("403")]);
    emulator.forgetRequests();
    await run("wave-canary", { SHARD: "s001" });
    expect(await run("gate-canary")).toContain("canary: the next wave may start");
    await run("wave-rest", { SHARD: "s002" });
    // `gh` says who has approved; an environment that nobody has protected has no approvals.
    project.write("gh", '#!/bin/sh\nprintf "%s" "$APPROVED_BY"\n');
    chmodSync(join(project.folder, "gh"), 0o755);
    const path = `${project.folder}:${project.variables.PATH ?? ""}`;
    const github = { PATH: path, GITHUB_REPOSITORY: "", GITHUB_RUN_ID: "" };
    expect(await run("gate-rest", { ...github, APPROVED_BY: "" })).toMatch(
      /no approval of the environment fleet-rest is recorded[^]*\nexit 3/,
    );
    expect(await run("gate-rest", { ...github, APPROVED_BY: "someone" })).toContain("approved by someone");
    const { stdout } = await fleetCommand(project, "status");
    expect(stdout).toContain("Finished: all 2 shards.");
    expect(emulator.requests().filter(({ status }) => status === 403 || status === 429)).toEqual([]);
    const versions = ZONES.map(async ({ id }) => (await service.entrypoint(id, PHASE))?.version);
    expect(await Promise.all(versions)).toEqual(ZONES.map(() => "1"));
  });
});
