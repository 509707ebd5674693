import { formatNumber } from "../../../../core/model/words.js";
import { estimateWords, type Estimate } from "./estimate.js";
import type { Counted } from "./replay.js";

/** `de 1,200, fr 300`. */
export function countedWords(counted: readonly Counted[]): string {
  return counted.map(({ name, requests }) => `${name} ${numberWords(requests)}`).join(", ");
}

/** A number of requests, exact or estimated. */
export function numberWords(number: Estimate): string {
  return estimateWords(number, formatNumber);
}
