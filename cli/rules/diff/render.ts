import type { Comparison, CompareVerdict } from "../../../analysis/index.js";

const VERDICTS: Readonly<Record<CompareVerdict, string>> = {
  equivalent: "Equivalent: no request is treated differently. This is proved for all requests.",
  stricter: "Stricter: some requests that got through are now stopped, and none the other way around.",
  looser: "Looser: some requests that were stopped now get through, and none the other way around.",
  both: "Both: the edit changes what happens to requests in more than one direction.",
  unknown: "Unknown: what the edit does to all requests could not be determined.",
};

/** The verdict and its witnesses, one line each. */
export function renderDiff({ verdict, witnesses, undecided }: Comparison): string {
  return [
    VERDICTS[verdict],
    ...witnesses.map(({ text, direction }) => `  ${direction === "other" ? "changed" : direction}: ${text}`),
    ...undecided.slice(0, 10).map(({ rule, direction, why }) => `  not decided: whether ${rule} makes it ${direction}: ${why}`),
  ].join("\n");
}

/** The same as plain data; a witness is given as the input that its request is built from. */
export function toJsonValue({ verdict, witnesses, undecided }: Comparison): object {
  const shown = witnesses.map(({ input, zone, before, after, direction, text }) => {
    return { request: input, zone, before, after, direction, text };
  });
  return { verdict, witnesses: shown, undecided };
}
