// Runs operations of the real engine in a separate process, as a user's program would: a failing run leaves rejected promises
// behind that must not reach the test runner.
const { execFile } = require("node:child_process");
const { cpSync, readdirSync, readFileSync } = require("node:fs");
const { flushCompileCache } = require("node:module");
const { join } = require("node:path");
const { LocalWorkspace, PulumiCommand, Stack } = require("@pulumi/pulumi/automation");
const pulumi = require("@pulumi/pulumi");
const settings = require("@pulumi/pulumi/runtime/settings");
const { SemVer } = require("semver");
const lib = require("pulumi-rulesets");
const { cutAfter } = require("./cut-connection.cjs");
const { encryptSecret } = require("./keys.cjs");

// This process is killed at the end, so it writes its compile cache now, for later processes.
flushCompileCache();

// gRPC keeps the connection to the engine of a failed run, and retries it as long as this process lives. When a later engine
// gets the same port, the SDK mistakes the state of the old connection for that of the new one, and the run ends as if the
// program had registered nothing. Separate connection pools prevent that.
settings.grpcClientOptions["grpc.use_local_subchannel_pool"] = 1;

process.on("unhandledRejection", () => undefined);
process.on("uncaughtException", () => undefined);
// A stack that a failing test left open must not keep the whole suite from ending.
process.on("disconnect", () => process.exit());

// `PulumiCommand.get` would start Pulumi for its version.
const pulumiCommand = new PulumiCommand("pulumi", new SemVer(process.env.E2E_PULUMI));

let stack;
let program = () => ({});
let withJson = false;

/** What `pulumi stack history` returns for the latest update, without starting Pulumi. */
function lastUpdate(folder) {
  const history = join(folder, ".pulumi", "history", "test", "dev");
  const latest = readdirSync(history).filter((name) => name.endsWith(".history.json"));
  return JSON.parse(readFileSync(join(history, latest.sort().at(-1)), "utf8"));
}

/** What `pulumi stack output` returns, without starting Pulumi; undefined if it contains a secret. */
function plainOutputs(folder) {
  const state = JSON.parse(readFileSync(join(folder, ".pulumi", "stacks", "test", "dev.json"), "utf8"));
  const root = state.checkpoint.latest?.resources?.find(({ type }) => type === "pulumi:pulumi:Stack");
  const outputs = Object.entries(root?.outputs ?? {});
  if (JSON.stringify(outputs).includes("ciphertext")) return undefined;
  return Object.fromEntries(outputs.map(([key, value]) => [key, { value, secret: false }]));
}

const fullKey = (key) => (key.includes(":") ? key : `test:${key}`);

const operations = {
  async start({ folder, env, config }) {
    program = () => ({});
    const runProgram = async () => (await program()) ?? {};
    cpSync(process.env.E2E_STACK, folder, { recursive: true });
    const workspace = await LocalWorkspace.create({
      workDir: folder,
      program: runProgram,
      pulumiCommand,
    });
    // Not needed: every command has the option `--stack`.
    workspace.selectStack = () => Promise.resolve();
    stack = await Stack.select("dev", workspace);
    stack.workspace.envVars = env;
    await operations.config({ set: config });
    // After every run the SDK would start Pulumi twice more for the outputs, and once for the counts.
    const outputsOf = stack.outputs.bind(stack);
    stack.outputs = async () => plainOutputs(folder) ?? outputsOf();
    stack.info = () => Promise.resolve(lastUpdate(folder));
    // The SDK has no option for `pulumi preview --json`.
    const command = stack.runPulumiCmd.bind(stack);
    stack.runPulumiCmd = (args, ...rest) => command(withJson ? [...args, "--json"] : args, ...rest);
  },
  async run({ what, source, args, options, env }) {
    stack.workspace.envVars = env;
    if (source !== undefined) {
      const make = new Function(`return (${source});`)();
      program = () => make({ ...lib, pulumi }, args);
    }
    const { json, cutAfterCall, ...given } = options;
    withJson = json === true;
    cutAfter(cutAfterCall);
    const result = await stack[what]({ color: "never", ...given });
    const outputs = Object.fromEntries(Object.entries(result.outputs ?? {}).map(([key, { value }]) => [key, value]));
    const changes = result.changeSummary ?? result.summary?.resourceChanges ?? {};
    return { text: `${result.stdout}${result.stderr}`, changes, outputs };
  },
  async command({ args, env }) {
    const result = await stack.workspace.pulumiCommand.run(
      [...args, "--stack", "dev", "--non-interactive"],
      stack.workspace.workDir,
      env,
    );
    return result.stdout + result.stderr;
  },
  /** Runs a command of this package in the folder of the project. */
  async tool({ args, env }) {
    const options = { cwd: stack.workspace.workDir, env: { ...process.env, ...env } };
    const file = join(process.cwd(), "dist", "tools", "cli", "main.js");
    return new Promise((done) => {
      execFile(process.execPath, ["--no-warnings", file, ...args], options, (error, stdout, stderr) =>
        done({ code: error === null ? 0 : error.code, text: stdout + stderr }),
      );
    });
  },
  /** Does what `pulumi config set` and `rm` do, without starting Pulumi. */
  async config({ set = {}, remove = [] }) {
    const settings = await stack.workspace.stackSettings("dev");
    const kept = Object.entries(settings.config ?? {}).filter(([key]) => !remove.map(fullKey).includes(key));
    const added = Object.entries(set).map(([key, { value, secret }]) => [
      fullKey(key),
      secret === true ? encryptSecret(value, settings.encryptedKey) : value,
    ]);
    const config = Object.fromEntries([...kept, ...added]);
    await stack.workspace.saveStackSettings("dev", { ...settings, config });
  },
  async export() {
    return stack.exportStack();
  },
  async import({ deployment }) {
    await stack.importStack(deployment);
  },
};

process.on("message", async ({ id, operation, request }) => {
  try {
    process.send({ id, ok: true, value: await operations[operation](request) });
  } catch (error) {
    process.send({ id, ok: false, error: error.message ?? String(error) });
  }
});
