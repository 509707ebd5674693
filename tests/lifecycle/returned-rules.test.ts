import { rulesetFromWire } from "../../core/model/codec.js";
import type { JsonObject } from "../../core/model/json.js";
import { writeRules } from "../../tools/generator/program/adoption.js";
import { damagedRule } from "../support/damaged-rules.js";
import { freshEmulator } from "../support/emulators.js";
import { Service } from "../support/emulator.js";
import { fc, runs } from "../support/properties.js";
import { writesIn } from "../support/requests.js";
import { ManagedResource } from "./managed.js";

const hex = (number: number): string => number.toString(16).padStart(32, "0");

/** The rules of one phase that the service returns, each with what it adds. */
const returned = fc.array(damagedRule, { minLength: 12, maxLength: 12 }).map((all) => {
  const phase = all[0]?.phase ?? "";
  const rules = all
    .filter((one) => one.phase === phase)
    .map(({ rule }, index): JsonObject => {
      const id = hex(index + 1);
      return { version: "1", last_updated: "2026-01-01T00:00:00Z", enabled: true, ...rule, id, ref: id };
    });
  const ruleset = { id: hex(99), name: "default", description: "", kind: "zone", version: "1", phase };
  return { ...ruleset, last_updated: "2026-01-01T00:00:00Z", rules };
});

test("what the service returns is taken over without a write, and the next run plans nothing", async () => {
  const emulator = await freshEmulator();
  const service = new Service(emulator);
  const zoneId = await service.zone();
  await fc.assert(
    fc.asyncProperty(returned, async (ruleset) => {
      emulator.clearFaults();
      const answer = async (path: string, result: unknown) => {
        const body = { success: true, errors: [], messages: [], result };
        await service.fault({ method: "GET", path, status: 200, times: 99, body });
      };
      const { rules: _rules, ...summary } = ruleset;
      await answer(`/zones/${zoneId}/rulesets$`, [summary]);
      await answer(`/rulesets/${ruleset.id}$`, ruleset);
      await answer(`/phases/${ruleset.phase}/entrypoint$`, ruleset);
      const written = writeRules(rulesetFromWire(ruleset));
      if (typeof written === "string") throw new Error(written);
      const resource = new ManagedResource("PhaseEntrypoint", service);
      const args = { zoneId, phase: ruleset.phase, rules: written.rules };
      const created = await resource.up(args);
      const next = await resource.up(args);
      await resource.refresh();
      const last = await resource.up(args);
      expect([created.action, writesIn(created.requests)]).toEqual(["create", []]);
      expect([next.action, next.requests]).toEqual(["none", []]);
      expect([last.action, writesIn(last.requests)]).toEqual(["none", []]);
    }),
    { numRuns: runs(60) },
  );
});
