import type { HttpRequest } from "../../../language/index.js";
import { requestWith, type Defaults } from "./defaults.js";
import { placeOf, placeOfText } from "./identity.js";
import { recordedRequest, type LogRecord, type RecordedRequest } from "./request-log.js";

/** How recorded requests are made. */
export interface MakeOptions {
  readonly defaults: Defaults;
  /** Whether any rule is about a share of the requests. */
  readonly draws: boolean;
}

/** A recorded request, made when it is needed: of most lines of a log, it never is. */
export class Recorded {
  private made: HttpRequest | undefined;
  private read: RecordedRequest | undefined;

  constructor(
    readonly found: LogRecord | RecordedRequest,
    private readonly options: MakeOptions,
  ) {}

  /** The line of a log that it is from. */
  get record(): LogRecord | undefined {
    return "request" in this.found ? undefined : this.found;
  }

  /** As it was recorded. */
  get recorded(): RecordedRequest {
    return (this.read ??= "request" in this.found ? this.found : recordedRequest(this.found));
  }

  /** @throws TypeError if there is no such request */
  get request(): HttpRequest {
    if (this.made !== undefined) return this.made;
    const { recorded } = this;
    const { defaults, draws } = this.options;
    // The log does not say which requests a share of them contains.
    const input = draws ? { ...recorded.request, draw: this.place } : recorded.request;
    return (this.made = requestWith(defaults, input));
  }

  /** A number from 0 to below 1 that is as good as random. */
  get place(): number {
    // A line with an ID is not made a whole request for it.
    const { id } = this.found;
    return id === undefined ? placeOf(this.recorded) : placeOfText(id);
  }
}
