import type { Plan, RequestInput } from "../../../core/language/index.js";
import { checkText, type CheckAnswer } from "./check.js";
import { compareTexts, type CompareAnswer } from "./compare.js";
import { tryRequest, type TryAnswer } from "./try.js";
import type { Failed } from "./failed.js";

/** What the page asks about rules. It sends texts, and gets what it shows. */
export type Question =
  | { readonly kind: "check"; readonly rules: string; readonly plan?: Plan }
  | {
      readonly kind: "try";
      readonly rules: string;
      readonly plan?: Plan;
      readonly request: RequestInput;
      /** Status of the origin's response. Without it, response phases do not run. */
      readonly response?: number;
      /** How many times in a row the request is sent. */
      readonly times?: number;
    }
  | { readonly kind: "compare"; readonly before: string; readonly after: string };

/** The answer to each kind of question. */
export interface Answers {
  readonly check: CheckAnswer;
  readonly try: TryAnswer | Failed;
  readonly compare: CompareAnswer | Failed;
}

/** @param now RFC 3339, UTC: rules can have an end */
export function ask(question: Question, now: string): Answers[Question["kind"]] {
  switch (question.kind) {
    case "check":
      return checkText(question, now);
    case "try":
      return tryRequest(question, now);
    case "compare":
      return compareTexts(question, now);
  }
}
