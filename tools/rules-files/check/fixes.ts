import { isWithin } from "../../../core/analysis/index.js";
import {
  checkExpression,
  isError,
  parseExpression,
  type CheckOptions,
  type Finding,
  type Span,
} from "../../../core/language/index.js";
import { sameMeaning } from "../../../core/language/normalise/index.js";

/** An expression, and a part of it that a finding is about. */
export interface FixedPart {
  readonly text: string;
  readonly part: Span;
  readonly options: CheckOptions;
}

/** Limit for one proof, in single steps: below a tenth of a second. */
const STEPS = 300_000;

/** What a fix that can be made without asking can be made with: any others, or none that is `alone` too in its expression. */
export type Safety = "alone" | "with others";

/**
 * Whether a fix can be made without asking. What the service refuses can only have meant what the finding says; anything else has to
 * be proved to match the same requests as before. Such a proof is about the expression as it is: of two conditions of which either adds
 * nothing, only one can go.
 */
export function safetyOf({ text, part, options }: FixedPart, { code, instead, mayApply }: Finding): Safety | undefined {
  if (instead === undefined || mayApply !== true) return undefined;
  const fixed = text.slice(0, part.start) + instead + text.slice(part.end);
  const end = part.start + instead.length;
  const kind = options.slot === "value" ? "value" : "filter";
  const [before, after] = [parseExpression(text, kind), parseExpression(fixed, kind)];
  if ("fault" in before) return !("fault" in after) || after.fault.offset >= end ? "with others" : undefined;
  if ("fault" in after) return undefined;
  const [was = [], is = []] = [text, fixed].map((one) => checkExpression(one, options).filter(isError));
  if (was.length > 0)
    return is.length < was.length || is.every(({ offset }) => offset >= end) ? "with others" : undefined;
  if (kind === "value") return code === "deprecated" ? "with others" : undefined;
  if (sameMeaning(text, fixed)) return "with others";
  if (!isProvedSame(text, fixed, options)) return undefined;
  return code === "deprecated" ? "with others" : "alone";
}

function isProvedSame(a: string, b: string, { phase = "http_request_firewall_custom" }: CheckOptions): boolean {
  return isWithin(a, b, phase, STEPS) && isWithin(b, a, phase, STEPS);
}
