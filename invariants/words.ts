import { expiredWords } from "./applies.js";
import type { NamedInvariant } from "./invariant.js";
import type { ZoneVerdict } from "./judge.js";

const WORDS = {
  "be-stopped": "be blocked, challenged or limited",
  block: "be blocked",
  challenge: "be challenged",
  "be-allowed": "be allowed",
  "be-limited": "be subject to a rate limit",
  "be-logged": "be logged",
  "not-be-skipped": "match no skip rule",
} as const;

/** What an invariant says: `requests with starts_with(…) must be blocked`. */
export function invariantWords({ requests, must }: NamedInvariant): string {
  const subject = requests.trim() === "true" ? "all requests" : `requests with ${requests}`;
  return `${subject} must ${requirementWords(must)}`;
}

function requirementWords(must: NamedInvariant["must"]): string {
  switch (must.kind) {
    case "reach-managed-rules":
      return must.ruleset === undefined ? "reach managed rules" : `reach the managed ruleset ${must.ruleset}`;
    case "redirect": {
      const to = must.to === undefined ? "" : ` to ${must.to}`;
      return `be redirected${to}${must.status === undefined ? "" : ` with status ${String(must.status)}`}`;
    }
    default:
      return WORDS[must.kind];
  }
}

/** A verdict after "is": `violated`, `not proved`. */
export function verdictWords(verdict: ZoneVerdict["verdict"]): string {
  return verdict === "unknown" ? "not proved" : verdict;
}

/** Why an invariant is not proved, a line for each reason, of which a violation's first is its request; none if it is proved. */
export function reasonLines({ verdict, proof, exception }: ZoneVerdict): readonly string[] {
  if (proof.verdict === "proved") return [];
  const reasons =
    proof.verdict === "violated"
      ? [proof.text]
      : proof.open.map(({ why, decidedBy }) => `${why}. What would decide it: ${decidedBy}`);
  return verdict === "excepted" || exception === undefined ? reasons : [...reasons, expiredWords(exception)];
}

/** The same with `*` for the zone: equal for zones in which the same request to each of them is the reason. */
function sharedReasonLines(one: ZoneVerdict): readonly string[] {
  const { name } = one.zone.zone;
  const lines = reasonLines(one);
  return name === undefined ? lines : lines.map((line) => line.replaceAll(name, "*"));
}

/** Verdicts for the same reason together, of which the first one's request is shown. */
export function groupVerdicts<T extends ZoneVerdict>(verdicts: readonly T[]): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>();
  for (const one of verdicts) {
    const { invariant, verdict, exception } = one;
    const key = JSON.stringify([
      invariant.name,
      verdict,
      sharedReasonLines(one),
      verdict === "excepted" ? exception : undefined,
    ]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return Array.from(groups.values());
}

const SHOWN_ZONES = 5;

/** The zones of verdicts: `a.com, b.com and 3 more zones`. */
export function zonesWords(group: readonly ZoneVerdict[]): string {
  const names = group.map(({ zone }) => zone.label);
  const shown = names.slice(0, SHOWN_ZONES).join(", ");
  return names.length > SHOWN_ZONES ? `${shown} and ${String(names.length - SHOWN_ZONES)} more zones` : shown;
}
