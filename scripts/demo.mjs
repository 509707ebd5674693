// Runs examples/zone-security on the real Pulumi engine against the embedded service, and reports what happens. The real
// service is only used with --live --zone ID, a typed confirmation, and no rules in the phases that the demo uses.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs, styleText } from "node:util";
import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import { createClient } from "pulumi-rulesets/client";
import { startEmulator } from "pulumi-rulesets/emulator";
import { ensurePulumi } from "./pulumi-cli.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const PHASES = [
  "http_request_firewall_managed",
  "http_request_firewall_custom",
  "http_ratelimit",
  "http_request_dynamic_redirect",
];
const TOKEN = "demo-token-0123456789";
const print = (line = "") => process.stdout.write(`${line}\n`);
const bold = (text) => styleText("bold", text);
const dim = (text) => styleText("dim", text);

const { values: options } = parseArgs({
  options: {
    live: { type: "boolean", default: false },
    zone: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

/** The service to use: the embedded one, or with --live the real one after a confirmation. */
async function chooseService() {
  if (!options.live) {
    const emulator = await startEmulator();
    const client = createClient({ baseUrl: emulator.url, credentials: { kind: "token", apiToken: TOKEN } });
    const zone = (await client.zones.list()).find(({ plan }) => plan === "enterprise");
    return { ...emulator, client, zone, token: TOKEN, accountId: zone.accountId };
  }
  const token = process.env.RULESETS_API_TOKEN || process.env.CLOUDFLARE_API_TOKEN;
  if (options.zone === undefined || !token) {
    throw new Error("--live needs --zone ID, and a token in RULESETS_API_TOKEN or CLOUDFLARE_API_TOKEN");
  }
  const url = process.env.RULESETS_BASE_URL || "https://api.cloudflare.com/client/v4";
  const client = createClient({ baseUrl: url, credentials: { kind: "token", apiToken: token } });
  const zone = await client.zones.get(options.zone);
  const scope = { level: "zones", id: zone.id };
  for (const phase of PHASES) {
    const there = await client.rulesets.findEntrypoint(scope, phase);
    if (there !== undefined && there.rules.length > 0) {
      throw new Error(
        `${phase} of ${zone.name} has ${String(there.rules.length)} rules: the demo does not touch zones with rules`,
      );
    }
  }
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  const typed = await reader.question(
    `This creates and deletes rules in ${zone.name} at ${url}. Type the name of the zone to continue: `,
  );
  reader.close();
  if (typed.trim() !== zone.name) throw new Error("that is not the name of the zone; nothing was done");
  return { url, client, zone, token, close: async () => undefined };
}

const pageOf = (service) => service.url.replace("/client/v4", "/__emulator/");

let counted = 0;
/** The number of requests since the last call; only the embedded service counts them. Its page goes on showing all of them. */
async function requestCounts(service) {
  if (options.live) return undefined;
  const all = await (await fetch(`${pageOf(service)}requests`)).json();
  const log = all.slice(counted);
  counted = all.length;
  const counts = Map.groupBy(log, ({ method }) => method);
  const parts = [...counts].map(([method, list]) => `${String(list.length)} ${method}`);
  return log.length === 0
    ? "0 requests"
    : `${String(log.length)} ${log.length === 1 ? "request" : "requests"} (${parts.join(", ")})`;
}

const WORDS = { create: "+ created", update: "~ updated", delete: "- deleted", same: "  unchanged", refresh: "  read" };

/** Collects what an operation did to each ruleset, and the messages about it. */
function listener() {
  const rows = [];
  const notes = [];
  const changes = {};
  const onEvent = ({ resOutputsEvent, diagnosticEvent, summaryEvent }) => {
    Object.assign(changes, summaryEvent?.resourceChanges);
    const { metadata } = resOutputsEvent ?? {};
    if (metadata?.type?.startsWith("pulumi-nodejs:dynamic/rulesets:")) {
      const name = metadata.urn.split("::").pop();
      const { phase } = metadata.new?.outputs ?? metadata.old?.outputs ?? {};
      rows.push(`${(WORDS[metadata.op] ?? metadata.op).padEnd(12)} ${name.padEnd(10)} ${dim(phase ?? "")}`);
    }
    if (diagnosticEvent?.urn?.includes("dynamic/rulesets") && diagnosticEvent.severity !== "debug") {
      if (!diagnosticEvent.ephemeral) notes.push(diagnosticEvent.message.replace(/<\{%[^%]*%\}>/g, "").trimEnd());
    }
  };
  return { rows, notes, changes, onEvent };
}

function counts(changes) {
  const words = { create: "created", update: "updated", delete: "deleted", same: "unchanged" };
  const parts = Object.entries(changes).map(([op, count]) => `${String(count)} ${words[op] ?? op}`);
  return parts.join(", ");
}

/** The resources that change, by name, from the engine's preview. */
function changesIn(stdout) {
  const from = stdout.indexOf("    ~ pulumi-nodejs");
  const until =
    stdout.indexOf("    --outputs:--") > 0 ? stdout.indexOf("    --outputs:--") : stdout.indexOf("Resources:");
  return stdout
    .slice(from, until)
    .replace(
      /pulumi-nodejs:dynamic\/rulesets:(\w+): \((\w+)\)\n\s*\[id=[^\]]*\]\n\s*\[urn=.*::([^:\]]+)\]/g,
      "$1 $3 ($2)",
    )
    .trimEnd()
    .split("\n");
}

let step = 0;
function title(text, command) {
  step += 1;
  print();
  print(bold(`${String(step)}. ${text}`) + (command === undefined ? "" : dim(`   ${command}`)));
}

/** Whether somebody can look at the page and end the demo, unlike in a pipeline. */
const watched = !options.live && process.stdin.isTTY && process.stdout.isTTY && !process.env.CI;

/** Resolves when the user presses Enter, Ctrl-C or Ctrl-D. */
function untilEnded() {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  return new Promise((resolve) => {
    for (const event of ["line", "SIGINT", "close"]) terminal.once(event, resolve);
  }).finally(() => terminal.close());
}

async function main() {
  if (options.help) {
    print("npm run demo                          uses the embedded service; nothing leaves this machine");
    print(
      "npm run demo -- --live --zone ID      uses the real service: asks first, and does not touch zones with rules",
    );
    return;
  }
  const version = await ensurePulumi(print);
  const service = await chooseService();
  const folder = mkdtempSync(join(tmpdir(), "pulumi-rulesets-demo-"));
  print(bold("pulumi-rulesets: the firewall of a zone, on the real engine"));
  print(`  engine   pulumi ${version}`);
  print(`  service  ${options.live ? "the real one" : "embedded"}, ${service.url}`);
  if (!options.live)
    print(`  page     ${pageOf(service)} ${watched ? "until you end the demo" : "while the demo runs"}`);
  print(`  zone     ${service.zone.name}`);
  print("  program  examples/zone-security/index.ts (counts include the stack itself)");

  let run = 0;
  const program = async () => {
    run += 1;
    const path = pathToFileURL(join(root, "examples", "zone-security", "index.ts"));
    const { versions, ruleIds } = await import(`${path.href}?run=${String(run)}`);
    return { versions, ruleIds };
  };
  const stack = await LocalWorkspace.createOrSelectStack(
    { projectName: "rulesets-zone-security", stackName: "demo", program },
    {
      workDir: folder,
      envVars: {
        PULUMI_BACKEND_URL: `file://${folder}`,
        PULUMI_CONFIG_PASSPHRASE: "demo",
        PULUMI_HOME: join(folder, "home"),
        PULUMI_SKIP_UPDATE_CHECK: "true",
        // Overrides all configuration and other variables, so that the demo only talks to this service.
        RULESETS_BASE_URL: service.url,
        RULESETS_API_TOKEN: service.token,
        RULESETS_ON_CONFLICT: "",
      },
    },
  );
  await stack.setAllConfig({
    zoneId: { value: service.zone.id },
    ...(service.accountId === undefined ? {} : { accountId: { value: service.accountId } }),
  });
  await requestCounts(service);

  // After every operation the SDK starts Pulumi up to three times more, for outputs and a summary that the demo does not use.
  stack.outputs = () => Promise.resolve({});
  stack.info = () => Promise.resolve(undefined);

  const report = async ({ rows, notes, changes }) => {
    for (const row of rows) print(`   ${row}`);
    for (const note of notes) print(`   ${dim("note:")} ${note.split("\n").join("\n     ")}`);
    const requests = await requestCounts(service);
    print(`   ${bold(counts(changes))}${requests === undefined ? "" : `, ${requests}`}`);
  };
  const operate = async (what) => {
    const events = listener();
    await stack[what]({ onEvent: events.onEvent, color: "never" });
    await report(events);
  };
  const showPreview = async () => {
    const { stdout } = await stack.preview({ diff: true, color: "never" });
    for (const line of changesIn(stdout)) print(line);
    print(`   ${bold("the preview")} made ${(await requestCounts(service)) ?? "its reads"}`);
  };
  const scope = { level: "zones", id: service.zone.id };
  const custom = () => service.client.rulesets.getEntrypoint(scope, "http_request_firewall_custom");

  title("A new zone", "pulumi up");
  await operate("up");

  title("The same again: nothing to do, no request sent", "pulumi up");
  await operate("up");

  title(
    "An attack: one more rule at the top, half the rate limit",
    "pulumi config set underAttack true; pulumi preview --diff",
  );
  await stack.setConfig("underAttack", { value: "true" });
  await showPreview();
  const before = (await custom()).rules;
  await requestCounts(service);
  title("Applied: every other rule keeps its id", "pulumi up");
  await operate("up");
  const after = (await custom()).rules;
  const kept = before.filter(({ id }) => after.some((rule) => rule.id === id)).length;
  print(`   ${String(kept)} of ${String(before.length)} rule ids kept`);

  title("Drift: someone disables a rule in the dashboard");
  const there = await custom();
  const target = there.rules.find(({ description }) => description === "Block admin");
  const { id: _id, version: _version, lastUpdated: _lastUpdated, ...content } = target;
  await service.client.rulesets.patchRule(scope, there.id, target.id, { rule: { ...content, enabled: false } });
  print(`   "${target.description}" is off now: version ${(await custom()).version} of the ruleset`);
  await requestCounts(service);
  title("Detected", "pulumi refresh");
  await operate("refresh");
  title("Repaired: the field, not the rule", "pulumi preview --diff; pulumi up");
  await showPreview();
  await operate("up");
  const repaired = (await custom()).rules.find(({ id }) => id === target.id);
  print(
    `   "${target.description}" runs again, with the same id: ${String(repaired !== undefined && repaired.enabled)}`,
  );
  await requestCounts(service);

  if (watched) {
    title("Look around: the rules are deployed, and the page tries requests on them");
    print(`   ${pageOf(service)}`);
    print("   Press Enter to destroy them and end the demo.");
    await untilEnded();
  }

  title("Destroyed: entry points are emptied, so their versions stay", "pulumi destroy");
  await operate("destroy");

  await service.close();
  rmSync(folder, { recursive: true, force: true });
  print();
  print(bold("Where to look next"));
  print("  examples/zone-security/index.ts   the program that just ran");
  print("  docs/ownership.md                 what happens to rules that others created");
  print("  docs/migration.md                 the irreversible migration from the previous WAF, for one zone or many");
  print("  docs/certificates.md              certificate authorities of custom hostnames, and the chain change");
  print("  npx pulumi-rulesets init          a project of your own, with tests and a pipeline");
  print("  npx pulumi-rulesets emulator      the service for your own stacks, offline");
  print("  npm test                          every behaviour above, and many more, on the real engine");
}

main().then(
  () => process.exit(0),
  (error) => {
    process.stderr.write(`demo: ${error.message}\n`);
    process.exit(1);
  },
);
