import { toBytes } from "../language/bytes.js";
import { quote } from "../language/print/literals.js";
import { PLAN_VALUES, type ZoneInput } from "../simulator/input.js";
import type { AnalysedRuleset } from "./program/rule.js";

/** The zones that rulesets belong to; undefined stands for an unspecified zone. */
export function zoneIds(...versions: readonly (readonly AnalysedRuleset[])[]): readonly (string | undefined)[] {
  const zones = new Set(versions.flatMap((rulesets) => rulesets.flatMap(({ zoneId }) => zoneId ?? [])));
  return zones.size === 0 ? [undefined] : Array.from(zones);
}

/** The rulesets that requests of one zone meet. */
export function rulesetsOfZone(
  rulesets: readonly AnalysedRuleset[],
  zone: string | undefined,
): readonly AnalysedRuleset[] {
  return rulesets.filter(({ zoneId }) => zone === undefined || zoneId === undefined || zoneId === zone);
}

/** Whether a host is the zone itself or below it. Other hosts reach a zone as custom hostnames only. */
export function isHostOf(zoneName: string, host: string): boolean {
  const [name, text] = [zoneName.toLowerCase(), host.toLowerCase()];
  return text === name || text.endsWith(`.${name}`);
}

/** A filter for requests to the zone itself or a host below it. */
export function hostsOfZone(zoneName: string): string {
  const name = zoneName.toLowerCase();
  const [own, below] = [quote(toBytes(name)), quote(toBytes(`.${name}`))];
  return `(http.host eq ${own} or ends_with(http.host, ${below}))`;
}

/** What is known about all requests of a zone, as filters. */
export function factsOfZone({ name, plan }: Pick<ZoneInput, "name" | "plan">): readonly string[] {
  const known = [
    ...(name === undefined ? [] : [["cf.zone.name", name] as const]),
    ...(plan === undefined ? [] : [["cf.zone.plan", PLAN_VALUES[plan]] as const]),
  ];
  return known.map(([field, value]) => `${field} eq ${quote(toBytes(value))}`);
}
