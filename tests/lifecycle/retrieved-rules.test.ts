import { ruleFromWire } from "../../core/model/codec.js";
import type { JsonObject } from "../../core/model/json.js";
import type { RulesetRule } from "../../core/model/generated/rule.js";
import type { Service } from "../support/emulator.js";
import { ManagedRuleset } from "./harness.js";
import { NAME, PHASE, startOldZone, type OldZone } from "./old-zone.js";

/** Rules of a retrieved configuration have an empty id, version and ref, which mean none. */
describe("rules with an empty id, version and ref", () => {
  let service: Service;
  let old: OldZone;
  beforeEach(async () => {
    old = await startOldZone({
      firewallRules: [
        { expression: "ip.src eq 192.0.2.1", description: "partner", products: ["waf"] },
        { expression: "ip.src eq 192.0.2.2", description: "probe", products: ["waf"] },
      ],
    });
    ({ service } = old);
  });

  /** The rules as a person passes them on from the service: with our names, including the empty values. */
  const retrieved = async (): Promise<RulesetRule[]> => {
    const config = await service.ask<{ rules: JsonObject[] }>(
      "GET",
      `/zones/${old.zoneId}/waf_migration/config?phase_two=1`,
    );
    const rules = config.rules.map((rule) => ({ ...ruleFromWire(rule), id: "", version: "", ref: "" }));
    expect(rules).toHaveLength(4);
    return rules as unknown as RulesetRule[];
  };
  const there = async () => (await service.entrypoint(old.zoneId, PHASE))?.rules ?? [];

  test("create an entry point like rules without them", async () => {
    await service.setPreviousWaf(old.zoneId, { state: "validation" });
    const rules = await retrieved();
    const entrypoint = new ManagedRuleset("PhaseEntrypoint", service);
    const inputs = { zoneId: old.zoneId, phase: PHASE, rules };
    await entrypoint.up(inputs);
    const refs = (await there()).map(({ ref }) => ref);
    expect(new Set(refs).size).toBe(4);
    expect(refs).not.toContain("");
    expect(await entrypoint.up(inputs)).toMatchObject({ action: "none", requests: [] });
    const bare = rules.map((rule) => {
      const { id: _id, ref: _ref, version: _version, ...rest } = rule as RulesetRule & { version: string };
      return rest;
    });
    expect(await entrypoint.up({ ...inputs, rules: bare })).toMatchObject({ action: "none", requests: [] });
  });

  test("are accepted as rules and adjustments of a migration like rules without them", async () => {
    const rules = await retrieved();
    const finish = { zoneId: old.zoneId, mode: "pending", acknowledgeIrreversible: NAME };
    const office = { ...rules[0], description: "office", expression: "ip.src eq 192.0.2.9" };
    const adjusted = await old.migration.preview({ ...finish, adjustments: { append: [office, office] } });
    expect(adjusted.inputs.plannedRules).toHaveLength(6);
    await old.migration.up({ ...finish, rules });
    expect((await there()).map(({ description }) => description)).toEqual(["partner", "probe", undefined, undefined]);
    await old.migration.settled({ ...finish, rules });
  });

  test("a migration accepts rulesets referred to by resource ID, like any ruleset", async () => {
    const finish = { zoneId: old.zoneId, mode: "pending", acknowledgeIrreversible: NAME };
    const shared = "0123456789abcdef0123456789abcdef";
    const account = `accounts/${"a".repeat(32)}/rulesets`;
    const managed = "efb7b8c949ac4650a09736fc376e9aee";
    const named = {
      action: "execute",
      expression: "true",
      description: null,
      actionParameters: { id: `${account}/${shared}`, overrides: {} },
    };
    const planned = async (more: object) =>
      (await old.migration.preview({ ...finish, ...more })).inputs.plannedRules as RulesetRule[];
    const bare = { action: "execute", expression: "true", actionParameters: { id: shared } };
    expect(await planned({ rules: [named] })).toEqual([bare]);
    const [executes, rulesetId] = [`${account}/${managed}`, `${account}/4814384a9e5d4991b9815dcfc25d2f1f`];
    const adjustments = { drop: [{ executes }], overrides: [{ rulesetId, action: "log" }], append: [named] };
    const rules = await planned({ adjustments });
    expect(rules.map(({ actionParameters }) => actionParameters?.id)).not.toContain(managed);
    expect(rules.at(-2)?.actionParameters?.overrides?.action).toBe("log");
    expect(rules.at(-1)).toEqual(bare);
  });
});
