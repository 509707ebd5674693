import * as conflicts from "../../provider/ownership/conflict.js";
import * as differences from "../../core/rules/diff.js";
import * as keyed from "../../core/rules/keyed.js";
import * as matches from "../../core/rules/match.js";
import type { Service } from "../support/emulator.js";
import { block } from "../support/rules.js";
import { startService } from "./harness.js";
import { ManagedResource } from "./managed.js";
import type { Run, RunOptions } from "./run.js";

/*
 * One plan serves a whole call of the engine: which existing rule is which, how the rules differ, and what somebody else changed
 * is worked out once. The functions that do this work are counted, and run as they are.
 */

const WORK = {
  /** Lists of rules in inputs or states that are turned into values. */
  lists: [jest.spyOn(keyed, "keyedRules")],
  /** Which existing rule each rule of the program is. */
  identity: [jest.spyOn(matches, "matchRules"), jest.spyOn(matches, "findMatches")],
  difference: [jest.spyOn(differences, "diffRules")],
  /** Which rules of others the program also declares. */
  recognition: [jest.spyOn(conflicts, "recogniseRules")],
  conflict: [jest.spyOn(conflicts, "findConflict")],
};

type Counts = Partial<Record<keyof typeof WORK, number>>;

/** The calls of an engine, and the work of each. */
type Calls = Record<string, Counts>;

/** The same process, which counts the work of each call. A second call of a kind is one about the object that replaces another. */
function counting(run: Run, calls: Calls): Run {
  const counted = async (call: string, work: () => Promise<unknown>): Promise<unknown> => {
    for (const spy of Object.values(WORK).flat()) spy.mockClear();
    const result = await work();
    const counts = Object.entries(WORK).flatMap(([name, spies]) => {
      const times = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
      return times === 0 ? [] : [[name, times] as const];
    });
    calls[call in calls ? `${call} of a new one` : call] = Object.fromEntries(counts);
    return result;
  };
  return new Proxy(run, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...given: unknown[]) => counted(String(name), () => value.apply(target, given) as Promise<unknown>);
    },
  });
}

/** A resource that tells the work of a whole run. */
class CountedResource extends ManagedResource<unknown> {
  private calls: Calls = {};

  override start(options: RunOptions = {}): Run {
    this.calls = {};
    this.run = counting(super.start(options), this.calls);
    return this.run;
  }

  async work(run: "preview" | "up" | "replaceForced", args: object): Promise<Calls> {
    await this[run](args);
    return this.calls;
  }

  async workOf(run: "refresh" | "destroy"): Promise<Calls> {
    await this[run]();
    return this.calls;
  }
}

const phase = "http_request_firewall_custom";
const [a, b, c] = [block("A", "ssl"), block("B", "not ssl"), block("C", 'http.host eq "c"')];

let service: Service;
let zoneId: string;
beforeEach(async () => {
  ({ service, zoneId } = await startService());
});

