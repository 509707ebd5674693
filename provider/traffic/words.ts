import { formatDuration, formatNumber, plural } from "../model/words.js";
import { estimate, estimateWords, type Estimate } from "./estimate.js";
import type { ReadRequests } from "./read.js";
import type { AnalyticsChange, AnalyticsReplay, Counted } from "./replay.js";

/** What was read and replayed for one resource. */
interface ReplayedEdit {
  readonly read: Pick<ReadRequests, "all" | "notes">;
  readonly replay: AnalyticsReplay;
  readonly seconds: number;
  /** The names of rules that were left out on both sides. */
  readonly leftOut: readonly string[];
  /** The number of requests that were made for it; 0 if another resource's had already read them. */
  readonly queries: number;
}

/** What an edit would have done to the requests of a zone, for a preview. */
export function replayText({ read, replay, seconds, leftOut, queries }: ReplayedEdit): string {
  const { requests, unread, changes, unknown } = replay;
  const all = estimate(read.all);
  const none = changes.length === 0 ? ": none would have had another outcome" : ":";
  return [
    `replayed ${numberWords(requests)} requests of the last ${periodWords(seconds)} through the rules of this resource alone${none}`,
    ...changes.map(changeLine),
    ...unknown.map((one) => `unknown for ${numberWords(one.requests)}, because ${one.name}`),
    ...(requests.count < all.count ? [`of ${numberWords(all)} requests in all; nothing is said about the others`] : []),
    ...(unread.count === 0 ? [] : [`${numberWords(unread)} requests could not be read`]),
    ...leftOut.map((name) => `left out: rule ${name}, because a value of it is a secret, or not known yet`),
    ...read.notes,
    ...(queries === 0 ? [] : [`read with ${plural(queries, "request")} to the service's analytics`]),
  ].join("\n  ");
}

function changeLine({ from, to, direction, requests, countries, paths }: AnalyticsChange): string {
  const how = direction === "other" ? "" : ` (${direction})`;
  return `${from} → ${to}: ${numberWords(requests)}${how}; countries: ${countedWords(countries)}; paths: ${countedWords(paths)}`;
}

/** `de 1,200, fr 300`. */
export function countedWords(counted: readonly Counted[]): string {
  return counted.map(({ name, requests }) => `${name} ${numberWords(requests)}`).join(", ");
}

/** A number of requests, exact or estimated. */
export function numberWords(number: Estimate): string {
  return estimateWords(number, formatNumber);
}

const DAY = 86_400;

/** `7 days`, `90 minutes`. */
export function periodWords(seconds: number): string {
  return seconds % DAY === 0 ? plural(seconds / DAY, "day") : formatDuration(seconds * 1000);
}
