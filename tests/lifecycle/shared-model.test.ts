import type { RulesetRule } from "../../core/model/generated/rule.js";
import type { Service, WireRule } from "../support/emulator.js";
import type { Client } from "../../client/index.js";
import { ManagedRuleset, startService } from "./harness.js";
import { RulesProgram, type CourseOptions } from "./rules-program.js";
import type { Run, RunOptions } from "./run.js";
import { clientInTurns, Turns } from "./turns.js";
import { fc, runs } from "../support/properties.js";

/*
 * Two stacks with lists, one with single rules, and a person at the dashboard share an entry point and work concurrently,
 * with any interleaving of their requests, and with lost requests and responses. Rules of the lists have positions among those
 * of the person. Whatever happens, no rule is lost, moved relative to other rules of its owner, or created twice; and a stack
 * that runs again reaches its program.
 */

const phase = "http_request_firewall_custom";

/** A rule of a stack, by number; odd ones have a ref. */
interface Wish {
  readonly number: number;
  readonly enabled: boolean;
  /** Where a rule with a ref must be among the rules made by hand. */
  readonly place: Place | undefined;
}
type Program = readonly Wish[];

/** A place as it is generated, or the position that a program declares for it. */
type Place = { readonly slot: number; readonly side: "before" | "after" } | Position;
type Position = { readonly before: string } | { readonly after: string };

/**
 * A program with positions: in the order of its rules, each is before or after a rule that exists and is not before that of the
 * one above.
 */
function placedAmong(hand: readonly string[], program: Program): Program {
  const isPlaced = ({ number, place }: Wish): boolean => number % 2 === 1 && place !== undefined;
  const slots = program
    .filter(isPlaced)
    .map(({ place }) => (place !== undefined && "slot" in place ? place.slot % (hand.length + 1) : 0))
    .sort((one, other) => one - other);
  return program.map((wish) => {
    if (!isPlaced(wish)) return { ...wish, place: undefined };
    const slot = slots.shift() ?? 0;
    const [above, below] = [hand[slot - 1], hand[slot]];
    const isBefore = wish.place !== undefined && "side" in wish.place && wish.place.side === "before";
    if (below !== undefined && (isBefore || above === undefined)) return { ...wish, place: { before: below } };
    return { ...wish, place: above === undefined ? undefined : { after: above } };
  });
}

/** By ref, the positions in a program. */
function positionsOf(stack: string, program: Program): Readonly<Record<string, Position>> {
  return Object.fromEntries(
    program.flatMap(({ number, place }) =>
      place === undefined || "slot" in place ? [] : [[`${stack}-${String(number)}`, place] as const],
    ),
  );
}

function rulesOf(stack: string, program: Program): RulesetRule[] {
  return program.map(({ number, enabled }) => ({
    action: "block",
    description: `${stack}${String(number)}`,
    expression: `http.host eq "${stack}${String(number)}.example"`,
    enabled,
    ...(number % 2 === 1 ? { ref: `${stack}-${String(number)}` } : {}),
  }));
}

type ByHand =
  | { readonly kind: "add"; readonly first: boolean }
  | { readonly kind: "edit"; readonly pick: number }
  | { readonly kind: "delete"; readonly pick: number };

interface Round {
  readonly a: Program | undefined;
  readonly b: Program | undefined;
  readonly c: Program | undefined;
  readonly hand: readonly ByHand[];
  readonly turns: readonly number[];
  /** The faults of a stack's requests, one after another. */
  readonly faults: readonly (object | undefined)[];
}

const place = fc.option(fc.record({ slot: fc.nat(3), side: fc.constantFrom("before" as const, "after" as const) }), {
  nil: undefined,
  freq: 3,
});
const program: fc.Arbitrary<Program> = fc.uniqueArray(fc.record({ number: fc.nat(5), enabled: fc.boolean(), place }), {
  selector: ({ number }) => number,
  maxLength: 5,
});
const byHand: fc.Arbitrary<ByHand> = fc.oneof(
  fc.record({ kind: fc.constant("add" as const), first: fc.boolean() }),
  fc.record({ kind: fc.constant("edit" as const), pick: fc.nat(20) }),
  fc.record({ kind: fc.constant("delete" as const), pick: fc.nat(20) }),
);
const fault = fc.oneof(
  { weight: 6, arbitrary: fc.constant(undefined) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<object>(
      { status: 503 },
      { status: 500 },
      { status: 429 },
      { cut: "before" },
      { cut: "after" },
      // Carried out, but a proxy answers otherwise.
      { body: "<html>502 Bad Gateway</html>" },
    ),
  },
);
const round: fc.Arbitrary<Round> = fc.record({
  a: fc.option(program, { nil: undefined, freq: 6 }),
  b: fc.option(program, { nil: undefined, freq: 3 }),
  c: fc.option(program, { nil: undefined, freq: 3 }),
  hand: fc.array(byHand, { maxLength: 3 }),
  turns: fc.array(fc.nat(3), { minLength: 1, maxLength: 32 }),
  faults: fc.array(fault, { maxLength: 16 }),
});

