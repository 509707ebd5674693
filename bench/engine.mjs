// The engine's share of the cost: the same program on the real engine, once with this package and once with a dynamic provider
// that does nothing. Prints times, ratios, requests, and the peak memory of the provider process. `node bench/engine.mjs
// ZONES`.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import { ensurePulumi } from "../scripts/pulumi-cli.mjs";
import { costOf } from "./engine/cost.mjs";
import { formsOf, startService, TOKEN } from "./engine/service.mjs";

const require = createRequire(import.meta.url);
const { grpcClientOptions } = require("@pulumi/pulumi/runtime/settings");
grpcClientOptions["grpc.use_local_subchannel_pool"] = 1;
const { PhaseEntrypoint } = require("pulumi-rulesets");

const ZONES = Number(process.argv[2] ?? 200);
const PHASES = ["http_request_firewall_custom", "http_ratelimit", "http_request_dynamic_redirect"];
const GOALS = { preview: 1.1, up: 1.3, "silent up": 1.1, "one edit in each": 1.3, refresh: 1.3, destroy: 1.3 };

/** A provider that does nothing: the minimum cost of a program on a dynamic provider. */
const nothing = {
  check: async (olds, inputs) => ({ inputs }),
  diff: async (id, olds, news) => ({ changes: JSON.stringify(olds.rules) !== JSON.stringify(news.rules) }),
  create: async (inputs) => ({ id: `${inputs.zoneId}/${inputs.phase}`, outs: inputs }),
  update: async (id, olds, news) => ({ outs: news }),
  read: async (id, props) => ({ id, props }),
  delete: async () => undefined,
};
class Nothing extends pulumi.dynamic.Resource {
  constructor(name, args) {
    super(nothing, name, args);
  }
}

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
/** `12.3 s against 10.1 s (1.22)`. */
const against = (ours, floor) => `${number(ours, 1)} s against ${number(floor, 1)} s (${(ours / floor).toFixed(2)})`;

await ensurePulumi();
const ours = await stackOf("rulesets", PhaseEntrypoint);
const empty = await stackOf("nothing", Nothing);
console.log(
  `${String(ZONES)} zones, ${String(PHASES.length)} entry points of 3 rules in each, against an empty dynamic provider; ` +
    `load of the machine at the start ${loadavg()[0].toFixed(1)}`,
);
for (const [label, operation, edited] of [
  ["preview", "preview", false],
  ["up", "up", false],
  ["silent up", "up", false],
  ["one edit in each", "up", true],
  ["refresh", "refresh", false],
  ["destroy", "destroy", false],
]) {
  if (edited) edition += 1;
  const floor = await run(empty, operation);
  const mine = await run(ours, operation);
  console.log(`${label} (goal ${String(GOALS[label])})`);
  console.log(`  by the clock    ${against(mine.wall, floor.wall)}`);
  console.log(`  processors      ${against(mine.whole, floor.whole)}`);
  for (const name of Object.keys(mine.processors))
    console.log(`    ${name.padEnd(14)}${against(mine.processors[name], floor.processors[name])}`);
  console.log(`  provider takes  ${mine.megabytes.toFixed(0)} MB against ${floor.megabytes.toFixed(0)} MB`);
  console.log(`  requests        ${String(mine.requests.length)}: ${formsOf(mine.requests).join(", ")}`);
  if (label !== "silent up") continue;
  const bytes = ({ name }) => statSync(join(folder, ".pulumi", "stacks", name, "bench.json")).size;
  const each = (stack) => (bytes(stack) / (ZONES * PHASES.length)).toFixed(0);
  console.log(`  state           ${each(ours)} bytes a resource against ${each(empty)}`);
}
service.close();
rmSync(folder, { recursive: true, force: true });
process.exit();
