import { execFile } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { Emulator } from "../../emulator/index.js";
import { Service, TOKEN } from "../support/emulator.js";
import { fleetCommand, fleetProject } from "./support/fleet-project.js";
import type { ProjectStack } from "./support/project.js";
import { emulatorWith } from "../support/emulators.js";

interface Step {
  readonly run?: string;
}
type GithubJobs = Record<string, { readonly steps: readonly Step[] }>;

const PHASE = "http_request_firewall_custom";

/** One zone for each wave. */
const ZONES = ["a.test", "b.test"].map((name, index) => ({ name, id: String(index + 1).padStart(32, "0") }));

/* The shell of what `fleet export` writes, run in the order of the jobs. */

describe("the shell of an exported rollout", () => {
  let project: ProjectStack;
  let emulator: Emulator;
  let service: Service;
  beforeAll(async () => {
    emulator = await emulatorWith({ seed: { zones: ZONES } });
    service = new Service(emulator);
    project = fleetProject(
      { RULESETS_BASE_URL: emulator.url, CLOUDFLARE_API_TOKEN: TOKEN },
      {
        phase: PHASE,
        rules: `{ ref: "admin", action: "block", expression: 'http.request.uri.path eq "/admin"' }`,
        definition:
          "waves:\n  - { name: canary, zones: a.test }\n  - { name: rest, gates: [{ approval: somebody }] }\n",
      },
    );
    const { code, stderr } = await fleetCommand(project, "plan");
    expect([code, stderr]).toEqual([0, expect.any(String)]);
  });
  const written = async (...args: string[]): Promise<unknown> => {
    const { stdout } = await fleetCommand(project, "export", ...args);
    return parse(stdout);
  };
  const shell = (script: string, env: Readonly<Record<string, string>>): Promise<string> =>
    new Promise((done) => {
      const options = { cwd: project.folder, env: { ...project.variables, ...env } };
      execFile("bash", ["-euc", script], options, (error, stdout, stderr) => {
        done(`${stdout}${stderr}${error === null ? "" : `\nexit ${String(error.code)}`}`);
      });
    });
  const own = (script: string): boolean => script.includes("pulumi-rulesets fleet") && !script.includes("fleet plan ");
  const versions = (): Promise<(string | undefined)[]> =>
    Promise.all(ZONES.map(async ({ id }) => (await service.entrypoint(id, PHASE))?.version));
  const FINISHED = { stdout: expect.stringContaining("Finished: all 2 shards.") as string };
  const status = () => fleetCommand(project, "status");

  test("of GitHub Actions", async () => {
    const { jobs } = (await written("github")) as { jobs: GithubJobs };
    const run = (job: string, env: Readonly<Record<string, string>> = {}): Promise<string> => {
      const scripts = jobs[job]?.steps.flatMap(({ run: script }) => script ?? []).filter(own) ?? [];
      return shell(scripts.join("\n"), env);
    };
    const outputs = join(project.folder, "outputs");
    project.write("outputs", "");
    await run("plan", { GITHUB_OUTPUT: outputs });
    expect(project.read("outputs")).toBe('wave-canary=["s001"]\nwave-rest=["s002"]\n');
    expect(await run("wave-rest", { SHARD: "s002" })).toMatch(
      /(s002: not run: the wave canary before it is not done\n){3}[^]*exit 3/,
    );
    await run("wave-canary", { SHARD: "s001" });
    expect(await run("gate-canary")).toContain("canary: the next wave may start");
    await run("wave-rest", { SHARD: "s002" });
    // `gh` says who has approved; an environment that nobody has protected has no approvals.
    project.write("gh", '#!/bin/sh\nprintf "%s" "$APPROVED_BY"\n');
    chmodSync(join(project.folder, "gh"), 0o755);
    const github = {
      PATH: `${project.folder}:${project.variables.PATH ?? ""}`,
      GITHUB_REPOSITORY: "",
      GITHUB_RUN_ID: "",
    };
    expect(await run("gate-rest", { ...github, APPROVED_BY: "" })).toMatch(
      /no approval of the environment fleet-rest is recorded[^]*\nexit 3/,
    );
    expect(await run("gate-rest", { ...github, APPROVED_BY: "someone" })).toContain("approved by someone");
    expect(await status()).toMatchObject(FINISHED);
    expect(await versions()).toEqual(["1", "1"]);
  });
});
