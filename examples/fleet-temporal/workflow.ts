import {
  ActivityCancellationType,
  ActivityFailure,
  condition,
  continueAsNew,
  isCancellation,
  proxyActivities,
  setHandler,
  workflowInfo,
  type ActivityOptions,
} from "@temporalio/workflow";
import * as orders from "./orders.ts";
import type { RollBack, RollOut, RollOutStatus } from "./orders.ts";
import type { ShardAnswer } from "./contract.ts";
import type { FleetState, RollbackAnswer, Steps } from "./steps.ts";

/** A step is on a machine that has died if nothing was heard of it for this long. */
const OPTIONS = {
  heartbeatTimeout: "20 seconds",
  startToCloseTimeout: "1 day",
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
} satisfies ActivityOptions;
/** How often a shard is run that fails, with a pause in between that doubles up to the longest one. */
const RUNS = 10;
const SHORTEST_PAUSE = 5_000;
const LONGEST_PAUSE = 5 * 60_000;
/** How often a shard is tried that another process runs. */
const BUSY_PAUSE = 15_000;
/** How often a gate is asked that does not say when asking again can help. */
const ASK_AGAIN = 5 * 60_000;

function stepsFor(fleet: string): Steps {
  return proxyActivities<Steps>({ ...OPTIONS, taskQueue: orders.wavesQueue(fleet) });
}

/** Rolls a saved plan out, wave by wave. `fleet status` decides what comes next; this does it, and waits. */
export async function rollOut(input: RollOut): Promise<RollOutStatus> {
  return new RollOutRun(input).run();
}

/** Gives the rulesets of waves the versions back that they had before. */
export async function rollBack({ plan, fleet, waves }: RollBack): Promise<readonly RollbackAnswer[]> {
  const answers: RollbackAnswer[] = [];
  for (const wave of waves) answers.push(await stepsFor(fleet).rollBack(plan, wave));
  return answers;
}

class RollOutRun {
  private readonly steps: Steps;
  private status: RollOutStatus = { state: "running", words: "starts", waves: [], running: [], shards: {} };
  private tokens: ReadonlyMap<string, string | undefined> = new Map();
  private pausedBy: string | undefined;
  private abortedBy: string | undefined;
  /** Whether what stopped it may be tried again. */
  private isResumed = false;
  /** How many orders were carried out, and how many before the last look at the rollout: another one asks for another look. */
  private orders = 0;
  private ordersSeen = 0;
  private carriedOut: Promise<void> = Promise.resolve();
  private readonly takenOver = new Set<string>();

  private readonly input: RollOut;

  constructor(input: RollOut) {
    this.input = input;
    this.steps = stepsFor(input.fleet);
    const { plan } = input;
    setHandler(orders.status, () => this.status);
    setHandler(orders.approve, (wave, by) => this.order(() => this.steps.approve(plan, wave, by)));
    setHandler(orders.pause, (by) => {
      this.pausedBy = by;
      return this.order(() => this.steps.stop(plan, `paused by ${by}`));
    });
    setHandler(orders.abort, (by) => {
      this.abortedBy = by;
      return this.order(() => this.steps.stop(plan, `aborted by ${by}`));
    });
    setHandler(orders.resume, () =>
      this.order(async () => {
        await this.steps.removeStop(plan);
        this.pausedBy = undefined;
        this.isResumed = true;
      }),
    );
    setHandler(orders.takeOver, (shard) => {
      this.takenOver.add(shard);
      return this.order(() => Promise.resolve());
    });
  }

  async run(): Promise<RollOutStatus> {
    const shards = await this.untilItWorks(() => this.steps.plannedShards(this.input.plan));
    this.tokens = new Map(shards.map(({ id, token }) => [id, token]));
    for (;;) {
      await this.carriedOut;
      this.ordersSeen = this.orders;
      if (this.abortedBy !== undefined) return this.show("aborted", `by ${this.abortedBy}`);
      // Everything that was done is in the folder of the plan.
      if (workflowInfo().continueAsNewSuggested && this.pausedBy === undefined && !this.isResumed)
        await continueAsNew<typeof rollOut>(this.input);
      const state = await this.untilItWorks(() => this.steps.fleetState(this.input.plan));
      this.status = { ...this.status, waves: state.waves };
      if (state.next.kind === "finished") return this.show("finished", "every wave is done, and its gates have passed");
      await this.step(state);
    }
  }

  private async step(state: FleetState): Promise<void> {
    const { next } = state;
    if (this.pausedBy !== undefined) return this.untilOrder("paused", `by ${this.pausedBy}`);
    if (this.isResumed) {
      this.isResumed = false;
      await this.runShards(state.failed);
      for (const wave of state.refused) await this.checkGates(wave);
      return;
    }
    switch (next.kind) {
      case "run": {
        const answers = await this.runShards(next.shards);
        // Shards that could not be run would be tried for ever.
        if (answers.every((answer) => answer?.code === 3) && this.pausedBy === undefined)
          await this.untilOrder("stopped", answers.map((answer) => answer?.words).join("\n"));
        return;
      }
      case "gate":
        return this.checkGates(next.wave);
      case "stopped":
        return this.untilOrder("stopped", next.why);
      case "finished":
        return;
    }
  }

