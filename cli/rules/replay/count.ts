import { byRank, rankOf } from "../../../analysis/index.js";
import { drawOfRequest } from "../../../language/shares.js";
import { simulate, type Limits, type Program, type RulePlace, type Simulation } from "../../../simulator/index.js";
import { reasonText, requestWith, type Defaults } from "./defaults.js";
import type { RecordedRequest } from "./request-log.js";

export interface Programs {
  readonly before: Program;
  readonly after: Program;
}

/** A change in the outcome of requests, with the number of requests and some examples. */
export interface Transition {
  readonly from: string;
  readonly to: string;
  readonly direction: "stricter" | "looser" | "other";
  count: number;
  readonly examples: string[];
}

/** The number of requests per outcome: `blocked by "name"`, or the outcome alone. */
export type Tally = Map<string, number>;

const MOST_EXAMPLES = 3;

/** Runs recorded requests through both versions in their original order, so that rate limits count as they would have. */
export class Replay {
  readonly before: Tally = new Map();
  readonly after: Tally = new Map();
  readonly transitions = new Map<string, Transition>();
  /** Why outcomes are unknown, with the number of requests. */
  readonly reasons: Tally = new Map();
  requests = 0;
  /** Lines without a readable request. */
  unread = 0;
  private limits: { before?: Limits; after?: Limits } = {};

  constructor(
    private readonly programs: Programs,
    private readonly options: { readonly zone: string | undefined; readonly defaults: Defaults },
  ) {}

  add(recorded: RecordedRequest | undefined): void {
    if (recorded === undefined) {
      this.unread += 1;
      return;
    }
    const { request: input, at } = recorded;
    const shown = `${input.method ?? "GET"} ${String(input.url)}${input.ip === undefined ? "" : ` from ${input.ip}`}`;
    try {
      const { zone, defaults } = this.options;
      // The log does not say which requests a share of them contains, so the share is spread evenly over the log.
      const request = requestWith(defaults, { draw: drawOfRequest(this.requests), ...input });
      const [old, fresh] = (["before", "after"] as const).map((version) => {
        const clock = at === undefined ? undefined : at * 1000;
        const seen = simulate({
          program: this.programs[version],
          request,
          zone,
          limits: this.limits[version],
          clock,
        });
        this.limits = { ...this.limits, [version]: seen.limits };
        return seen;
      });
      if (old === undefined || fresh === undefined) return;
      this.requests += 1;
      this.note(old, fresh, shown);
    } catch (error) {
      // An invalid URL or address.
      if (!(error instanceof TypeError)) throw error;
      this.unread += 1;
    }
  }

  private note(old: Simulation, fresh: Simulation, shown: string): void {
    const [from, to] = [describeOutcome(old), describeOutcome(fresh)];
    add(this.before, from);
    add(this.after, to);
    const because = [old, fresh].flatMap(({ outcomeWithoutManaged: outcome, undecided }) =>
      outcome === "unknown" ? undecided.flatMap((one) => one.because) : [],
    );
    for (const reason of new Set(because.map(reasonText))) add(this.reasons, reason);
    if (from === to) return;
    const key = `${from} → ${to}`;
    const known = this.transitions.get(key) ?? { from, to, direction: directionOf(old, fresh), count: 0, examples: [] };
    known.count += 1;
    if (known.examples.length < MOST_EXAMPLES) known.examples.push(shown);
    this.transitions.set(key, known);
  }
}

function add(tally: Tally, name: string): void {
  tally.set(name, (tally.get(name) ?? 0) + 1);
}

/** `blocked by "name"`, or the outcome alone. */
export function describeOutcome(simulation: Simulation): string {
  const by = decider(simulation);
  const { outcomeWithoutManaged: outcome } = simulation;
  return by === undefined ? outcome : `${outcome} by ${by.name}`;
}

/** The rule that decides. */
function decider({ outcomeWithoutManaged: outcome, rule, trace }: Simulation): RulePlace | undefined {
  if (outcome === "allowed" || outcome === "unknown") return undefined;
  return rule ?? trace.findLast(({ status }) => status === "matched");
}

/** Whether an edit treats a request more or less firmly. */
export function directionOf(old: Simulation, fresh: Simulation): Transition["direction"] {
  const [from, to] = [old, fresh].map((one) => rankOf(one.outcomeWithoutManaged, decider(one)?.action));
  return from === undefined || to === undefined ? "other" : byRank(from, to);
}
