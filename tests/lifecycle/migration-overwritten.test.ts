import type { MigrationState } from "../../provider/kinds/waf-migration/description.js";
import type { Service } from "../support/emulator.js";
import type { ManagedResource } from "./managed.js";
import { NAME, PHASE, startOldZone } from "./old-zone.js";

describe("a rule that someone else adds between a migration's read and its step", () => {
  let service: Service;
  let zoneId: string;
  let migration: ManagedResource<MigrationState>;
  beforeEach(async () => {
    ({ service, zoneId, migration } = await startOldZone({ progression: { reads: 3 } }));
  });

  const finish = (more: object = {}) => ({ zoneId, mode: "pending", acknowledgeIrreversible: NAME, ...more });
  const state = () => migration.kept?.state as MigrationState;
  const steps = (requests: readonly string[]) => requests.filter((request) => request.startsWith("PUT"));
  const staged = {
    action: "skip",
    expression: "ssl",
    description: "staged",
    action_parameters: { ruleset: "current" },
  };
  const entrypoint = () => `/zones/${zoneId}/rulesets/phases/${PHASE}/entrypoint`;
  const meanwhile = (rules: object[]) =>
    service.fault({ method: "PUT", meanwhile: [{ method: "PUT", path: entrypoint(), body: { rules } }] });

  test("into an empty entry point: ends as a conflict, the state has what was written, and the next up continues without a step", async () => {
    await meanwhile([staged]);
    await expect(migration.up(finish())).rejects.toThrow(
      /\(version 1\) since it was last read, and this run's write \(version 2\) undid that:\n {2}\+ skip \[ref [0-9a-f]{32}, .*\][^]*restore it: add it to `adjustments`/,
    );
    expect(steps(await service.requests())).toHaveLength(1);
    expect(state()).toMatchObject({ phase: "finishing", rulesetVersion: "2" });
    const next = await migration.up(finish());
    expect([steps(next.requests), state().phase]).toEqual([[], "finished"]);
    await migration.settled(finish());
  });

  test("in validation mode, next to existing rules", async () => {
    const validate = (more: object = {}) => ({ zoneId, mode: "validation", ...more });
    await migration.up(validate());
    const { rules } = (await service.entrypoint(zoneId, PHASE)) ?? { rules: [] };
    await meanwhile([...rules, staged]);
    const adjusted = validate({ adjustments: { overrides: [{ action: "log" }] } });
    await expect(migration.up(adjusted)).rejects.toThrow(/\+ skip \[ref [0-9a-f]{32}, .*\]/);
    const next = await migration.up(adjusted);
    expect([steps(next.requests), state().phase]).toEqual([[], "validation"]);
    await migration.settled(adjusted);
  });

  test('is a warning with existingRules: "replace"', async () => {
    await meanwhile([staged]);
    const up = await migration.up(finish({ existingRules: "replace" }));
    expect(up.warnings.join()).toMatch(/overwriting, as requested\.[^]*\+ skip \[ref [0-9a-f]{32}, .*\]/);
    expect(state().phase).toBe("finished");
  });
});
