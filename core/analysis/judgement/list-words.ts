import { parseExpression } from "../../language/index.js";
import { usesOf } from "../../language/uses.js";
import { listNamed, type ListInput } from "../../simulator/lists.js";
import { quotedRuleName } from "../../simulator/names.js";
import type { RuleInput } from "../../simulator/ruleset-input.js";
import { readAddresses } from "../formula/known-lists.js";
import { without, type Intervals } from "../values/intervals.js";
import type { ListsEdit } from "./rule-change.js";

/** What a change of lists does to rules that are in both versions: `"Attackers": 12 more addresses are blocked`. */
export function listChangeWords(rules: readonly RuleInput[], { before, after }: ListsEdit): readonly string[] {
  return rules.flatMap((rule) => {
    const parsed = rule.enabled === false ? undefined : parseExpression(rule.expression ?? "");
    if (parsed === undefined || "fault" in parsed) return [];
    const { expression } = parsed;
    const isAlone = expression.kind === "filter" && expression.condition.kind === "comparison";
    return Array.from(usesOf(expression).lists).flatMap((name) => {
      const [old, fresh] = [listNamed(before, name), listNamed(after, name)];
      const counts = old === undefined || fresh === undefined ? [] : countsOf(old, fresh);
      if (counts.length === 0) return [];
      const effect = isAlone
        ? EFFECTS[rule.action]?.[counts.length === 1 && counts[0]?.isOne === true ? 0 : 1]
        : undefined;
      const words = counts.map(({ text }) => text).join(" and ");
      return [`${quotedRuleName(rule, "a rule")}: ${words} ${effect ?? `in $${name}`}`];
    });
  });
}

/** What happens to one, and to several. */
const EFFECTS: Readonly<Partial<Record<string, readonly [one: string, several: string]>>> = {
  block: ["is blocked", "are blocked"],
  challenge: ["is challenged", "are challenged"],
  js_challenge: ["is challenged", "are challenged"],
  managed_challenge: ["is challenged", "are challenged"],
  skip: ["skips rules", "skip rules"],
  log: ["is logged", "are logged"],
};

/** `12 more addresses`. */
interface Count {
  readonly text: string;
  readonly isOne: boolean;
}

function countsOf(before: ListInput, after: ListInput): readonly Count[] {
  return [...difference(after, before, "more"), ...difference(before, after, "fewer")];
}

const NOUNS = { ip: "address", hostname: "hostname", asn: "network", redirect: "redirect" } as const;

/** What one version of a list contains and the other does not. */
function difference(one: ListInput, other: ListInput, which: string): readonly Count[] {
  if (one.kind === "ip" && other.kind === "ip")
    return addressCounts(without(readAddresses(one), readAddresses(other)), which);
  const known = new Set(other.items.map((item) => JSON.stringify(item)));
  const number = one.items.filter((item) => !known.has(JSON.stringify(item))).length;
  return counted(BigInt(number), which, NOUNS[one.kind]);
}

/** Larger ranges are counted as one: nobody reads the number of addresses in an IPv6 network. */
const MOST = 2n ** 32n;

function addressCounts(addresses: Intervals, which: string): readonly Count[] {
  const sizes = addresses.map(([first, last]) => last - first + 1n);
  const single = sizes.filter((size) => size <= MOST).reduce((sum, size) => sum + size, 0n);
  const ranges = sizes.filter((size) => size > MOST).length;
  return [...counted(single, which, "address"), ...counted(BigInt(ranges), which, "range")];
}

function counted(number: bigint, which: string, noun: string): readonly Count[] {
  if (number === 0n) return [];
  const isOne = number === 1n;
  const digits = String(number).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
  return [{ text: `${digits} ${which} ${noun}${isOne ? "" : noun.endsWith("s") ? "es" : "s"}`, isOne }];
}
