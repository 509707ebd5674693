import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { cli } from "../cli/support.js";
import { ProjectStack } from "./support/project.js";
import { emulatorWith } from "../support/emulators.js";

test("doctor tries the stack's own token, too, and says which it tried", async () => {
  const [own, other] = ["token-of-the-stack-0123", "token-of-the-shell-0123"];
  const emulator = await emulatorWith({
    seed: { zones: [{ name: "shop.test" }], tokens: [{ value: own }] },
  });
  const project = new ProjectStack();
  writeFileSync(join(project.folder, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
  await project.mustRun("stack", "init", "dev");
  const settings = ["--plaintext", `rulesets:baseUrl=${emulator.url}`, "--secret", `rulesets:apiToken=${own}`];
  await project.mustRun("config", "set-all", ...settings);
  const env = { ...project.variables, CLOUDFLARE_API_TOKEN: other, CLOUDFLARE_BASE_URL: emulator.url };
  const { stdout } = await cli(["doctor", "--zone", "shop.test"], env, project.folder);
  const [shell = "", stack = ""] = stdout.split(/^(?=The service, with )/m).slice(1);
  expect(shell).toMatch(
    /^The service, with the token in environment variable CLOUDFLARE_API_TOKEN\n[^]*failure {2}Token: .*401/,
  );
  expect(stack).toMatch(/^The service, with the token in configuration key rulesets:apiToken of stack dev\n/);
  expect(stack).toMatch(/ok {7}Token: active[^]*ok {7}\S+: read: /);
  expect(stdout).not.toMatch(/token-of/);
  const locked = await cli(["doctor"], { ...env, PULUMI_CONFIG_PASSPHRASE: "wrong" }, project.folder);
  expect(locked.stdout).toMatch(
    /\? {8}Stack dev: its credentials were not tried, because `pulumi config` failed: .*passphrase/,
  );
});
