import type { RulesetState } from "../../provider/kinds/rulesets/description.js";
import { ownedIds } from "../../provider/kinds/rulesets/records.js";
import type { JsonObject } from "../../core/model/json.js";
import type { Service, WireRule } from "../support/emulator.js";
import { startService } from "./harness.js";
import { RulesProgram, type CourseOptions, type ProgramArgs } from "./rules-program.js";
import { fc, runs } from "../support/properties.js";

/*
 * Rules move between the lists and the RulesetRules of a program in any sequence, some to positions among the rules of others,
 * while writes fail or are never started, somebody edits rules, and runs have targets and replacements. Whatever happens: a rule
 * that the program declares stays in force under its ID, nothing that somebody made or edited is changed, and a run that succeeds
 * leaves every rule with exactly one resource. A rule that no state had for a while stays in force until it is adopted.
 */

const phase = "http_request_firewall_custom";
const LISTS = ["one", "two", "three"] as const;
const REFS = ["r0", "r1", "r2", "r3"] as const;

/** Where a rule is declared: in a list, by itself, or nowhere. */
type Home = (typeof LISTS)[number] | "alone" | "nowhere";
interface Wish {
  readonly home: Home;
  readonly enabled: boolean;
  /** Where it must be among the rules of others. */
  readonly place?: Place | undefined;
}
/** A place as it is generated, or the position that the program declares for it. */
type Place = { readonly slot: number; readonly side: "before" | "after" } | Position;
type Position = { readonly before: string } | { readonly after: string };
type Wishes = readonly Wish[];

interface Up {
  readonly kind: "up";
  readonly wishes: Wishes;
  readonly reversed: boolean;
  readonly unstarted: readonly number[];
  readonly continues: boolean;
  readonly targets: readonly number[] | undefined;
  readonly replaces: readonly number[];
  readonly deleteFirst: boolean;
  /** Numbers of lists that are in another zone, with a rule of their own. */
  readonly away: readonly number[];
  readonly fault: object | undefined;
}
type Step =
  | Up
  | { readonly kind: "refresh" }
  | { readonly kind: "edit"; readonly pick: number }
  | { readonly kind: "add"; readonly first: boolean };

const wish: fc.Arbitrary<Wish> = fc.record({
  home: fc.constantFrom<Home>(...LISTS, "alone", "alone", "nowhere"),
  enabled: fc.boolean(),
  place: fc.option(fc.record({ slot: fc.nat(3), side: fc.constantFrom("before" as const, "after" as const) }), {
    nil: undefined,
    freq: 2,
  }),
});
const wishes = fc.array(wish, { minLength: REFS.length, maxLength: REFS.length });
const some = fc.oneof(
  { weight: 3, arbitrary: fc.constant<number[]>([]) },
  { weight: 1, arbitrary: fc.uniqueArray(fc.nat(6), { minLength: 1, maxLength: 3 }) },
);
const fault = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  {
    weight: 1,
    arbitrary: fc.record({
      method: fc.constantFrom("POST", "PATCH", "DELETE", "GET"),
      times: fc.constant(1),
      how: fc.constantFrom<object>({ status: 400 }, { status: 503 }, { cut: "before" }, { cut: "after" }),
    }),
  },
);
const up: fc.Arbitrary<Up> = fc.record({
  kind: fc.constant("up" as const),
  wishes,
  reversed: fc.boolean(),
  unstarted: some,
  continues: fc.boolean(),
  targets: fc.option(fc.uniqueArray(fc.nat(6), { minLength: 1, maxLength: 4 }), { nil: undefined, freq: 4 }),
  replaces: some,
  deleteFirst: fc.boolean(),
  away: fc.oneof(
    { weight: 3, arbitrary: fc.constant<number[]>([]) },
    { weight: 1, arbitrary: fc.uniqueArray(fc.nat(LISTS.length - 1), { minLength: 1, maxLength: 2 }) },
  ),
  fault: fault.map((given) => {
    if (given === undefined) return undefined;
    const { how, ...rest } = given;
    return { ...rest, ...how };
  }),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: up },
  { weight: 1, arbitrary: fc.constant({ kind: "refresh" as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("edit" as const), pick: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("add" as const), first: fc.boolean() }) },
);

/** The same wishes with positions, which the order of the rules of a list allows. */
function placedAmong(others: readonly string[], wanted: Wishes): Wishes {
  const slots = wanted
    .map(({ place }) => (place !== undefined && "slot" in place ? place.slot % (others.length + 1) : 0))
    .sort((one, other) => one - other);
  return wanted.map((wish, index) => {
    const { place } = wish;
    if (place === undefined || !("slot" in place)) return wish;
    const slot = slots[index] ?? 0;
    const [above, below] = [others[slot - 1], others[slot]];
    if (below !== undefined && (place.side === "before" || above === undefined))
      return { ...wish, place: { before: below } };
    return { ...wish, place: above === undefined ? undefined : { after: above } };
  });
}

