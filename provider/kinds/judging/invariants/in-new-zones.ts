import { fails, type ZoneVerdict } from "../../../../invariants/judge.js";
import type { Warn } from "../../../engine/reporter.js";
import type { Session } from "../../../engine/session.js";
import { isUnknown } from "../../../model/unknown.js";
import { nameIn } from "../../../model/urn.js";
import { joinNames } from "../../../model/words.js";
import type { DeclaredRuleset } from "./declared.js";
import { judgeAll, type ZoneState } from "./judge.js";
import { combinations, splitParts, type Part, type PossibleZone } from "./new-zones.js";
import { verdictTexts, WHOLE } from "./words.js";

/** The most combinations that are judged, of one zone and of all. */
const MOST = 63;
const MOST_OF_ALL = 400;

type Judged = PossibleZone & ZoneState;
type Verdict = ZoneVerdict["verdict"];

interface DeclaredInNewZones {
  readonly parts: readonly Part[];
  /** All resources, in the order of their checks. */
  readonly declared: readonly DeclaredRuleset[];
  readonly warn: Warn;
}

/**
 * What zones violate that the program creates: they have no rules but those of their account and of the program. Where an ID tells
 * no zone, its rules may be in any of them: what a zone violates without them is a failure unless some of them mend it.
 */
export async function failuresInNewZones(
  session: Session,
  { parts, declared, warn }: DeclaredInNewZones,
): Promise<readonly string[]> {
  const { invariantsUnknown } = session;
  const { zones, others } = splitParts(parts);
  const unsure = parts.flatMap(({ zone, resources }) => (zone === undefined ? resources : []));
  if (unsure.length > 0) warn(notKnownText(unsure));
  const judge = (possible: readonly PossibleZone[]): Promise<readonly Judged[]> =>
    judgeAll(
      session,
      possible.map((one) => ({ ...one, resources: resourcesOf(one, declared) })),
    );
  const alone = (await judge(zones)).filter(({ verdicts }) => verdicts.length > 0);
  const { chosen, rest } = choose(alone, others);
  const judged = [...alone.filter((one) => !rest.includes(one)), ...(await judge(chosen))];
  const open = judged.map((one) => only(one, (each) => fails(each.verdict, false) && !isCertain(each, one, judged)));
  const texts =
    others.length === 0
      ? verdictTexts(open, "with the rules that the program declares")
      : open.flatMap((one) => verdictTexts([one], onlyWords(one, declared)));
  const withoutOthers = (verdict: Verdict): readonly string[] =>
    verdictTexts(
      rest.map((one) => only(one, (each) => each.verdict === verdict)),
      `without the rules of ${namesOf(resourcesIn(others))}`,
    );
  for (const text of [...texts, ...withoutOthers("unknown")]) warn(`${text}\n  \`pulumi up\` judges it`);
  const certain = alone.map((one) => only(one, (each) => !rest.includes(one) && isCertain(each, one, judged)));
  const violated = withoutOthers("violated");
  if (rest.length > 0) warn(tooManyText(rest, others));
  if (invariantsUnknown === "warn") violated.forEach(warn);
  return [...verdictTexts(certain, WHOLE), ...(invariantsUnknown === "warn" ? [] : violated)];
}

/** The combinations to judge, those that may mend a zone first; and the zones for which there are too many. */
function choose(
  alone: readonly Judged[],
  others: readonly Part[],
): { readonly chosen: readonly PossibleZone[]; readonly rest: readonly Judged[] } {
  const chosen: PossibleZone[] = [];
  const rest: Judged[] = [];
  for (const one of alone.toSorted((a, b) => Number(isViolated(b)) - Number(isViolated(a)))) {
    const found = combinations(one, others, Math.min(MOST, MOST_OF_ALL - chosen.length));
    if (found === undefined) rest.push(one);
    else chosen.push(...found);
  }
  return { chosen, rest };
}

function isViolated({ verdicts }: ZoneState): boolean {
  return verdicts.some(({ verdict }) => verdict === "violated");
}

/** Everything that is declared for what may be a zone, in the order of the checks: rules of a shared list are in that order. */
function resourcesOf(zone: PossibleZone, declared: readonly DeclaredRuleset[]): readonly DeclaredRuleset[] {
  const own = new Set(resourcesIn(zone.parts));
  return declared.filter((one) => own.has(one) || !isUnknown(one.desired.target.scope.id));
}

function resourcesIn(parts: readonly Part[]): readonly DeclaredRuleset[] {
  return parts.flatMap(({ resources }) => resources);
}

function only(one: Judged, isMeant: (verdict: ZoneVerdict) => boolean): Judged {
  return { ...one, verdicts: one.verdicts.filter(isMeant) };
}

/** Whether a new zone violates an invariant with whatever else may be in it. */
function isCertain({ invariant, verdict }: ZoneVerdict, { id }: PossibleZone, all: readonly Judged[]): boolean {
  const violatesIt = ({ verdicts }: Judged): boolean =>
    verdicts.some((one) => one.invariant === invariant && one.verdict === "violated");
  return verdict === "violated" && all.every((one) => one.id !== id || violatesIt(one));
}

function onlyWords({ parts }: PossibleZone, declared: readonly DeclaredRuleset[]): string {
  const own = new Set(resourcesIn(parts));
  const names = namesOf(declared.filter((one) => own.has(one)));
  return `if a new zone has only the rules of ${names}, which the program does not tell`;
}

function notKnownText(resources: readonly DeclaredRuleset[]): string {
  return (
    `invariants are not judged for the rules of ${namesOf(resources)}, because the ID of the zone is not known yet, and the zone may ` +
    "exist, with other rules; `pulumi up` judges them"
  );
}

function tooManyText(zones: readonly Judged[], others: readonly Part[]): string {
  return (
    `invariants are judged in ${zonesIn(zones)} without the rules of ${namesOf(resourcesIn(others))}: these may be in any zone that the ` +
    "program creates, and there are too many possibilities. To continue: pass the `id` of the zone's resource as `zoneId`"
  );
}

function zonesIn(zones: readonly Judged[]): string {
  const names = new Set(zones.flatMap(({ verdicts }) => verdicts.map(({ zone }) => zone.label)));
  return joinNames([...names]);
}

function namesOf(resources: readonly DeclaredRuleset[]): string {
  return joinNames(resources.map(({ desired: { urn = "" } }) => nameIn(urn)));
}