/** The turns and faults of a stack's requests. */
class Course {
  turns: Turns | undefined;
  faults: (object | undefined)[] = [];
  /** How often a request waited for its turn, how often one had a fault, and how many positions a list declared. */
  readonly counts = { turns: 0, faults: 0, positions: 0 };

  constructor(
    private readonly name: string,
    private readonly service: Service,
  ) {}

  /** Lets other actors run between the requests of a process, and its responses get lost. */
  follow(run: Run): Run {
    Object.defineProperty(run.session, "client", { value: this.client(run.session.client) });
    return run;
  }

  private client(client: Client): Client {
    const before = async (): Promise<void> => {
      if (this.turns !== undefined) this.counts.turns += 1;
      await this.turns?.wait(this.name);
      const next = this.faults.shift();
      if (next === undefined) return;
      this.counts.faults += 1;
      await this.service.fault(next);
    };
    return clientInTurns(client, before, () => this.service.noFaults());
  }
}

/** A stack, with a list or with single rules. */
interface Stack {
  readonly name: string;
  readonly course: Course;
  /** What it declares. */
  program: Program;
  /** What it declares after a run that failed. */
  afterFailure(wanted: Program): Program;
  /** Its rules at the service, in its order. */
  ordered(names: readonly string[]): readonly string[];
  declare(zoneId: string, wanted: Program, more?: object): Promise<{ readonly isQuiet: boolean }>;
  look(): Promise<unknown>;
  leave(): Promise<unknown>;
}

/** A stack with its rules as the list of a shared entry point. */
class ListStack extends ManagedRuleset implements Stack {
  readonly course: Course;
  program: Program = [];

  constructor(
    readonly name: string,
    service: Service,
  ) {
    super("PhaseEntrypoint", service, `urn:${name}`);
    this.course = new Course(name, service);
  }

  /** Its state has what succeeded, and the next run continues from there. */
  afterFailure(): Program {
    return this.program;
  }
  ordered(names: readonly string[]): readonly string[] {
    return names;
  }
  async declare(zoneId: string, wanted: Program, more: object = {}): Promise<{ readonly isQuiet: boolean }> {
    const rules = rulesOf(this.name, wanted);
    const positions = positionsOf(this.name, wanted);
    this.course.counts.positions += Object.keys(positions).length;
    const placed = Object.keys(positions).length === 0 ? {} : { positions };
    const { action, requests } = await this.up({ zoneId, phase, ownership: "shared", rules, ...placed, ...more });
    return { isQuiet: action === "none" && requests.length === 0 };
  }
  look(): Promise<unknown> {
    return this.refresh();
  }
  leave(): Promise<unknown> {
    return this.destroy();
  }

  override start(options: RunOptions = {}): Run {
    return this.course.follow(super.start(options));
  }
}

/** A stack with each of its rules as a resource, one of them always first. */
class RulesStack extends RulesProgram implements Stack {
  readonly course: Course;
  program: Program = [];

  constructor(
    readonly name: string,
    service: Service,
  ) {
    super(service, name);
    this.course = new Course(name, service);
  }

  protected override start(options: CourseOptions = {}): Run {
    return this.course.follow(super.start(options));
  }

  /** A rule whose creation was lost is found by the resource that creates it. */
  afterFailure(wanted: Program): Program {
    return wanted;
  }
  ordered(names: readonly string[]): readonly string[] {
    return names.toSorted();
  }
  async declare(zoneId: string, wanted: Program, more: object = {}): Promise<{ readonly isQuiet: boolean }> {
    const rules = rulesOf(this.name, wanted).map((rule, index) => {
      const position = wanted[index]?.number === FIRST ? { position: { before: "" } } : {};
      return [String(rule.description), { zoneId, phase, ...rule, ...position, ...more }] as const;
    });
    const { actions, requests } = await this.up(Object.fromEntries(rules));
    return { isQuiet: Object.values(actions).every((action) => action === "none") && requests === "" };
  }
  look(): Promise<unknown> {
    return this.refresh();
  }
  leave(): Promise<unknown> {
    return this.destroy();
  }
}

/** The number of the rule that a stack of single rules places first. */
const FIRST = 3;

/** What must exist: every rule made by hand, with its content, in the order set by hand. */
class World {
  hand: { id: string; says: string }[] = [];
  /** Edits by hand of a stack's rules, in this round. */
  edits: { readonly stack: string; readonly id: string; readonly says: string }[] = [];
  private made = 0;

  constructor(
    readonly service: Service,
    readonly zoneId: string,
  ) {}

