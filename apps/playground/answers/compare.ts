import { withKnownPhases } from "../../../tools/rules-files/check/runnable.js";
import { directionWords, headline, openQuestions } from "../../../tools/rules-files/diff/render.js";
import { rulesetsOf } from "../../../tools/rules-files/loaded.js";
import { judgeRulesets, type CompareVerdict, type RulesetsEdit } from "../../../core/analysis/index.js";
import type { RequestInput } from "../../../core/language/index.js";
import { FileError } from "../../../tools/rules-files/text/text-document.js";
import type { RulesetInput } from "../../../core/simulator/index.js";
import { failedBy, type Failed } from "./failed.js";
import { readRulesText } from "./rules-text.js";

/** What an edit does to requests. */
export interface CompareAnswer {
  readonly verdict: CompareVerdict;
  readonly headline: string;
  /** Requests that are treated differently. */
  readonly witnesses: readonly {
    /** `looser`, `stricter` or `changed`. */
    readonly direction: string;
    readonly text: string;
    readonly request: RequestInput;
  }[];
  /** What holds only for a moment, and what is not decided, a sentence each. */
  readonly notes: readonly string[];
}

/** Compares two versions like `rules diff`. */
export function compareTexts(
  { before, after }: { readonly before: string; readonly after: string },
  now: string,
): CompareAnswer | Failed {
  const versions: (readonly RulesetInput[])[] = [];
  for (const [name, text] of [
    ["before", before],
    ["after", after],
  ] as const) {
    try {
      versions.push(rulesetsOf({ ...withKnownPhases(readRulesText(text, name).loaded), label: name }));
    } catch (error) {
      const line = error instanceof FileError ? `, line ${String(error.place.line)}` : "";
      return { failure: `The version ${name} cannot be read${line}: ${failedBy(error).failure}` };
    }
  }
  const [old = [], changed = []] = versions;
  return judged({ before: old, after: changed, now: Date.parse(now) / 1000 });
}

function judged(edit: RulesetsEdit): CompareAnswer | Failed {
  try {
    const found = judgeRulesets(edit);
    return {
      verdict: found.verdict,
      headline: headline(found),
      witnesses: found.witnesses.map((witness) => ({
        direction: directionWords(witness),
        text: witness.text,
        request: witness.input,
      })),
      notes: openQuestions(found).map((text) => `not decided: ${text}`),
    };
  } catch (error) {
    return failedBy(error);
  }
}
