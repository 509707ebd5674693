import { contentOf } from "../rules/content.js";
import { isObject, type Json } from "../model/json.js";
import { managedRuleName, managedRulesetName, withManagedName } from "../model/managed-rulesets.js";
import type { DeployedRule } from "../model/ruleset.js";

const FIRST = ["ref", "description", "action", "expression", "enabled"];

/** A rule at the service as TypeScript for a program's list of rules, its ref included so that its id stays. */
export function ruleToTypeScript(rule: DeployedRule): string {
  const content = { ref: rule.ref, ...contentOf(rule) };
  const keys = [
    ...FIRST.filter((key) => key in content),
    ...Object.keys(content).filter((key) => !FIRST.includes(key)),
  ];
  const members = keys.map((key) => member(key, (content as Record<string, Json>)[key], "  "));
  return `{\n${members.join("\n")}\n},`;
}

function propertyName(key: string): string {
  // Written plainly, this one would set the prototype.
  if (key === "__proto__") return `[${JSON.stringify(key)}]`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}

/** A property on a line of its own; what is known of the ids in it stands behind it. */
function member(key: string, value: Json | undefined, indent: string): string {
  const names = idsIn(key, value).flatMap((id) => managedRulesetName(id) ?? managedRuleName(id) ?? []);
  return `${indent}${propertyName(key)}: ${literal(value, indent)},${names.length === 0 ? "" : ` // ${names.join(", ")}`}`;
}

/** What a skip rule names stands in a list, or is the key of one. */
function idsIn(key: string, value: Json | undefined): readonly string[] {
  if (key === "id" && typeof value === "string") return [value];
  if (!Array.isArray(value)) return [];
  return [key, ...value.filter((item) => typeof item === "string")];
}

function literal(value: Json | undefined, indent: string): string {
  if (Array.isArray(value)) return `[${(value as Json[]).map((item) => literal(item, indent)).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null);
  const inner = `${indent}  `;
  const members = Object.entries(value).map(([key, item]) => member(key, item, inner));
  return members.length === 0 ? "{}" : `{\n${members.join("\n")}\n${indent}}`;
}

/** A rule in one line: what it does, what it is called, and what it matches. */
export function ruleWords(rule: DeployedRule): string {
  const description = (rule.description ?? "") === "" ? "" : ` ${JSON.stringify(rule.description)}`;
  const off = rule.enabled === false ? " (disabled)" : "";
  const since = rule.lastUpdated === undefined ? "" : `, last changed ${timeText(rule.lastUpdated)}`;
  return `${rule.action}${targetWords(rule)}${off}${description} when ${rule.expression ?? "(hidden)"} [ref ${rule.ref}${since}]`;
}

/** The rulesets that a rule executes, or skips whole or in part, by name where it is known without asking. */
function targetWords({ action, actionParameters = {} }: DeployedRule): string {
  const { id, rulesets, rules } = actionParameters;
  const whole = action === "execute" ? [id] : action === "skip" && Array.isArray(rulesets) ? rulesets : [];
  const parts = action === "skip" && isObject(rules) ? Object.entries(rules) : [];
  const words = [
    ...namesOf(whole),
    ...parts.map(([ruleset, ids]) => `${namesOf(ids).join(", ")} of ${withManagedName(ruleset)}`),
  ];
  return words.length === 0 ? "" : ` ${words.join(", ")}`;
}

function namesOf(ids: unknown): readonly string[] {
  return Array.isArray(ids) ? ids.filter((one) => typeof one === "string").map(withManagedName) : [];
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