  async there(): Promise<readonly (WireRule & { id: string; ref: string })[]> {
    return (await this.service.entrypoint(this.zoneId, phase))?.rules ?? [];
  }

  /** Creates the entry point with rules. */
  async occupy(count: number): Promise<void> {
    const rules = Array.from({ length: count }, (_, index) => {
      const text = `start${String(index)}.example`;
      return { action: "log", expression: `http.host eq "${text}"`, description: text };
    });
    const made = await this.service.create(`zones/${this.zoneId}`, { name: "theirs", kind: "zone", phase, rules });
    this.hand = made.rules.map((rule) => ({ id: rule.id, says: saysOf(rule) }));
  }

  async carryOut(work: ByHand): Promise<void> {
    const ruleset = await this.service.entrypoint(this.zoneId, phase);
    if (ruleset === undefined) return;
    const scope = `zones/${this.zoneId}`;
    if (work.kind === "add") {
      this.made += 1;
      const text = `hand${String(this.made)}.example`;
      const position = work.first ? { before: "" } : { after: "" };
      const rule = { action: "log", expression: `http.host eq "${text}"`, description: text, position };
      const after = await this.service.addRule(scope, ruleset.id, rule);
      const added = after.rules.find(({ description }) => description === text);
      if (added === undefined) throw new Error("no rule was added");
      const entry = { id: added.id, says: saysOf(added) };
      this.hand = work.first ? [entry, ...this.hand] : [...this.hand, entry];
      return;
    }
    const mine = ruleset.rules.filter(({ id }) => this.hand.some((entry) => entry.id === id));
    const rule =
      work.kind === "edit"
        ? ruleset.rules[work.pick % Math.max(1, ruleset.rules.length)]
        : mine[work.pick % Math.max(1, mine.length)];
    if (rule === undefined) return;
    if (work.kind === "delete") {
      await this.service.deleteRule(scope, ruleset.id, rule.id);
      this.hand = this.hand.filter(({ id }) => id !== rule.id);
      return;
    }
    const after = await this.service.editRule(scope, ruleset.id, rule.id, {
      action: "managed_challenge",
      expression: rule.expression,
      description: rule.description,
    });
    const now = after.rules.find(({ id }) => id === rule.id);
    const stack = /^[abc]\d$/.exec(String(rule.description))?.[0].slice(0, 1);
    if (stack !== undefined) this.edits.push({ stack, id: rule.id, says: saysOf(now) });
    this.hand = this.hand.map((entry) => (entry.id === rule.id ? { id: rule.id, says: saysOf(now) } : entry));
  }

  /** Expects that no rule made by hand is lost, changed or moved among the others made by hand. */
  async expectHandKept(): Promise<void> {
    const rules = await this.there();
    const ids = new Set(this.hand.map(({ id }) => id));
    expect(rules.filter(({ id }) => ids.has(id)).map((rule) => ({ id: rule.id, says: saysOf(rule) }))).toEqual(
      this.hand,
    );
  }
}

const saysOf = (rule: WireRule | undefined): string =>
  JSON.stringify([rule?.action, rule?.expression, rule?.description, rule?.enabled]);

/** The rules of a stack at the service, in its order, including duplicates. */
const rulesThere = (rules: readonly WireRule[], stack: Stack): readonly string[] => {
  const isIts = new RegExp(`^${stack.name}\\d$`);
  return stack.ordered(rules.map(({ description }) => String(description)).filter((name) => isIts.test(name)));
};
const namesOf = (stack: Stack, wanted: Program): readonly string[] =>
  stack.ordered(wanted.map(({ number }) => `${stack.name}${String(number)}`));

/** Expects that the rules of a list are where it places them, as far as the rules that its positions name exist. */
function expectPlaced(rules: readonly { readonly id: string; readonly ref: string }[], { name, program }: Stack): void {
  const indexOf = (is: string): number => rules.findIndex(({ id, ref }) => id === is || ref === is);
  for (const [ref, position] of Object.entries(positionsOf(name, program))) {
    const anchor = indexOf("before" in position ? position.before : position.after);
    if (anchor >= 0) expect([ref, indexOf(ref) < anchor]).toEqual([ref, "before" in position]);
  }
}

/** A program without the positions beside rules that no longer exist. */
function withExistingPlaces(program: Program, rules: readonly { readonly id: string }[]): Program {
  const isThere = (position: object): boolean => rules.some(({ id }) => Object.values(position).includes(id));
  return program.map((wish) =>
    wish.place !== undefined && !isThere(wish.place) ? { ...wish, place: undefined } : wish,
  );
}

