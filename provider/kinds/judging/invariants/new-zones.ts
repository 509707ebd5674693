import { textsOfNewZones } from "../../../engine/metadata.js";
import { newZoneIn, type NewZone } from "../../../engine/new-zones.js";
import { ZONE, type StackResource } from "../../../engine/predecessors.js";
import type { Session } from "../../../engine/session.js";
import { isUnknown } from "../../../model/unknown.js";
import type { DeclaredRuleset } from "./declared.js";

/** What the program declares together for a zone that it creates. */
export interface PossibleZone {
  readonly id: NewZone;
  /** What it consists of: the first part is of this zone for certain, and the zone may be without the others. */
  readonly parts: readonly Part[];
}

export interface Part {
  /** Missing if nothing tells which it is, or whether it exists. */
  readonly zone?: NewZone;
  readonly resources: readonly DeclaredRuleset[];
}

/**
 * What the program declares for zones whose IDs are not known yet, by zone. One that has a name and is not in the stack is new;
 * any other one may exist, with rules that the program does not tell.
 * @param declared by URN
 * @param stack undefined if it could not be read
 */
export function partsOfZones(
  session: Session,
  declared: ReadonlyMap<string, DeclaredRuleset>,
  stack: readonly StackResource[] | undefined,
): readonly Part[] {
  const texts = session.part(textsOfNewZones);
  const existing = new Set(stack?.flatMap(({ type, state }) => (type === ZONE ? [state.__urn] : [])));
  const isNew = ({ urn, name }: NewZone): boolean => stack !== undefined && name !== undefined && !existing.has(urn);
  const placed = [...declared].flatMap(([urn, resource]) => {
    const { level, id } = resource.desired.target.scope;
    if (level !== "zones" || !isUnknown(id)) return [];
    const zone = newZoneIn(texts.get(urn));
    return [{ resource, zone, of: zone?.urn ?? `of ${urn}` }];
  });
  return Array.from(Map.groupBy(placed, ({ of }) => of).values(), (group): Part => {
    const resources = group.map(({ resource }) => resource);
    const zone = group[0]?.zone;
    return zone !== undefined && isNew(zone) ? { zone, resources } : { resources };
  });
}

/** The new zones with the parts that name them, and the parts that may be in any of these. Of equal ones, one counts. */
export function splitParts(parts: readonly Part[]): {
  readonly zones: readonly PossibleZone[];
  readonly others: readonly Part[];
} {
  return {
    zones: parts.flatMap((part) => (part.zone === undefined ? [] : [{ id: part.zone, parts: [part] }])),
    others: distinct(parts.filter(({ zone }) => zone === undefined)),
  };
}

/**
 * What a new zone may be with other parts: any of them may be in it, except that a zone has one list of rules for a phase.
 * @param most undefined if there are more
 */
export function combinations(
  zone: PossibleZone,
  others: readonly Part[],
  most: number,
): readonly PossibleZone[] | undefined {
  const { id } = zone;
  let found: readonly PossibleZone[] = [{ id, parts: zone.parts }];
  for (const other of others) {
    found = [
      ...found,
      ...found.flatMap(({ parts }) => (isFree(parts, other) ? [{ id, parts: [...parts, other] }] : [])),
    ];
    if (found.length > most + 1) return undefined;
  }
  return found.slice(1);
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
