// A mixed stack on the emulator: Cloudflare's Terraform provider manages the zone, a DNS record, a setting and a list, this
// package manages the rules that use the list on the Pulumi engine, and requests go through the edge. `npm run
// check-mixed-stack` needs `terraform` or `tofu`; `-- --provider <folder>` takes Cloudflare's provider from a folder instead of
// the registry.
import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import { PhaseEntrypoint } from "pulumi-rulesets";
import { startEmulator } from "../../dist/emulator/index.js";
import { ensureLanguageHost, ensurePulumi } from "../../scripts/pulumi-cli.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const TOKEN = "0123456789abcdefghijklmnopqrstuvwxyzABCD";
const PHASE = "http_request_firewall_custom";
const { values } = parseArgs({ options: { provider: { type: "string" } } });

const folder = mkdtempSync(join(tmpdir(), "pulumi-rulesets-mixed-"));
const emulator = await startEmulator({ seed: { accounts: [{ name: "Example Ltd" }], zones: [] }, edge: {} });

async function api(path) {
  const answer = await fetch(`${emulator.url}${path}`, { headers: { Authorization: `Bearer ${TOKEN}` } });
  return (await answer.json()).result;
}

function findTerraform() {
  const found = ["terraform", "tofu"].find((name) => spawnSync(name, ["version"]).status === 0);
  if (found === undefined) throw new Error("neither terraform nor tofu is on the PATH");
  return found;
}

/** Runs terraform asynchronously, because the emulator runs in this process. */
function terraform(account, args) {
  const config = join(folder, "terraform.rc");
  const override = values.provider === undefined ? "" : `dev_overrides { "cloudflare/cloudflare" = "${values.provider}" }`;
  writeFileSync(config, `provider_installation {\n  ${override}\n  direct {}\n}\n`);
  const variables = { TF_VAR_base_url: emulator.url, TF_VAR_account_id: account, TF_VAR_api_token: TOKEN };
  const env = { ...process.env, ...variables, TF_CLI_CONFIG_FILE: config, CHECKPOINT_DISABLE: "1" };
  return new Promise((done, fail) => {
    execFile(findTerraform(), args, { cwd: folder, env }, (error, stdout, stderr) => {
      if (error === null) done(stdout);
      else fail(new Error(`terraform ${args.join(" ")} failed:\n${stdout}${stderr}`));
    });
  });
}

async function pulumiStack(zoneId) {
  const program = async () => {
    new PhaseEntrypoint("custom", {
      zoneId,
      phase: PHASE,
      rules: [
        {
          ref: "admin-office-only",
          action: "block",
          expression: 'http.request.uri.path eq "/admin" and not ip.src in $office',
        },
      ],
    });
  };
  const envVars = {
    PULUMI_BACKEND_URL: `file://${folder}`,
    PULUMI_CONFIG_PASSPHRASE: "none",
    PULUMI_HOME: join(folder, "home"),
    PULUMI_SKIP_UPDATE_CHECK: "true",
    RULESETS_API_TOKEN: TOKEN,
    RULESETS_BASE_URL: emulator.url,
  };
  return LocalWorkspace.createOrSelectStack({ stackName: "dev", projectName: "mixed", program }, { envVars, workDir: folder });
}

function visit(ip) {
  const headers = { Host: "www.shop.example.net", "X-Edge-IP": ip };
  return new Promise((done, fail) => {
    request(`${emulator.edgeUrl}/admin`, { headers }, (answer) => {
      answer.resume().on("end", () => done(answer.statusCode));
    })
      .on("error", fail)
      .end();
  });
}

const step = (text) => process.stdout.write(`${text}\n`);
try {
  await ensurePulumi();
  ensureLanguageHost();
  copyFileSync(join(here, "main.tf"), join(folder, "main.tf"));
  const account = (await api("/accounts"))[0].id;
  if (values.provider === undefined) await terraform(account, ["init", "-input=false"]);
  await terraform(account, ["apply", "-auto-approve", "-input=false"]);
  const zoneId = JSON.parse(await terraform(account, ["output", "-json"])).zone_id.value;
  step("Cloudflare's provider made the zone, the DNS record, the setting, the list and its item");

  const stack = await pulumiStack(zoneId);
  assert.deepEqual((await stack.up()).summary.resourceChanges, { create: 2 });
  assert.equal(await visit("203.0.113.9"), 403);
  assert.equal(await visit("198.51.100.7"), 200);
  step("the rules of this package block /admin at the edge, save for the addresses in Cloudflare's list");

  assert.match(await terraform(account, ["plan", "-detailed-exitcode", "-input=false"]), /No changes/);
  assert.deepEqual((await stack.preview({ expectNoChanges: true })).changeSummary, { same: 2 });
  step("neither tool finds a change in what the other created");

  await stack.destroy();
  await terraform(account, ["destroy", "-auto-approve", "-input=false"]);
  assert.deepEqual(await api("/zones"), []);
  step("both stacks are destroyed, and nothing is left");
} finally {
  await emulator.close();
  rmSync(folder, { recursive: true, force: true });
}
