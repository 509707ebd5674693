import { countCharacters, expressionLength } from "../length.js";
import type { FindingCollector } from "./finding-collector.js";

/** The maximum length that the service accepts, as it counts characters. */
export const MAX_LENGTH = 4096;
/** The limit of the Cloudflare dashboard. */
const DASHBOARD_LENGTH = 4000;
/** The default limit of Cloudflare's engine. The service's setting is not public. */
const ENGINE_NESTING = 128;

export function checkLength(text: string, collector: FindingCollector): void {
  const trimmed = text.trim();
  if (trimmed.length <= DASHBOARD_LENGTH) return;
  const whole = { start: 0, end: text.length };
  const typed = countCharacters(trimmed);
  const length = expressionLength(trimmed);
  if (length > MAX_LENGTH) {
    const how = length < typed ? ", with each run of white space counted as one" : "";
    const has = `the expression has ${String(length)} characters${how}`;
    collector.error("length", whole, `${has}; the service allows at most ${String(MAX_LENGTH)}`);
  } else if (typed > DASHBOARD_LENGTH) {
    const has = `the expression has ${String(typed)} characters`;
    collector.warn(
      "length",
      whole,
      `${has}; the dashboard allows ${String(DASHBOARD_LENGTH)}, the API ${String(MAX_LENGTH)}`,
    );
  }
}

export function checkNesting(levels: number, collector: FindingCollector): void {
  if (levels <= ENGINE_NESTING) return;
  const has = `parentheses, negations and calls are nested ${String(levels)} levels deep`;
  collector.warn(
    "nesting",
    { start: 0, end: collector.text.length },
    `${has}; the service may allow only ${String(ENGINE_NESTING)}`,
  );
}