function positionIn({ place }: Pick<Wish, "place">): Position | undefined {
  return place === undefined || "slot" in place ? undefined : place;
}

/** The names of all resources, in the order of the numbers that steps pick them by. */
const NAMES = [...LISTS, ...REFS];

/** What the lists in another zone contain there. */
interface Away {
  readonly zoneId: string;
  readonly names: readonly string[];
}

function programOf(
  zoneId: string,
  wanted: Wishes,
  away: Away,
  { reversed = false, more = {} }: { readonly reversed?: boolean; readonly more?: object } = {},
): ProgramArgs {
  const rules = REFS.map((ref, index) => {
    const { home = "nowhere", enabled = true, place } = wanted[index] ?? {};
    const rule = { ref, action: "block", description: ref, expression: `http.host eq "${ref}"`, enabled };
    return { home, rule, position: positionIn({ place }) };
  });
  const lists = LISTS.map((name) => {
    const shared = { kind: "PhaseEntrypoint", phase, ownership: "shared", ...more };
    if (away.names.includes(name)) {
      const there = { ref: `${name}-away`, action: "block", expression: `http.host eq "${name}"` };
      return [name, { ...shared, zoneId: away.zoneId, rules: [there] }] as const;
    }
    const own = rules.filter(({ home }) => home === name);
    const positions = own.flatMap(({ rule, position }) => (position === undefined ? [] : [[rule.ref, position]]));
    const placed = positions.length === 0 ? {} : { positions: Object.fromEntries(positions) as object };
    return [name, { ...shared, zoneId, rules: own.map(({ rule }) => rule), ...placed }] as const;
  }).filter(([name, { rules: own }]) => own.length > 0 || name === "one");
  const alone = rules.flatMap(({ home, rule, position }) => {
    const placed = position === undefined ? {} : { position };
    return home === "alone" ? [[rule.ref, { zoneId, phase, ...rule, ...placed, ...more }] as const] : [];
  });
  const all = [...lists, ...alone];
  return Object.fromEntries<ProgramArgs[string]>(reversed ? all.toReversed() : all);
}

/** What warnings say about rules that stay in force although no program declares them. */
const EXCUSES = ["only taken over", "took it over because it was equal"];

type Deployed = WireRule & { readonly id: string; readonly ref: string };
const saysOf = ({ action, expression, description, enabled }: WireRule): string =>
  JSON.stringify([action, expression, description, enabled]);

class World {
  readonly program: RulesProgram;
  wishes: Wishes = REFS.map(() => ({ home: "nowhere", enabled: true }));
  away: Away;
  /** By ID and in order, what somebody made. */
  foreign = new Map<string, string>();
  /** By ID, what somebody made of a rule of the stack since the last refresh. */
  readonly edited = new Map<string, string>();
  /** Refs of rules that may stay in force although no program declares them: edited, named in a warning, or for a while in no state. */
  readonly excused = new Set<string>();
  /** IDs of rules in the other zone that no state has any more, and that a warning of the run that ended this names. */
  private readonly named = new Set<string>();
  private made = 0;

  constructor(
    readonly service: Service,
    readonly zoneId: string,
    otherZoneId: string,
  ) {
    this.program = new RulesProgram(service);
    this.away = { zoneId: otherZoneId, names: [] };
  }

  async there(): Promise<readonly Deployed[]> {
    return (await this.service.entrypoint(this.zoneId, phase))?.rules ?? [];
  }

  private async elsewhere(): Promise<readonly Deployed[]> {
    return (await this.service.entrypoint(this.away.zoneId, phase))?.rules ?? [];
  }

  async play(each: Step): Promise<void> {
    if (each.kind === "up") await this.up(each);
    else if (each.kind === "refresh") await this.refresh();
    else if (each.kind === "add") await this.add(each.first);
    else await this.edit(each.pick);
    const rules = await this.there();
    for (const { id, ref } of rules)
      if (!this.foreign.has(id) && this.holdersOf(ref, rules).length === 0) this.excused.add(ref);
    const now = new Map(rules.map((rule) => [rule.id, saysOf(rule)]));
    for (const [id, says] of [...this.foreign, ...this.edited]) expect(now.get(id)).toBe(says);
    expect([...now.keys()].filter((id) => this.foreign.has(id))).toEqual([...this.foreign.keys()]);
  }

