import type { RulesetRule } from "../../core/model/generated/rule.js";
import { managedRulesets, SCORING_RULE } from "../../core/managed/rulesets.js";
import type { Service } from "../support/emulator.js";
import { block } from "../support/rules.js";
import { ManagedRuleset, startService } from "./harness.js";

const phase = "http_request_firewall_managed";
const ENTERPRISE = 'cf.zone.plan eq "ENT"';
const core = (scoreThreshold: number): RulesetRule => ({
  action: "execute",
  description: "Core",
  expression: ENTERPRISE,
  actionParameters: {
    id: managedRulesets.owaspCore,
    overrides: {
      categories: [{ category: "paranoia-level-4", enabled: false }],
      rules: [{ id: SCORING_RULE, scoreThreshold, action: "managed_challenge" }],
    },
  },
});
const managed: RulesetRule = {
  action: "execute",
  description: "Managed",
  expression: ENTERPRISE,
  actionParameters: { id: managedRulesets.cloudflareManaged, overrides: { action: "log" } },
};
/** As added in the dashboard. */
const skip = {
  action: "skip",
  description: "3am",
  expression: `(ip.src eq 203.0.113.9) and ${ENTERPRISE}`,
  action_parameters: { ruleset: "current" },
};

describe("the entry point of an account", () => {
  let service: Service;
  let accountId: string;
  let scope: string;
  let resource: ManagedRuleset;
  beforeEach(async () => {
    ({ service, accountId } = await startService());
    scope = `accounts/${accountId}`;
    resource = new ManagedRuleset("PhaseEntrypoint", service);
  });
  const inputs = (rules: readonly RulesetRule[], more: object = {}) => ({ accountId, phase, rules, ...more });
  const there = async () => {
    const found = await service.entrypoint(scope, phase);
    if (found === undefined) throw new Error("no entry point");
    return found;
  };
  const descriptions = async () => (await there()).rules.map(({ description }) => description);

  test("is created with its overrides as written", async () => {
    await resource.up(inputs([managed, core(60)]));
    expect((await there()).kind).toBe("root");
    expect((await there()).rules[1]?.action_parameters).toMatchObject({
      id: managedRulesets.owaspCore,
      overrides: {
        categories: [{ category: "paranoia-level-4", enabled: false }],
        rules: [{ id: SCORING_RULE, score_threshold: 60, action: "managed_challenge" }],
      },
    });
    await resource.settled(inputs([managed, core(60)]));
  });

  test("reports an override that someone else changed as drift, and restores it under the same rule ID", async () => {
    await resource.up(inputs([managed, core(60)]));
    const before = await there();
    const [, rule] = before.rules;
    const loosened = { ...(rule?.action_parameters as object), overrides: { enabled: false } };
    const edited = { action: "execute", description: "Core", expression: ENTERPRISE, action_parameters: loosened };
    await service.editRule(scope, before.id, rule?.id ?? "", edited);
    await resource.refresh();
    expect((await resource.preview(inputs([managed, core(60)]))).plans.join()).toContain("~1 (actionParameters)");
    await resource.up(inputs([managed, core(60)]));
    expect((await there()).rules.map(({ id }) => id)).toEqual(before.rules.map(({ id }) => id));
    expect((await there()).rules[1]?.action_parameters).toEqual(rule?.action_parameters);
    await resource.settled(inputs([managed, core(60)]));
  });

  test("refuses existing rules, adopts them with their IDs, or replaces them", async () => {
    const ruleset = await service.create(scope, { name: "dashboard", kind: "root", phase, rules: [skip] });
    await expect(resource.preview(inputs([managed]))).rejects.toThrow(
      `already exists: ruleset ${ruleset.id}, version 1`,
    );
    await expect(resource.preview(inputs([managed], { onExisting: "adopt" }))).rejects.toThrow(
      `versions show 1 --account ${accountId} --ruleset ${ruleset.id} --typescript`,
    );
    const same: RulesetRule = {
      action: "skip",
      description: "3am",
      expression: skip.expression,
      actionParameters: { ruleset: "current" },
    };
    const adopted = inputs([managed, same], { onExisting: "adopt" });
    await resource.up(adopted);
    expect((await there()).rules[1]?.id).toBe(ruleset.rules[0]?.id);
    expect((await there()).id).toBe(ruleset.id);
    await resource.settled(adopted);
    const other = new ManagedRuleset("PhaseEntrypoint", service, "urn:other");
    await other.up(inputs([managed], { onExisting: "replace" }));
    expect(await descriptions()).toEqual(["Managed"]);
  });

  test("is refused where a zone is required, and a move from a zone is a replacement", async () => {
    await expect(resource.preview({ accountId, phase: "http_request_origin", rules: [] })).rejects.toThrow(
      "exists for zones only: specify zoneId",
    );
    await expect(
      resource.preview({ ...inputs([block("A", "ssl")]), phase: "http_request_firewall_custom" }),
    ).rejects.toThrow(
      "phase http_request_firewall_custom of an account (kind root) does not allow the action block; it allows execute",
    );
    const zoneId = await service.zone();
    await resource.up({ zoneId, phase, rules: [managed] });
    expect((await resource.up(inputs([managed]))).action).toBe("replace");
    expect(await descriptions()).toEqual(["Managed"]);
    expect((await service.entrypoint(zoneId, phase))?.rules).toEqual([]);
    await resource.settled(inputs([managed]));
  });
});

describe("a custom ruleset of an account", () => {
  let service: Service;
  let accountId: string;
  let scope: string;
  let custom: ManagedRuleset;
  const inputs = (rules: readonly RulesetRule[], more: object = {}) => ({
    accountId,
    kind: "custom",
    name: "Shared",
    phase: "http_request_firewall_custom",
    rules,
    ...more,
  });
  beforeEach(async () => {
    ({ service, accountId } = await startService());
    scope = `accounts/${accountId}`;
    custom = new ManagedRuleset("Ruleset", service);
  });

  test("is adopted by ID, and cannot be deleted while it is executed", async () => {
    const wire = { action: "block", description: "A", expression: "ssl" };
    const old = await service.create(scope, { ...inputs([]), accountId: undefined, rules: [wire] });
    const taken = inputs([block("A", "ssl")], { rulesetId: old.id });
    const { notes } = await custom.up(taken);
    expect(notes.join("\n")).toContain(`takes over ${old.id}, version 1: 1 kept, 0 changed, 0 dropped`);
    expect((await service.ruleset(scope, old.id)).rules[0]?.id).toBe(old.rules[0]?.id);
    await custom.settled(taken);
    const entrypoint = new ManagedRuleset("PhaseEntrypoint", service, "urn:entrypoint");
    const rule: RulesetRule = { action: "execute", expression: ENTERPRISE, actionParameters: { id: old.id } };
    await entrypoint.up({ accountId, phase: "http_request_firewall_custom", rules: [rule] });
    await expect(custom.destroy()).rejects.toThrow(
      /cannot be deleted while http_request_firewall_custom of account .* executes it/,
    );
    await entrypoint.destroy();
    await custom.destroy();
    expect((await service.list(scope)).filter(({ kind }) => kind === "custom")).toEqual([]);
  });
});
