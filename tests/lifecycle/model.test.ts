import { Rule } from "../../core/rules/rule.js";
import type { RulesetRule } from "../../core/model/generated/rule.js";
import type { Service, WireRule } from "../support/emulator.js";
import { anyRules } from "../support/any-rules.js";
import { ManagedRuleset, startService, type RunResult } from "./harness.js";
import { fc, runs } from "../support/properties.js";

/*
 * Random programs, edits by others, renames, refreshes, replacements, a second stack and network failures, checked against
 * two invariants: someone else's rule is removed only on request, or with a message; and a delete removes only what its
 * stack wrote.
 */

const phase = "http_request_firewall_custom";

interface Real {
  readonly service: Service;
  readonly zoneId: string;
  driven: ManagedRuleset;
  /** The same entry point in another stack. */
  readonly other: ManagedRuleset;
  renames: number;
}
/** What the service must contain: every rule added by hand, and every edit by hand until it is acknowledged. */
interface Model {
  readonly byHand: Set<string>;
  /** The content of an edited rule, by ID. */
  readonly edits: Map<string, string>;
  program: RulesetRule[];
  made: number;
  /** What each stack has sent since it manages the entry point. */
  readonly mine: Sent;
  readonly others: Sent;
}
interface Sent {
  /** Whether any write was sent, whatever its outcome. */
  any: boolean;
  /** Whether one certainly succeeded. */
  applied: boolean;
}
const nothingSent = (): Sent => ({ any: false, applied: false });
type Command = fc.AsyncCommand<Model, Real>;

const scopeOf = (real: Real): string => `zones/${real.zoneId}`;
const entry = (real: Real) => real.service.entrypoint(real.zoneId, phase);

const says = (rule: WireRule): string => JSON.stringify([rule.action, rule.expression, rule.description, rule.enabled]);

/** Expects that no rule or edit made by hand is lost. */
async function nothingLost(model: Model, real: Real): Promise<void> {
  const there = new Map((await entry(real))?.rules.map((rule) => [rule.id, says(rule)]));
  expect([...model.byHand].filter((id) => !there.has(id))).toEqual([]);
  expect([...model.edits].filter(([id, text]) => there.get(id) !== text)).toEqual([]);
}

const isWrite = (request: string): boolean => !request.startsWith("GET");

/** Records what a run sent; what a resource did not manage before, it has not written either. */
async function note(sent: Sent, real: Real, heldBefore: boolean, ran: RunResult | undefined): Promise<void> {
  const wrote = [...(ran?.requests ?? []), ...(await real.service.requests())].some(isWrite);
  if (!heldBefore) Object.assign(sent, nothingSent());
  sent.any ||= wrote;
  sent.applied ||= wrote && ran !== undefined;
}

/** Expects that a delete removes everything that its stack wrote, and nothing that it only adopted. */
async function destroyed(resource: ManagedRuleset, sent: Sent, real: Real, asked: boolean): Promise<boolean> {
  const before = await entry(real);
  const held = resource.kept !== undefined;
  const gone = await resource.destroy(asked ? { onConflict: "overwrite" } : {}).then(
    () => true,
    () => false,
  );
  if (gone && held && !sent.any) expect(await entry(real)).toEqual(before);
  if (gone && held && sent.applied) expect((await entry(real))?.rules ?? []).toEqual([]);
  if (gone) Object.assign(sent, nothingSent());
  return gone;
}

/** After a successful run the program declares what exists, so matching edits are its own from now on. */
async function acknowledge(model: Model, real: Real, { kept } = real.driven): Promise<void> {
  const refs = new Map(Object.entries(kept?.state.ruleIds ?? {}).map(([ref, id]) => [id, ref]));
  for (const rule of (await entry(real))?.rules ?? []) {
    const declared = kept?.inputs.rules[refs.get(rule.id) ?? ""];
    const { last_updated: _time, ...there } = rule;
    if (declared !== undefined && Rule.of(declared).meansSameAs(Rule.of(there))) model.edits.delete(rule.id);
  }
}

