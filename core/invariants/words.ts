import type { ZoneInput } from "../simulator/index.js";
import { plural } from "../model/words.js";
import { expiredWords } from "./applies.js";
import type { Exception, NamedInvariant } from "./invariant.js";
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
export function reasonLines({ invariant, zone, verdict, proof, exception }: ZoneVerdict): readonly string[] {
  if (proof.verdict === "proved") return [];
  const reasons =
    proof.verdict === "violated"
      ? [proof.text]
      : proof.open.map(({ why, decidedBy }) => `${why}. What would decide it: ${decidedBy}`);
  if (verdict === "excepted") return reasons;
  return [
    ...reasons,
    ...(exception === undefined ? byNameWords(invariant.except, zone.zone) : [expiredWords(exception)]),
  ];
}

const ID = /^[0-9a-f]{32}$/;

/** That exceptions name zones, where only the ID of this one is known. */
function byNameWords(except: readonly Exception[], { id, name }: ZoneInput): readonly string[] {
  const named = name === undefined ? except.filter(({ zone }) => !ID.test(zone)) : [];
  if (named.length === 0) return [];
  const which = id === undefined ? "the zone has" : `the zone ${id} has`;
  return [
    `no exception applies to it, because the name that ${which} is not known: ` +
      `${named.map(({ zone }) => zone).join(", ")} may mean it. Give its ID in \`except\`, or a token that may read it`,
  ];
}

/** The reasons with `*` for the zone: equal for zones in which the same request to each of them is the reason. */
function sharedReasonLines(one: ZoneVerdict): readonly string[] {
  const { name } = one.zone.zone;
  const lines = reasonLines(one);
  return name === undefined ? lines : lines.map((line) => line.replaceAll(name, "*"));
}

/** Verdicts for the same reason together, of which the first one's request is shown. */
export function groupVerdicts<T extends ZoneVerdict>(verdicts: readonly T[]): readonly (readonly T[])[] {
  const reasonOf = (one: T): string => {
    const { invariant, verdict, exception } = one;
    return JSON.stringify([
      invariant.name,
      verdict,
      sharedReasonLines(one),
      verdict === "excepted" ? exception : undefined,
    ]);
  };
  return Array.from(Map.groupBy(verdicts, reasonOf).values());
}

const SHOWN_ZONES = 5;

/** The zones of verdicts: `a.com, b.com and 3 more zones`. */
export function zonesWords(group: readonly ZoneVerdict[]): string {
  const names = group.map(({ zone }) => zone.label);
  const shown = names.slice(0, SHOWN_ZONES).join(", ");
  return names.length > SHOWN_ZONES ? `${shown} and ${plural(names.length - SHOWN_ZONES, "more zone")}` : shown;
}
