import type { PreviousWafSeed } from "../../emulator/index.js";
import type { MigrationState } from "../../provider/kinds/waf-migration/description.js";
import type { Service } from "../support/emulator.js";
import { faultCases } from "../support/fuzzing.js";
import type { ManagedResource } from "./managed.js";
import { NAME, PHASE, startOldZone } from "./old-zone.js";

describe("a migration with network failures", () => {
  let service: Service;
  let zoneId: string;
  let migration: ManagedResource<MigrationState>;
  const start = async (previousWaf?: PreviousWafSeed): Promise<void> => {
    ({ service, zoneId, migration } = await startOldZone(previousWaf, "enterprise", service));
  };
  const finish = (more: object = {}) => ({ zoneId, mode: "pending", acknowledgeIrreversible: NAME, ...more });
  const validate = () => ({ zoneId, mode: "validation" });
  const state = () => migration.kept?.state as MigrationState;
  const isStep = (request: string): boolean => request.startsWith("PUT");

  test("a finish whose response is lost is found by a read, and sent once", async () => {
    await start();
    await service.fault({ method: "PUT", cut: "after" });
    const up = await migration.up(finish());
    expect([up.requests.filter(isStep).length, state().phase]).toEqual([1, "finished"]);
    await migration.settled(finish());
  });

  test("a finish that never arrived is sent again only after several checks", async () => {
    await start();
    await service.fault({ method: "PUT", cut: "before" });
    const up = await migration.up(finish());
    expect([up.requests.filter(isStep).length, state().phase]).toEqual([2, "finished"]);
    expect(up.statuses).toContain("checking whether an earlier step is under way, 5 of 5; next check in 25 s");
  });

  test("a finish that never arrives is not sent forever", async () => {
    await start();
    await service.fault({ method: "PUT", cut: "before", times: 9 });
    await expect(migration.up(finish())).rejects.toThrow(/sent twice without a response, and the zone shows no trace/);
    expect((await service.requests()).filter(isStep)).toHaveLength(2);
    await service.noFaults();
    await migration.up(finish());
    expect(state().phase).toBe("finished");
  });

  test("when the check after a lost response fails too, the state records that, and the next up continues", async () => {
    await start();
    await service.fault({ method: "PUT", cut: "after" });
    const inputs = finish();
    const failing = migration.up(inputs);
    // The read before the step succeeds, the one after it does not.
    await service.fault({ method: "GET", path: "/waf_migration/status", times: 2 });
    await service.fault({ method: "GET", path: "/waf_migration/status", status: 500, times: 9 });
    await expect(failing).rejects.toThrow();
    await service.noFaults();
    const up = await migration.up(inputs);
    expect([up.requests.filter(isStep), state().phase]).toEqual([[], "finished"]);
  });

  test("a step that the service rejects leaves nothing behind, and its message is shown", async () => {
    await start();
    const body = { success: false, result: null, messages: null, errors: [{ message: "computer says no" }] };
    await service.fault({ method: "PUT", status: 400, body });
    await expect(migration.up(finish())).rejects.toThrow("computer says no");
    expect(migration.kept).toBeUndefined();
    await migration.up(finish());
  });

  test("Cloudflare finishes before the step", async () => {
    await start();
    await service.fault({ method: "PUT", status: 400 });
    const failing = migration.up(finish());
    await service.fault({ method: "GET", path: "/waf_migration/status", times: 2 });
    await service.fault({
      method: "GET",
      path: "/waf_migration/status",
      body: {
        success: true,
        errors: [],
        messages: [],
        result: { migration_state: "complete", old_waf_status: "disabled", new_waf_status: "enabled" },
      },
    });
    await failing;
    expect(state().phase).toBe("finished");
  });

  /** How the zone behaves in the interrupted runs. */
  const ways: [string, PreviousWafSeed, () => object[]][] = [
    ["straight to the finish, immediately", {}, () => [finish()]],
    ["straight to the finish, after a while", { progression: { seconds: 90 } }, () => [finish()]],
    [
      "straight to the finish, and the status says start meanwhile",
      { progression: { seconds: 90 }, finishingState: "start" },
      () => [finish()],
    ],
    ["straight to the finish, and the status lags", { progression: { reads: 6 }, lag: 3 }, () => [finish()]],
    [
      "validation, then the finish, and the status lags",
      { progression: { reads: 6 }, lag: 3 },
      () => [validate(), finish()],
    ],
    ["validation, then the finish", { progression: { seconds: 90 } }, () => [validate(), finish()]],
    ["without waiting", { progression: { seconds: 90 } }, () => [finish({ wait: false })]],
  ];
  /** Of the requests that neither are a step nor come right after one, a usual run is killed at one of this many. */
  const SHARE = 15;
  describe.each(ways)("killed at every request and run again: %s", (_, seed, steps) => {
    test.each(["before", "after"] as const)("the connection cut %s the work", async (cut) => {
      const play = async (at?: number): Promise<readonly string[]> => {
        await start(seed);
        const asked = await walk(at, cut, steps());
        await service.noFaults();
        const finishes = asked.filter((request) => /waf_migration=pending/.test(request));
        const applied = await service.ask<unknown[]>(
          "GET",
          `/zones/${zoneId}/rulesets/phases/${PHASE}/entrypoint/versions`,
        );
        expect(state().phase).toBe("finished");
        // A step that was cut off before the work never happened, so it may be sent again; one that succeeded may not.
        expect(finishes.length).toBeLessThanOrEqual(cut === "before" ? 2 : 1);
        expect(applied).toHaveLength(steps().length);
        return asked;
      };
      const whole = await play();
      const isAtStep = (at: number): boolean => whole.slice(Math.max(at - 1, 0), at + 1).some(isStep);
      const points = [...whole.keys()];
      const others = points.filter((at) => !isAtStep(at));
      for (const at of [...points.filter(isAtStep), ...faultCases(others, Math.ceil(others.length / SHARE))])
        await play(at);
    });
  });

  /** Runs all steps; at one request, if any, the connection is cut and the process dies with all its memory, and is run again. */
  async function walk(at: number | undefined, cut: "before" | "after", steps: readonly object[]): Promise<string[]> {
    const asked: string[] = [];
    if (at !== undefined && at > 0) await service.fault({ path: "zones", times: at });
    if (at !== undefined) await service.fault({ path: "zones", cut });
    for (const inputs of steps) {
      for (let tries = 0; tries < 5; tries += 1) {
        const before = migration.kept;
        try {
          asked.push(...(await migration.up(inputs)).queries);
        } catch {
          // Killed: what would have been written to the state is lost too.
          asked.push(...(await service.queries()));
          migration.kept = before;
        }
        const done = migration.kept !== before && state().phase !== "finishing";
        if (done) break;
        await service.advanceClock(100);
      }
    }
    return asked;
  }
});
