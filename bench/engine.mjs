// The engine's share: the same program on the real engine, once with this package and once on a dynamic provider that does
// nothing. Prints times, ratios, requests, and the most memory the provider process took. `node bench/engine.mjs ZONES`.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import { startEmulator } from "pulumi-rulesets/emulator";
import { ensurePulumi } from "../scripts/pulumi-cli.mjs";

const require = createRequire(import.meta.url);
const { grpcClientOptions } = require("@pulumi/pulumi/runtime/settings");
grpcClientOptions["grpc.use_local_subchannel_pool"] = 1;
const { PhaseEntrypoint } = require("pulumi-rulesets");

const ZONES = Number(process.argv[2] ?? 200);
const PHASES = ["http_request_firewall_custom", "http_ratelimit", "http_request_dynamic_redirect"];
const TOKEN = "bench-token-0123456789";
const GOALS = { preview: 1.1, up: 1.3, "silent up": 1.1, "one edit in each": 1.3, refresh: 1.3, destroy: 1.3 };

/** Does nothing, and says so truly: what any program on a dynamic provider pays. */
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

/** The most memory that any provider process has taken since this began, in megabytes. */
function watchMemory() {
  let most = 0;
  const look = () => {
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      try {
        if (!readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("dynamic-provider")) continue;
        const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
        most = Math.max(most, Number(kilobytes ?? 0) / 1024);
      } catch {
        // It has ended meanwhile.
      }
    }
  };
  const timer = process.platform === "linux" ? setInterval(look, 100) : undefined;
  return () => {
    clearInterval(timer);
    return most;
  };
}

const emulator = await startEmulator({
  seed: {
    zones: Array.from({ length: ZONES }, (_, index) => ({ name: `z${String(index)}.example.com` })),
    rateLimit: { quota: 1_000_000 },
  },
});
const answer = await fetch(`${emulator.url}/zones?per_page=50`, { headers: { Authorization: `Bearer ${TOKEN}` } });
const { result_info: info } = await answer.json();
const zones = [];
for (let page = 1; page <= info.total_pages; page += 1) {
  const url = `${emulator.url}/zones?per_page=50&page=${String(page)}`;
  const { result } = await (await fetch(url, { headers: { Authorization: `Bearer ${TOKEN}` } })).json();
  zones.push(...result.map(({ id }) => id));
}
const control = emulator.url.replace("/client/v4", "/__emulator/requests");

const folder = mkdtempSync(join(tmpdir(), "pulumi-rulesets-bench-"));
let edition = 0;
async function stackOf(name, Resource) {
  const program = async () => {
    for (const zoneId of zones) {
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
        RULESETS_BASE_URL: emulator.url,
      },
    },
  );
  return { name, stack };
}

await ensurePulumi();
const ours = await stackOf("rulesets", PhaseEntrypoint);
const empty = await stackOf("nothing", Nothing);
async function time({ stack }, operation) {
  await fetch(control, { method: "DELETE" });
  const memory = watchMemory();
  const start = performance.now();
  await stack[operation]({ color: "never" });
  const seconds = (performance.now() - start) / 1000;
  const requests = (await (await fetch(control)).json()).length;
  return { seconds, requests, megabytes: memory() };
}

console.log(`${String(ZONES)} zones, ${String(PHASES.length)} entry points of 3 rules in each`);
for (const [label, operation, edited] of [
  ["preview", "preview", false],
  ["up", "up", false],
  ["silent up", "up", false],
  ["one edit in each", "up", true],
  ["refresh", "refresh", false],
  ["destroy", "destroy", false],
]) {
  if (edited) edition += 1;
  const floor = await time(empty, operation);
  const run = await time(ours, operation);
  const ratio = run.seconds / floor.seconds;
  console.log(
    `${label.padEnd(17)} ${run.seconds.toFixed(1).padStart(6)} s, ${ratio.toFixed(2)} times an empty provider ` +
      `(goal ${String(GOALS[label])}); ${String(run.requests)} requests; ` +
      `provider process ${run.megabytes.toFixed(0)} MB (empty: ${floor.megabytes.toFixed(0)} MB)`,
  );
  if (label === "silent up") {
    const bytes = ({ name }) => statSync(join(folder, ".pulumi", "stacks", name, "bench.json")).size;
    const each = (stack) => bytes(stack) / (ZONES * PHASES.length);
    console.log(`state             ${each(ours).toFixed(0)} bytes a resource (empty: ${each(empty).toFixed(0)})`);
  }
}
await emulator.close();
rmSync(folder, { recursive: true, force: true });
process.exit();
