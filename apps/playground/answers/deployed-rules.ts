/** A rule as the API returns it. */
export type DeployedRule = Readonly<Record<string, unknown>> & { readonly id: string; readonly ref?: string };

/** A ruleset of a zone or its account, with the rules of one version. */
export interface DeployedRuleset {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly phase: string;
  readonly rules: readonly DeployedRule[];
}

/** A list that deployed rules name. `redirects` are as the API has them, and empty in lists of another kind. */
export interface DeployedList {
  readonly name: string;
  readonly items: readonly (string | number)[];
  readonly redirects: readonly object[];
}

/** A text with more items could not be read or changed in a page. Whether a value is in such a list stays open. */
const MOST_ITEMS = 1000;

/**
 * Deployed rulesets as YAML that somebody can read and change, without what the service adds and nothing refers to, and the lists
 * that they name.
 */
export function textOfRulesets(rulesets: readonly DeployedRuleset[], lists: readonly DeployedList[] = []): string {
  const parameters = JSON.stringify(rulesets.flatMap(({ rules }) => rules.map((rule) => rule.action_parameters)));
  const text = rulesets.map((ruleset) => textOfRuleset(ruleset, (id) => parameters.includes(id))).join("\n");
  return lists.length === 0 ? text : `rulesets:\n${text}${textOfLists(lists)}`;
}

function textOfLists(all: readonly DeployedList[]): string {
  const lists = all.filter((list) => itemsOf(list).length <= MOST_ITEMS);
  const large = all.filter((list) => itemsOf(list).length > MOST_ITEMS);
  const part = (title: string, members: readonly DeployedList[]): string =>
    members.length === 0 ? "" : `\n${title}:\n${members.map(textOfList).join("")}`;
  return (
    part(
      "lists",
      lists.filter(({ redirects }) => redirects.length === 0),
    ) +
    part(
      "redirectLists",
      lists.filter(({ redirects }) => redirects.length > 0),
    ) +
    large.map((list) => `\n# ${list.name} has ${String(itemsOf(list).length)} items, too many for this text\n`).join("")
  );
}

function textOfList(list: DeployedList): string {
  return `  ${key(list.name)}: ${JSON.stringify(itemsOf(list))}\n`;
}

/** Those of a redirect list have more than their URL. */
function itemsOf({ items, redirects }: DeployedList): readonly unknown[] {
  return redirects.length > 0 ? redirects : items;
}

function textOfRuleset(
  { id, name, kind, phase, rules }: DeployedRuleset,
  isReferredTo: (id: string) => boolean,
): string {
  const lines = [
    ["name", name],
    ["kind", kind],
    ["phase", phase],
    ...(isReferredTo(id) ? [["id", id] as const] : []),
  ].map(([key = "", value], index) => `${index === 0 ? "- " : "  "}${key}: ${scalar(value)}\n`);
  const list = rules.map((rule) => textOfRule(rule, isReferredTo)).join("");
  return `${lines.join("")}  rules:${rules.length === 0 ? " []\n" : `\n${list}`}`;
}

/** The members of a rule that are its own, in the order in which people write them. */
const MEMBERS = [
  "description",
  "ref",
  "id",
  "action",
  "expression",
  "action_parameters",
  "ratelimit",
  "enabled",
] as const;

function textOfRule(rule: DeployedRule, isReferredTo: (id: string) => boolean): string {
  const isShown = {
    description: rule.description !== "",
    // The service takes the ID for the ref of a rule that was sent without one.
    ref: rule.ref !== rule.id,
    id: isReferredTo(rule.id),
    enabled: rule.enabled === false,
  } as Partial<Record<string, boolean>>;
  const shown = MEMBERS.filter((name) => rule[name] !== undefined && isShown[name] !== false);
  return shown
    .map((name, index) => `    ${index === 0 ? "- " : "  "}${name}:${member(rule[name], "        ")}`)
    .join("");
}

/** What follows the colon of a name: an object has a line for each of its members, so that nobody has to scroll to read it. */
function member(value: unknown, indent: string): string {
  const members = typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  if (members.length === 0) return ` ${scalar(value)}\n`;
  const lines = members.map(([name, inner]) => `${indent}${key(name)}:${member(inner, `${indent}  `)}`);
  return `\n${lines.join("")}`;
}

const key = (name: string): string =>
  /^[A-Za-z_][\w-]*$/.test(name) && !SPECIAL.test(name) ? name : JSON.stringify(name);

const PLAIN = /^[A-Za-z(][^\n\r\t]*[^\s:]$/;
const SPECIAL = /^(?:true|false|null|yes|no|on|off|y|n|nan|inf)$|: | #/i;

/** A value on one line. Texts are written without quotes where YAML allows it, because expressions are full of them. */
function scalar(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value);
  if (PLAIN.test(value) && !SPECIAL.test(value) && isPrintable(value)) return value;
  return /[\n\r\t]/.test(value) || !isPrintable(value) || value === ""
    ? JSON.stringify(value)
    : `'${value.replaceAll("'", "''")}'`;
}

const isPrintable = (text: string): boolean => /^[\x20-\x7E]*$/.test(text);
