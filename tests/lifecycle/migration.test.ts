import type { MigrationState } from "../../provider/kinds/waf-migration/description.js";
import type { Service } from "../support/emulator.js";
import { failureOf } from "../support/failure.js";
import { writesIn } from "../support/requests.js";
import type { ManagedResource } from "./managed.js";
import { NAME, PHASE, startOldZone } from "./old-zone.js";

const CORE_RULESET = "4814384a9e5d4991b9815dcfc25d2f1f";
const MANAGED_RULESET = "efb7b8c949ac4650a09736fc376e9aee";
const FREE_RULESET = "77454fe2d30c4220b5701f6fdfb893ba";

describe("the migration of a zone", () => {
  let service: Service;
  let zoneId: string;
  let migration: ManagedResource<MigrationState>;
  const start = async (...zone: Parameters<typeof startOldZone>): Promise<void> => {
    ({ service, zoneId, migration } = await startOldZone(...zone));
  };

  const finish = (more: object = {}) => ({ zoneId, mode: "pending", acknowledgeIrreversible: NAME, ...more });
  const validate = (more: object = {}) => ({ zoneId, mode: "validation", ...more });
  const state = () => migration.kept?.state as MigrationState;
  const there = async () => (await service.entrypoint(zoneId, PHASE))?.rules ?? [];
  const office = { action: "skip", expression: "ssl", description: "Office" };
  const current = { ruleset: "current" };
  /** Writes rules to the entry point before the migration. */
  const stage = (...rules: object[]) =>
    service.create(`zones/${zoneId}`, { name: "default", kind: "zone", phase: PHASE, rules });
  const staged = { ...office, description: "staged", enabled: false, action_parameters: current };
  const status = async () =>
    (await service.ask<{ migration_state: string }>("GET", `/zones/${zoneId}/waf_migration/status`)).migration_state;

  describe("the steps", () => {
    test("straight to the finish: the retrieved configuration is sent back unchanged, in one write", async () => {
      await start(
        { firewallRules: [{ expression: "ip.src eq 192.0.2.1", description: "partner", products: ["waf"] }] },
        "pro",
      );
      const config = await service.ask<object>("GET", `/zones/${zoneId}/waf_migration/config?phase_two=1`);
      const preview = await migration.preview(finish());
      expect(preview.inputs.retrievedConfig).toEqual(config);
      expect(writesIn(preview.requests)).toEqual([]);
      const up = await migration.up(finish());
      expect(writesIn(up.requests)).toEqual([`PUT /zones/${zoneId}/rulesets/phases/${PHASE}/entrypoint`]);
      expect(state()).toMatchObject({
        phase: "finished",
        migrationState: "complete",
        previousWaf: "disabled",
        newWaf: "enabled",
        compatibleBefore: true,
        report: { standingBefore: expect.stringContaining("not started") as string },
        rulesetVersion: "1",
        retrievedConfig: config,
        configDigest: preview.inputs.configDigest,
        finishedAt: "2026-01-01T00:00:00.000Z",
      });
      expect((await there()).map(({ action }) => action)).toEqual(["skip", "execute", "execute"]);
      expect(state().deployedRules).toHaveLength(3);
      await migration.settled(finish());
    });

    test("validation, adjusted several times, then the finish as an update", async () => {
      await start();
      await migration.up(validate());
      expect(state()).toMatchObject({ phase: "validation", previousWaf: "enabled", newWaf: "enabled" });
      await migration.settled(validate());
      const log = { overrides: [{ rulesetId: CORE_RULESET, action: "log" }] };
      expect(await migration.preview(validate({ adjustments: log }))).toMatchObject({ action: "update" });
      const adjusted = await migration.up(validate({ adjustments: log }));
      expect(writesIn(adjusted.requests)).toHaveLength(1);
      expect(await status()).toBe("validation");
      await migration.settled(validate({ adjustments: log }));
      const dropped = { drop: [{ executes: MANAGED_RULESET }] };
      await migration.up(validate({ adjustments: dropped }));
      expect(await there()).toHaveLength(1);
      await migration.up(finish({ adjustments: dropped }));
      expect(state()).toMatchObject({ phase: "finished", rulesetVersion: "4" });
      expect(await there()).toHaveLength(1);
      await migration.settled(finish({ adjustments: dropped }));
    });

    test("adjustments that are null are none", async () => {
      await start();
      const nulls = { drop: null, prepend: null, overrides: [{ rulesetId: null, action: "log" }] };
      const { inputs } = await migration.preview(validate({ adjustments: nulls }));
      const bare = await migration.preview(validate({ adjustments: { overrides: [{ action: "log" }] } }));
      expect(inputs.plannedRules).toEqual(bare.inputs.plannedRules);
    });

    test("the numbers of the API are accepted as modes too", async () => {
      await start();
      await migration.up({ zoneId, mode: "2" });
      expect(state()).toMatchObject({ mode: "validation", phase: "validation" });
      await migration.up({ zoneId, mode: "1", acknowledgeIrreversible: true });
      expect(state()).toMatchObject({ mode: "pending", phase: "finished" });
    });

    test("an already migrated zone is adopted, and nothing is written", async () => {
      await start({ state: "complete" });
      expect((await migration.preview(finish())).plans).toEqual(["plan: sends nothing"]);
      const up = await migration.up(finish());
      expect(writesIn(up.requests)).toEqual([]);
      expect(up.notes.join()).toContain("is already migrated: nothing will be written");
      expect(state().phase).toBe("finished");
      expect(state().finishedAt).toBeUndefined();
      await migration.settled(finish());
    });

    test("changes after the finish write nothing, and report which resource manages the rules", async () => {
      await start();
      await migration.up(finish());
      const before = await there();
      const more = finish({ adjustments: { drop: [{ executes: MANAGED_RULESET }] } });
      const up = await migration.up(more);
      expect([up.action, writesIn(up.requests)]).toEqual(["update", []]);
      expect(up.notes.join()).toContain(`Manage its rules with a PhaseEntrypoint of ${PHASE} and onExisting: "adopt"`);
      expect(await there()).toEqual(before);
      await migration.settled(more);
    });

    test.each([finish, validate])("a finish by Cloudflare in the meantime is adopted", async (goal) => {
      await start();
      await migration.up(validate());
      await service.setPreviousWaf(zoneId, { state: "complete" });
      expect(await migration.refresh()).toBe(true);
      expect(state()).toMatchObject({ phase: "finished", finishedAt: "2026-01-01T00:00:00.000Z" });
      const up = await migration.up(goal());
      expect(writesIn(up.requests)).toEqual([]);
      await migration.settled(goal());
    });

    test("a finish by Cloudflare between the preview and the step is adopted", async () => {
      await start();
      await migration.up(validate());
      await service.setPreviousWaf(zoneId, { state: "complete" });
      const up = await migration.up(finish());
      expect([up.action, writesIn(up.requests), state().phase]).toEqual(["update", [], "finished"]);
    });

    test("final rules replace the retrieved ones", async () => {
      await start();
      const rules = [{ action: "execute", expression: "true", actionParameters: { id: MANAGED_RULESET } }];
      await migration.up(finish({ rules }));
      expect(await there()).toMatchObject([{ action: "execute", action_parameters: { id: MANAGED_RULESET } }]);
      await migration.settled(finish({ rules }));
    });

    test("rules staged in the entry point stop the step until they are given up explicitly", async () => {
      await start();
      await stage(staged);
      await expect(migration.preview(finish())).rejects.toThrow(
        /existingRules: the entry point of http_request_firewall_managed in zone old.example.com contains 1 rule that the migration would drop:\n {2}- skip \[ref [0-9a-f]{32}, .*\nTheir texts .*versions show 1 --zone \w+ --ruleset \w+ --typescript`\nTo keep [0-9a-f]{32}, add it to `adjustments.prepend`, before the rules that they skip\.\n/,
      );
      await migration.up(finish({ existingRules: "replace" }));
      expect((await there()).map(({ description }) => description)).toEqual([undefined, undefined]);
    });

    test("no text of a rule that would be dropped is shown, which may contain secrets", async () => {
      await start();
      await stage({ ...staged, expression: 'http.cookie contains "hush-hush"' });
      const message = await failureOf(migration.plan(finish(), true));
      expect(message).toMatch(/- skip \[ref [0-9a-f]{32}, last changed /);
      expect(message).not.toMatch(/hush-hush|staged/);
    });

    test('a result without rules drops no existing rules unless existingRules is "empty"', async () => {
      await start();
      await stage(staged);
      for (const existingRules of [undefined, "replace"]) {
        const message = await failureOf(migration.up(finish({ rules: [], existingRules })));
        expect(message).toMatch(/would drop:[\s\S]*To drop them all, which leaves no rule, set existingRules: "empty"/);
        expect(message).not.toContain('existingRules: "replace"');
      }
      expect(await there()).toHaveLength(1);
      const up = await migration.up(finish({ rules: [], existingRules: "empty" }));
      expect(up.warnings).toContain(
        "rules: no rule executes a managed ruleset, but the retrieved configuration does: after the finish no managed rule protects the zone",
      );
      expect(await there()).toEqual([]);
    });

    test("a zone whose previous WAF was off may have no managed rules, without a warning", async () => {
      await start({ setting: "off" });
      expect((await migration.up(finish())).warnings.join()).not.toContain("no managed rule protects");
    });

    test("a rule added by hand in validation mode is not lost in the next step", async () => {
      await start();
      await migration.up(validate());
      const ruleset = await service.entrypoint(zoneId, PHASE);
      await service.addRule(`zones/${zoneId}`, ruleset?.id ?? "", { ...office, action_parameters: current });
      await expect(migration.up(finish())).rejects.toThrow(/would drop:\n {2}- skip \[ref /);
      expect(await status()).toBe("validation");
      const prepend = [{ ...office, actionParameters: current }];
      const up = await migration.up(finish({ adjustments: { prepend } }));
      expect(up.warnings.join()).not.toContain("skips nothing");
      expect((await there()).map(({ description }) => description)).toEqual(["Office", undefined, undefined]);
    });

    test("each rule that would be dropped is reported with its place: exceptions first, others last", async () => {
      await start();
      const other = { ...staged, action: "execute", action_parameters: { id: FREE_RULESET } };
      await stage({ ...staged, ref: "first" }, { ...other, ref: "last" });
      await expect(migration.preview(finish())).rejects.toThrow(
        /To keep first, add it to `adjustments.prepend`, before the rules that they skip\.\nTo keep last, add it to `adjustments.append`, after the retrieved ones\./,
      );
    });

    test("an exception after the rules that it excludes is reported, with its place", async () => {
      await start();
      const exception = { ...office, actionParameters: current };
      const late = await migration.preview(finish({ adjustments: { append: [exception] } }));
      expect(late.warnings).toContain(
        "adjustments.append[0]: this skip rule skips nothing in this position: it only affects rules after it, and what it " +
          "would skip is executed before it. To fix this, move it to adjustments.prepend, which comes first",
      );
      const first = await migration.preview(finish({ adjustments: { prepend: [exception] } }));
      expect(first.warnings.join()).not.toContain("skips nothing");
      const execute = { action: "execute", expression: "true", actionParameters: { id: MANAGED_RULESET } };
      const own = await migration.preview(finish({ rules: [execute, exception] }));
      expect(own.warnings.join()).toMatch(/rules\[1\]: this skip rule skips nothing .* move it above rules\[0\]/);
    });
  });

  describe("waiting", () => {
    test("checks at growing intervals until the switch is done, and reports it", async () => {
      await start({ progression: { seconds: 600 } });
      const up = await migration.up(finish());
      expect(state()).toMatchObject({ phase: "finished" });
      expect(up.statuses[0]).toBe(
        'the switch has been under way for 0 s (the service says "pending"); next check in 5 s',
      );
      expect(up.statuses.at(-1)).toMatch(/^the switch has been under way for \d+ min \d+ s .*; next check in 60 s$/);
      expect(up.requests.filter((request) => request.endsWith("/status")).length).toBeLessThan(20);
      await migration.settled(finish());
    });

    test.each(["pending", "start", "migrating", ""])(
      "waits whatever the service calls the state in the meantime: %j",
      async (name) => {
        await start({ progression: { seconds: 60 }, finishingState: name });
        const up = await migration.up(finish());
        expect([writesIn(up.requests).length, state().phase]).toEqual([1, "finished"]);
      },
    );

    test("can be disabled; the next up or refresh completes the migration, and nothing is sent again", async () => {
      for (const complete of ["up", "refresh"] as const) {
        await start({ progression: { seconds: 600 } });
        const inputs = finish({ wait: false });
        await migration.up(inputs);
        expect(state()).toMatchObject({ phase: "finishing", migrationState: "pending" });
        const again = await migration.up(inputs);
        expect([again.action, writesIn(again.requests), state().phase]).toEqual(["update", [], "finishing"]);
        await service.advanceClock(601);
        if (complete === "up") expect(writesIn((await migration.up(inputs)).requests)).toEqual([]);
        else await migration.refresh();
        expect(state()).toMatchObject({ phase: "finished", finishedAt: "2026-01-01T00:00:00.000Z" });
        await migration.settled(inputs);
      }
    });

    test("never sends the finish again because of a delayed status", async () => {
      await start({ progression: { reads: 8 }, lag: 6 });
      const inputs = finish({ wait: false });
      expect(writesIn((await migration.up(inputs)).requests)).toHaveLength(1);
      expect(state()).toMatchObject({ phase: "finishing", migrationState: "start" });
      for (let run = 0; run < 8; run += 1) expect(writesIn((await migration.up(inputs)).requests)).toEqual([]);
      expect(state().phase).toBe("finished");
    });

    test("keeps what is known when it times out, and the next up continues without a write", async () => {
      await start({ progression: { never: true } });
      const inputs = finish({ waitTimeoutSeconds: 120 });
      await expect(migration.up(inputs)).rejects.toThrow(
        /still under way after 2 min 0 s .* Nothing is lost and nothing will be sent again/,
      );
      expect(state().phase).toBe("finishing");
      expect(migration.clock.slept).toBe(120_000);
      await service.setPreviousWaf(zoneId, { progression: { reads: 1 } });
      const up = await migration.up(inputs);
      expect([up.action, writesIn(up.requests), state().phase]).toEqual(["update", [], "finished"]);
      await migration.settled(inputs);
    });
  });
});
