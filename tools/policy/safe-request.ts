/** What example requests always have. */
const ORDINARY = /^(?:https?|www\.example\.com|GET|POST|from|203\.0\.113\.\d+|)$/;

/**
 * A request as text without anything that comes from a rule. A policy does not know which values of rules are secrets, so only
 * what the invariant itself says is shown, and what every example request has.
 * @param known the filter of the invariant
 */
export function safeRequest(text: string, known: string): string {
  return text
    .split(/([/\s?&=;:,()]+)/)
    .map((part, index) => (index % 2 === 1 || ORDINARY.test(part) || known.includes(part) ? part : "…"))
    .join("");
}
