// The engine's share: the same program on the real engine, with this package and on two dynamic providers that do nothing.
// Prints times, ratios, requests, and the most memory the provider process took. `node bench/engine.mjs ZONES`.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import { ensurePulumi } from "../scripts/pulumi-cli.mjs";
import { costOf } from "./engine/cost.mjs";
import { InputsOnly, SameState } from "./engine/floors.mjs";
import { formsOf, startService, TOKEN } from "./engine/service.mjs";

const require = createRequire(import.meta.url);
const { grpcClientOptions } = require("@pulumi/pulumi/runtime/settings");
grpcClientOptions["grpc.use_local_subchannel_pool"] = 1;
const { PhaseEntrypoint } = require("pulumi-rulesets");

const ZONES = Number(process.argv[2] ?? 200);
const PHASES = ["http_request_firewall_custom", "http_ratelimit", "http_request_dynamic_redirect"];
const GOALS = { preview: 1.1, up: 1.3, "silent up": 1.1, "one edit in each": 1.3, refresh: 1.3, destroy: 1.3 };

function rulesOf(phase, edition) {
  const action = {
    http_request_firewall_custom: { action: "block" },
    http_ratelimit: {
      action: "block",
      ratelimit: {
        characteristics: ["ip.src", "cf.colo.id"],
        period: 60,
        requestsPerPeriod: 100,
        mitigationTimeout: 60,
      },
    },
    http_request_dynamic_redirect: {
      action: "redirect",
      actionParameters: { fromValue: { targetUrl: { value: "https://example.com/" }, statusCode: 301 } },
    },
  }[phase];
  return [1, 2, 3].map((number) => ({
    ...action,
    ref: `rule-${String(number)}`,
    description: `Rule ${String(number)}`,
    expression: `http.request.uri.path eq "/${String(number)}${number === 2 ? `-${String(edition)}` : ""}"`,
  }));
}

const service = await startService(ZONES);
const folder = mkdtempSync(join(tmpdir(), "pulumi-rulesets-bench-"));
let edition = 0;
async function stackOf(name, Resource) {
  const program = async () => {
    for (const zoneId of service.zones) {
      for (const phase of PHASES) new Resource(`${zoneId}-${phase}`, { zoneId, phase, rules: rulesOf(phase, edition) });
    }
  };
  const stack = await LocalWorkspace.createOrSelectStack(
    { projectName: name, stackName: "bench", program },
    {
      workDir: mkdtempSync(join(folder, `${name}-`)),
      envVars: {
        PULUMI_HOME: join(folder, "home"),
        PULUMI_BACKEND_URL: `file://${folder}`,
        PULUMI_CONFIG_PASSPHRASE: "bench",
        PULUMI_SKIP_UPDATE_CHECK: "true",
        RULESETS_API_TOKEN: TOKEN,
        RULESETS_BASE_URL: service.url,
      },
    },
  );
  return { name, stack };
}

async function run({ stack }, operation) {
  await service.forget();
  const cost = await costOf(folder, () => stack[operation]({ color: "never" }));
  return { ...cost, requests: await service.requests() };
}

const number = (value, digits) => value.toFixed(digits).padStart(5);
/** `12.3 s, 1.22 times 10.1 s, 1.34 times 9.2 s`: against the same state, then against inputs alone. */
const against = (ours, ...floors) =>
  [`${number(ours, 1)} s`, ...floors.map((floor) => `${(ours / floor).toFixed(2)} times${number(floor, 1)} s`)].join(
    ", ",
  );

await ensurePulumi();
const ours = await stackOf("rulesets", PhaseEntrypoint);
const sameState = await stackOf("same-state", SameState);
const inputsOnly = await stackOf("inputs-only", InputsOnly);
console.log(
  `${String(ZONES)} zones, ${String(PHASES.length)} entry points of 3 rules in each; load of the machine at the start ` +
    `${loadavg()[0].toFixed(1)}. Each time stands against an empty dynamic provider that keeps the same state, then against ` +
    "one that returns its inputs.",
);
// What is compiled in this process with the first run is nobody's cost.
for (const stack of [sameState, inputsOnly, ours]) await run(stack, "preview");
for (const [label, operation, edited] of [
  ["preview", "preview", false],
  ["up", "up", false],
  ["silent up", "up", false],
  ["one edit in each", "up", true],
  ["refresh", "refresh", false],
  ["destroy", "destroy", false],
]) {
  if (edited) edition += 1;
  const floors = [await run(sameState, operation), await run(inputsOnly, operation)];
  const mine = await run(ours, operation);
  console.log(`${label} (goal ${String(GOALS[label])})`);
  console.log(`  by the clock    ${against(mine.wall, ...floors.map(({ wall }) => wall))}`);
  console.log(`  processors      ${against(mine.whole, ...floors.map(({ whole }) => whole))}`);
  for (const name of Object.keys(mine.processors))
    console.log(
      `    ${name.padEnd(14)}${against(mine.processors[name], ...floors.map(({ processors }) => processors[name]))}`,
    );
  const megabytes = [mine, ...floors].map((cost) => `${cost.megabytes.toFixed(0)} MB`);
  console.log(`  provider takes  ${megabytes.join(", against ")}`);
  console.log(`  requests        ${String(mine.requests.length)}: ${formsOf(mine.requests).join(", ")}`);
  if (label !== "silent up") continue;
  const bytes = ({ name }) => statSync(join(folder, ".pulumi", "stacks", name, "bench.json")).size;
  const each = [ours, sameState, inputsOnly].map((stack) => (bytes(stack) / (ZONES * PHASES.length)).toFixed(0));
  console.log(`  state           ${each.join(" bytes a resource, against ")}`);
}
service.close();
rmSync(folder, { recursive: true, force: true });
process.exit();