/** A run that gives someone else's rule its own description reports it; without a description it must not erase theirs. */
async function forgiveReworded(
  { edits }: Model,
  real: Real,
  { kept }: ManagedRuleset,
  { notes }: RunResult,
): Promise<void> {
  const reworded =
    notes
      .join("\n")
      .match(/recognised at the service: .*/g)
      ?.join("\n") ?? "";
  const described = (await entry(real))?.rules.filter(({ description }) => (description ?? "") !== "") ?? [];
  const names = new Map(Object.entries(kept?.state.ruleIds ?? {}).map(([ref, id]) => [id, ref]));
  for (const { id } of described)
    if (reworded.includes(`${names.get(id) ?? id} (description changes)`)) edits.delete(id);
}

/** A message shows a rule that was overwritten. Where the resource is new, it names the version that contains it. */
async function expectReported(real: Real, text: string, expression: string, isUpdate: boolean): Promise<void> {
  if (isUpdate) expect(text).toContain(expression);
  const [, version = "", zone = "", id = ""] =
    /was overwritten: .* show (\S+) --zone (\S+) --ruleset (\S+)/.exec(text) ?? [];
  const path = `/zones/${zone}/rulesets/${id}/versions/${version}`;
  const { rules } = await real.service.ask<{ rules: { expression: string }[] }>("GET", path);
  expect(rules.map((rule) => rule.expression)).toContain(expression);
}

class Up implements Command {
  constructor(
    readonly rules: RulesetRule[],
    readonly faults: readonly object[],
    readonly how: "up" | "rename" | "replace",
    /** Someone else adds a rule between the read and the write, and the write may be cut. */
    readonly between?: { readonly cut?: string },
  ) {}
  check = (): boolean => true;
  async run(model: Model, real: Real): Promise<void> {
    for (const fault of this.faults) await real.service.fault(fault);
    const faster = this.between === undefined ? undefined : await addBetween(model, real, this.between);
    const inputs = { zoneId: real.zoneId, phase, rules: this.rules };
    const old = real.driven;
    const held = old.kept !== undefined;
    let text = "";
    const ran = await this.carryOut(inputs, real).catch((error: unknown) => {
      text = (error as Error).message;
      return undefined;
    });
    await note(model.mine, real, held, ran);
    const unused = await real.service.waitingFaults();
    await real.service.noFaults();
    if (faster !== undefined && !unused.some(({ meanwhile }) => meanwhile !== undefined)) {
      const added = (await entry(real))?.rules.find(({ expression }) => expression === faster);
      if (added === undefined) await expectReported(real, text, faster, held && this.how === "up");
      else model.byHand.add(added.id);
    }
    if (ran !== undefined) model.program = this.rules;
    else real.driven = old;
    if (ran !== undefined) await forgiveReworded(model, real, real.driven, ran);
    await nothingLost(model, real);
    if (ran === undefined) return;
    await acknowledge(model, real);
    // What the program declares exists, each rule once, in order.
    const own = Object.values(real.driven.kept?.state.ruleIds ?? {});
    const there = (await entry(real))?.rules.map(({ id }) => id) ?? [];
    expect(there.filter((id) => own.includes(id))).toEqual(own);
    expect(own).toHaveLength(this.rules.length);
  }
  private async carryOut(inputs: object, real: Real): Promise<RunResult> {
    const { driven: resource } = real;
    if (this.how === "rename" && resource.kept !== undefined) {
      const { id, state } = resource.kept;
      real.renames += 1;
      const renamed = resource.sibling("PhaseEntrypoint", `urn:${String(real.renames)}`);
      real.driven = renamed;
      const ran = await renamed.up(inputs);
      await renamed.deleteOther(id, state);
      resource.kept = undefined;
      return ran;
    }
    return this.how === "replace" && resource.kept !== undefined ? resource.replaceForced(inputs) : resource.up(inputs);
  }
  toString = (): string =>
    `${this.how}(${JSON.stringify(this.rules)}, ${JSON.stringify(this.faults)}, ${JSON.stringify(this.between)})`;
}

