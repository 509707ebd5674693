import type { Requirement } from "../analysis/index.js";
import { checkExpression, isError, normalForm } from "../language/index.js";
import type { RuleInput, RulesetInput } from "../simulator/index.js";
import type { NamedInvariant } from "./invariant.js";
import { judgeZones, type JudgedZone, type ZoneVerdict } from "./judge.js";
import { invariantWords } from "./words.js";

/** An invariant that nearly all zones have, although nobody has written it down. */
export interface Suggestion {
  readonly invariant: NamedInvariant;
  /** The number of zones in which it is proved. */
  readonly proved: number;
  /** Where it is violated, or not decided. */
  readonly broken: readonly ZoneVerdict[];
}

interface SuggestInput {
  readonly zones: readonly JudgedZone[];
  readonly now: Date;
  /** Rules that nothing is made of, such as those with secrets. */
  readonly isLeftOut?: (rule: RuleInput) => boolean;
}

/** The share of the zones in which an invariant has to be proved. */
const NEARLY_ALL = 0.8;

/** The maximum number of invariants that are tried: those of the most zones first. */
const MOST = 60;

/**
 * Proposes what holds in nearly all zones: what their rules stop, limit and redirect, and which managed rulesets see everything.
 * Those that few zones break come first: such a zone is probably a mistake.
 */
export function suggestInvariants({ zones, now, isLeftOut = () => false }: SuggestInput): readonly Suggestion[] {
  const invariants = candidatesOf(zones, isLeftOut);
  const { verdicts } = judgeZones({ invariants, zones, now, isWhole: false });
  const found = invariants.flatMap((invariant): Suggestion[] => {
    const own = verdicts.filter((one) => one.invariant === invariant);
    const proved = own.filter(({ proof }) => proof.verdict === "proved" && proof.isVacuous !== true);
    const broken = own.filter(({ proof }) => proof.verdict !== "proved");
    const isNearlyAll = proved.length >= NEARLY_ALL * own.length && proved.length > broken.length;
    return isNearlyAll ? [{ invariant, proved: proved.length, broken }] : [];
  });
  return found.toSorted((a, b) => rank(a) - rank(b));
}

/** Invariants that a few zones break, then those that hold everywhere. */
function rank({ broken }: Suggestion): number {
  return broken.length === 0 ? Infinity : broken.length;
}

/** An invariant that a rule of some zones suggests, and what its rules are called there. */
interface Candidate {
  readonly requests: string;
  readonly must: Requirement;
  readonly zones: Set<JudgedZone>;
  readonly names: Map<string, number>;
}

function candidatesOf(
  zones: readonly JudgedZone[],
  isLeftOut: (rule: RuleInput) => boolean,
): readonly NamedInvariant[] {
  const candidates = new Map<string, Candidate>();
  for (const zone of zones) {
    for (const ruleset of zone.rulesets) {
      for (const rule of ruleset.rules) {
        if (isLeftOut(rule) || rule.enabled === false) continue;
        for (const wanted of wantedBy(rule, ruleset)) add(candidates, wanted, rule, zone);
      }
    }
  }
  const least = zones.length < 2 ? 1 : 2;
  const frequent = Array.from(candidates.values()).filter((one) => one.zones.size >= least);
  const names = new Set<string>();
  return frequent
    .toSorted((a, b) => b.zones.size - a.zones.size)
    .slice(0, MOST)
    .map((candidate) => named(candidate, names));
}

type Wanted = Pick<Candidate, "requests" | "must">;

/** What a rule says about all requests that it matches. */
function wantedBy({ action, expression, ratelimit, actionParameters }: RuleInput, { phase }: RulesetInput): Wanted[] {
  const requests = expression === undefined ? undefined : normalForm(expression);
  if (requests === undefined || !isAboutRequests(requests)) return [];
  const wants = (must: Requirement): Wanted[] => [{ requests, must }];
  if (ratelimit !== undefined) return action === "log" ? [] : wants({ kind: "be-limited" });
  if (action === "block" || action.endsWith("challenge")) return wants({ kind: "be-stopped" });
  if (action === "redirect" && phase === "http_request_dynamic_redirect") return wants({ kind: "redirect" });
  if (action === "log") return wants({ kind: "be-logged" });
  if (action !== "execute" || phase !== "http_request_firewall_managed") return [];
  const id = actionParameters !== undefined && "id" in actionParameters ? actionParameters.id : undefined;
  if (typeof id !== "string") return [];
  return [{ requests: "true", must: { kind: "reach-managed-rules", ruleset: id } }];
}

function isAboutRequests(text: string): boolean {
  const options = { slot: "filter", strict: true, phase: "http_request_firewall_custom" } as const;
  return !checkExpression(text, options).some(isError);
}

function add(candidates: Map<string, Candidate>, { requests, must }: Wanted, rule: RuleInput, zone: JudgedZone): void {
  const key = JSON.stringify([requests, must]);
  const known = candidates.get(key) ?? { requests, must, zones: new Set(), names: new Map<string, number>() };
  candidates.set(key, known);
  known.zones.add(zone);
  const { description = "" } = rule;
  if (description !== "") known.names.set(description, (known.names.get(description) ?? 0) + 1);
}

/** Named by the most frequent description of its rules. */
function named({ requests, must, names }: Candidate, taken: Set<string>): NamedInvariant {
  const invariant = { name: "", zones: {}, requests, must, except: [] };
  const [[described] = []] = Array.from(names).toSorted(([, a], [, b]) => b - a);
  const words = described ?? invariantWords(invariant);
  let name = words;
  for (let number = 2; taken.has(name); number += 1) name = `${words} (${String(number)})`;
  taken.add(name);
  return { ...invariant, name };
}
