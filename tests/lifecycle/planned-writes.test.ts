import { parsePlan } from "../../provider/engine/plan-text.js";
import { Service, type WireRuleset } from "../support/emulator.js";
import { freshEmulator } from "../support/emulators.js";
import { ManagedRuleset } from "./harness.js";

/* The plan of a preview lists the writes that `pulumi up` then sends. */

const phase = "http_request_firewall_custom";
const rule = (ref: string, more: object = {}) => ({
  ref,
  action: "block",
  expression: `http.host eq "${ref}"`,
  ...more,
});
const [a, b, c] = ["a", "b", "c"].map((ref) => rule(ref)) as [object, object, object];

interface Case {
  readonly type?: "PhaseEntrypoint" | "Ruleset" | "RulesetRule";
  /** Rules that exist before the resource does. */
  readonly exist?: readonly object[];
  /** The arguments before an edit; undefined if it adds the resource. */
  readonly before?: object;
  readonly after: object;
  /** How many writes there are. */
  readonly writes: number;
}

const cases: Readonly<Record<string, Case>> = {
  "a new entry point": { after: { rules: [a, b] }, writes: 1 },
  "a new entry point over an equal one": { exist: [a, b], after: { rules: [a, b] }, writes: 0 },
  "a new entry point over another one": { exist: [a], after: { rules: [a, b], onExisting: "adopt" }, writes: 1 },
  "a changed entry point": { before: { rules: [a] }, after: { rules: [a, b] }, writes: 1 },
  "an order": { before: { rules: [a, b] }, after: { rules: [b, a] }, writes: 1 },
  "arguments of the provider alone": { before: { rules: [a] }, after: { rules: [a], onDelete: "keep" }, writes: 0 },
  "a new custom ruleset": { type: "Ruleset", after: { rules: [a], kind: "custom", name: "Mine" }, writes: 1 },
  "a custom ruleset with another description": {
    type: "Ruleset",
    before: { rules: [a], kind: "custom", name: "Mine" },
    after: { rules: [a], kind: "custom", name: "Mine", description: "Ours" },
    writes: 1,
  },
  "a new shared list": { after: { rules: [a, b], ownership: "shared" }, writes: 1 },
  "a new shared list beside others": { exist: [c], after: { rules: [a, b], ownership: "shared" }, writes: 2 },
  "a new shared list over equal rules": { exist: [a, c], after: { rules: [a, b], ownership: "shared" }, writes: 1 },
  "a changed shared list": {
    exist: [c],
    before: { rules: [a, b], ownership: "shared" },
    after: { rules: [rule("d"), rule("a", { action: "managed_challenge" })], ownership: "shared" },
    writes: 3,
  },
  "another order of a shared list": {
    exist: [c],
    before: { rules: [a, b], ownership: "shared" },
    after: { rules: [b, a], ownership: "shared" },
    writes: 1,
  },
  "a list that is no longer shared": {
    before: { rules: [a], ownership: "shared" },
    after: { rules: [a, b] },
    writes: 1,
  },
  "a new rule and its entry point": { type: "RulesetRule", after: a, writes: 1 },
  "a new rule beside others": { type: "RulesetRule", exist: [b, c], after: a, writes: 1 },
  "a new rule before others": {
    type: "RulesetRule",
    exist: [b, c],
    after: { ...a, position: { before: "b" } },
    writes: 1,
  },
  "a new rule over an equal one": { type: "RulesetRule", exist: [a], after: a, writes: 0 },
  "a new rule over another one": {
    type: "RulesetRule",
    exist: [a],
    after: { ...a, action: "managed_challenge", onExisting: "adopt" },
    writes: 1,
  },
  "a changed rule": {
    type: "RulesetRule",
    exist: [b],
    before: a,
    after: { ...a, action: "managed_challenge" },
    writes: 1,
  },
  "a moved rule": { type: "RulesetRule", exist: [b], before: a, after: { ...a, position: { before: "b" } }, writes: 1 },
  "a rule that is already in its position": {
    type: "RulesetRule",
    exist: [b],
    before: a,
    after: { ...a, position: { after: "b" } },
    writes: 0,
  },
};

describe("the plan of a preview has exactly the writes that `up` then sends", () => {
  let service: Service;
  beforeEach(async () => {
    service = new Service(await freshEmulator());
  });

  test.each(Object.entries(cases))("%s", async (_, { type = "PhaseEntrypoint", exist, before, after, writes }) => {
    const zoneId = await service.zone("business");
    if (exist !== undefined)
      await service.create(`zones/${zoneId}`, { name: "default", kind: "zone", phase, rules: exist });
    const resource = new ManagedRuleset(type, service);
    const args = { zoneId, phase };
    if (before !== undefined) await resource.up({ ...args, ...before });
    const { plans } = await resource.preview({ ...args, ...after });
    expect(plans).toHaveLength(1);
    const plan = parsePlan(plans[0] ?? "");
    expect(plan).toMatchObject({ unseen: [] });
    expect(plan?.writes.filter(({ unless }) => unless !== undefined)).toEqual([]);
    const { requests, plans: published } = await resource.up({ ...args, ...after });
    expect(plan?.writes.map(({ call }) => call).sort()).toEqual(writesIn(requests));
    expect(plan?.writes).toHaveLength(writes);
    expect(published).toEqual([]);
  });

  test("nothing is published for a resource that does not change", async () => {
    const zoneId = await service.zone();
    const resource = new ManagedRuleset("PhaseEntrypoint", service);
    await resource.up({ zoneId, phase, rules: [a] });
    expect((await resource.preview({ zoneId, phase, rules: [a] })).plans).toEqual([]);
  });
});

