// Replaces Pulumi's language hosts where they cannot be downloaded, so that this repository's checks can run `pulumi up` there
// too. It implements the operations of pulumirpc.LanguageRuntime that `pulumi up` needs, and policy packs. The folder is appended to the PATH, so
// a real host is used if there is one.
"use strict";
const { spawn } = require("node:child_process");
const { createRequire } = require("node:module");
const { join } = require("node:path");
// In a program's folder, the SDK may be another version, or missing.
const pulumi = createRequire(createRequire(join(__dirname, "..", "..", "..", "package.json")).resolve("@pulumi/pulumi"));
const grpc = pulumi("@grpc/grpc-js");
const { LanguageRuntimeService } = pulumi("./proto/language_grpc_pb.js");
const { GetRequiredPackagesResponse, RunPluginResponse, RunResponse } = pulumi("./proto/language_pb.js");
const { PluginInfo } = pulumi("./proto/plugin_pb.js");
const { whenEngineIsGone } = require("../../../dist/provider/border/engine-gone.js");

/** The exit code of a program whose error the user has already seen. */
const ALREADY_REPORTED = 32;
const engine = process.argv.slice(2).find((argument) => !argument.startsWith("-")) ?? "";

/** What the engine says about a run, as every language's runner needs it. */
function runOf(request) {
  const info = request.getInfo();
  return {
    folder: info.getProgramDirectory(),
    entryPoint: info.getEntryPoint(),
    args: request.getArgsList(),
    isPreview: request.getDryrun(),
    /** From `Pulumi.yaml`. */
    runtimeOptions: info.getOptions()?.toJavaScript() ?? {},
    config: {
      PULUMI_CONFIG: JSON.stringify(Object.fromEntries(request.getConfigMap().entries())),
      PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.getConfigsecretkeysList()),
    },
    options: {
      monitor: request.getMonitorAddress(),
      engine,
      organization: request.getOrganization(),
      project: request.getProject(),
      rootDirectory: info.getRootDirectory(),
      stack: request.getStack(),
      pwd: request.getPwd(),
      parallel: String(request.getParallel()),
    },
  };
}

/** What this process has started and what has not ended. */
const running = new Set();

/** Starts a command, which ends with this process where the engine is killed. */
function start(command, args, options) {
  const child = spawn(command, args, options);
  running.add(child);
  child.on("close", () => running.delete(child));
  return child;
}

/** Runs a command; resolves to its exit code. */
function run(command, args, { cwd, env }) {
  return new Promise((resolve, reject) => {
    const child = start(command, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "inherit", "inherit"] });
    child.on("error", reject);
    child.on("close", resolve);
  });
}

/** Runs a policy pack with the runner of its SDK, and passes on what it prints: first the port that it serves. */
function runPolicyPack(call) {
  const { request } = call;
  const folder = request.getInfo().getProgramDirectory();
  const runner = createRequire(join(folder, "package.json")).resolve("@pulumi/pulumi/cmd/run-policy-pack");
  const env = { ...process.env, ...Object.fromEntries(request.getEnvList().map((entry) => entry.split(/=(.*)/s))) };
  const child = start(process.execPath, [runner, ...request.getArgsList(), "."], { cwd: folder, env });
  const pass = (name) => (bytes) => {
    const response = new RunPluginResponse();
    response[name](bytes);
    call.write(response);
  };
  child.stdout.on("data", pass("setStdout"));
  child.stderr.on("data", pass("setStderr"));
  child.on("close", (code) => {
    pass("setExitcode")(code ?? 1);
    call.end();
  });
  call.on("cancelled", () => child.kill());
}

/**
 * Serves the engine. `runProgram(run, exec)` runs the program, by one or several `exec(command, args, { cwd, env })`, and returns
 * the exit code of the last; an error is shown to the user.
 */
function serve(runProgram) {
  const server = new grpc.Server();
  server.addService(LanguageRuntimeService, {
    getPluginInfo: (_call, respond) => respond(null, new PluginInfo()),
    getRequiredPackages: (_call, respond) => respond(null, new GetRequiredPackagesResponse()),
    runPlugin: runPolicyPack,
    run: async ({ request }, respond) => {
      const response = new RunResponse();
      try {
        const code = await runProgram(runOf(request), run);
        if (code === ALREADY_REPORTED) response.setBail(true);
        else if (code !== 0) response.setError(`Program exited with non-zero exit code: ${String(code)}`);
      } catch (error) {
        response.setError(error.message);
      }
      respond(null, response);
    },
  });
  server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
    if (error !== null) throw error;
    process.stdout.write(`${String(port)}\n`);
  });
  if (engine !== "") whenEngineIsGone(engine, process.stdin, endWithEngine);
}

/** Programs of a killed engine would wait for it for ever. */
function endWithEngine() {
  for (const child of running) child.kill();
  process.exit(1);
}

module.exports = { serve };
