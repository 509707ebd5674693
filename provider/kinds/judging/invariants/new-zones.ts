import { textsOfNewZones } from "../../../engine/metadata.js";
import { newZoneIn, type NewZone } from "../../../engine/new-zones.js";
import type { Session } from "../../../engine/session.js";
import { isUnknown } from "../../../model/unknown.js";
import type { DeclaredRuleset } from "./declared.js";

/** What the program declares together for a zone that it creates. */
export interface PossibleZone {
  /** Missing if nothing tells which it is. */
  readonly zone: NewZone | undefined;
  readonly resources: readonly DeclaredRuleset[];
  /** What it consists of: each part is of one zone for certain, and its zone may be without the others. */
  readonly parts: readonly Part[];
}

interface Part {
  readonly zone: NewZone | undefined;
  readonly resources: readonly DeclaredRuleset[];
}

/** The most combinations that are judged. */
const MOST = 64;

/**
 * The zones that there may be. Resources that name their zone are in one each; any of the others may be in the zone of any, except that
 * a zone has one list of rules for a phase. Equal ones count once. Undefined if there are too many.
 * @param declared by URN
 */
export function possibleZones(
  session: Session,
  declared: ReadonlyMap<string, DeclaredRuleset>,
): readonly PossibleZone[] | undefined {
  const texts = session.part(textsOfNewZones);
  const created = [...declared].filter(([, { desired }]) => isUnknown(desired.target.scope.id));
  const placed = created.map(([urn, resource]) => ({ urn, resource, zone: newZoneIn(texts.get(urn)) }));
  const byZone = Map.groupBy(placed, ({ urn, zone }) => zone?.urn ?? `of ${urn}`);
  const parts = Array.from(byZone.values(), (group): Part => ({
    zone: group[0]?.zone,
    resources: group.map(({ resource }) => resource),
  }));
  const named = parts.filter(({ zone }) => zone !== undefined);
  const others = distinct(parts.filter(({ zone }) => zone === undefined));
  let found: readonly Part[][] = [[], ...named.map((part) => [part])];
  for (const part of others) {
    found = [...found, ...found.flatMap((zone) => (isFree(zone, part) ? [[...zone, part]] : []))];
    if (found.length > MOST + named.length) return undefined;
  }
  return found.flatMap((zone) =>
    zone.length === 0
      ? []
      : [{ zone: zone[0]?.zone, parts: zone, resources: zone.flatMap(({ resources }) => resources) }],
  );
}

/** Whether a part may be in a zone: nothing else there is the list of rules of the same phase. */
function isFree(zone: readonly Part[], part: Part): boolean {
  const taken = new Set(zone.flatMap(entrypointsIn));
  return entrypointsIn(part).every((phase) => !taken.has(phase));
}

function entrypointsIn({ resources }: Part): readonly string[] {
  return resources.flatMap(({ desired: { target, policy } }) =>
    target.entrypoint && policy.ownership !== "shared" ? [target.phase] : [],
  );
}

function distinct(parts: readonly Part[]): readonly Part[] {
  const byText = new Map(parts.map((part, index) => [textOfPart(part) ?? String(index), part]));
  return [...byText.values()];
}

/** Equal for resources that do the same in any zone; undefined while their rules are not known. */
function textOfPart({ resources }: Part): string | undefined {
  if (resources.some(({ desired: { rules } }) => rules === undefined)) return undefined;
  return JSON.stringify(
    resources.map(({ desired: { target, policy, rules, name, positions } }) => [
      target,
      policy,
      rules,
      name,
      [...positions],
    ]),
  );
}
