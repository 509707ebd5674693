import { readNumber, readText } from "./read-property.js";
import type { RulesetInput } from "./ruleset-input.js";

interface AnyRule {
  readonly ref?: string;
  readonly id?: string;
}
interface AnyRuleset<R> extends Pick<RulesetInput, "kind" | "id" | "phase" | "zoneId" | "accountId"> {
  readonly rules: readonly R[];
}

/**
 * Puts the parts of a ruleset together that a program declares in several resources: in their order, and single rules where they
 * ask to be.
 * @param inputs what the rulesets were compiled from
 */
export function withPartsTogether<R extends AnyRule, S extends AnyRuleset<R>>(
  rulesets: readonly S[],
  inputs: readonly RulesetInput[],
): readonly S[] {
  const together = new Map<string, S>();
  rulesets.forEach((ruleset, index) => {
    const { isPart = false, position } = inputs[index] ?? {};
    const key = isPart ? placeOf(ruleset) : String(index);
    const known = together.get(key);
    together.set(
      key,
      known === undefined ? ruleset : { ...known, rules: placed(known.rules, ruleset.rules, position) },
    );
  });
  return Array.from(together.values());
}

function placeOf({ kind, id, phase, zoneId, accountId }: AnyRuleset<unknown>): string {
  return JSON.stringify([kind, kind === "custom" ? id : undefined, phase, zoneId, accountId]);
}

function placed<R extends AnyRule>(rules: readonly R[], more: readonly R[], position: object = {}): readonly R[] {
  const at = Math.min(Math.max(indexFor(rules, position), 0), rules.length);
  return [...rules.slice(0, at), ...more, ...rules.slice(at)];
}

/** Where a position is; the end, unless it names a place among the rules that are known. */
function indexFor(rules: readonly AnyRule[], position: object): number {
  const [before, after] = [readText(position, "before"), readText(position, "after")];
  const index = readNumber(position, "index");
  if (index !== undefined) return index - 1;
  if (before === "") return 0;
  const found = rules.findIndex(({ ref, id }) => [ref, id].includes(before ?? after));
  return found < 0 ? rules.length : before === undefined ? found + 1 : found;
}
