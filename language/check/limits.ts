import type { Judge } from "./judge.js";

/** The service takes that many characters. */
export const MAX_LENGTH = 4096;
/** The vendor's dashboard stops there. */
const DASHBOARD_LENGTH = 4000;
/** The vendor's engine stops there by default. What the service is set to is not public. */
const ENGINE_NESTING = 128;

export function judgeLength(text: string, judge: Judge): void {
  const trimmed = text.trim();
  if (trimmed.length <= DASHBOARD_LENGTH) return;
  const length = countCharacters(trimmed);
  const whole = { start: 0, end: text.length };
  const has = `the expression has ${String(length)} characters`;
  if (length > MAX_LENGTH) judge.error("length", whole, `${has}; the service allows at most ${String(MAX_LENGTH)}`);
  else if (length > DASHBOARD_LENGTH) {
    judge.warn(
      "length",
      whole,
      `${has}; the dashboard allows ${String(DASHBOARD_LENGTH)}, the API ${String(MAX_LENGTH)}`,
    );
  }
}

function countCharacters(text: string): number {
  let count = 0;
  for (const _character of text) count += 1;
  return count;
}

export function judgeNesting(levels: number, judge: Judge): void {
  if (levels <= ENGINE_NESTING) return;
  const has = `parentheses, negations and calls are nested ${String(levels)} levels deep`;
  judge.warn(
    "nesting",
    { start: 0, end: judge.text.length },
    `${has}; the service may allow only ${String(ENGINE_NESTING)}`,
  );
}
