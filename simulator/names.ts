import { lastSegment, readText } from "./read-property.js";
import type { RuleInput, RulesetInput } from "./ruleset-input.js";

/** What may name a rule. */
export interface NamedRule {
  readonly description?: string;
  readonly ref?: string;
  readonly id?: string;
}

/** Longer names are cut: a description may be a paragraph. */
const LONGEST = 80;

/** What people call a rule: its description in one line, otherwise its ref, otherwise its ID; undefined if it has none. */
export function ruleName({ description = "", ref = "", id = "" }: NamedRule): string | undefined {
  return [description, ref, id].map(oneLine).find((name) => name !== "");
}

/** Control characters, and those that change the direction of a text, could forge what is printed around a name. */
function oneLine(text: string): string {
  const clean = text
    .replace(/\s+/g, " ")
    .replace(/[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069]/gu, "\ufffd")
    .trim();
  const signs = Array.from(clean);
  return signs.length <= LONGEST
    ? clean
    : `${signs
        .slice(0, LONGEST - 1)
        .join("")
        .trimEnd()}…`;
}

/** A rule as messages name it: `"Block admin"`. */
export function quotedRuleName(rule: NamedRule, otherwise = "without a name"): string {
  const name = ruleName(rule);
  return name === undefined ? otherwise : JSON.stringify(name);
}

/**
 * The rules of all rulesets as messages name them. Rules that a request can meet together get different names:
 * `"Block admin" [ref admin-1]`.
 * @param beside another version of the rulesets, so that a rule has the same name in both
 */
export function ruleNames(
  rulesets: readonly RulesetInput[],
  beside: readonly RulesetInput[] = [],
): readonly (readonly string[])[] {
  const plain = namesBy(rulesets, quotedRuleName);
  const ambiguous = [...repeated(rulesets, plain), ...repeated(beside, namesBy(beside, quotedRuleName))];
  if (ambiguous.length === 0) return plain;
  const repeats = new Set(ambiguous);
  const told = namesBy(rulesets, (rule, otherwise) => {
    const name = quotedRuleName(rule, otherwise);
    return repeats.has(name) ? `${name} [${markOf(rule) ?? otherwise}]` : name;
  });
  const same = new Set(repeated(rulesets, told));
  const counts = new Map<string, number>();
  return told.map((names) =>
    names.map((name) => {
      if (!same.has(name)) return name;
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return `${name} #${String(count)}`;
    }),
  );
}

type Names = readonly (readonly string[])[];

function namesBy(rulesets: readonly RulesetInput[], nameOf: (rule: NamedRule, otherwise: string) => string): Names {
  return rulesets.map(({ phase, rules }) =>
    rules.map((rule, index) => nameOf(namedIn(rule), `rule ${String(index + 1)} of ${phase}`)),
  );
}

function namedIn(rule: RuleInput): NamedRule {
  return { ref: readText(rule, "ref"), id: readText(rule, "id"), description: readText(rule, "description") };
}

/** Distinguishes a rule from others with its description. An ID is cut: eight digits are enough to find it. */
function markOf({ ref = "", id = "" }: NamedRule): string | undefined {
  const isId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);
  if (ref !== "" && !isId(ref)) return `ref ${ref}`;
  const known = id === "" ? ref : id;
  return known === "" ? undefined : `ID ${isId(known) ? `${known.slice(0, 8)}…` : known}`;
}

/** The names that several rules of one zone have. Rules of its account count as well, those of other zones do not. */
function repeated(rulesets: readonly RulesetInput[], names: Names): string[] {
  const zonesByName = new Map<string, (string | undefined)[]>();
  for (const [index, { zoneId }] of rulesets.entries()) {
    for (const name of names[index] ?? []) {
      const zones = zonesByName.get(name);
      if (zones === undefined) zonesByName.set(name, [zoneId]);
      else zones.push(zoneId);
    }
  }
  return Array.from(zonesByName).flatMap(([name, zones]) => {
    const isAlone = zones.every((zone) => zone !== undefined) && new Set(zones).size === zones.length;
    return zones.length === 1 || isAlone ? [] : [name];
  });
}

/** What names a ruleset. */
export type NamedRuleset = Omit<RulesetInput, "rules">;

/** Names that the service gives. */
const EMPTY_NAMES = ["", "default", "zone", "root"];

/**
 * A ruleset as messages name it: by its own name where that says something, otherwise by its phase; and where it is.
 * `custom ruleset "Partners" of account 0123…`, `http_ratelimit of zone example.com`.
 */
export function rulesetName({ id = "", name = "", kind, phase, zoneId, accountId, owner }: NamedRuleset): string {
  const own = oneLine(name);
  const says = !EMPTY_NAMES.includes(own.toLowerCase());
  const custom = `custom ruleset ${says ? JSON.stringify(own) : lastSegment(id)}`.trimEnd();
  const where = owner ?? zoneId ?? accountId;
  const inside = where === undefined ? "" : ` of ${zoneId === undefined ? "account" : "zone"} ${where}`;
  return `${kind === "custom" ? custom : says ? JSON.stringify(own) : phase}${inside}`;
}