async function play(
  world: World,
  stacks: readonly Stack[],
  { hand, turns, faults, ...programs }: Round,
): Promise<void> {
  const { service, zoneId } = world;
  const wishes: Readonly<Record<string, Program | undefined>> = programs;
  const order = new Turns(turns);
  const failed = new Set<string>();
  world.edits = [];
  const work = (stack: Stack) => async (): Promise<void> => {
    const wish = wishes[stack.name];
    if (wish === undefined) return;
    stack.course.turns = order;
    const before = await world.there();
    const hand = before.map(({ id }) => id).filter((id) => world.hand.some((entry) => entry.id === id));
    const wanted = placedAmong(hand, wish);
    const kept = stack.program.filter(({ number }) => wanted.some((wish) => wish.number === number));
    const failure = await stack.declare(zoneId, wanted).then(
      () => undefined,
      (error: unknown) => error as Error,
    );
    stack.course.turns = undefined;
    stack.course.faults = [];
    const rules = await world.there();
    const own = rulesThere(rules, stack);
    expect(new Set(own).size).toBe(own.length);
    // Whether it succeeded or not: what was declared before and still is, has never been removed.
    const stood = new Set(rulesThere(before, stack));
    const names = namesOf(stack, kept).filter((name) => stood.has(name));
    expect(names.filter((name) => !own.includes(name))).toEqual([]);
    if (failure !== undefined) {
      failed.add(stack.name);
      stack.program = stack.afterFailure(wanted);
      return;
    }
    stack.program = wanted;
    expect(own).toEqual(namesOf(stack, wanted));
    if (stack instanceof ListStack) expectPlaced(rules, stack);
  };
  stacks.forEach(({ course }, index) => {
    course.faults = index % 2 === 0 ? [...faults] : faults.toReversed();
  });
  const byHands = async (): Promise<void> => {
    for (const each of hand) {
      await order.wait("hand");
      await world.carryOut(each);
    }
  };
  const actors = stacks.map((stack) => [stack.name, work(stack)] as const);
  await order.play({ ...Object.fromEntries(actors), hand: byHands });
  await service.noFaults();
  await world.expectHandKept();
  // An edit of a stack's rule is reported, or stays until the stack has read it.
  const now = new Map((await world.there()).map((rule) => [rule.id, saysOf(rule)]));
  const silent = world.edits.filter(({ stack, id, says }) => !failed.has(stack) && now.get(id) !== says);
  expect(silent).toEqual([]);
}

/** Expects that a stack without faults reaches its program, and that a second run sends nothing. */
async function settle(world: World, stack: Stack): Promise<void> {
  const { zoneId } = world;
  stack.course.faults = [];
  await stack.look();
  stack.program = withExistingPlaces(stack.program, await world.there());
  await stack.declare(zoneId, stack.program, { onExisting: "adopt" });
  const rules = await world.there();
  if (stack instanceof ListStack) expectPlaced(rules, stack);
  expect(rulesThere(rules, stack)).toEqual(namesOf(stack, stack.program));
  const declared = new Map(rulesOf(stack.name, stack.program).map((rule) => [rule.description, rule]));
  for (const rule of rules) {
    const wanted = declared.get(String(rule.description));
    if (wanted !== undefined) expect([rule.action, rule.enabled]).toEqual([wanted.action, wanted.enabled]);
  }
  expect(await stack.declare(zoneId, stack.program, { onExisting: "adopt" })).toEqual({ isQuiet: true });
}

test("property: no rule is lost when stacks of lists and of single rules and a person change a shared entry point concurrently", async () => {
  const { service, zoneId } = await startService();
  const none = { turns: 0, faults: 0, positions: 0 };
  const totals = { a: { ...none }, b: { ...none }, c: { ...none } };
  await fc.assert(
    fc.asyncProperty(fc.nat(3), fc.array(round, { minLength: 1, maxLength: 3 }), async (start, rounds) => {
      await service.reset();
      const world = new World(service, zoneId);
      if (start > 0) await world.occupy(start);
      const stacks = [new ListStack("a", service), new ListStack("b", service), new RulesStack("c", service)];
      for (const each of rounds) {
        await play(world, stacks, each);
        for (const stack of stacks) await settle(world, stack);
        await world.expectHandKept();
      }
      for (const { name, course } of stacks) {
        const sum = totals[name as keyof typeof totals];
        sum.turns += course.counts.turns;
        sum.faults += course.counts.faults;
        sum.positions += course.counts.positions;
      }
      for (const stack of stacks) await stack.leave();
      expect((await world.there()).map(({ id }) => id)).toEqual(world.hand.map(({ id }) => id));
    }),
    { numRuns: runs(20), endOnFailure: process.env.SHARED_SHRINK === undefined },
  );
  // A run in which a stack never waits, never fails and never places a rule would prove nothing.
  for (const { turns, faults } of Object.values(totals)) expect([turns > 0, faults > 0]).toEqual([true, true]);
  for (const { positions } of [totals.a, totals.b]) expect(positions).toBeGreaterThan(0);
}, 1_200_000);
