import type { IpAddress } from "../ip.js";
import type { Bytes, Evaluated } from "../value.js";
import type { Header, RecordedHeaders } from "./headers.js";
import type { Target } from "./target.js";

/** The parts of a request. */
export interface RequestParts {
  readonly method: Bytes;
  /** As rules see it, with rewrites applied. */
  readonly target: Target;
  readonly headers: readonly Header[];
  /** What else is known of the headers if only some of them were recorded. */
  readonly recorded?: RecordedHeaders;
  /** As the client sent it. */
  readonly original: {
    readonly target: Target;
    readonly headers: readonly Header[];
    readonly recorded?: RecordedHeaders;
  };
  /** `HTTP/1.1`, `HTTP/2` … */
  readonly version?: Bytes;
  readonly ip?: IpAddress;
  readonly country?: Bytes;
  readonly continent?: Bytes;
  readonly asn?: number;
  readonly botScore?: number;
  readonly verifiedBot?: boolean;
  readonly threatScore: number;
  /** Undefined if it is not known. */
  readonly body?: Bytes;
  readonly bodySize?: number;
  /** Seconds since 1970. */
  readonly timestamp?: number;
  /** Where the random seed lies among all seeds: from 0 to below 1. */
  readonly draw?: number;
  readonly response?: ResponseParts;
  /** Fields given by name. They take precedence. */
  readonly fields: ReadonlyMap<string, Evaluated>;
}

/** What response phases see in addition to the request. */
export interface ResponseParts {
  readonly status: number;
  readonly headers: readonly Header[];
}
