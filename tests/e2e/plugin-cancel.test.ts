import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Seed } from "../../emulator/index.js";
import { Service } from "../support/emulator.js";
import { until } from "../support/patience.js";
import { pluginProject } from "./support/plugin-project.js";
import type { ProjectStack } from "./support/project.js";
import { emulatorWith } from "../support/emulators.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/* A run that is cancelled, or that takes longer than the program allows, while it waits and while it writes. */

const phase = "http_request_firewall_custom";
const seed: Seed = {
  zones: [
    {
      name: "shop.example.com",
      plan: "enterprise",
      certificates: {
        hostnames: [{ hostname: "a.customer.test", certificateAuthority: "lets_encrypt" }],
        pace: { reads: 1000 },
      },
    },
  ],
};

let service: Service;
let project: ProjectStack;
let zoneId: string;
let caches: string;
beforeEach(async () => {
  service = new Service(await emulatorWith({ seed }));
  caches = temporaryFolder();
  project = pluginProject(service, { XDG_CACHE_HOME: caches, NODE_COMPILE_CACHE: "" });
  zoneId = await service.zoneNamed("shop.example.com");
});

/** Writes a YAML program of these resources. */
function declare(resources: Readonly<Record<string, object>>): void {
  project.write("Pulumi.yaml", JSON.stringify({ name: "cancel", runtime: "yaml", resources }));
}
const start = async (resources: Readonly<Record<string, object>>) => {
  declare(resources);
  await project.initStack();
};

const waiting = (options: object = {}) => ({
  ca: {
    type: "rulesets:CustomHostnameCa",
    properties: { zoneId, hostname: "a.customer.test", certificateAuthority: "google", validationTimeoutSeconds: 0 },
  },
  certificate: {
    type: "rulesets:CustomHostnameCertificate",
    properties: { customHostnameCaId: "${ca.id}" },
    options,
  },
});
const shared = (count: number) => ({
  waf: {
    type: "rulesets:PhaseEntrypoint",
    properties: {
      ...{ zoneId, phase, ownership: "shared" },
      rules: Array.from({ length: count }, (_, index) => ({
        ref: `rule-${String(index)}`,
        action: "block",
        expression: `http.request.uri.path eq "/${String(index)}"`,
      })),
    },
  },
});

/** Runs `pulumi up` until a condition holds, and then cancels it as Ctrl-C does. */
async function cancelledUp(
  reached: (printed: string) => boolean | Promise<boolean>,
  after: (printed: () => string) => Promise<void> = () => Promise.resolve(),
) {
  const child: ChildProcess = spawn(
    "pulumi",
    ["up", "--yes", "--skip-preview", "--non-interactive", "--color", "never"],
    {
      cwd: project.folder,
      env: project.variables,
    },
  );
  let text = "";
  child.stdout?.on("data", (data: Buffer) => (text += data.toString()));
  child.stderr?.on("data", (data: Buffer) => (text += data.toString()));
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  await until(async () => child.exitCode !== null || (await reached(text)));
  child.kill("SIGINT");
  await after(() => text);
  return { code: await ended, text };
}

interface Exported {
  readonly deployment: {
    readonly pending_operations?: readonly object[];
    readonly resources: readonly { readonly type: string; readonly outputs?: Readonly<Record<string, unknown>> }[];
  };
}
const state = async (): Promise<Exported["deployment"]> =>
  (JSON.parse(await project.mustRun("stack", "export")) as Exported).deployment;
const writes = async () => (await service.requests()).filter((request) => !request.startsWith("GET"));

const isWaiting = (printed: string): boolean => printed.includes("next check in");

