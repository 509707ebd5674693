import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { parse } from "yaml";
import type { Emulator } from "../../emulator/index.js";
import { managedRulesets } from "../../core/managed/rulesets.js";
import { Service, TOKEN } from "../support/emulator.js";
import { cli, root, shell } from "./support.js";
import { emulatorWith } from "../support/emulators.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/* The shell of the nightly workflow in docs/managed-rules.md, as it stands there: with git, and with files in the place of GitHub. */

const MANAGED = managedRulesets.cloudflareManaged;
const JOOMLA = "a4aeda66d4069bacc22c1d50c7b3e192";

interface Workflow {
  readonly jobs: { readonly look: { readonly steps: readonly { readonly run?: string }[] } };
}

function nightlyScript(): string {
  const page = readFileSync(join(root, "docs", "managed-rules.md"), "utf8");
  const [, yaml = ""] = /```yaml\n# \.github\/workflows\/managed-rules\.yml\n([^]*?)```/.exec(page) ?? [];
  const { steps } = (parse(yaml) as Workflow).jobs.look;
  return steps.findLast(({ run }) => run !== undefined)?.run ?? "";
}

describe("the nightly workflow", () => {
  let emulator: Emulator;
  let service: Service;
  let folder: string;
  beforeEach(async () => {
    emulator = await emulatorWith({ seed: { zones: [{ name: "shop.example.com" }] } });
    service = new Service(emulator);
    folder = temporaryFolder();
    const program = join(folder, "program");
    git(folder, "init", "--quiet", "--bare", "--initial-branch", "main", "origin.git");
    git(folder, "clone", "--quiet", "origin.git", "program");
    git(program, "switch", "--quiet", "--create", "main");
    const zoneId = await service.zoneNamed("shop.example.com");
    const rules = [{ action: "execute", expression: "true", actionParameters: { id: MANAGED } }];
    const declared = { zoneId, phase: "http_request_firewall_managed", rules };
    writeFileSync(join(program, "Pulumi.yaml"), "name: firewall\nruntime: nodejs\nmain: index.js\n");
    const library = JSON.stringify(join(root, "dist", "provider", "index.js"));
    writeFileSync(
      join(program, "index.js"),
      `new (require(${library}).PhaseEntrypoint)("waf", ${JSON.stringify(declared)});\n`,
    );
    writeFileSync(join(program, ".gitignore"), "node_modules\n");
    symlinkSync(join(root, "node_modules"), join(program, "node_modules"));
    // What a runner of GitHub has on its path.
    const main = join(root, "dist", "tools", "cli", "main.js");
    tool("npx", `[ "$1" = pulumi-rulesets ] && shift && exec "${process.execPath}" --no-warnings "${main}" "$@"`);
    tool(
      "gh",
      `printf '%s\\n' "$*" >> "${join(folder, "gh.txt")}"; [ "$2" = edit ] || [ ! -e "${join(folder, "open")}" ]`,
    );
  });
  const env = () => ({ CLOUDFLARE_API_TOKEN: TOKEN, RULESETS_BASE_URL: emulator.url });
  const git = (where: string, ...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
      ...{ cwd: where, encoding: "utf8" as const },
    });
  const tool = (name: string, script: string): void => {
    writeFileSync(join(folder, name), `#!/bin/bash\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  const night = async (): Promise<number> => {
    const path = [folder, process.env.PATH].join(delimiter);
    return (await shell(nightlyScript(), { ...env(), PATH: path }, join(folder, "program"))).code;
  };
  const calls = (): string => (existsSync(join(folder, "gh.txt")) ? readFileSync(join(folder, "gh.txt"), "utf8") : "");

  test("does nothing in a quiet night, opens a pull request for a release, and fails if it cannot look", async () => {
    const program = join(folder, "program");
    expect(await cli(["managed", "lock", "--program", "."], env(), program)).toMatchObject({ code: 0, stderr: "" });
    git(program, "add", "--all");
    git(program, "commit", "--quiet", "--message", "Start");
    expect([await night(), calls()]).toEqual([0, ""]);
    await service.releaseManaged(MANAGED, { rules: [{ id: JOOMLA, action: "block", enabled: true }] });
    expect(await night()).toBe(0);
    expect(calls()).toBe("pr create --title Accept the release of managed rules --body-file changes.md\n");
    expect(readFileSync(join(program, "changes.md"), "utf8")).toContain("Joomla - anomaly");
    expect(git(folder, "--git-dir", "origin.git", "show", "--stat", "--format=%s", "managed-rules")).toMatch(
      /^Accept the release of managed rules\n\n managed\.lock\.json \|/,
    );
    // The next night begins with a new checkout, and the pull request is still open.
    git(program, "switch", "--quiet", "main");
    git(program, "branch", "--quiet", "--delete", "--force", "managed-rules");
    writeFileSync(join(folder, "open"), "");
    expect(await night()).toBe(0);
    expect(calls()).toContain("pr edit managed-rules --body-file changes.md\n");
    git(program, "switch", "--quiet", "main");
    await service.fault({ path: `rulesets/${MANAGED}`, status: 403, times: 99 });
    expect(await night()).toBe(3);
  });

  test("says what an override that names nothing is, which no new lock file mends", async () => {
    const program = join(folder, "program");
    const source = readFileSync(join(program, "index.js"), "utf8");
    const overrides = JSON.stringify({ rules: [{ id: "f".repeat(32), action: "log" }] });
    writeFileSync(
      join(program, "index.js"),
      source.replace(`{"id":"${MANAGED}"}`, `{"id":"${MANAGED}","overrides":${overrides}}`),
    );
    expect((await cli(["managed", "lock", "--program", "."], env(), program)).code).toBe(0);
    git(program, "add", "--all");
    git(program, "commit", "--quiet", "--message", "Start");
    expect([await night(), calls()]).toEqual([2, ""]);
    expect(readFileSync(join(program, "changes.md"), "utf8")).toContain("To continue: change or remove it");
  });
});
