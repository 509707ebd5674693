import { parseExpression } from "../../language/index.js";
import { usesOf } from "../../language/uses.js";
import { listNamed, type ListInput } from "../../simulator/lists.js";
import { quotedRuleName } from "../../simulator/names.js";
import type { RuleInput } from "../../simulator/ruleset-input.js";
import { readAddresses } from "../formula/known-lists.js";
import { without, type Intervals } from "../values/intervals.js";
import type { ListsEdit } from "./rule-change.js";

/** What a change of lists does to rules that are in both versions: `"Attackers": 12 addresses more are blocked`. */
export function listChangeWords(rules: readonly RuleInput[], { before, after }: ListsEdit): readonly string[] {
  return rules.flatMap((rule) => {
    const parsed = rule.enabled === false ? undefined : parseExpression(rule.expression ?? "");
    if (parsed === undefined || "fault" in parsed) return [];
    const { expression } = parsed;
    const isAlone = expression.kind === "filter" && expression.condition.kind === "comparison";
    return Array.from(usesOf(expression).lists).flatMap((name) => {
      const [old, fresh] = [listNamed(before, name), listNamed(after, name)];
      const words = old === undefined || fresh === undefined ? undefined : changeWords(old, fresh);
      if (words === undefined) return [];
      const effect = isAlone ? EFFECTS[rule.action] : undefined;
      return [`${quotedRuleName(rule, "a rule")}: ${words} ${effect ?? `in $${name}`}`];
    });
  });
}

const EFFECTS: Readonly<Partial<Record<string, string>>> = {
  block: "are blocked",
  challenge: "are challenged",
  js_challenge: "are challenged",
  managed_challenge: "are challenged",
  skip: "skip rules",
  log: "are logged",
};

function changeWords(before: ListInput, after: ListInput): string | undefined {
  const [more, fewer] = [countWords(after, before), countWords(before, after)];
  if (more === undefined && fewer === undefined) return undefined;
  return [...(more === undefined ? [] : [`${more} more`]), ...(fewer === undefined ? [] : [`${fewer} fewer`])].join(
    " and ",
  );
}

const NOUNS = { ip: "address", hostname: "hostname", asn: "network", redirect: "redirect" } as const;

/** What one version of a list contains and the other does not; undefined if there is nothing. */
function countWords(one: ListInput, other: ListInput): string | undefined {
  if (one.kind === "ip" && other.kind === "ip") return addressWords(without(readAddresses(one), readAddresses(other)));
  const known = new Set(other.items.map((item) => JSON.stringify(item)));
  const count = one.items.filter((item) => !known.has(JSON.stringify(item))).length;
  return count === 0 ? undefined : plural(BigInt(count), NOUNS[one.kind]);
}

/** Larger ranges are counted as one: nobody reads the number of addresses in an IPv6 network. */
const MOST = 2n ** 32n;

function addressWords(addresses: Intervals): string | undefined {
  const sizes = addresses.map(([first, last]) => last - first + 1n);
  const single = sizes.filter((size) => size <= MOST).reduce((sum, size) => sum + size, 0n);
  const ranges = sizes.filter((size) => size > MOST).length;
  const parts = [
    ...(single === 0n ? [] : [plural(single, "address")]),
    ...(ranges === 0 ? [] : [plural(BigInt(ranges), "range")]),
  ];
  return parts.length === 0 ? undefined : parts.join(" and ");
}

function plural(count: bigint, noun: string): string {
  const digits = String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
  return `${digits} ${noun}${count === 1n ? "" : noun.endsWith("s") ? "es" : "s"}`;
}
