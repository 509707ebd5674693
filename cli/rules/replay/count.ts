import { describeOutcome, directionOf } from "../../../provider/traffic/outcome.js";
import { simulate, type Limits, type ProgramVersions, type Simulation } from "../../../simulator/index.js";
import { reasonText, requestWith, type Defaults } from "./defaults.js";
import { placeOf } from "./identity.js";
import type { RecordedRequest } from "./request-log.js";
import { addTo, ReplayResult, type UnreadLine } from "./result.js";

export interface ReplayOptions {
  readonly zone: string | undefined;
  readonly defaults: Defaults;
  /** Whether any rule is about a share of the requests. */
  readonly draws: boolean;
}

/** Runs recorded requests through both versions in their original order, so that rate limits count as they would have. */
export class Replay {
  private result = new ReplayResult();
  private limits: { before?: Limits; after?: Limits } = {};

  constructor(
    private readonly programs: ProgramVersions,
    private readonly options: ReplayOptions,
  ) {}

  add(recorded: RecordedRequest | undefined, at: UnreadLine): void {
    if (recorded === undefined) {
      this.result.addUnread(at);
      return;
    }
    try {
      const { before, after } = this.run(recorded);
      this.result.requests += 1;
      this.note(before, after, recorded);
    } catch (error) {
      // An invalid URL or address.
      if (!(error instanceof TypeError)) throw error;
      this.result.addUnread(at);
    }
  }

  /** What has been counted since the last time. */
  take(): ReplayResult {
    const { result } = this;
    this.result = new ReplayResult();
    return result;
  }

  private run(recorded: RecordedRequest): { readonly before: Simulation; readonly after: Simulation } {
    const { zone, defaults } = this.options;
    // The log does not say which requests a share of them contains.
    const draw = this.options.draws ? placeOf(recorded) : undefined;
    const request = requestWith(defaults, draw === undefined ? recorded.request : { ...recorded.request, draw });
    const clock = recorded.at === undefined ? undefined : recorded.at * 1000;
    const run = (version: keyof ProgramVersions): Simulation =>
      simulate({ program: this.programs[version], request, zone, limits: this.limits[version], clock, trace: false });
    const [before, after] = [run("before"), run("after")];
    this.limits = { before: before.limits, after: after.limits };
    return { before, after };
  }

  private note(old: Simulation, fresh: Simulation, recorded: RecordedRequest): void {
    const { result } = this;
    const [from, to] = [describeOutcome(old), describeOutcome(fresh)];
    addTo(result.before, from);
    addTo(result.after, to);
    const because = [old, fresh].flatMap(({ outcomeWithoutManaged: outcome, undecided }) =>
      outcome === "unknown" ? undecided.flatMap((one) => one.because) : [],
    );
    for (const reason of new Set(because.map(reasonText))) addTo(result.reasons, reason);
    if (from === to) return;
    const { method = "GET", url, ip } = recorded.request;
    const example = {
      place: placeOf(recorded),
      request: `${method} ${String(url)}`,
      client: ip === undefined ? "" : ` from ${ip}`,
    };
    result.addChange({ from, to, direction: directionOf(old, fresh), count: 1, examples: [example] });
  }
}
