// The only place that imports fast-check, so that all properties play the same cases in every run.
import * as fc from "fast-check";
import { runs, SEED } from "./fuzzing.js";

fc.configureGlobal({ seed: SEED, numRuns: runs(100) });

/** Any code point, like fast-check's unit "binary", which first maps a million of them to their numbers. */
const codePoint = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((number) => String.fromCodePoint(number < 0xd800 ? number : number + 0x800), numberOf);

function numberOf(text: unknown): number {
  const point = typeof text === "string" ? text.codePointAt(0) : undefined;
  if (point === undefined || String.fromCodePoint(point) !== text || (point >= 0xd800 && point < 0xe000)) {
    throw new Error("not a code point");
  }
  return point < 0xd800 ? point : point - 0x800;
}

/** A text of any code points. */
export const anyText = (limits: { readonly minLength?: number; readonly maxLength?: number } = {}) =>
  fc.string({ ...limits, unit: codePoint });

export { fc };
export { runs } from "./fuzzing.js";