/** What somebody else does to the ruleset between two runs. */
const interferences: Readonly<
  Record<string, (service: Service, scope: string, ruleset: WireRuleset) => Promise<unknown>>
> = {
  "deletes the ruleset": (service, scope, { id }) => service.delete(scope, id),
  "deletes a rule": (service, scope, { id, rules: [first] }) => service.deleteRule(scope, id, first?.id ?? ""),
  "edits a rule": (service, scope, { id, rules: [first] }) =>
    service.editRule(scope, id, first?.id ?? "", { action: "log", expression: "ssl", ref: "a" }),
  "moves a rule": (service, scope, { id, rules: [first, ...others] }) =>
    service.replace(scope, id, { rules: [...others, first] }),
  "adds a rule": (service, scope, { id }) => service.addRule(scope, id, { action: "log", expression: "ssl" }),
  "adds the same rule": (service, scope, { id }) => service.addRule(scope, id, { ...rule("b"), action: "block" }),
  "describes the ruleset": (service, scope, { id, rules }) =>
    service.replace(scope, id, { description: "Mine", rules }),
};

const edit = { before: { rules: [a, c] }, after: { rules: [a, b, c] } };
const edits = [
  ["PhaseEntrypoint", {}, edit],
  ["PhaseEntrypoint", { ownership: "shared" }, edit],
  ["Ruleset", { kind: "custom", name: "Mine" }, edit],
  ["Ruleset", { kind: "custom", name: "Mine", ownership: "shared" }, edit],
  ["RulesetRule", {}, { before: a, after: { ...a, action: "managed_challenge" } }],
] as const;

describe.each(Object.entries(interferences))("where somebody else %s", (_, interfere) => {
  const either = edits.flatMap(([type, more, change]) =>
    ["fail", "overwrite"].map((onConflict) => [type, { ...more, onConflict }, change] as const),
  );

  test.each(either)(
    "a preview of a %s %j plans the writes, or stops, as `up` does",
    async (type, more, { before, after }) => {
      const service = new Service(await freshEmulator());
      const zoneId = await service.zone();
      const scope = `zones/${zoneId}`;
      const resource = new ManagedRuleset(type, service);
      await resource.up({ zoneId, phase, ...more, ...before });
      await interfere(service, scope, await service.ruleset(scope, resource.kept?.state.rulesetId ?? ""));
      const { kept } = resource;
      const wanted = { zoneId, phase, ...more, ...after };
      const failure = (error: Error) => [error.message];
      const planned = await resource.preview(wanted).then(
        ({ plans }) =>
          parsePlan(plans[0] ?? "")
            ?.writes.map(({ call }) => call)
            .sort(),
        failure,
      );
      resource.kept = kept;
      const done = await resource.up(wanted).then(({ requests }) => writesIn(requests), failure);
      expect(planned).toEqual(done);
      expect(done.join()).toMatch(/^(POST|PUT|PATCH) |no longer exists|by somebody else|already exists/);
    },
  );
});

describe("where a preview may not ask the service", () => {
  const added = rule("d");
  test.each([
    ["the only rule is removed", [a], []],
    ["one rule is removed, and one is added", [a, b], [b, added]],
    ["one rule is changed", [a, b], [a, rule("b", { action: "log" })]],
  ])("it plans the writes of a shared list by what the program changes: %s", async (_, before, after) => {
    const service = new Service(await freshEmulator());
    const zoneId = await service.zone();
    const resource = new ManagedRuleset("PhaseEntrypoint", service);
    resource.settings = { previewChecks: "off" };
    const shared = { zoneId, phase, ownership: "shared" };
    await resource.up({ ...shared, rules: before });
    const { plans, requests } = await resource.preview({ ...shared, rules: after });
    const planned = parsePlan(plans[0] ?? "")?.writes.map(({ call }) => call);
    expect(requests).toEqual([]);
    expect(planned?.sort()).toEqual(writesIn((await resource.up({ ...shared, rules: after })).requests));
  });
});

describe("the plan of an edit of an entry point that somebody has deleted", () => {
  test("counts every rule as added", async () => {
    const service = new Service(await freshEmulator());
    const zoneId = await service.zone();
    for (const ownership of ["exclusive", "shared"]) {
      const resource = new ManagedRuleset("PhaseEntrypoint", service);
      await resource.up({ zoneId, phase, ownership, rules: [a] });
      await service.delete(`zones/${zoneId}`, resource.kept?.state.rulesetId ?? "");
      const { plans, notes } = await resource.preview({ zoneId, phase, ownership, rules: [a, b] });
      expect(plans.join()).toContain("+2 ~0 -0, 0 unchanged");
      expect(notes.join()).toContain('allowed → blocked by "a"');
    }
  });
});

function writesIn(requests: readonly string[]): string[] {
  return requests.filter((request) => !request.startsWith("GET ")).sort();
}
