import type { Certainty, CompareVerdict, Weakens } from "../../core/analysis/compare/result.js";
import { textOf } from "../../core/model/json.js";

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

const START = "plan: the change of ";
const NOT_JUDGED = "not judged: ";

/**
 * `plan: the change of $office, $partners makes these rules looser (protection is weakened: yes; looser: shown; stricter: ruledOut)`,
 * then what it does, line by line.
 */
export function listEffectText({ lists, effect }: ListEffect): string {
  const { verdict, weakens, looser, stricter, words, lines, notJudged } = effect;
  const head =
    `${START}$${lists.join(", $")} ${VERDICT_WORDS[verdict]} ` +
    `(protection is weakened: ${weakens}; looser: ${looser}; stricter: ${stricter})`;
  return [
    head,
    ...(words === undefined ? [] : [`  ${CHANGE}${words}`]),
    ...lines.map((line) => `  ${line}`),
    ...notJudged.map(({ what, why, decidedBy }) => `  ${NOT_JUDGED}${what}, because ${why}; decided by ${decidedBy}`),
  ].join("\n");
}

const VERDICT_WORDS: Readonly<Record<CompareVerdict, string>> = {
  equivalent: "changes nothing that these rules do",
  looser: "makes these rules looser",
  stricter: "makes these rules stricter",
  both: "makes these rules looser for some requests and stricter for others",
  unknown: "has an unknown effect on these rules",
};
const VERDICTS: readonly CompareVerdict[] = ["equivalent", "looser", "stricter", "both", "unknown"];
const WEAKENS: readonly Weakens[] = ["no", "yes", "unknown"];
const CERTAINTIES: readonly Certainty[] = ["shown", "momentary", "ruledOut", "undecided"];

const HEAD =
  /^plan: the change of \$([\w, $]+?) ((?:changes|makes|has) [a-z ]+) \(protection is weakened: (\w+); looser: (\w+); stricter: (\w+)\)$/;

/** What such a message says. Undefined for any other one. */
export function parseListEffect(message: string): ListEffect | undefined {
  const [head = "", ...rest] = message.split("\n");
  const [, names = "", verdict, weakens, looser, stricter] = HEAD.exec(head) ?? [];
  if (names === "") return undefined;
  const said = rest.map((line) => line.replace(/^ {2}/, ""));
  const isWords = said[0]?.startsWith(CHANGE) === true;
  const lines = isWords ? said.slice(1) : said;
  return {
    lists: names.split(", $"),
    effect: {
      // What another version calls otherwise is not known.
      verdict: VERDICTS.find((one) => VERDICT_WORDS[one] === verdict) ?? "unknown",
      weakens: oneOf(WEAKENS, weakens) ?? "unknown",
      looser: oneOf(CERTAINTIES, looser) ?? "undecided",
      stricter: oneOf(CERTAINTIES, stricter) ?? "undecided",
      ...(isWords ? { words: textOf(said[0]).slice(CHANGE.length) } : {}),
      lines: lines.filter((line) => !line.startsWith(NOT_JUDGED)),
      notJudged: lines.filter((line) => line.startsWith(NOT_JUDGED)).map(notJudgedIn),
    },
  };
}

function notJudgedIn(line: string): NotJudged {
  const [, what = line.slice(NOT_JUDGED.length), why = "", decidedBy = ""] =
    /^not judged: (.*?), because (.*); decided by (.*)$/s.exec(line) ?? [];
  return { what, why, decidedBy };
}

function oneOf<T extends string>(known: readonly T[], value: unknown): T | undefined {
  return known.find((one) => one === value);
}
