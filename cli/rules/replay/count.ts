import type { ProgramVersions } from "../../../simulator/index.js";
import { Recorded, type MakeOptions } from "./recorded.js";
import type { LogRecord, RecordedRequest } from "./request-log.js";
import { addTo, hasRoomFor, keptExamples, ReplayResult, type Example } from "./result.js";
import { Treatments, type Treatment } from "./treatments.js";

export interface ReplayOptions extends MakeOptions {
  readonly zone: string | undefined;
}

/** The requests with a treatment since results were taken the last time. */
interface Counted {
  count: number;
  examples: readonly Example[];
}

/** Runs recorded requests through both versions in their original order, so that rate limits count as they would have. */
export class Replay {
  private result = new ReplayResult();
  private counted = new Map<Treatment, Counted>();
  private readonly treatments: Treatments;

  constructor(
    programs: ProgramVersions,
    private readonly options: ReplayOptions,
  ) {
    this.treatments = new Treatments(programs, options.zone, options.defaults);
  }

  /** Counts a line of a log, or another recorded request; undefined stands for a line that has none. */
  add(found: LogRecord | RecordedRequest | undefined, file: string, line: number): void {
    const { result } = this;
    if (found === undefined) {
      result.addUnread({ file, line });
      return;
    }
    const one = new Recorded(found, this.options);
    try {
      this.count(one, this.treatments.of(one));
    } catch (error) {
      // An invalid URL or address.
      if (!(error instanceof TypeError)) throw error;
      result.addUnread({ file, line });
    }
  }

  /** What has been counted since the last time. */
  take(): ReplayResult {
    const { result, counted } = this;
    for (const [{ from, to, direction, reasons }, { count, examples }] of counted) {
      result.requests += count;
      addTo(result.before, from, count);
      addTo(result.after, to, count);
      for (const reason of reasons) addTo(result.reasons, reason, count);
      if (from !== to) result.addChange({ from, to, direction, count, examples });
    }
    this.result = new ReplayResult();
    this.counted = new Map();
    return result;
  }

  private count(one: Recorded, treatment: Treatment): void {
    const known = this.counted.get(treatment);
    const counted = known ?? { count: 0, examples: [] };
    if (known === undefined) this.counted.set(treatment, counted);
    counted.count += 1;
    if (treatment.from === treatment.to || !hasRoomFor(one.place, counted.examples)) return;
    const { method = "GET", url, ip } = one.recorded.request;
    const example = {
      place: one.place,
      request: `${method} ${String(url)}`,
      client: ip === undefined ? "" : ` from ${ip}`,
    };
    counted.examples = keptExamples([...counted.examples, example]);
  }
}
