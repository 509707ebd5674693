import { programText } from "../../provider/engine/program-run.js";
import * as conflicts from "../../provider/ownership/conflict.js";
import * as differences from "../../core/rules/diff.js";
import * as keyed from "../../core/rules/keyed.js";
import * as matches from "../../core/rules/match.js";
import type { Service } from "../support/emulator.js";
import { block } from "../support/rules.js";
import { ManagedRuleset, startService } from "./harness.js";
import { ManagedResource } from "./managed.js";
import type { Props, RunOptions, Stored } from "./run.js";

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

/** Drives one resource, call by call. */
class CountedResource {
  private calls: Calls = {};

  constructor(
    readonly resource: ManagedResource<unknown>,
    private readonly options: RunOptions = {},
  ) {}

  private async counted<T>(call: string, work: () => Promise<T>): Promise<T> {
    for (const spy of Object.values(WORK).flat()) spy.mockClear();
    const result = await work();
    const counts = Object.entries(WORK).flatMap(([name, spies]) => {
      const calls = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
      return calls === 0 ? [] : [[name, calls] as const];
    });
    this.calls[call] = Object.fromEntries(counts);
    return result;
  }

  private get olds(): Stored | undefined {
    const { kept } = this.resource;
    return kept === undefined ? undefined : { id: kept.id, inputs: { ...kept.inputs }, outputs: kept.state as Props };
  }

  private check(call: string, olds: Props, args: object, preview: boolean): Promise<Props> {
    const { run, kind, urn } = this.resource;
    return this.counted(call, () =>
      run.check(kind, olds, { ...args, __urn: urn, __program: programText({ preview }) }),
    );
  }

  /** `pulumi preview`. */
  async preview(args: object): Promise<Calls> {
    this.start();
    await this.plan(args, true);
    return this.calls;
  }

  /** `pulumi up`. */
  async up(args: object): Promise<Calls> {
    this.start();
    const { olds, checked, action } = await this.plan(args, false);
    if (olds === undefined) await this.create("create", checked);
    else if (action === "replace") await this.recreate(args);
    else if (action === "update") await this.update(olds, checked);
    return this.calls;
  }

  /** `pulumi up --replace`. */
  async replace(args: object): Promise<Calls> {
    this.start();
    await this.recreate(args);
    return this.calls;
  }

  /** `pulumi refresh`. */
  async refresh(): Promise<Calls> {
    this.start();
    const { olds } = this;
    const { run, kind } = this.resource;
    if (olds !== undefined) await this.counted("read", () => run.read(kind, olds));
    return this.calls;
  }

  /** `pulumi destroy`. */
  async destroy(): Promise<Calls> {
    this.start();
    const { olds } = this;
    const { run, kind } = this.resource;
    if (olds !== undefined) await this.counted("delete", () => run.delete(kind, olds));
    return this.calls;
  }

  private start(): void {
    this.calls = {};
    this.resource.start(this.options);
  }

  private async plan(args: object, preview: boolean) {
    const { olds } = this;
    const { run, kind } = this.resource;
    const checked = await this.check("check", olds?.inputs ?? {}, args, preview);
    const action = olds === undefined ? "create" : await this.counted("diff", () => run.diff(kind, olds, checked));
    return { olds, checked, action };
  }

  private async recreate(args: object): Promise<void> {
    await this.create("create", await this.check("check of a new one", {}, args, false));
  }

  private async create(call: string, inputs: Props): Promise<void> {
    const { run, kind } = this.resource;
    this.keep(await this.counted(call, () => run.create(kind, inputs)));
  }

  private async update(olds: Stored, inputs: Props): Promise<void> {
    const { run, kind } = this.resource;
    this.keep(await this.counted("update", () => run.update(kind, olds, inputs)));
  }

