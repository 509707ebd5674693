import type { Service } from "../support/emulator.js";
import { faultCases } from "../support/fuzzing.js";
import { FaultyClient, WRITE_FAULTS, type Course } from "./fault-matrix/faulty-client.js";
import { declaredIn, ordersIn, subjectsFor, type Subject } from "./fault-matrix/subjects.js";
import { INTERFERENCES, World, type Interference } from "./fault-matrix/world.js";
import { startService } from "./harness.js";
import { RulesProgram, type CourseOptions, type ProgramArgs } from "./rules-program.js";
import type { Run } from "./run.js";

/*
 * Every write of every change of a program, with every fault, a kill before or after it, and every interference of somebody
 * else right before it or before the write after it. Whatever happens: no rule of others is lost, a run that succeeds has
 * put in force what it declares unless somebody changes it later, and a refresh and another run reach the program.
 */

interface Case {
  readonly subject: string;
  readonly write: number;
  readonly fault: string;
  readonly interference: Interference;
  /** Whether it comes before the next write. */
  readonly later: boolean;
}

/** A stack whose requests follow a course. */
class FaultyProgram extends RulesProgram {
  course: Course | undefined;
  client: FaultyClient | undefined;

  protected override start(options: CourseOptions = {}): Run {
    const run = super.start(options);
    const client = new FaultyClient(this.service, this.course);
    Object.defineProperty(run.session, "client", { value: client.wrap(run.session.client) });
    this.client = client;
    return run;
  }
}

type Outcome = "succeeded" | "failed" | "killed";

/** Plays cases against one service. */
class Matrix {
  constructor(
    private readonly service: Service,
    private readonly zoneId: string,
  ) {}

  private async begin(name: string): Promise<{ world: World; subject: Subject; program: FaultyProgram }> {
    await this.service.reset();
    const world = new World(this.service, this.zoneId);
    const subject = subjectsFor(world).find((each) => each.name === name);
    if (subject === undefined) throw new Error(`there is no subject ${name}`);
    await world.begin(subject.isShared);
    const program = new FaultyProgram(this.service);
    if (Object.keys(subject.from).length > 0) await program.up(subject.from);
    await world.copy();
    return { world, subject, program };
  }

  /** All cases of a change, by the writes that it sends. */
  async cases(name: string): Promise<Case[]> {
    const { program, subject } = await this.begin(name);
    await program.up(subject.to);
    const writes = program.client?.writes.length ?? 0;
    return Array.from({ length: writes }).flatMap((_, write) =>
      Object.keys(WRITE_FAULTS).flatMap((fault) =>
        INTERFERENCES.flatMap((interference) => {
          const here = { subject: name, write, fault, interference };
          const isLater = write + 1 < writes && interference !== "nothing";
          return [{ ...here, later: false }, ...(isLater ? [{ ...here, later: true }] : [])];
        }),
      ),
    );
  }

  /** Returns how the run ended, and what was wrong with that. */
  async play({ subject: name, write, fault, interference, later }: Case): Promise<[Outcome, readonly string[]]> {
    const { world, subject, program } = await this.begin(name);
    let killed: FaultyProgram["recorded"] | undefined;
    program.course = {
      write,
      fault: WRITE_FAULTS[fault] ?? { kind: "none" },
      interferedWrite: later ? write + 1 : write,
      interfere: () => world.interfere(interference),
      onKill: () => (killed = program.recorded),
    };
    const failure = await program.up(subject.to).then(
      () => undefined,
      (error: unknown) => error as Error,
    );
    const { client } = program;
    if (killed !== undefined) program.recorded = killed;
    program.course = undefined;
    const problems: string[] = [];
    const isReported = failure !== undefined;
    // What somebody changes between the read and the delete of a whole ruleset goes with it, and all its versions.
    const isDeleted = name === "deleting a custom ruleset";
    const isLost = !isDeleted && !(await world.isTheirsKept());
    if (isLost && (subject.isShared || !isReported)) problems.push("a rule of others was lost");
    // What somebody changes once a resource has ended is drift, also while others of the run are written, or deleted at its end.
    const hasDeletes = Object.keys(subject.from).some((each) => !(each in subject.to));
    const isLate = later || (hasDeletes && client?.writes[write] === "deleteRule");
    const isDrift = isLate && Object.keys(subject.to).length > 1;
    if (!isReported && !isDrift) {
      problems.push(...(await missing(world, subject.to)));
      if (!isDeleted && world.touched.includes("edited")) problems.push("an edit was undone in silence");
    }
    problems.push(...(await this.settle(world, subject, program)));
    return [killed !== undefined ? "killed" : isReported ? "failed" : "succeeded", problems];
  }

