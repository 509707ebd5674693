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

/**
 * The rulesets of a program. Each of them has a zone or an account; what a lookup would answer for it is not known without the engine,
 * so it may be any zone.
 */
export function placed(rulesets: readonly RulesetInput[]): readonly RulesetInput[] {
  return rulesets.map((ruleset, index) => {
    const { name = "", zoneId, accountId } = ruleset;
    if (zoneId !== undefined || accountId !== undefined) return ruleset;
    const isSecond = rulesets.findIndex((one) => one.name === ruleset.name) < index;
    return { ...ruleset, zoneId: unknownPlace(isSecond ? `${name} (${String(index + 1)})` : name, false) };
  });
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

/**
 * Throws if rules may be of one zone or of several, so that what they do together is not known.
 * @param ids of the zones that have rules
 * @param zone the one whose rules are asked for
 */
export function requireKnownZones(ids: ReadonlySet<string>, zone?: string): void {
  if (ids.size < 2) return;
  const created = Array.from(ids).filter(isCreated);
  // One of which nothing is known may be any that the program creates.
  const isNew = (id: string): boolean => isCreated(id) || nameOfNewZone(id) !== undefined;
  const mayBeOne = created.length > 0 && Array.from(ids).filter(isNew).length > 1;
  const isOther = mayBeOne && (zone === undefined || isNew(zone));
  const doubtful = [...Array.from(ids).filter(isSecretPlace), ...(isOther ? created : [])];
  if (doubtful.length === 0) return;
  throw new TypeError(
    `which rules are of one zone is not known, because the IDs of zones are not: zone ${doubtful.join(", zone ")}. To continue: ` +
      "keep the IDs in the configuration, where they need not be secrets; for zones that are created, do this once they exist",
  );
}
