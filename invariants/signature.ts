import type { RulesetInput, ZoneInput } from "../simulator/index.js";

/**
 * A text that is equal for zones in which every invariant has the same verdict: the rules, without the IDs and names that each
 * zone has of its own.
 */
export function signatureOf(rulesets: readonly RulesetInput[], zone: ZoneInput, requests: readonly string[]): string {
  const own = ownIds(rulesets);
  const text = JSON.stringify(rulesets.map(meaningOf), (_, value: unknown) =>
    typeof value === "string" ? (own.get(value) ?? value) : value,
  );
  const readsZone = [text, ...requests].some((one) => one.includes("cf.zone."));
  return JSON.stringify([text, zone.urlNormalization, readsZone ? [zone.name, zone.plan] : []]);
}

/** What stands for each ID, so that references to rulesets and rules stay told apart. */
function ownIds(rulesets: readonly RulesetInput[]): ReadonlyMap<string, string> {
  const ids = rulesets.flatMap(({ id, rules }, index) => [
    [id, `#${String(index)}`] as const,
    ...rules.map((rule, position) => [rule.id, `#${String(index)}.${String(position)}`] as const),
  ]);
  return new Map(ids.flatMap(([id, mark]) => (id === undefined ? [] : [[id, mark] as const])));
}

function meaningOf({ zoneId: _, owner: __, name: ___, accountId, ...ruleset }: RulesetInput): object {
  return { ...ruleset, level: accountId === undefined ? "zone" : "account" };
}
