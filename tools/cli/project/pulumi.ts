import { spawnSync } from "node:child_process";
import type { Environment } from "../../../provider/settings.js";

/** What a command of Pulumi printed, or why it failed. */
export type PulumiAnswer = { readonly text: string } | { readonly failure: string; readonly isMissing: boolean };

/** Runs a command of Pulumi. Its output may contain secrets, so only what it says about a failure is shown. */
export function runPulumi(args: readonly string[], folder: string, env: Environment): PulumiAnswer {
  const { error, status, signal, stdout, stderr } = spawnSync(
    "pulumi",
    [...args, "--non-interactive", "--color", "never"],
    {
      ...{ cwd: folder, env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" }, maxBuffer: 1 << 30 },
      encoding: "utf8",
    },
  );
  if (error !== undefined) {
    const isMissing = "code" in error && error.code === "ENOENT";
    return { failure: isMissing ? "`pulumi` is not on the PATH" : error.message, isMissing };
  }
  if (status === 0) return { text: stdout };
  const reason = signal === null ? `exit code ${String(status)}` : `it was ended by ${signal}`;
  return { failure: stderr.trim() === "" ? reason : stderr.trim(), isMissing: false };
}

/** What Pulumi says first about a failure, in a sentence of ours. */
export function reasonIn(failure: string): string {
  const [first = failure] = failure.split("\n").filter((line) => line.trim() !== "");
  return first.replace(/^error: /, "");
}
