import type { RulesetInput } from "./ruleset-input.js";

const CREATED = " (known after `pulumi up`)";
const SECRET = " (secret)";
const NEW = " (new)";

/**
 * Stands for the ID of the zone or the account of one resource, where the ID is not known. That of another resource may be the
 * same or not.
 * @param resource differs from that of every other resource
 */
export function unknownPlace(resource: string, isSecret: boolean): string {
  return `of ${resource}${isSecret ? SECRET : CREATED}`;
}

/** Stands for the ID of a zone that the program creates, which its name tells apart from the others. */
export function newZonePlace(name: string): string {
  return `${name}${NEW}`;
}

/** Undefined for any other zone. */
export function nameOfNewZone(id: string | undefined): string | undefined {
  return id?.endsWith(NEW) === true ? id.slice(0, -NEW.length) : undefined;
}

/** Whether a zone or an account is one that does not exist yet, and may be the same as another one. */
export function isCreated(id: string | undefined): boolean {
  return id?.endsWith(CREATED) === true;
}

/** Whether the ID of a zone or an account is secret. */
export function isSecretPlace(id: string | undefined): boolean {
  return id?.endsWith(SECRET) === true;
}

/** Tells equal names apart: `waf`, `waf (2)`. */
export function numberNames(): (name: string) => string {
  const seen = new Map<string, number>();
  return (name) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name} (${String(count)})`;
  };
}

/** Rulesets for which neither zone nor account is given, each in a zone of its own of which nothing is known. */
export function inUnknownZones<R extends RulesetInput>(rulesets: readonly R[]): readonly R[] {
  const numbered = numberNames();
  return rulesets.map((ruleset) =>
    isUnplaced(ruleset) ? { ...ruleset, zoneId: unknownPlace(numbered(ruleset.name ?? ""), false) } : ruleset,
  );
}

/**
 * Rulesets without a place in zones of their own where they cannot all be of one zone: beside those of a zone, or with two entry
 * points of a phase.
 */
export function inUnknownZonesApart<R extends RulesetInput>(rulesets: readonly R[]): readonly R[] {
  const phases = rulesets.filter((one) => isUnplaced(one) && one.isPart !== true && one.kind === "zone");
  const isRepeated = new Set(phases.map(({ phase }) => phase)).size < phases.length;
  return isRepeated || rulesets.some(({ zoneId }) => zoneId !== undefined) ? inUnknownZones(rulesets) : rulesets;
}

function isUnplaced({ zoneId, accountId }: RulesetInput): boolean {
  return zoneId === undefined && accountId === undefined;
}

/**
 * Throws if rules may be of one zone or of several, so that what they do together is not known. A zone of which nothing is known may
 * be any of the others: a lookup may find it.
 * @param ids of the zones that have rules
 */
export function requireKnownZones(ids: ReadonlySet<string>): void {
  if (ids.size < 2) return;
  const doubtful = Array.from(ids).filter((id) => isSecretPlace(id) || isCreated(id));
  if (doubtful.length === 0) return;
  throw new TypeError(
    `which rules are of one zone is not known, because the IDs of zones are not: zone ${doubtful.join(", zone ")}. To continue: ` +
      "keep the IDs in the configuration, where they need not be secrets; for zones that are looked up, use mocks; for zones that are " +
      "created, do this once they exist",
  );
}
