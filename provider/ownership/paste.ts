import { contentOf } from "../rules/content.js";
import { isObject, type Json } from "../model/json.js";
import { managedName, withManagedName, type NameOf } from "../model/managed-rulesets.js";
import type { DeployedRule } from "../model/ruleset.js";
import type { Shown } from "./shown.js";

const FIRST = ["ref", "description", "action", "expression", "enabled"];

/** A rule at the service as TypeScript for a program's list of rules, its ref included so that its id stays. */
export function ruleToTypeScript(rule: DeployedRule, nameOf: NameOf = managedName): string {
  const content = { ref: rule.ref, ...contentOf(rule) };
  const keys = [
    ...FIRST.filter((key) => key in content),
    ...Object.keys(content).filter((key) => !FIRST.includes(key)),
  ];
  const members = keys.map((key) => member(key, (content as Record<string, Json>)[key], { indent: "  ", nameOf }));
  return `{\n${members.join("\n")}\n},`;
}

function propertyName(key: string): string {
  // Written plainly, this one would set the prototype.
  if (key === "__proto__") return `[${JSON.stringify(key)}]`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}

interface Layout {
  readonly indent: string;
  readonly nameOf: NameOf;
}

/** A property on a line of its own; what is known of the ids in it stands behind it. */
function member(key: string, value: Json | undefined, layout: Layout): string {
  const { indent, nameOf } = layout;
  const names = idsIn(key, value).flatMap((id) => nameOf(id) ?? []);
  const comment = names.length === 0 ? "" : ` // ${names.map(oneLine).join(", ")}`;
  return `${indent}${propertyName(key)}: ${literal(value, layout)},${comment}`;
}

/** A comment ends with its line. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}

/** What a skip rule names stands in a list, or is the key of one. */
function idsIn(key: string, value: Json | undefined): readonly string[] {
  if (key === "id" && typeof value === "string") return [value];
  if (!Array.isArray(value)) return [];
  return [key, ...value.filter((item) => typeof item === "string")];
}

function literal(value: Json | undefined, layout: Layout): string {
  if (Array.isArray(value)) return `[${(value as Json[]).map((item) => literal(item, layout)).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null);
  const inner = { ...layout, indent: `${layout.indent}  ` };
  const members = Object.entries(value).map(([key, item]) => member(key, item, inner));
  return members.length === 0 ? "{}" : `{\n${members.join("\n")}\n${layout.indent}}`;
}

/** A rule in one line: what it does, what it is called, and what it matches. */
export function ruleWords(rule: DeployedRule, nameOf: NameOf = managedName): string {
  const description = (rule.description ?? "") === "" ? "" : ` ${JSON.stringify(rule.description)}`;
  const off = rule.enabled === false ? " (disabled)" : "";
  const since = rule.lastUpdated === undefined ? "" : `, last changed ${timeText(rule.lastUpdated)}`;
  return `${rule.action}${targetWords(rule, nameOf)}${off}${description} when ${rule.expression ?? "(hidden)"} [ref ${rule.ref}${since}]`;
}

/** The same of a rule as messages may show it. */
export function shownRuleWords(rule: DeployedRule, shown: Shown): string {
  return ruleWords(shown.rule(rule), shown.nameOf);
}

/** The rulesets that a rule executes, or skips whole or in part, with their names where they are known without asking. */
function targetWords({ action, actionParameters = {} }: DeployedRule, nameOf: NameOf): string {
  const { id, rulesets, rules } = actionParameters;
  const whole = action === "execute" ? [id] : action === "skip" && Array.isArray(rulesets) ? rulesets : [];
  const parts = action === "skip" && isObject(rules) ? Object.entries(rules) : [];
  const words = [
    ...named(whole, nameOf),
    ...parts.map(([ruleset, ids]) => `${named(ids, nameOf).join(", ")} of ${withManagedName(ruleset, nameOf)}`),
  ];
  return words.length === 0 ? "" : ` ${words.join(", ")}`;
}

function named(ids: unknown, nameOf: NameOf): readonly string[] {
  return Array.isArray(ids)
    ? ids.filter((one) => typeof one === "string").map((id) => withManagedName(id, nameOf))
    : [];
}

/** A time of the service, to the second. */
export function timeText(time: string): string {
  return time.replace(/\.\d+Z$/, "Z");
}

export function indented(text: string, by = "  "): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? line : `${by}${line}`))
    .join("\n");
}
