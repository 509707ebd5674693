// Commands run as a user runs them, in a folder, with an engine that keeps its state to itself.
import { execFile, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Runs a command; what it printed on stdout. A failure shows all of it. */
export function run(folder, [file, ...args], env = {}) {
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, env: { ...process.env, ...env }, maxBuffer: 1 << 26 };
    execFile(file, args, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${[file, ...args].join(" ").split("\n", 1)[0]}, in ${folder}:\n${stdout}${stderr}`));
    });
  });
}

/** Variables of an engine whose state lies in a folder, and which asks nobody. */
export function engineEnvironment(folder) {
  return {
    PULUMI_BACKEND_URL: `file://${folder}`,
    PULUMI_CONFIG_PASSPHRASE: "check",
    PULUMI_HOME: join(folder, "home"),
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_SKIP_CONFIRMATIONS: "true",
  };
}

/** Starts `pulumi-rulesets emulator` by a command of the package manager, on a free port; what it printed, and its end. */
export async function startEmulator(folder, [file, ...args]) {
  const child = spawn(file, [...args, "--port", "0"], {
    cwd: folder,
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
