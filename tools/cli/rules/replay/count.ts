import type { ProgramVersions } from "../../../../core/simulator/index.js";
import { nameOf, readRecording } from "./read.js";
import { placeOf, requestOf, type MakeOptions } from "./recorded.js";
import type { RecordedRequest } from "./request-log.js";
import { addTo, hasRoomFor, keptExamples, ReplayResult, type Example } from "./result.js";
import { Treatments, type Treatment } from "./treatments.js";

export interface ReplayOptions extends MakeOptions {
  readonly zone: string | undefined;
}

/** The requests with a treatment. */
interface Counted {
  count: number;
  examples: readonly Example[];
}

/** Judges all requests of files in their order, so that rate limits count as they would have. What it keeps does not grow with them. */
export async function judgeFiles(
  files: readonly string[],
  programs: ProgramVersions,
  options: ReplayOptions,
): Promise<ReplayResult> {
  const replay = new Replay(programs, options);
  for (const file of files) await replay.read(file);
  return replay.finish();
}

class Replay {
  private readonly result = new ReplayResult();
  private readonly counted = new Map<Treatment, Counted>();
  private readonly treatments: Treatments;

  constructor(
    programs: ProgramVersions,
    private readonly options: ReplayOptions,
  ) {
    this.treatments = new Treatments(programs, options.zone);
  }

  async read(file: string): Promise<void> {
    const why = await readRecording(file, (...line) => this.add(...line));
    if (why !== undefined) this.result.unreadFiles.push({ file: nameOf(file), why });
  }

  finish(): ReplayResult {
    const { result, counted } = this;
    for (const [{ from, to, direction, mayBeLooser, reasons }, { count, examples }] of counted) {
      result.requests += count;
      addTo(result.before, from, count);
      addTo(result.after, to, count);
      if (mayBeLooser) result.undecided += count;
      for (const reason of reasons) addTo(result.reasons, reason, count);
      if (from !== to) result.addChange({ from, to, direction, count, examples });
    }
    return result;
  }

  /** Counts a line of a log, and returns whether it has a request. */
  private add(found: RecordedRequest | undefined, file: string, line: number): boolean {
    const isRequest = found !== undefined && this.judge(found);
    if (!isRequest) this.result.addUnread({ file, line });
    return isRequest;
  }

  private judge(one: RecordedRequest): boolean {
    try {
      this.count(one, this.treatments.of(requestOf(one, this.options), one.at));
      return true;
    } catch (error) {
      // An invalid URL or address.
      if (error instanceof TypeError) return false;
      throw error;
    }
  }

  private count(one: RecordedRequest, treatment: Treatment): void {
    const known = this.counted.get(treatment);
    const counted = known ?? { count: 0, examples: [] };
    if (known === undefined) this.counted.set(treatment, counted);
    counted.count += 1;
    if (treatment.from === treatment.to) return;
    const place = placeOf(one);
    if (!hasRoomFor(place, counted.examples)) return;
    const { method = "GET", url, ip } = one.request;
    const example = {
      place,
      request: `${method} ${String(url)}`,
      client: ip === undefined ? "" : ` from ${ip}`,
    };
    counted.examples = keptExamples([...counted.examples, example]);
  }
}
