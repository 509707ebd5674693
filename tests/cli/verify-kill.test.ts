import { spawn } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { PROOFS, sentBodies, suiteFor, type Case } from "../../tools/cli/verify/suite.js";
import type { Fault, Seed } from "../../emulator/index.js";
import { TOKEN } from "../support/emulator.js";
import { faultCases } from "../support/fuzzing.js";
import { environment, root } from "./support.js";
import { custom, VerifyRun, zone, zones } from "./verify-run.js";

/*
 * The process is killed while the service has one of its requests, which the service then carries out or not.
 *
 * A killed process leaves nothing but what the service holds. So kills at two requests are the same case if the service then holds the
 * same: at all reads between two writes; and at bodies of one kind for one phase, with the reads after them, because what is left of
 * each of them alone is removed (see verify-attacks). Of those, the first and the last are killed. All else is.
 */

const { cases } = suiteFor({ plan: "enterprise", whyNotEmpty: () => undefined });
const bodies = [PROOFS[0], ...cases];
const twoRules = sentBodies.find((rules) => rules.length === 2);

interface Kill {
  /** The number of the request. */
  readonly at: number;
  readonly line: string;
  readonly fault: Fault;
}

/** Resolves when the service receives a request, the last of so many. */
function received(requests: number): Promise<void> {
  let left = requests;
  return new Promise((resolve) => {
    const count = (): void => {
      left -= 1;
      if (left > 0) return;
      unsubscribe("http.server.request.start", count);
      resolve();
    };
    subscribe("http.server.request.start", count);
  });
}

/** Kills a process once the service has its request number `at`, which then has a fault. */
async function killed(one: VerifyRun, { at, fault }: Kill): Promise<void> {
  one.emulator.forgetRequests();
  if (at > 0) await one.service.fault({ times: at });
  await one.service.fault({ ...fault, hold: true });
  const last = received(at + 1);
  const main = join(root, "dist", "tools", "cli", "main.js");
  const env = environment({ RULESETS_BASE_URL: one.emulator.url, RULESETS_API_TOKEN: TOKEN });
  const child = spawn(process.execPath, [main, "verify", "--zone", zone, "--yes-zone", zone], { env, stdio: "ignore" });
  await last;
  while (one.emulator.faults().length > 0) await setImmediate();
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
  one.emulator.clearFaults();
  while (one.emulator.requests().length <= at) await setImmediate();
}

const isDryRun = (line: string): boolean => line.endsWith("dry_run=true");

/** The cases among the requests of a run. */
function killsOf(all: readonly string[], carriesOut: boolean): Kill[] {
  const sent = (at: number): number => all.slice(0, at).filter(isDryRun).length;
  const bodyAt = (at: number): Case | undefined => (isDryRun(all[at] ?? "") ? bodies[sent(at)] : undefined);
  const kindOf = (at: number): string => {
    const write = all.slice(0, at + 1).findLastIndex((line) => !line.startsWith("GET"));
    const body = bodyAt(write);
    const isOne = body === undefined || body === bodies[0] || body === bodies.at(-1);
    return `${write === at ? "" : "read after "}${isOne ? String(write) : `${body.phase} ${body.body}`}`;
  };
  const kinds = Map.groupBy(all.keys(), kindOf);
  const points = [...kinds.values()].flatMap((same) => [...new Set([same[0], same.at(-1)])]);
  return points.flatMap((at = 0) => {
    const line = all[at] ?? "";
    if (line.startsWith("GET")) return [{ at, line, fault: {} }];
    const { body = "", rules = [] } = bodyAt(at) ?? {};
    const put = { method: "PUT", path: line.slice(4).split("?")[0] ?? "", body: { rules } };
    // A service that honours the proof, and then carries this one out.
    const meanwhile = !carriesOut && body === "valid" ? [put] : [];
    return [{ cut: "before" } as const, { meanwhile }].map((fault) => ({ at, line, fault }));
  });
}

const described = { zone, phase: custom, description: "Of the security team", rules: [] };

test.each<readonly [string, Seed, number]>([
  ["of a service that honours dry_run", { zones }, 3],
  ["of a service that carries dry runs out", { zones, dryRun: "applied" }, 2],
  ["while it removed what an earlier run had left", { zones, rulesets: [described] }, 1],
])("the run after a kill removes what was left: %s", async (_, seed, share) => {
  const one = await VerifyRun.start(seed);
  const path = await one.entrypoint();
  const isLeft = seed.rulesets !== undefined;
  const leave = async () => (isLeft ? one.service.ask("PUT", path, { rules: twoRules }) : undefined);
  /** Its rules, and the versions of all rulesets; the one in which something was left has a new one each time. */
  const held = async () => [
    await one.service.rules(await one.service.zoneNamed(zone), custom),
    (await one.deployed()).map(({ id, version }) => [id, isLeft ? "" : version]),
  ];
  const before = await held();
  await leave();
  await one.service.forget();
  await (isLeft ? one.runUntil(0) : one.run());
  for (const kill of faultCases(killsOf(await one.service.queries(), seed.dryRun === "applied"), share)) {
    await leave();
    await killed(one, kill);
    await one.runUntil(0);
    expect([kill, await held()]).toEqual([kill, before]);
  }
});