  /** A refresh acknowledges edits. */
  async refresh(): Promise<void> {
    await this.program.refresh();
    this.edited.clear();
  }

  private async add(first: boolean): Promise<void> {
    const ruleset = await this.service.entrypoint(this.zoneId, phase);
    if (ruleset === undefined) return;
    this.made += 1;
    const description = `hand${String(this.made)}`;
    const rule = { action: "log", expression: "ssl", description, position: first ? { before: "" } : { after: "" } };
    const { rules } = await this.service.addRule(`zones/${this.zoneId}`, ruleset.id, rule);
    const added = rules.find((one) => one.description === description);
    if (added === undefined) throw new Error("no rule was added");
    const entry = [added.id, saysOf(added)] as const;
    this.foreign = new Map(first ? [entry, ...this.foreign] : [...this.foreign, entry]);
  }

  private async edit(pick: number): Promise<void> {
    const ruleset = await this.service.entrypoint(this.zoneId, phase);
    const own = (ruleset?.rules ?? []).filter(({ id }) => !this.foreign.has(id));
    const rule = own[pick % Math.max(1, own.length)];
    if (ruleset === undefined || rule === undefined) return;
    const { expression, description } = rule;
    const content = { action: "managed_challenge", expression, description };
    const after = await this.service.editRule(`zones/${this.zoneId}`, ruleset.id, rule.id, content);
    const now = after.rules.find(({ id }) => id === rule.id);
    // After a refresh, the same edit again leaves nothing that the stack does not know.
    if (now !== undefined && saysOf(now) !== saysOf(rule)) this.edited.set(rule.id, saysOf(now));
    this.excused.add(rule.ref);
  }

  /** Resources that have a rule, by its ref. */
  private resourcesWith(ref: string, rules: readonly Deployed[]): readonly string[] {
    const id = rules.find((rule) => rule.ref === ref)?.id ?? "";
    return [...this.program.kept].flatMap(([name, { state, isPendingReplacement = false }]) => {
      const { ruleId, ruleIds = {} } = state as {
        readonly ruleId?: string;
        readonly ruleIds?: Readonly<Record<string, string>>;
      };
      return !isPendingReplacement && [ruleId, ...Object.values(ruleIds)].includes(id) ? [name] : [];
    });
  }

  /** Resources whose states say that they own a rule. */
  private holdersOf(ref: string, rules: readonly Deployed[]): readonly string[] {
    const id = rules.find((rule) => rule.ref === ref)?.id ?? "";
    return [...this.program.kept, ...this.program.oldObjects].flatMap(([name, { state }]) =>
      ownedIds(state as JsonObject).includes(id) ? [name] : [],
    );
  }

  private homeOf(index: number, wanted: Wishes): string | undefined {
    const home = wanted[index]?.home;
    return home === "alone" ? REFS[index] : home;
  }

  /** With the old resource of a rule alone as a target, the new one is not checked: the rule is deleted, as documented. */
  private targetsOf({ targets }: Up, wanted: Wishes, rules: readonly Deployed[]): readonly string[] | undefined {
    if (targets === undefined) return undefined;
    const names = new Set<string>(targets.map((number) => NAMES[number % NAMES.length] ?? ""));
    for (let size = -1; size < names.size;) {
      size = names.size;
      REFS.forEach((ref, index) => {
        const home = this.homeOf(index, wanted);
        if (home !== undefined && this.holdersOf(ref, rules).some((holder) => names.has(holder))) names.add(home);
      });
    }
    return [...names];
  }

  private async up(each: Up): Promise<void> {
    const before = await this.there();
    const names = (picked: readonly number[]) => picked.map((number) => NAMES[number % NAMES.length] ?? "");
    const away = { ...this.away, names: LISTS.filter((_, index) => each.away.includes(index)) };
    const wanted = placedAmong([...this.foreign.keys()], each.wishes).map((one) =>
      away.names.includes(one.home as "one") ? { ...one, home: "nowhere" as const } : one,
    );
    const targets = this.targetsOf(each, wanted, before);
    const options: CourseOptions = {
      unstarted: names(each.unstarted),
      replaces: names(each.replaces),
      deleteFirst: each.deleteFirst ? NAMES : [],
      continueOnError: each.continues,
      ...(targets === undefined ? {} : { targets }),
    };
    if (each.fault !== undefined) await this.service.fault(each.fault);
    await this.program.up(programOf(this.zoneId, wanted, away, each), options).then(
      () => undefined,
      (error: unknown) => error,
    );
    await this.service.noFaults();
    this.wishes = wanted;
    this.away = away;
    await this.excuse();
    const after = new Map((await this.there()).map((rule) => [rule.ref, rule.id]));
    const lost = before.filter(({ ref, id }) => this.isDeclared(ref) && after.get(ref) !== id);
    expect(lost).toEqual([]);
  }

