import { notJudgedIn } from "../../tools/cli/summarize/not-judged.js";
import { parsePlan } from "../../provider/engine/plan-text.js";
import { Service } from "../support/emulator.js";
import { freshEmulator } from "../support/emulators.js";
import { ManagedRuleset } from "./harness.js";

/* A summary says what the states of a preview do not show, as the plan that the provider publishes has it. */

const phase = "http_request_firewall_custom";
const a = { action: "block", expression: "ssl", ref: "a" };
const b = { action: "block", expression: "not ssl", ref: "b" };

const TAKEN_OVER = "rules that exist already: the state of the stack does not contain the rules that are taken over";

describe("what a summary cannot judge, from the plan of a preview", () => {
  let service: Service;
  let zoneId: string;
  beforeEach(async () => {
    service = new Service(await freshEmulator());
    zoneId = await service.zone();
  });

  const exist = (...rules: (typeof a)[]) =>
    service.create(`zones/${zoneId}`, { name: "default", kind: "zone", phase, rules });
  const inputs = {
    PhaseEntrypoint: (rules: object[], more: object = {}) => ({ zoneId, phase, rules, ...more }),
    RulesetRule: ([rule]: object[], more: object = {}) => ({ zoneId, phase, ...rule, ...more }),
  };
  /** No other resource of the preview has the rules that are taken over. */
  const found = async (resource: ManagedRuleset, args: Record<string, unknown>, options = {}) => {
    const { plans } = await resource.preview(args, options);
    const [plan, ...more] = plans.map(parsePlan);
    expect(more).toEqual([]);
    const changesUnknown = [plan?.ruleset, ...Object.values(plan?.rules ?? {})].some(
      (taken) => taken?.changes === true,
    );
    const step = { changesUnknown, ...(plan === undefined ? {} : { plan }) };
    return notJudgedIn(step).map(({ what, why }) => `${what}: ${why}`);
  };

  describe.each(["PhaseEntrypoint", "RulesetRule"] as const)("%s", (type) => {
    const make = () => new ManagedRuleset(type, service);
    const args = inputs[type];

    test("nothing, where the service was asked and nothing exists", async () => {
      expect(await found(make(), args([a]))).toEqual([]);
    });

    test("that the service could not be asked, and what for", async () => {
      await service.fault({ status: 503, times: 9 });
      const resource = make();
      const said = await found(resource, args([a], type === "RulesetRule" ? { position: { before: "x" } } : {}));
      expect(said).toEqual([
        expect.stringMatching(/^wh.* http_request_firewall_custom\b.*: the preview could not ask the service$/),
      ]);
    });

    test("that the service was not to be asked", async () => {
      const resource = make();
      const said = ["what is at the service (previewChecks is off): the preview could not ask the service"];
      expect(await found(resource, args([a]), { previewChecks: "off" })).toEqual(said);
      await resource.up(args([a]));
      expect(await found(resource, args([{ ...a, action: "log" }]), { previewChecks: "off" })).toEqual(said);
    });

    test("that rules which exist are changed when they are taken over, but not equal ones", async () => {
      await exist(a);
      expect(await found(make(), args([a], { onExisting: "adopt" }))).toEqual([]);
      expect(await found(make(), args([{ ...a, action: "log" }], { onExisting: "adopt" }))).toEqual([TAKEN_OVER]);
    });

    test("that a change of somebody else is undone", async () => {
      const resource = make();
      await resource.up(args([a]));
      const ruleset = await service.entrypoint(zoneId, phase);
      const [rule] = ruleset?.rules ?? [];
      await service.editRule(`zones/${zoneId}`, ruleset?.id ?? "", rule?.id ?? "", {
        action: "log",
        expression: "ssl",
        ref: "a",
      });
      expect(await found(resource, args([{ ...a, description: "A" }], { onConflict: "overwrite" }))).toEqual([
        "changes by others: the state of the stack does not contain what somebody else changed, and this run undoes it",
      ]);
    });
  });

  test("that a list which shares changes a rule of others on request", async () => {
    await exist(a, b);
    const list = (rule: object) =>
      found(
        new ManagedRuleset("PhaseEntrypoint", service),
        inputs.PhaseEntrypoint([rule], { ownership: "shared", onExisting: "adopt" }),
      );
    expect(await list(a)).toEqual([]);
    expect(await list({ ...a, action: "log" })).toEqual([TAKEN_OVER]);
  });

  test("that rules are dropped or moved when a list takes over, but not that some are added", async () => {
    await exist(a, b);
    const c = { ...a, ref: "c", expression: "true" };
    const list = (rules: object[], onExisting = "adopt") =>
      found(new ManagedRuleset("PhaseEntrypoint", service), inputs.PhaseEntrypoint(rules, { onExisting }));
    expect(await list([a, b, c])).toEqual([]);
    expect(await list([b, a])).toHaveLength(1);
    expect(await list([a], "replace")).toHaveLength(1);
  });

  test("anything, where the preview has no plan", () => {
    expect(notJudgedIn({ changesUnknown: false })).toEqual([
      expect.objectContaining({ what: "what `pulumi up` would do", why: expect.stringContaining("no plan") as string }),
    ]);
  });
});
