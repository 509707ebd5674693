import { ApiError } from "../../core/model/errors.js";
import { systemClock, type Clock } from "./clock.js";

/** When a call of the engine must end. */
export interface Deadline {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** What has set it, such as `the create timeout of 5 s (customTimeouts)`. */
  readonly words: string;
}

interface GateOptions {
  readonly clock?: Clock;
  /** When the call must end that is being served. @default never */
  readonly deadline?: () => Deadline | undefined;
}

/**
 * Every request and every wait passes through it. Once closed or cancelled, no further request starts, and after its deadline
 * a call starts no further write. Requests under way always get their response, so that it is known what they did.
 */
export class Gate {
  private underWay = 0;
  private readonly whenEmpty: (() => void)[] = [];
  private closed = false;
  private isCancelled = false;
  private readonly waits = new Set<(error: ApiError) => void>();

  constructor(private readonly options: GateOptions = {}) {}

  /**
   * Sends a request. When the gate is closed, the promise never settles, because the caller is no longer there.
   * @param writes whether the request changes something: only then the deadline of a call stops it
   */
  async pass<T>(send: () => Promise<T>, writes = false): Promise<T> {
    if (this.closed) return new Promise<never>(() => undefined);
    if (this.isCancelled) throw cancelled();
    if (writes) this.refuseLate();
    this.underWay += 1;
    try {
      return await send();
    } finally {
      this.underWay -= 1;
      if (this.underWay === 0) for (const empty of this.whenEmpty.splice(0)) empty();
    }
  }

  /** Waits; fails as soon as the run is cancelled, or at the deadline of the call. */
  async sleep(ms: number): Promise<void> {
    const { clock = systemClock, deadline } = this.options;
    const limit = deadline?.();
    const left = limit === undefined ? Infinity : limit.at - clock.now();
    if (left > 0) await this.untilCancelled(clock.sleep(Math.min(ms, left)));
    if (left <= ms) this.refuseLate();
  }

  /** Passes on what a promise becomes, unless the run is cancelled before. */
  untilCancelled<T>(work: Promise<T>): Promise<T> {
    if (this.isCancelled) return Promise.reject(cancelled());
    return new Promise((resolve, reject) => {
      this.waits.add(reject);
      void work.then(resolve, reject).finally(() => this.waits.delete(reject));
    });
  }

  /** Stops further requests. Resolves when the last request under way has its response. */
  close(): Promise<void> {
    this.closed = true;
    return this.empty();
  }

  /** Ends all waits with an error, and refuses further requests. Resolves when the last request under way has its response. */
  cancel(): Promise<void> {
    this.isCancelled = true;
    for (const end of [...this.waits]) end(cancelled());
    return this.empty();
  }

  private empty(): Promise<void> {
    return this.underWay === 0 ? Promise.resolve() : new Promise((resolve) => this.whenEmpty.push(resolve));
  }

  private refuseLate(): void {
    const { clock = systemClock, deadline } = this.options;
    const limit = deadline?.();
    if (limit === undefined || clock.now() < limit.at) return;
    throw new ApiError(
      `${limit.words} is over, so no further write was sent. The state records what was written before. ` +
        "To continue: run `pulumi up` again, or allow more time.",
      { code: "OPERATION_TIMED_OUT" },
    );
  }
}

function cancelled(): ApiError {
  return new ApiError(
    "the run was cancelled, so no further request was sent. The state records what was written before. " +
      "To continue: run `pulumi up` again.",
    { code: "RUN_CANCELLED" },
  );
}
