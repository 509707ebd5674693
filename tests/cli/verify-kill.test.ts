import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { PROOFS, suiteFor } from "../../tools/cli/verify/suite.js";
import type { Fault } from "../../emulator/index.js";
import { TOKEN } from "../support/emulator.js";
import { faultCases } from "../support/fuzzing.js";
import { environment, root } from "./support.js";
import { VerifyRun, zone, zones } from "./verify-run.js";

/* The process is killed while the service has one of its requests, and the service carries that out, be it a dry run or not. */

const { cases } = suiteFor({ plan: "enterprise", whyNotEmpty: () => undefined });
const bodies = [PROOFS[0], ...cases];

/** Kills a process once the service has its request number `at`, which then has a fault. */
async function killed(one: VerifyRun, at: number, fault: Fault): Promise<void> {
  if (at > 0) await one.service.fault({ times: at });
  await one.service.fault({ ...fault, hold: true });
  const main = join(root, "dist", "tools", "cli", "main.js");
  const env = environment({ RULESETS_BASE_URL: one.emulator.url, RULESETS_API_TOKEN: TOKEN });
  const child = spawn(process.execPath, [main, "verify", "--zone", zone, "--yes-zone", zone], { env, stdio: "ignore" });
  while (one.emulator.faults().length > 0) await setImmediate();
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
  one.emulator.clearFaults();
  while (one.emulator.requests().length <= at) await setImmediate();
}

/** The requests of a whole run. */
async function requestsOf(dryRun: boolean | "applied"): Promise<string[]> {
  const one = await VerifyRun.start({ zones, dryRun });
  await one.service.forget();
  await one.run();
  return one.service.queries();
}

test.each([
  [true, 3],
  ["applied", 2],
] as const)("the run after a kill removes what was left (dry_run %s)", async (dryRun, share) => {
  const all = await requestsOf(dryRun);
  const one = await VerifyRun.start({ zones, dryRun });
  const before = await one.deployed();
  for (const at of faultCases([...all.keys()], share)) {
    const number = all.slice(0, at).filter((line) => line.includes("dry_run=true")).length;
    const line = all[at] ?? "";
    // Of a service that honours the proof, the one request that it then carries out.
    const isKept = dryRun === true && line.includes("dry_run=true") && bodies[number]?.body === "valid";
    const path = /^PUT (.*)\?/.exec(line)?.[1] ?? "";
    const meanwhile = isKept ? [{ method: "PUT", path, body: { rules: bodies[number]?.rules } }] : [];
    one.emulator.forgetRequests();
    await killed(one, at, { meanwhile });
    if (isKept) expect(await one.deployed()).not.toEqual(before);
    await one.runUntil(0);
    expect([at, line, await one.deployed()]).toEqual([at, line, before]);
  }
});
