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