  /** Runs shards, of each token as many at the same time as its quota allows. Undefined for one that an order held back. */
  private async runShards(ids: readonly string[]): Promise<readonly (ShardAnswer | undefined)[]> {
    const queues = new Map<string | undefined, string[]>();
    for (const id of ids) {
      const token = this.tokens.get(id);
      queues.set(token, [...(queues.get(token) ?? []), id]);
    }
    const answers: (ShardAnswer | undefined)[] = [];
    const worker = async (waiting: string[]): Promise<void> => {
      for (let id = waiting.shift(); id !== undefined; id = waiting.shift())
        answers.push(this.isHeld() ? undefined : await this.runShard(id));
    };
    const parallel = this.input.parallel ?? 1;
    await Promise.all(
      [...queues.values()].flatMap((waiting) => Array.from({ length: parallel }, () => worker(waiting))),
    );
    return answers;
  }

  /** Runs a shard until it has ended; one that fails, several times. */
  private async runShard(id: string): Promise<ShardAnswer> {
    this.show("running", "shards run", [...this.status.running, id]);
    let failures = 0;
    for (;;) {
      const answer = await this.tryShard(id);
      this.status = { ...this.status, shards: { ...this.status.shards, [id]: answer.words } };
      if (answer.state === "failed") failures += 1;
      const isOver =
        answer.code !== 3 || (answer.state !== "running" && answer.state !== "failed") || failures === RUNS;
      if (!isOver) await this.pauseBefore(id, failures);
      if (!isOver && !this.isHeld()) continue;
      const running = this.status.running.filter((one) => one !== id);
      this.show("running", "shards run", running);
      return answer;
    }
  }

  private async tryShard(id: string): Promise<ShardAnswer> {
    const { fleet, plan } = this.input;
    const taskQueue = orders.shardsQueue(fleet, this.tokens.get(id));
    const { runShard } = proxyActivities<Steps>({ ...OPTIONS, taskQueue, summary: id });
    try {
      return await runShard(plan, id, this.takenOver.has(id));
    } catch (error) {
      return { code: 3, words: wordsOf(error) };
    }
  }

  /** Waits before a shard is tried again, unless an order changes something. */
  private async pauseBefore(id: string, failures: number): Promise<void> {
    const isTaken = this.takenOver.has(id);
    const hasChanged = (): boolean => this.isHeld() || this.takenOver.has(id) !== isTaken;
    await condition(
      hasChanged,
      failures === 0 ? BUSY_PAUSE : Math.min(LONGEST_PAUSE, SHORTEST_PAUSE * 2 ** (failures - 1)),
    );
  }

  /** Asks the gates of a wave, and waits if the answer is not there yet. */
  private async checkGates(wave: string): Promise<void> {
    this.show("running", `checks the gates of ${wave}`);
    const { verdict, words, retryAt } = await this.untilItWorks(() => this.steps.checkGates(this.input.plan, wave));
    if (verdict === "passed" || verdict === "no") return;
    const pause = retryAt === undefined ? ASK_AGAIN : Math.max(1000, Date.parse(retryAt) - Date.now());
    await this.untilOrder("waiting", words, pause);
  }

  /** Carries an order out after those before it. */
  private order(carryOut: () => Promise<void>): Promise<void> {
    this.carriedOut = this.carriedOut.then(async () => {
      try {
        await carryOut();
        this.status = { ...this.status, trouble: undefined };
      } catch (error) {
        this.status = { ...this.status, trouble: wordsOf(error) };
      }
      this.orders += 1;
    });
    return this.carriedOut;
  }

  private isHeld(): boolean {
    return this.pausedBy !== undefined || this.abortedBy !== undefined;
  }

  /** Waits for an order that was not there yet at the last look. */
  private async untilOrder(state: RollOutStatus["state"], words: string, atMost?: number): Promise<void> {
    this.show(state, words);
    const hasCome = (): boolean => this.orders !== this.ordersSeen;
    await (atMost === undefined ? condition(hasCome) : condition(hasCome, atMost));
    this.ordersSeen = this.orders;
  }

  /** A step that failed for good waits for somebody who repairs the cause. */
  private async untilItWorks<T>(step: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await step();
      } catch (error) {
        await this.untilOrder("stopped", wordsOf(error));
      }
    }
  }

  private show(state: RollOutStatus["state"], words: string, running = this.status.running): RollOutStatus {
    return (this.status = { ...this.status, state, words, running });
  }
}

/** What a failed step says. Whoever cancels the workflow ends it. */
function wordsOf(error: unknown): string {
  if (isCancellation(error)) throw error;
  const cause = error instanceof ActivityFailure ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
}