  private keep({ id, inputs, outputs }: Stored): void {
    this.resource.kept = { id, inputs, state: outputs };
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
  const list = (urn: string) => new CountedResource(new ManagedRuleset("PhaseEntrypoint", service, urn), { dryRun });
  const single = (urn: string) => new CountedResource(new ManagedResource("RulesetRule", service, urn), { dryRun });

  test("for a ruleset that is created and then changed", async () => {
    const args = (...rules: object[]) => ({ zoneId, phase, rules });
    const resource = list("urn:one");
    expect(await resource.preview(args(a, b))).toEqual({ check: { lists: 1, identity: 1 } });
    expect(await resource.up(args(a, b))).toEqual({ check: { lists: 1, identity: 1 }, create: { lists: 1 } });
    const diff = { lists: 2, difference: 1, recognition: 1, conflict: 1 };
    expect(await resource.preview(args(a, c))).toEqual({ check: { lists: 1, identity: 1 }, diff });
    expect(await resource.up(args(a, c))).toEqual({ check: { lists: 1, identity: 1 }, diff, update: diff });
    expect(await resource.up(args(a, c))).toEqual({
      check: { lists: 1, identity: 1 },
      diff: { lists: 1, difference: 1 },
    });
  });

  test("for arguments that change nothing at the service", async () => {
    const resource = list("urn:one");
    await resource.up({ zoneId, phase, rules: [a] });
    expect(await resource.up({ zoneId, phase, rules: [a], onDelete: "keep" })).toEqual({
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
    expect(await resource.preview(args)).toEqual({ check });
    expect(await resource.up(args)).toEqual({ check, create: { lists: 1, identity: 1 } });
  });

  test("for a ruleset that is replaced by one elsewhere", async () => {
    const resource = list("urn:one");
    await resource.up({ zoneId, phase, rules: [a, b] });
    expect(await resource.up({ zoneId, phase: "http_request_firewall_managed", rules: [] })).toEqual({
      check: { lists: 1, identity: 1 },
      diff: { lists: 2 },
      "check of a new one": { lists: 1, identity: 1 },
      create: { lists: 1 },
    });
  });

  test("for a ruleset that is created again over itself", async () => {
    const resource = list("urn:one");
    const args = { zoneId, phase, rules: [a, b], onExisting: "adopt" };
    await resource.up(args);
    expect(await resource.replace(args)).toEqual({
      "check of a new one": { lists: 1, identity: 1, difference: 1 },
      create: { lists: 1, identity: 1 },
    });
  });

  test("for a list in a shared ruleset", async () => {
    const args = (...rules: object[]) => ({ zoneId, phase, rules, ownership: "shared" });
    await list("urn:one").up(args(a));
    const resource = list("urn:other");
    const joined = { lists: 2, identity: 1, difference: 1, recognition: 1 };
    expect(await resource.preview(args(b))).toEqual({ check: joined });
    expect(await resource.up(args(b))).toEqual({ check: joined, create: joined });
    const diff = { lists: 2, difference: 1, recognition: 1, conflict: 1 };
    expect(await resource.preview(args(b, c))).toEqual({ check: { lists: 1, identity: 1 }, diff });
    expect(await resource.up(args(b, c))).toEqual({ check: { lists: 1, identity: 1 }, diff, update: diff });
    const again = { lists: 2, identity: 1, difference: 1, recognition: 1 };
    expect(await resource.replace(args(b, c))).toEqual({ "check of a new one": again, create: again });
  });

  test("for a rule that moves from one list to another and changes on the way", async () => {
    const args = (...rules: object[]) => ({ zoneId, phase, rules, ownership: "shared" });
    const first = new ManagedRuleset("PhaseEntrypoint", service, "urn:one");
    await new CountedResource(first).up(args({ ...a, ref: "moves" }));
    const resource = new CountedResource(first.sibling("PhaseEntrypoint", "urn:other"), { dryRun });
    await resource.up(args(b));
    const diff = { lists: 2, difference: 1, recognition: 1, conflict: 1 };
    const calls = await resource.up({ ...args(b, { ...c, ref: "moves" }), onExisting: "adopt" });
    expect(calls).toEqual({ check: { lists: 1, identity: 1 }, diff, update: diff });
    expect((await service.entrypoint(zoneId, phase))?.rules.map(({ description }) => description)).toEqual(["B", "C"]);
  });

  test("for a shared ruleset that does not exist yet", async () => {
    const args = { zoneId, phase, rules: [a, b], ownership: "shared" };
    expect(await list("urn:one").up(args)).toEqual({ check: { lists: 1, identity: 1 }, create: { lists: 1 } });
  });

  test.each([
    ["a whole ruleset", {}],
    ["a shared ruleset", { ownership: "shared" }],
  ])("for %s that is refreshed and deleted", async (_, more) => {
    const resource = list("urn:one");
    await resource.up({ zoneId, phase, rules: [a, b], ...more });
    expect(await resource.refresh()).toEqual({ read: {} });
    // Where the list of the zone cannot be read, the ruleset is.
    await service.fault({ method: "GET", path: "/rulesets$", status: 403 });
    expect(await resource.refresh()).toEqual({ read: { lists: 1 } });
    expect(await resource.destroy()).toEqual({ delete: { lists: 1, conflict: 1 } });
  });

  test("for a single rule that is refreshed and deleted", async () => {
    const resource = single("urn:one");
    await resource.up({ zoneId, phase, ref: "mine", ...a });
    expect(await resource.refresh()).toEqual({ read: {} });
    expect(await resource.destroy()).toEqual({ delete: { lists: 1, conflict: 1 } });
  });

  test("for a single rule", async () => {
    const args = (rule: object) => ({ zoneId, phase, ref: "mine", ...rule });
    const resource = single("urn:one");
    const planned = { lists: 2, identity: 1, difference: 1, recognition: 1 };
    expect(await resource.preview(args(a))).toEqual({ check: { lists: 1 } });
    expect(await resource.up(args(a))).toEqual({ check: { lists: 1 }, create: { lists: 1 } });
    const check = { lists: 2 };
    const diff = { lists: 2, difference: 1, recognition: 1, conflict: 1 };
    expect(await resource.preview(args(b))).toEqual({ check, diff });
    expect(await resource.up(args(b))).toEqual({ check, diff, update: diff });
    expect(await resource.up({ ...args(b), onDelete: "keep" })).toEqual({
      check,
      diff: { lists: 1, difference: 1 },
      update: { lists: 1, difference: 1 },
    });
    const again = { lists: 2, identity: 1, difference: 1, recognition: 1 };
    expect(await resource.replace(args(b))).toEqual({ "check of a new one": again, create: again });
    expect(await single("urn:other").preview({ ...args(c), onExisting: "adopt" })).toEqual({ check: planned });
  });
});