test("Ctrl-C ends a wait at once; what was done is in the state, and the next run only waits and keeps compiled code", async () => {
  await start(waiting());
  const { code, text } = await cancelledUp(isWaiting);
  expect(code).not.toBe(0);
  expect(text).toContain("the run was cancelled");
  expect(await writes()).toHaveLength(1);
  const { pending_operations: pending = [], resources } = await state();
  expect(pending).toEqual([]);
  expect(resources.map(({ type }) => type)).toContain("rulesets:index:CustomHostnameCa");

  await service.configureCertificates(zoneId, { pace: "at-once" });
  expect(await project.run("up", "--yes", "--skip-preview")).toMatchObject({ ok: true });
  expect(await writes()).toEqual([]);
  expect(existsSync(join(caches, "pulumi-rulesets", "compiled"))).toBe(true);
});

test("Ctrl-C lets the write under way finish, sends no other, and loses nothing", async () => {
  const foreign = { ref: "theirs", action: "log", expression: "ssl" };
  await service.create(`zones/${zoneId}`, { name: "default", kind: "zone", phase, rules: [foreign] });
  // The wait shows when the plugin knows that the run is cancelled: only then the held write gets its response.
  await start({ ...waiting(), ...shared(3) });
  await service.fault({ method: "POST", path: "*/rulesets/*/rules", hold: true });
  const isHeld = async (printed: string) => isWaiting(printed) && (await service.faultsLeft()) === 0;
  const { code, text } = await cancelledUp(isHeld, async (printed) => {
    await until(() => printed().includes("certificate **creating failed**"));
    await service.noFaults();
  });
  expect([text, code]).toEqual([text, expect.any(Number)]);
  expect(code).not.toBe(0);
  expect((await state()).pending_operations ?? []).toEqual([]);
  expect((await service.rules(zoneId, phase)).map(({ ref }) => ref)).toEqual(["theirs", "rule-0"]);
  const first = (await service.rules(zoneId, phase))[1]?.id ?? "";

  await service.configureCertificates(zoneId, { pace: "at-once" });
  await service.forget();
  expect(await project.run("up", "--yes", "--skip-preview")).toMatchObject({ ok: true });
  expect((await writes()).map((request) => request.split(" ")[0])).toEqual(["POST", "POST"]);
  const rules = await service.rules(zoneId, phase);
  expect(rules.map(({ ref }) => ref)).toEqual(["theirs", "rule-0", "rule-1", "rule-2"]);
  expect(rules[1]?.id).toBe(first);
});

test("customTimeouts end a wait, and the state records what was done", async () => {
  await start(waiting({ customTimeouts: { create: "1s" } }));
  const up = await project.run("up", "--yes", "--skip-preview");
  expect(up.ok).toBe(false);
  expect(up.text).toContain("the create timeout of 1 s (customTimeouts) is over");
  expect(await writes()).toHaveLength(1);
  const { pending_operations: pending = [], resources } = await state();
  expect(pending).toEqual([]);
  expect(resources.map(({ type }) => type)).toEqual(
    expect.arrayContaining(["rulesets:index:CustomHostnameCa", "rulesets:index:CustomHostnameCertificate"]),
  );
});

test("an engine attaches to a plugin that already runs, for one run after another", async () => {
  await start(shared(2));
  const plugin = spawn("pulumi-resource-rulesets", [], { env: project.variables, stdio: ["pipe", "pipe", "inherit"] });
  try {
    const port = await new Promise<string>((resolve) => {
      plugin.stdout.once("data", (data: Buffer) => {
        resolve(data.toString().trim());
      });
    });
    const attached = { PULUMI_DEBUG_PROVIDERS: `rulesets:${port}` };
    const first = await project.runWith(attached, "up", "--yes", "--skip-preview");
    expect(first).toMatchObject({ ok: true });
    expect(await writes()).not.toEqual([]);
    const silent = await project.runWith(attached, "up", "--yes", "--skip-preview");
    expect(silent.text).toContain("2 unchanged");
    expect(await service.requests()).toEqual([]);
    expect(plugin.exitCode).toBeNull();
  } finally {
    plugin.kill();
  }
});
