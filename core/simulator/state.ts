import type { HttpRequest, Reason } from "../language/index.js";
import type { SentResponse } from "./effect.js";
import type { Limits } from "./limits.js";
import type { ManagedRun } from "./managed.js";
import type { RulePlace } from "./place.js";
import type { Program, RateLimit, Rule } from "./program.js";
import type { RedirectLists } from "./redirect-list.js";
import type { SimulatedOutcome, Undecided } from "./result.js";
import { Rewrites } from "./rewrites.js";
import type { ActiveSkip } from "./skips.js";
import { SilentLog, TraceLog } from "./trace-log.js";

/** An outcome that ends the processing of a request. */
type Stop = Exclude<SimulatedOutcome, "allowed" | "unknown">;

interface Decision {
  readonly outcome: Stop;
  readonly rule: RulePlace;
  readonly response: SentResponse | undefined;
}

/** A counter that is updated after the origin's response. */
export interface PendingCount {
  readonly key: string;
  readonly bucket: string;
  readonly limit: RateLimit;
  readonly rule: Rule;
}

interface RunInput {
  readonly program: Program;
  readonly redirectLists: RedirectLists;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Whether to keep the trace. */
  readonly isTraced: boolean;
}

/** The state of a request during the run. */
export class State implements Omit<RunInput, "isTraced"> {
  readonly log: TraceLog;
  readonly managed: ManagedRun[] = [];
  readonly undecided: Undecided[] = [];
  readonly settings: Record<string, object> = {};
  readonly products = new Set<string>();
  readonly skips: ActiveSkip[] = [];
  readonly pending: PendingCount[] = [];
  readonly program: Program;
  readonly redirectLists: RedirectLists;
  readonly now: number;
  score = 0;
  decision: Decision | undefined;
  response: SentResponse | undefined;
  rewrites: Rewrites;

  constructor(
    public request: HttpRequest,
    public limits: Limits,
    { program, redirectLists, now, isTraced }: RunInput,
  ) {
    this.log = isTraced ? new TraceLog() : new SilentLog();
    this.program = program;
    this.redirectLists = redirectLists;
    this.now = now;
    this.rewrites = new Rewrites(request);
  }

  /** Ends the processing of the request, or notes that it may end here. */
  stop(outcome: Stop, rule: RulePlace, response: SentResponse | undefined, because: readonly string[] = []): void {
    if (because.length > 0) this.doubt(rule, outcome, because);
    else this.decision = { outcome, rule, response };
  }

  /** @param outcome what the rule would do; undefined if it changes something without stopping the request */
  doubt(rule: RulePlace, outcome: Undecided["outcome"], because: readonly string[]): void {
    this.undecided.push({ rule, outcome, because });
  }

  /** Notes a rule whose action is not known here. */
  doubtAll(rule: RulePlace, because: readonly string[]): void {
    this.doubt(rule, "any", [...because, `what the action "${rule.action}" does is not known here`]);
  }
}

/** Why it is uncertain whether a rule matches, in words. */
export function reasonsOf(because: readonly Reason[]): readonly string[] {
  return because.map(({ why }) => why);
}