/** Lets someone else add a rule just before the next PUT, where an entry point exists. Returns its expression. */
async function addBetween(model: Model, real: Real, { cut }: { readonly cut?: string }): Promise<string | undefined> {
  const there = await entry(real);
  if (there === undefined) return undefined;
  model.made += 1;
  const body = { action: "log", expression: `http.host eq "between-${String(model.made)}"` };
  const path = `/${scopeOf(real)}/rulesets/${there.id}/rules`;
  await real.service.fault({
    method: "PUT",
    meanwhile: [{ method: "POST", path, body }],
    ...(cut === undefined ? {} : { cut: cut as "after" }),
  });
  return body.expression;
}

class OtherUp implements Command {
  /** Without rules it declares the rules of this stack. */
  constructor(readonly rules: RulesetRule[] | undefined) {}
  check = (): boolean => true;
  async run(model: Model, real: Real): Promise<void> {
    const { other } = real;
    const held = other.kept !== undefined;
    const rules = this.rules ?? model.program;
    const ran = await other.up({ zoneId: real.zoneId, phase, rules }).catch(() => undefined);
    await note(model.others, real, held, ran);
    if (ran !== undefined) await forgiveReworded(model, real, other, ran);
    await nothingLost(model, real);
    if (ran !== undefined) await acknowledge(model, real, other);
  }
  toString = (): string => `otherUp(${JSON.stringify(this.rules)})`;
}

class OtherDestroy implements Command {
  check = (): boolean => true;
  async run(model: Model, real: Real): Promise<void> {
    await destroyed(real.other, model.others, real, false);
    await nothingLost(model, real);
  }
  toString = (): string => "otherDestroy";
}

class AddByHand implements Command {
  constructor(
    readonly expression: string,
    readonly first: boolean,
  ) {}
  check = (): boolean => true;
  async run(model: Model, real: Real): Promise<void> {
    model.made += 1;
    const rule: WireRule = { action: "log", expression: `http.host eq "${this.expression}-${String(model.made)}"` };
    const there = await entry(real);
    const after =
      there === undefined
        ? await real.service.create(scopeOf(real), { name: "default", kind: "zone", phase, rules: [rule] })
        : await real.service.addRule(scopeOf(real), there.id, {
            ...rule,
            position: this.first ? { before: "" } : { after: "" },
          });
    const before = new Set(there?.rules.map(({ id }) => id));
    for (const { id } of after.rules) if (!before.has(id)) model.byHand.add(id);
  }
  toString = (): string => `addByHand(${this.expression})`;
}

class EditByHand implements Command {
  constructor(
    readonly pick: number,
    readonly change: object,
  ) {}
  check = (): boolean => true;
  async run(model: Model, real: Real): Promise<void> {
    const there = await entry(real);
    const rule = there?.rules[this.pick % Math.max(1, there.rules.length)];
    if (there === undefined || rule === undefined) return;
    const { action, expression, description } = rule;
    const parameters = action === "skip" ? { action_parameters: rule.action_parameters } : {};
    const after = await real.service.editRule(scopeOf(real), there.id, rule.id, {
      action,
      expression,
      description,
      ...parameters,
      ...this.change,
    });
    const now = after.rules.find(({ id }) => id === rule.id);
    if (now !== undefined && says(now) !== says(rule)) model.edits.set(rule.id, says(now));
  }
  toString = (): string => `editByHand(${String(this.pick)}, ${JSON.stringify(this.change)})`;
}

class Refresh implements Command {
  check = (): boolean => true;
  async run(model: Model, real: Real): Promise<void> {
    await real.driven.refresh();
    await nothingLost(model, real);
    // A refresh acknowledges edits of the stack's own rules: the next up may revert them.
    for (const id of Object.values(real.driven.kept?.state.ruleIds ?? {})) model.edits.delete(id);
  }
  toString = (): string => "refresh";
}

