import type { MigrationState } from "../../provider/kinds/waf-migration/description.js";
import type { RulesetState } from "../../provider/kinds/rulesets/description.js";
import type { Service } from "../support/emulator.js";
import { writesIn } from "../support/requests.js";
import { ManagedResource, type StoredResource } from "./managed.js";
import { NAME, PHASE, startOldZone } from "./old-zone.js";
import { secret, secretPathsIn } from "./secrets-apart.js";

/** A migrated zone still has to hand its rules over to a `PhaseEntrypoint`: `plannedRules` are the rules of its entry point. */
describe("the rules of a zone that is already migrated", () => {
  let service: Service;
  let zoneId: string;
  let migration: ManagedResource<MigrationState>;
  const start = async (...zone: Parameters<typeof startOldZone>): Promise<void> => {
    ({ service, zoneId, migration } = await startOldZone(...zone));
  };

  const finish = (more: object = {}) => ({ zoneId, mode: "pending", acknowledgeIrreversible: NAME, ...more });
  const kept = () => migration.kept as StoredResource<MigrationState>;
  const there = async () => (await service.entrypoint(zoneId, PHASE))?.rules ?? [];
  const partner = { expression: "ip.src eq 192.0.2.1", description: "partner", products: ["waf"] };

  /** Writes the step as a run that left no state. */
  const forgottenRun = async (step: "pending" | "validation"): Promise<void> => {
    const config = await service.ask<object>("GET", `/zones/${zoneId}/waf_migration/config?phase_two=1`);
    await service.ask(
      "PUT",
      `/zones/${zoneId}/rulesets/phases/${PHASE}/entrypoint?waf_migration=${step}&phase_two=1`,
      config,
    );
  };

  /** The documented program: adopts the rules unchanged, and sends no write. */
  const handOver = async (): Promise<void> => {
    const before = await there();
    const entrypoint = new ManagedResource<RulesetState>("PhaseEntrypoint", service, "urn:waf");
    const rules = kept().state.plannedRules;
    const up = await entrypoint.up({ zoneId, phase: PHASE, rules, onExisting: "adopt" });
    expect(writesIn(up.requests)).toEqual([]);
    expect(entrypoint.kept?.state.deployedRules.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(await there()).toEqual(before);
  };

  test.each(["immediately", "while it is still finishing"])("by a killed run of ours, found %s", async (when) => {
    await start({ firewallRules: [partner], progression: { seconds: 60 } });
    await forgottenRun("pending");
    if (when === "immediately") await service.advanceClock(61);
    const preview = await migration.preview(finish());
    expect(preview.inputs.plannedRules).toMatchObject([
      { action: "skip" },
      { action: "execute" },
      { action: "execute" },
    ]);
    const up = await migration.up(finish());
    expect(writesIn(up.requests)).toEqual([]);
    expect(kept().state).toMatchObject({ phase: "finished", plannedRules: preview.inputs.plannedRules });
    await migration.settled(finish());
    await handOver();
  });

  test("long ago, by someone else, with rules that were changed since", async () => {
    await start({ state: "complete" });
    const rules = [
      { action: "skip", expression: "ssl", ref: "office", action_parameters: { ruleset: "current" }, enabled: false },
      {
        action: "execute",
        expression: "true",
        action_parameters: { id: "efb7b8c949ac4650a09736fc376e9aee", version: "latest" },
      },
    ];
    await service.create(`zones/${zoneId}`, { name: "default", kind: "zone", phase: PHASE, rules });
    await migration.up(finish());
    expect(kept().state.plannedRules).toMatchObject([
      { action: "skip", expression: "ssl", enabled: false, actionParameters: { ruleset: "current" } },
      { action: "execute", actionParameters: { id: "efb7b8c949ac4650a09736fc376e9aee" } },
    ]);
    await migration.settled(finish());
    await handOver();
  });

  test("long ago, without any rules", async () => {
    await start({ state: "complete" });
    await migration.up(finish());
    expect(kept().state.plannedRules).toEqual([]);
    await migration.settled(finish());
  });

  test("by Cloudflare, between the preview and the step", async () => {
    await start({ firewallRules: [partner] });
    const { checked } = await migration.preview(finish());
    await forgottenRun("pending");
    const office = { action: "skip", expression: "ssl", action_parameters: { ruleset: "current" } };
    const { id } = (await service.entrypoint(zoneId, PHASE)) ?? { id: "" };
    await service.addRule(`zones/${zoneId}`, id, office);
    migration.start();
    await migration.create(checked);
    expect(kept().state.plannedRules).toHaveLength(4);
    await handOver();
  });

  test("by Cloudflare, from validation mode, with a rule that someone else added", async () => {
    await start({ firewallRules: [partner] });
    const validate = { zoneId, mode: "validation" };
    await migration.up(validate);
    const { id } = (await service.entrypoint(zoneId, PHASE)) ?? { id: "" };
    const office = {
      action: "skip",
      expression: "ssl",
      description: "Office",
      action_parameters: { ruleset: "current" },
    };
    await service.addRule(`zones/${zoneId}`, id, office);
    await service.setPreviousWaf(zoneId, { state: "complete" });
    await migration.refresh();
    expect(kept().state.plannedRules?.at(-1)).toMatchObject({ description: "Office" });
    expect(kept().state.deployedRules).toHaveLength(4);
    await migration.settled(validate);
    await migration.up(finish());
    expect(kept().state.plannedRules).toHaveLength(4);
    await handOver();
  });

  test("by a killed run of ours that finished with rules other than those in the state", async () => {
    await start({ firewallRules: [partner] });
    await migration.up({ zoneId, mode: "validation" });
    const planned = kept().state.plannedRules;
    const changed = finish({ adjustments: { drop: [{ description: "partner" }] } });
    const config = await service.ask<{ rules: { description: string }[] }>(
      "GET",
      `/zones/${zoneId}/waf_migration/config?phase_two=1`,
    );
    const rules = config.rules.filter(({ description }) => description !== "partner");
    const path = `/zones/${zoneId}/rulesets/phases/${PHASE}/entrypoint?waf_migration=pending&phase_two=1`;
    await service.ask("PUT", path, { ...config, rules });
    const preview = await migration.preview(changed);
    expect([planned?.length, (preview.inputs.plannedRules as object[]).length]).toEqual([3, 2]);
    await migration.up(changed);
    expect(kept().state.plannedRules).toEqual(preview.inputs.plannedRules);
    await migration.settled(changed);
    await handOver();
  });

  test("are added by a refresh to a state without them, and are unchanged in a state with them", async () => {
    await start({ state: "complete" });
    await migration.up(finish());
    const rules = [
      { action: "execute", expression: "true", action_parameters: { id: "efb7b8c949ac4650a09736fc376e9aee" } },
    ];
    await service.create(`zones/${zoneId}`, { name: "default", kind: "zone", phase: PHASE, rules });
    await migration.refresh();
    expect(kept().state.plannedRules).toEqual([]);
    const { inputs, state, id } = kept();
    const without = (props: object) => ({ ...props, plannedRules: undefined });
    migration.kept = { id, inputs: without(inputs), state: without(state) as MigrationState };
    expect(await migration.up(finish())).toMatchObject({ action: "none", requests: [] });
    await migration.refresh();
    expect(kept().state.plannedRules).toHaveLength(1);
    await migration.settled(finish());
    await handOver();
  });

  test("are known after an import", async () => {
    await start();
    await forgottenRun("pending");
    migration.kept = { id: `zones/${zoneId}/waf-migration`, inputs: {}, state: {} as MigrationState };
    expect(await migration.refresh()).toBe(true);
    expect(kept().state.plannedRules).toHaveLength(2);
  });

  test("stay secret where they contain a secret", async () => {
    await start();
    const expression = secret('http.cookie contains "hush"');
    const prepend = [{ action: "skip", expression, actionParameters: { ruleset: "current" } }];
    const secretive = finish({ adjustments: { prepend } });
    await migration.up(secretive);
    expect(JSON.stringify(await there())).toContain("hush");
    migration.kept = undefined;
    await migration.up(secretive);
    expect(JSON.stringify(kept().state.plannedRules)).toContain("hush");
    for (const props of [migration.stored?.inputs, migration.stored?.outputs])
      expect(secretPathsIn(props)).toContainEqual(["plannedRules"]);
    await migration.refresh();
    expect(secretPathsIn(migration.stored?.outputs)).toContainEqual(["plannedRules"]);
    await handOver();
  });

  test("need no further request after a migration that this stack ran from start to end", async () => {
    await start();
    await migration.up(finish());
    const planned = kept().state.plannedRules;
    await service.forget();
    await migration.refresh();
    expect(await service.requests()).toEqual([`GET /zones/${zoneId}/waf_migration/status`]);
    expect(kept().state.plannedRules).toEqual(planned);
  });
});
