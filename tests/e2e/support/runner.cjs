// Runs operations of the real engine in a process of their own, as a user's program would: a failing run leaves
// rejected promises behind that must not reach the test runner.
const { readdirSync, readFileSync } = require("node:fs");
const { flushCompileCache } = require("node:module");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");
const { LocalWorkspace } = require("@pulumi/pulumi/automation");
const pulumi = require("@pulumi/pulumi");
const settings = require("@pulumi/pulumi/runtime/settings");
const lib = require("pulumi-rulesets");

// This process is killed in the end, so what it compiled is written down at once, for those that come after it.
flushCompileCache();

// A connection to the engine of a run that failed is kept, and tried again, for as long as this process lives; when a
// later engine gets its port, the SDK takes the state of the old connection for the new one's, and the run ends as if the
// program had registered nothing. With pools of their own the connections of one run mean nothing to the next.
settings.grpcClientOptions["grpc.use_local_subchannel_pool"] = 1;

process.on("unhandledRejection", () => undefined);
process.on("uncaughtException", () => undefined);

let stack;
let runs = 0;
let program = () => ({});
let hasOutputs = false;
let withJson = false;

/** What `pulumi stack history` says of the latest update, without starting Pulumi for it. */
function lastUpdate(folder) {
  const history = join(folder, ".pulumi", "history", "test", "dev");
  const latest = readdirSync(history).filter((name) => name.endsWith(".history.json"));
  return JSON.parse(readFileSync(join(history, latest.sort().at(-1)), "utf8"));
}

const operations = {
  async start({ folder, project, env, config }) {
    program = () => ({});
    const runProgram = async () => {
      const outputs = (await program()) ?? {};
      hasOutputs = Object.keys(outputs).length > 0;
      return outputs;
    };
    stack = await LocalWorkspace.createStack(
      { projectName: project, stackName: "dev", program: runProgram },
      { workDir: folder, envVars: env },
    );
    await stack.setAllConfig(config);
    // After every run the SDK starts Pulumi twice more for the outputs and once for the counts.
    const outputsOf = stack.outputs.bind(stack);
    stack.outputs = () => (hasOutputs ? outputsOf() : Promise.resolve({}));
    stack.info = () => Promise.resolve(lastUpdate(folder));
    // The SDK knows no option for the JSON of a preview.
    const command = stack.runPulumiCmd.bind(stack);
    stack.runPulumiCmd = (args, ...rest) => command(withJson ? [...args, "--json"] : args, ...rest);
  },
  async run({ what, source, file, args, options, env }) {
    stack.workspace.envVars = env;
    if (file !== undefined) {
      const fresh = `${pathToFileURL(file).href}?run=${String((runs += 1))}`;
      program = async () => ({ ...(await import(fresh)) });
    }
    if (source !== undefined) {
      const make = new Function(`return (${source});`)();
      program = () => make({ ...lib, pulumi }, args);
    }
    const { json, ...given } = options;
    withJson = json === true;
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
  async config({ set, remove }) {
    if (set !== undefined) await stack.setAllConfig(set);
    for (const key of remove ?? []) await stack.removeConfig(key);
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
