import type { ListInput, RulesetInput, ZoneInput } from "../simulator/index.js";

/**
 * Texts that are equal for zones in which every invariant has the same verdict: the rules, without the IDs and names that each
 * zone has of its own.
 */
export class Signatures {
  /** Zones of an account share its lists, which may be long. */
  private readonly lists = new Map<ListInput, number>();

  /** @param requests the filters of the invariants */
  constructor(private readonly requests: readonly string[]) {}

  of(rulesets: readonly RulesetInput[], zone: ZoneInput): string {
    const own = ownIds(rulesets);
    const meanings = rulesets.map((ruleset) => this.meaningOf(ruleset));
    const text = JSON.stringify(meanings, (_, value: unknown) =>
      typeof value === "string" ? (own.get(value) ?? value) : value,
    );
    const readsZone = [text, ...this.requests].some((one) => one.includes("cf.zone."));
    return JSON.stringify([text, zone.urlNormalization, readsZone ? [zone.name, zone.plan] : []]);
  }

  private meaningOf({ zoneId: _, owner: __, name: ___, accountId, lists = {}, ...ruleset }: RulesetInput): object {
    const numbered = Object.entries(lists).map(([name, list]) => [name, this.numberOf(list)]);
    return { ...ruleset, lists: numbered, level: accountId === undefined ? "zone" : "account" };
  }

  private numberOf(list: ListInput): number {
    const number = this.lists.get(list) ?? this.lists.size;
    this.lists.set(list, number);
    return number;
  }
}

/** What stands for each ID, so that references to rulesets and rules stay told apart. */
function ownIds(rulesets: readonly RulesetInput[]): ReadonlyMap<string, string> {
  const ids = rulesets.flatMap(({ id, rules }, index) => [
    [id, `#${String(index)}`] as const,
    ...rules.map((rule, position) => [rule.id, `#${String(index)}.${String(position)}`] as const),
  ]);
  return new Map(ids.flatMap(([id, mark]) => (id === undefined ? [] : [[id, mark] as const])));
}