class Destroy implements Command {
  constructor(readonly asked: boolean) {}
  check = (): boolean => true;
  async run(model: Model, real: Real): Promise<void> {
    const gone = await destroyed(real.driven, model.mine, real, this.asked);
    // Only a run with onConflict "overwrite" drops rules of others, and only from a ruleset of its own.
    if (this.asked && gone && ((await entry(real))?.rules ?? []).length === 0) {
      model.byHand.clear();
      model.edits.clear();
    }
    await nothingLost(model, real);
  }
  toString = (): string => `destroy(${this.asked ? "overwrite" : ""})`;
}

/** The faults of a run: none, one, or a write with unknown outcome. */
const faults = fc.oneof(
  { weight: 4, arbitrary: fc.constant<object[]>([]) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      [
        { method: "PUT", cut: "after" },
        { method: "GET", path: "/rulesets/[0-9a-f]{32}$", status: 503, times: 5 },
      ],
      [
        { method: "PUT", cut: "before" },
        { method: "GET", path: "/rulesets/[0-9a-f]{32}$", status: 503, times: 5 },
      ],
      [
        { method: "POST", cut: "after" },
        { method: "GET", path: "/entrypoint$", status: 503, times: 5 },
      ],
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom<object>(
        { method: "PUT", cut: "before" },
        { method: "PUT", cut: "after" },
        { method: "POST", cut: "after" },
        { method: "POST", cut: "before" },
        { method: "PUT", status: 500 },
        { method: "GET", status: 503 },
        { cut: "before" },
        { cut: "after" },
      )
      .map((fault) => [fault]),
  },
);
/** Rules that every phase of custom rules accepts. */
const programs = anyRules.map((rules) =>
  rules.map((rule) => (rule.action === "skip" ? { ...rule, actionParameters: { ruleset: "current" } } : rule)),
);
const commands = fc.commands(
  [
    fc
      .tuple(programs, faults, fc.constantFrom("up", "up", "up", "rename", "replace"))
      .map(([rules, broken, how]) => new Up(rules, broken, how as "up")),
    fc.tuple(fc.constantFrom("x", "y", "z"), fc.boolean()).map(([text, first]) => new AddByHand(text, first)),
    fc
      .tuple(
        fc.nat(20),
        fc.constantFrom<object>({ enabled: false }, { description: "changed" }, { expression: "true" }),
      )
      .map(([pick, change]) => new EditByHand(pick, change)),
    fc
      .tuple(programs, fc.constantFrom(undefined, "after", "before"), fc.constantFrom("up", "up", "rename"))
      .map(([rules, cut, how]) => new Up(rules, [], how as "up", { cut })),
    fc.option(programs, { nil: undefined, freq: 1 }).map((rules) => new OtherUp(rules)),
    fc.constant(new OtherDestroy()),
    fc.constant(new Refresh()),
    fc.boolean().map((asked) => new Destroy(asked)),
  ],
  { maxCommands: 14 },
);

test("property: no rule is ever lost without a request to drop it", async () => {
  const { service, zoneId } = await startService();
  await fc.assert(
    fc.asyncProperty(commands, async (list) => {
      await service.reset();
      const real: Real = {
        service,
        zoneId,
        driven: new ManagedRuleset("PhaseEntrypoint", service),
        other: new ManagedRuleset("PhaseEntrypoint", service, "urn:other"),
        renames: 0,
      };
      await fc.asyncModelRun(
        () => ({
          model: {
            byHand: new Set<string>(),
            edits: new Map<string, string>(),
            program: [],
            made: 0,
            mine: nothingSent(),
            others: nothingSent(),
          },
          real,
        }),
        list,
      );
    }),
    { numRuns: runs(75), endOnFailure: false },
  );
}, 1_200_000);
