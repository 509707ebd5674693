import { managedName, type NameOf, withManagedName } from "../../core/managed/rulesets.js";
import type { Scope } from "../../core/model/ids.js";
import { isList, isObject, type Json } from "../../core/model/json.js";
import type { DeployedRule, Ruleset } from "../../core/model/ruleset.js";
import { contentOf } from "../../core/rules/content.js";
import type { Display } from "./words.js";

const FIRST = ["ref", "description", "action", "expression", "enabled"];

/** An existing rule as TypeScript for a program's list of rules, with its ref, so that it keeps its ID. */
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
  // Without brackets, this key would set the prototype.
  if (key === "__proto__") return `[${JSON.stringify(key)}]`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}

interface Layout {
  readonly indent: string;
  readonly nameOf: NameOf;
}

/** A property on its own line; known names of the IDs in it follow as a comment. */
function member(key: string, value: Json | undefined, layout: Layout): string {
  const { indent, nameOf } = layout;
  const names = idsIn(key, value).flatMap((id) => nameOf(id) ?? []);
  const comment = names.length === 0 ? "" : ` // ${names.map(oneLine).join(", ")}`;
  return `${indent}${propertyName(key)}: ${literal(value, layout)},${comment}`;
}

/** A comment must stay on one line. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}

/** A skip rule has IDs in lists or as the key of a list. */
function idsIn(key: string, value: Json | undefined): readonly string[] {
  if (key === "id" && typeof value === "string") return [value];
  if (!Array.isArray(value)) return [];
  return [key, ...value.filter((item) => typeof item === "string")];
}

function literal(value: Json | undefined, layout: Layout): string {
  if (isList(value)) return `[${value.map((item) => literal(item, layout)).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null);
  const inner = { ...layout, indent: `${layout.indent}  ` };
  const members = Object.entries(value).map(([key, item]) => member(key, item, inner));
  return members.length === 0 ? "{}" : `{\n${members.join("\n")}\n${layout.indent}}`;
}

/** A rule in one line: action, description and expression, as far as they are known. */
export function ruleWords(rule: DeployedRule, nameOf: NameOf = managedName): string {
  const description = (rule.description ?? "") === "" ? "" : ` ${JSON.stringify(rule.description)}`;
  const off = rule.enabled === false ? " (disabled)" : "";
  const identity = `[ref ${rule.ref}${changedWords(rule.lastUpdated)}]`;
  // A state does not contain the rules of others in a ruleset that was shared when it was read.
  if (rule.action === "" && rule.expression === undefined) return `rule${off}${description} ${identity}`;
  return `${rule.action}${targetWords(rule, nameOf)}${off}${description} when ${rule.expression ?? "(hidden)"} ${identity}`;
}

/** A rule in one line, with secrets hidden; without any text of a rule whose secrets are not known. */
export function displayedRuleWords(rule: DeployedRule, display: Display): string {
  return display.shows(rule) ? ruleWords(display.rule(rule), display.nameOf) : identityWords(rule);
}

/**
 * A rule without its texts, which may contain secrets that this run does not know: `block [ref scanner, ID 1c2b…]`. Rules that were
 * made in the dashboard have their IDs as refs.
 */
export function identityWords({ action, ref, id, lastUpdated }: DeployedRule): string {
  const name = ref === id ? `ref ${ref}` : `ref ${ref}, ID ${id}`;
  return `${action === "" ? "rule" : action} [${name}${changedWords(lastUpdated)}]`;
}

/** A command that prints the rules of a version, with their texts. */
function showCommand({ level, id: place }: Scope, { id, version }: Pick<Ruleset, "id" | "version">): string {
  return `npx pulumi-rulesets versions show ${version} ${level === "zones" ? "--zone" : "--account"} ${place} --ruleset ${id} --typescript`;
}

/** How to see the texts of existing rules that a message leaves out. */
export function seeTextsLine(scope: Scope, ruleset: Pick<Ruleset, "id" | "version">): string {
  return `Their texts may contain secrets and are not shown here. To see them: \`${showCommand(scope, ruleset)}\``;
}

function changedWords(lastUpdated: string | undefined): string {
  return lastUpdated === undefined ? "" : `, last changed ${timeText(lastUpdated)}`;
}

/**
 * The rulesets that a rule executes, or skips completely or in part, with their names if they are known without a
 * request.
 */
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

/** A time from the service, without fractions of a second. */
export function timeText(time: string): string {
  return time.replace(/\.\d+Z$/, "Z");
}

export function indented(text: string, by = "  "): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? line : `${by}${line}`))
    .join("\n");
}
