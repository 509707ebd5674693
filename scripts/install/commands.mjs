// Runs commands as a user does, in a folder, with an engine that keeps its state there.
import { execFile, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Runs a command and returns its standard output. A failure shows all output. */
export function run(folder, [file, ...args], env = {}) {
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, env: { ...process.env, ...env }, maxBuffer: 1 << 26 };
    execFile(file, args, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${[file, ...args].join(" ").split("\n", 1)[0]}, in ${folder}:\n${stdout}${stderr}`));
    });
  });
}

/** Environment variables for an engine that keeps its state in a folder and never prompts. */
export function engineEnvironment(folder) {
  return {
    PULUMI_BACKEND_URL: `file://${folder}`,
    PULUMI_CONFIG_PASSPHRASE: "check",
    PULUMI_HOME: join(folder, "home"),
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_SKIP_CONFIRMATIONS: "true",
    // A command runs for seconds, and collecting garbage would be a third of its work.
    GOGC: "off",
    GOMEMLIMIT: "1GiB",
  };
}

/**
 * Starts `pulumi-rulesets emulator` through the package manager on a free port; returns its output, and a function that stops
 * it.
 */
export async function startEmulator(folder, [file, ...args], env = {}) {
  const child = spawn(file, [...args, "--port", "0"], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  const lines = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (!line.startsWith("Stop it")) continue;
    const url = /http:\S+/.exec(lines.join("\n"))?.[0];
    return { url, text: lines.join("\n"), stop: () => process.kill(-child.pid) };
  }
  throw new Error(`the emulator did not start in ${folder}`);
}
