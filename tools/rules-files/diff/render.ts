import {
  effectWords,
  type Comparison,
  type CompareVerdict,
  type CompareWitness,
} from "../../../core/analysis/index.js";

const VERDICTS: Readonly<Record<Exclude<CompareVerdict, "unknown">, string>> = {
  equivalent: "Equivalent: no request is treated differently. This is proved for all requests.",
  stricter: "Stricter: some requests that got through are now stopped; nothing newly allowed.",
  looser: "Looser: some requests that were stopped now get through; nothing newly blocked.",
  both: "Both: the edit changes what happens to requests in more than one direction.",
};

/** The verdict and its witnesses, one line each, what is not decided, and what to know about the rules. */
export function renderDiff(found: Comparison, notes: readonly string[] = []): string {
  return [
    headline(found),
    ...found.witnesses.map((witness) => `  ${directionWords(witness)}: ${witness.text}`),
    ...openQuestions(found).map((text) => `  not decided: ${text}`),
    ...notes.map((note) => `Note: ${note}`),
  ].join("\n");
}

/** What is not decided, a line each. */
export function openQuestions({ undecided }: Comparison): readonly string[] {
  return undecided
    .filter(({ isByOrder }) => isByOrder !== true)
    .map(({ rule, direction, why, decidedBy }) => {
      const decides = decidedBy === undefined ? "" : `. What would decide it: ${decidedBy}`;
      return `whether ${rule} makes it ${DIRECTIONS[direction]}: ${why}${decides}`;
    });
}

/** `looser`, `changed`, or what a request shows besides. */
export function directionWords({ direction, also }: CompareWitness): string {
  return direction === "other"
    ? "changed"
    : also === undefined
      ? direction
      : `${direction}, and ${also} in another way`;
}

const DIRECTIONS = { looser: "looser", stricter: "stricter", other: "different in another way" } as const;

/** The verdict in a sentence. */
export function headline(found: Comparison): string {
  const words = effectWords(found);
  if (isByOrder(found) && words !== undefined) {
    const only = found.looser === "shown" ? "Looser" : "Stricter";
    return `${only}, by the numbers of its rate limits: the edit ${words}.`;
  }
  if (found.verdict !== "unknown") return VERDICTS[found.verdict];
  const open = (["looser", "stricter"] as const).filter((direction) => found[direction] === "undecided");
  const rest = open.length === 0 ? "whether it does more" : `whether it is ${open.join(" or ")}`;
  return `Unknown: ${words === undefined ? "" : `the edit ${words}; `}${rest} could not be determined for all requests.`;
}

/** Whether nothing but the moments at which rate limits count anew keeps an edit from having one direction. */
function isByOrder({ undecided }: Comparison): boolean {
  const isMomentary = undecided.some((one) => one.isByOrder);
  return isMomentary && undecided.every((one) => one.direction === "other" || one.isByOrder === true);
}

/** The same as plain data; a witness is given as the input that its request is built from. */
export function toJsonValue({ verdict, looser, stricter, witnesses, undecided }: Comparison): object {
  const shown = witnesses.map(({ input, zone, before, after, direction, also, text }) => {
    return { request: input, zone, before, after, direction, also, text };
  });
  return { verdict, looser, stricter, witnesses: shown, undecided };
}
