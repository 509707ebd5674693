import type { RulesetInput } from "./ruleset-input.js";

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

/** What names a ruleset. */
type NamedRuleset = Omit<RulesetInput, "rules">;

/** Names that the service gives. */
const EMPTY_NAMES = ["", "default", "zone", "root"];

/**
 * A ruleset as messages name it: by its own name where that says something, otherwise by its phase; and where it is.
 * `custom ruleset "Partners" of account 0123…`, `http_ratelimit of zone example.com`.
 */
export function rulesetName({ id = "", name = "", kind, phase, zoneId, accountId, owner }: NamedRuleset): string {
  const own = oneLine(name);
  const says = !EMPTY_NAMES.includes(own.toLowerCase());
  const custom = `custom ruleset ${says ? JSON.stringify(own) : id.slice(id.lastIndexOf("/") + 1)}`.trimEnd();
  const where = owner ?? zoneId ?? accountId;
  const inside = where === undefined ? "" : ` of ${zoneId === undefined ? "account" : "zone"} ${where}`;
  return `${kind === "custom" ? custom : says ? JSON.stringify(own) : phase}${inside}`;
}
