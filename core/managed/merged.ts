import type { LockedRule } from "./lock.js";

type Named = Pick<LockedRule, "id" | "name">;

/**
 * The rule that a rule which has left its managed ruleset was merged into, judged by its name; undefined if none has it. Cloudflare
 * tests a change of a rule as another one with "beta" in its name, and then merges it into the original rule
 * (https://developers.cloudflare.com/waf/change-log/, https://developers.cloudflare.com/ddos-protection/change-log/). The beta may
 * have had one more part in its name, such as `- Body`.
 */
export function mergedInto<T extends Named>(gone: Named, now: readonly T[]): T | undefined {
  const named = (name: string): T | undefined =>
    name === "" ? undefined : now.find((rule) => folded(rule.name) === folded(name));
  const same = named(gone.name);
  if (same !== undefined || !BETA.test(gone.name)) return same;
  const original = originalName(gone.name);
  const shorter = original.replace(/ - [^-]*$/, "");
  // The first part alone, such as `XSS`, is the name of a family.
  return named(original) ?? named(shorter.includes(" - ") ? shorter : "");
}

const BETA = /\bbeta\b/i;

/** `XSS - HTML Injection - Beta`, `… Beta` and `… (beta)` without the last word. */
function originalName(name: string): string {
  return name.replace(/[\s(-]*\bbeta\b[\s)]*/i, "").trim();
}

function folded(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim();
}