describe.each(["off", "on"] as const)("with dry runs %s, work is done once", (dryRun) => {
  const counted = (kind: string, urn: string) => new CountedResource(kind, service, urn, undefined, { dryRun });
  const list = (urn: string) => counted("PhaseEntrypoint", urn);
  const single = (urn: string) => counted("RulesetRule", urn);

  test("for a ruleset that is created and then changed", async () => {
    const args = (...rules: object[]) => ({ zoneId, phase, rules });
    const resource = list("urn:one");
    expect(await resource.work("preview", args(a, b))).toEqual({ check: { lists: 1, identity: 1 } });
    expect(await resource.work("up", args(a, b))).toEqual({ check: { lists: 1, identity: 1 }, create: { lists: 1 } });
    const diff = { lists: 2, difference: 1, recognition: 1, conflict: 1 };
    expect(await resource.work("preview", args(a, c))).toEqual({ check: { lists: 1, identity: 1 }, diff });
    expect(await resource.work("up", args(a, c))).toEqual({ check: { lists: 1, identity: 1 }, diff, update: diff });
    expect(await resource.work("up", args(a, c))).toEqual({
      check: { lists: 1, identity: 1 },
      diff: { lists: 1, difference: 1 },
    });
  });

  test("for arguments that change nothing at the service", async () => {
    const resource = list("urn:one");
    await resource.up({ zoneId, phase, rules: [a] });
    expect(await resource.work("up", { zoneId, phase, rules: [a], onDelete: "keep" })).toEqual({
      check: { lists: 1, identity: 1 },
      diff: { lists: 1, difference: 1 },
      update: { lists: 1, difference: 1 },
    });
  });

  test("for a takeover", async () => {
    await list("urn:one").up({ zoneId, phase, rules: [a, b] });
    const resource = list("urn:other");
    const args = { zoneId, phase, rules: [a, c], onExisting: "replace" };
    const check = { lists: 1, identity: 1, difference: 1 };
    expect(await resource.work("preview", args)).toEqual({ check });
    expect(await resource.work("up", args)).toEqual({ check, create: { lists: 1, identity: 1 } });
  });

  test("for a ruleset that is replaced by one elsewhere", async () => {
    const resource = list("urn:one");
    await resource.up({ zoneId, phase, rules: [a, b] });
    expect(await resource.work("up", { zoneId, phase: "http_request_firewall_managed", rules: [] })).toEqual({
      check: { lists: 1, identity: 1 },
      diff: { lists: 2, conflict: 1 },
      "check of a new one": { lists: 1, identity: 1 },
      create: { lists: 1 },
      delete: { lists: 1, conflict: 1 },
    });
  });

  test("for a ruleset that is created again over itself", async () => {
    const resource = list("urn:one");
    const args = { zoneId, phase, rules: [a, b], onExisting: "adopt" };
    await resource.up(args);
    expect(await resource.work("replaceForced", args)).toEqual({
      check: { lists: 1, identity: 1, difference: 1 },
      create: { lists: 1, identity: 1 },
      delete: { lists: 1 },
    });
  });

  test("for a list in a shared ruleset", async () => {
    const args = (...rules: object[]) => ({ zoneId, phase, rules, ownership: "shared" });
    await list("urn:one").up(args(a));
    const resource = list("urn:other");
    const joined = { lists: 2, identity: 1, difference: 1, recognition: 1 };
    expect(await resource.work("preview", args(b))).toEqual({ check: joined });
    expect(await resource.work("up", args(b))).toEqual({ check: joined, create: joined });
    const diff = { lists: 2, difference: 1, recognition: 1, conflict: 1 };
    expect(await resource.work("preview", args(b, c))).toEqual({ check: { lists: 1, identity: 1 }, diff });
    expect(await resource.work("up", args(b, c))).toEqual({ check: { lists: 1, identity: 1 }, diff, update: diff });
    const again = { lists: 2, identity: 1, difference: 1, recognition: 1 };
    expect(await resource.work("replaceForced", args(b, c))).toEqual({
      check: again,
      create: again,
      delete: { lists: 1, conflict: 1 },
    });
  });

  test("for a rule that moves from one list to another and changes on the way", async () => {
    const args = (...rules: object[]) => ({ zoneId, phase, rules, ownership: "shared" });
    await list("urn:one").up(args({ ...a, ref: "moves" }));
    const resource = list("urn:other");
    await resource.up(args(b));
    const diff = { lists: 2, difference: 1, recognition: 1, conflict: 1 };
    const calls = await resource.work("up", { ...args(b, { ...c, ref: "moves" }), onExisting: "adopt" });
    expect(calls).toEqual({ check: { lists: 1, identity: 1 }, diff, update: diff });
    expect((await service.entrypoint(zoneId, phase))?.rules.map(({ description }) => description)).toEqual(["B", "C"]);
  });

  test("for a shared ruleset that does not exist yet", async () => {
    const args = { zoneId, phase, rules: [a, b], ownership: "shared" };
    expect(await list("urn:one").work("up", args)).toEqual({ check: { lists: 1, identity: 1 }, create: { lists: 1 } });
  });

  test.each([
    ["a whole ruleset", {}],
    ["a shared ruleset", { ownership: "shared" }],
  ])("for %s that is refreshed and deleted", async (_, more) => {
    const resource = list("urn:one");
    await resource.up({ zoneId, phase, rules: [a, b], ...more });
    expect(await resource.workOf("refresh")).toEqual({ read: {} });
    // Where the list of the zone cannot be read, the ruleset is.
    await service.fault({ method: "GET", path: "/rulesets$", status: 403 });
    expect(await resource.workOf("refresh")).toEqual({ read: { lists: 1 } });
    expect(await resource.workOf("destroy")).toEqual({ delete: { lists: 1, conflict: 1 } });
  });

  test("for a single rule that is refreshed and deleted", async () => {
    const resource = single("urn:one");
    await resource.up({ zoneId, phase, ref: "mine", ...a });
    expect(await resource.workOf("refresh")).toEqual({ read: {} });
    expect(await resource.workOf("destroy")).toEqual({ delete: { lists: 1, conflict: 1 } });
  });

  test("for a single rule", async () => {
    const args = (rule: object) => ({ zoneId, phase, ref: "mine", ...rule });
    const resource = single("urn:one");
    const planned = { lists: 2, identity: 1, difference: 1, recognition: 1 };
    expect(await resource.work("preview", args(a))).toEqual({ check: { lists: 1 } });
    expect(await resource.work("up", args(a))).toEqual({ check: { lists: 1 }, create: { lists: 1 } });
    const check = { lists: 1 };
    const diff = { lists: 2, difference: 1, recognition: 1, conflict: 1 };
    expect(await resource.work("preview", args(b))).toEqual({ check, diff });
    expect(await resource.work("up", args(b))).toEqual({ check, diff, update: diff });
    expect(await resource.work("up", { ...args(b), onDelete: "keep" })).toEqual({
      check,
      diff: { lists: 1, difference: 1 },
      update: { lists: 1, difference: 1 },
    });
    const again = { lists: 2, identity: 1, difference: 1, recognition: 1 };
    expect(await resource.work("replaceForced", args(b))).toEqual({
      check: again,
      create: again,
      delete: { lists: 1, conflict: 1 },
    });
    expect(await single("urn:other").work("preview", { ...args(c), onExisting: "adopt" })).toEqual({ check: planned });
  });
});