  private isDeclared(ref: string): boolean {
    const index = REFS.findIndex((each) => each === ref);
    return index >= 0 && this.wishes[index]?.home !== "nowhere";
  }

  /** Excuses the rules that the messages of the last run name. */
  async excuse(): Promise<void> {
    for (const text of this.program.messages.warnings.filter((each) => EXCUSES.some((excuse) => each.includes(excuse))))
      for (const ref of REFS)
        if ([`[ref ${ref},`, `"${ref}" (`, `rule "${ref}" in`].some((name) => text.includes(name)))
          this.excused.add(ref);
    const kept = this.program.messages.warnings.filter((text) => text.includes("only taken over")).join("\n");
    const recorded = new Set(
      [...this.program.kept, ...this.program.oldObjects].flatMap(([, { state }]) =>
        Object.values((state as Partial<RulesetState>).ruleIds ?? {}),
      ),
    );
    for (const { id, ref } of await this.elsewhere()) {
      if (recorded.has(id)) this.named.delete(id);
      else if (kept.includes(`[ref ${ref},`)) this.named.add(id);
    }
  }

  /** What is left in the other zone although no run has named it. */
  async unnamedElsewhere(): Promise<readonly Deployed[]> {
    return (await this.elsewhere()).filter(({ id }) => !this.named.has(id));
  }

  /** Expects that each rule of the program is where the program places it among the rules of others. */
  private async expectPlaced(): Promise<void> {
    const rules = await this.there();
    REFS.forEach((ref, index) => {
      const position = positionIn(this.wishes[index] ?? {});
      if (position === undefined || !this.isDeclared(ref)) return;
      const isBefore = "before" in position;
      const anchor = rules.findIndex(({ id }) => id === (isBefore ? position.before : position.after));
      expect([ref, rules.findIndex((rule) => rule.ref === ref) < anchor]).toEqual([ref, isBefore]);
    });
  }

  /** Expects that a stack without faults reaches its program, with one owner for each rule, and is then silent. */
  async settle(): Promise<void> {
    await this.refresh();
    const before = await this.there();
    const plain = programOf(this.zoneId, this.wishes, this.away);
    const failed = await this.program.up(plain).then(
      () => false,
      () => true,
    );
    // A rule that changes on its way to a resource that is checked before its old one, or that no state has, is adopted on request.
    const program = failed ? programOf(this.zoneId, this.wishes, this.away, { more: { onExisting: "adopt" } }) : plain;
    await this.excuse();
    if (failed) await this.program.up(program);
    await this.excuse();
    const rules = (await this.there()).filter(({ id }) => !this.foreign.has(id));
    const wanted = REFS.flatMap((ref, index) =>
      this.isDeclared(ref) ? [[ref, this.wishes[index]?.enabled] as const] : [],
    );
    const declared = rules.filter(({ ref }) => this.isDeclared(ref));
    expect(declared.map(({ ref, enabled }) => [ref, enabled]).sort()).toEqual(wanted.map((pair) => [...pair]).sort());
    await this.expectPlaced();
    for (const { ref, id } of before) {
      const now = declared.find((rule) => rule.ref === ref);
      if (now !== undefined) expect(now.id).toBe(id);
    }
    expect(rules.filter(({ ref }) => !this.isDeclared(ref) && !this.excused.has(ref))).toEqual([]);
    for (const { ref } of declared) expect(this.resourcesWith(ref, rules)).toHaveLength(1);
    const quiet = await this.program.up(program);
    expect([new Set(Object.values(quiet.actions)), quiet.requests]).toEqual([new Set(["none"]), ""]);
  }
}

test("property: a rule that moves between the resources of a program is never lost, doubled or taken from somebody", async () => {
  const { service, zoneId } = await startService();
  const otherZoneId = await service.zone("business");
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
      await service.reset();
      const world = new World(service, zoneId, otherZoneId);
      await service.create(`zones/${zoneId}`, { name: "theirs", kind: "zone", phase, rules: [] });
      await world.play({ kind: "add", first: false });
      for (const each of steps) await world.play(each);
      await world.settle();
      await world.program.destroy();
      // A rule that was taken over as merely equal is kept.
      await world.excuse();
      const left = (await world.there()).filter(({ ref }) => !world.excused.has(ref));
      expect(left.map(({ id }) => id)).toEqual([...world.foreign.keys()]);
      expect(await world.unnamedElsewhere()).toEqual([]);
    }),
    { numRuns: runs(20), endOnFailure: process.env.MOVES_SHRINK === undefined },
  );
}, 1_200_000);