  /** A refresh and a run without faults reach the program, and another run sends nothing. */
  private async settle(world: World, { to, isShared }: Subject, program: FaultyProgram): Promise<string[]> {
    const wanted = Object.fromEntries(
      Object.entries(to).map(([name, args]) => [name, { ...args, onExisting: "adopt" }]),
    );
    const kept = await world.isTheirsKept();
    try {
      await program.refresh();
      // A rule that somebody added to a ruleset that the stack owns as a whole stays in conflict until somebody decides.
      await program.up(wanted).catch((error: unknown) => {
        if (isShared) throw error;
        return program.up(wanted, { onConflict: "overwrite" });
      });
      const problems = await missing(world, to);
      const { requests } = await program.up(wanted);
      if (requests !== "") problems.push(`a second run sends ${requests}`);
      if (isShared && kept && !(await world.isTheirsKept())) problems.push("the next run lost a rule of others");
      return problems.map((problem) => `afterwards, ${problem}`);
    } catch (error) {
      return [`the next run fails: ${error instanceof Error ? error.message : String(error)}`];
    }
  }
}

/** What is not as a program declares it. */
async function missing(world: World, program: ProgramArgs): Promise<string[]> {
  const own = await world.own();
  const declared = declaredIn(program);
  const refs = own.map(({ ref }) => ref);
  const problems = [...declared].flatMap(([ref, { action, expression }]) => {
    const rule = own.find((each) => each.ref === ref);
    if (rule === undefined) return [`${ref} is missing`];
    return rule.action === action && rule.expression === expression ? [] : [`${ref} is different`];
  });
  const left = refs.filter((ref) => !declared.has(ref) && !world.rewritten.includes(ref));
  if (left.length > 0) problems.push(`${left.join()} still exist`);
  if (new Set(refs).size < refs.length) problems.push(`there are duplicates: ${refs.join()}`);
  for (const order of ordersIn(program))
    if (refs.filter((ref) => order.includes(ref)).join() !== order.join()) problems.push(`the order is ${refs.join()}`);
  if ((await world.customs()).length > 1) problems.push("there are two custom rulesets");
  return problems;
}

/** One of this many cases is played in the usual run. */
const SHARE = 100;
/** Subjects do not depend on the service. */
const SUBJECTS = subjectsFor({ zoneId: "" }).map(({ name }) => name);

describe("property: with any fault, kill and interference, nothing of others is lost and the next run reaches the program", () => {
  let matrix: Matrix;
  const counts = new Map<string, number>();
  const count = (name: string, more = 1): void => void counts.set(name, (counts.get(name) ?? 0) + more);
  beforeAll(async () => {
    const started = await startService();
    matrix = new Matrix(started.service, started.zoneId);
  });
  afterAll(() => {
    const text = [...counts].map(([name, number]) => `${String(number)} ${name}`).join(", ");
    process.stdout.write(`faults: ${text}\n`);
  });

  test.each(SUBJECTS)(
    "%s",
    async (subject) => {
      const all = await matrix.cases(subject);
      const wrong: string[] = [];
      count("cases", all.length);
      for (const each of faultCases(all, Math.ceil(all.length / SHARE))) {
        const [outcome, problems] = await matrix.play(each);
        count("played");
        count(outcome);
        if (problems.length > 0) wrong.push(`${JSON.stringify(each)}: ${problems.join("; ")}`);
      }
      expect(wrong).toEqual([]);
    },
    1_200_000,
  );
});
