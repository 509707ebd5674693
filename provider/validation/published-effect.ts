import type { Certainty, CompareVerdict, Weakens } from "../../analysis/compare/result.js";
import { isObject, parseJson, textOf, textsIn, type Json } from "../model/json.js";

/*
 * What a change of lists does to requests through rules that stay as they are. The rules are not among the steps of
 * `pulumi preview --json`, so the preview says it in a message, as it does with plans, and whoever summarizes previews reads it.
 */

/** Something that could not be judged, so that a gate does not pass. */
export interface NotJudged {
  /** `rule "Secret"`, or what else it is about. */
  readonly what: string;
  readonly why: string;
  readonly decidedBy: string;
}

export interface PublishedEffect {
  readonly verdict: CompareVerdict;
  readonly weakens: Weakens;
  readonly looser: Certainty;
  readonly stricter: Certainty;
  /** After a subject such as `the change`. Missing if nothing is known. */
  readonly words?: string;
  /** What changes, rule by rule, and example requests. */
  readonly lines: readonly string[];
  readonly notJudged: readonly NotJudged[];
}

/** An effect through the lists that change. */
export interface ListEffect {
  readonly lists: readonly string[];
  readonly effect: PublishedEffect;
}

const CHANGE = "this change ";

/** What a change of rules does to requests, as a preview says it. Whoever summarizes previews judges the change and shows the same. */
export function effectText(words: string, lines: readonly string[] = []): string {
  const head = `${CHANGE}${words}`;
  return lines.length === 0 ? head : [`${head}:`, ...lines.map((line) => `  ${line}`)].join("\n");
}

/** Whether a message says something about a change as a whole, such as what it does to requests. */
export function isAboutChange(message: string): boolean {
  return message.startsWith(CHANGE);
}

const START = "plan: through $";

/** `plan: through $office, $partners: {…}`. */
export function listEffectText({ lists, effect }: ListEffect): string {
  return `${START}${lists.join(", $")}: ${JSON.stringify(effect)}`;
}

const VERDICTS: readonly CompareVerdict[] = ["equivalent", "looser", "stricter", "both", "unknown"];
const WEAKENS: readonly Weakens[] = ["no", "yes", "unknown"];
const CERTAINTIES: readonly Certainty[] = ["shown", "momentary", "ruledOut", "undecided"];

/** What such a message says. Undefined for any other one. */
export function parseListEffect(message: string): ListEffect | undefined {
  const [, names = "", text = ""] = /^plan: through \$([\w, $]+): (\{.*\})$/s.exec(message) ?? [];
  const value = parseJson(text);
  if (names === "" || !isObject(value)) return undefined;
  const words = textOf(value.words);
  const open = Array.isArray(value.notJudged) ? (value.notJudged as readonly Json[]).filter(isObject) : [];
  return {
    lists: names.split(", $"),
    effect: {
      // What another version calls otherwise is not known.
      verdict: oneOf(VERDICTS, value.verdict) ?? "unknown",
      weakens: oneOf(WEAKENS, value.weakens) ?? "unknown",
      looser: oneOf(CERTAINTIES, value.looser) ?? "undecided",
      stricter: oneOf(CERTAINTIES, value.stricter) ?? "undecided",
      ...(words === "" ? {} : { words }),
      lines: textsIn(value.lines),
      notJudged: open.map(({ what, why, decidedBy }) => ({
        what: textOf(what),
        why: textOf(why),
        decidedBy: textOf(decidedBy),
      })),
    },
  };
}

function oneOf<T extends string>(known: readonly T[], value: unknown): T | undefined {
  return known.find((one) => one === value);
}
