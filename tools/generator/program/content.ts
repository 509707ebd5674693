import { isError } from "../../../core/language/finding.js";
import { scopeArguments } from "../../../core/model/ids.js";
import { isObject, stableText, type JsonObject } from "../../../core/model/json.js";
import { OWN_KINDS } from "../../../core/model/ruleset.js";
import { hasUnknown } from "../../../core/model/unknown.js";
import { checkPlace, findingText, refutable } from "../../../provider/validation/index.js";
import { compare } from "../code/module.js";
import {
  listLabel,
  rulesetLabel,
  scopeLabel,
  type FoundList,
  type FoundRuleset,
  type FoundScope,
  type Inventory,
  type LeftOut,
} from "../inventory.js";
import { writeRules } from "./adoption.js";
import { uncheckedItems } from "./lists.js";
import { secretsOf } from "./secrets.js";

/** A ruleset with its rules in a program's notation. */
export interface SelectedRuleset {
  readonly found: FoundRuleset;
  readonly rules: readonly JsonObject[];
}

/** A zone or an account, with what to write in output order. */
export interface SelectedScope {
  readonly found: FoundScope;
  readonly lists: readonly FoundList[];
  readonly rulesets: readonly SelectedRuleset[];
}

/** What will be written, and what is left out. */
interface ProgramContent {
  readonly scopes: readonly SelectedScope[];
  readonly leftOut: readonly LeftOut[];
  /** What is written as the service has it, and why a preview would refuse it. */
  readonly unchecked: readonly LeftOut[];
}

/** Sorts the findings, and removes what no program could adopt unchanged. */
export function selectContent(inventory: Inventory): ProgramContent {
  const leftOut = [...inventory.leftOut];
  const unchecked: LeftOut[] = [];
  const scopes = [...inventory.scopes].sort(compareScopes).map((found): SelectedScope => {
    const rulesets = [...found.rulesets].sort(compareRulesets).flatMap((ruleset): SelectedRuleset[] => {
      if (isEmpty(ruleset)) return [];
      const place = { where: scopeLabel(found), what: rulesetLabel(ruleset) };
      const written = reasonUndeclarable(ruleset, found, inventory.isServices === true) ?? writeRules(ruleset);
      if (typeof written === "string") {
        leftOut.push({ ...place, reason: written });
        return [];
      }
      const { unknown = [] } = ruleset;
      const reasons = [...unknown.map((field) => `${field}: ${UNKNOWN_FIELD}`), ...written.unchecked];
      unchecked.push(...reasons.map((reason) => ({ ...place, reason })));
      const notes = [...(ruleset.notes ?? []), ...unknownNote(unknown), ...notesOf(written.unchecked)];
      return [{ found: { ...ruleset, notes }, rules: written.rules }];
    });
    const lists = [...(found.lists ?? [])].sort(compareLists).map((list): FoundList => {
      const reasons = uncheckedItems(list);
      unchecked.push(...reasons.map((reason) => ({ where: scopeLabel(found), what: listLabel(list), reason })));
      return { ...list, notes: [...(list.notes ?? []), ...notesOf(reasons)] };
    });
    return { found, lists, rulesets: executedFirst(rulesets) };
  });
  return { scopes: scopes.filter(isWritten), leftOut, unchecked };
}

/** Why no program can declare a ruleset in a zone or an account. */
function reasonUndeclarable(
  { kind, phase }: FoundRuleset,
  { scope }: FoundScope,
  isServices: boolean,
): string | undefined {
  if (!OWN_KINDS.includes(kind))
    return `only Cloudflare creates rulesets of kind ${kind}, so no program can declare it`;
  const place = { kind, phase, ...scopeArguments(scope) };
  const findings = checkPlace(place);
  // A preview accepts a place where the service has a ruleset.
  const accepted = isServices ? refutable(place, findings) : [];
  const refused = findings.find((one) => isError(one) && !accepted.includes(one));
  return refused === undefined ? undefined : `a preview refuses it: ${findingText(refused)}`;
}

const UNKNOWN_FIELD = "this version does not know the field, which the service may spell differently than the state";

function unknownNote(fields: readonly string[]): readonly string[] {
  return fields.length === 0
    ? []
    : [`In \`wire\` as the state has it, because this version does not know it: ${fields.join(", ")}.`];
}

const MOST_NOTES = 20;

function notesOf(reasons: readonly string[]): readonly string[] {
  const notes = reasons
    .slice(0, MOST_NOTES)
    .map((reason) => `In \`wire\` as the service has it, because a preview refuses it: ${reason}.`);
  return reasons.length > MOST_NOTES ? [...notes, `And ${String(reasons.length - MOST_NOTES)} more.`] : notes;
}

/** The dashboard leaves an empty entry point behind when its last rule is deleted; there is nothing to declare. */
function isEmpty({ kind, rules, description, predecessor }: FoundRuleset): boolean {
  return kind !== "custom" && rules.length === 0 && description === "" && predecessor === undefined;
}

function isWritten({ found, lists, rulesets }: SelectedScope): boolean {
  return lists.length + rulesets.length + found.hostnames.length > 0 || found.totalTls !== undefined;
}

/** Accounts before zones, because zones may execute their rulesets. */
function compareScopes(a: FoundScope, b: FoundScope): number {
  return compare(a.scope.level, b.scope.level) || compare(a.name, b.name) || compare(a.scope.id, b.scope.id);
}

function compareLists(a: FoundList, b: FoundList): number {
  return compare(a.name, b.name) || compare(a.id ?? "", b.id ?? "");
}

function compareRulesets(a: FoundRuleset, b: FoundRuleset): number {
  const custom = Number(b.kind === "custom") - Number(a.kind === "custom");
  return custom || compare(a.phase, b.phase) || compare(a.name, b.name) || compare(a.id ?? "", b.id ?? "");
}

/** Variables are declared before they are used. */
function executedFirst(rulesets: readonly SelectedRuleset[]): SelectedRuleset[] {
  const byId = new Map(rulesets.map((ruleset) => [ruleset.found.id, ruleset]));
  const done = new Set<SelectedRuleset>();
  const visit = (ruleset: SelectedRuleset): void => {
    if (done.has(ruleset)) return;
    done.add(ruleset);
    for (const id of ruleset.rules.flatMap(referencesOf)) {
      const other = byId.get(id);
      if (other !== undefined) visit(other);
    }
    ordered.push(ruleset);
  };
  const ordered: SelectedRuleset[] = [];
  for (const ruleset of rulesets) visit(ruleset);
  return ordered;
}

/** IDs of the rulesets that a rule executes or skips. */
export function referencesOf({ actionParameters }: JsonObject): string[] {
  if (!isObject(actionParameters)) return [];
  const { id, rulesets } = actionParameters;
  return [id, ...(Array.isArray(rulesets) ? (rulesets as unknown[]) : [])].filter((one) => typeof one === "string");
}

/** Rules that occur identically in several zones or accounts and do not refer to the program around them. */
export function sharedRules(scopes: readonly SelectedScope[]): Map<string, JsonObject> {
  const own = new Set(scopes.flatMap(({ rulesets }) => rulesets.map(({ found }) => found.id)));
  const seen = new Map<string, { readonly rule: JsonObject; readonly scopes: Set<SelectedScope> }>();
  for (const scope of scopes) {
    for (const rule of scope.rulesets.flatMap(({ rules }) => rules)) {
      const text = stableText(rule);
      const entry = seen.get(text) ?? { rule, scopes: new Set() };
      entry.scopes.add(scope);
      seen.set(text, entry);
    }
  }
  const shared = [...seen].filter(
    ([, { rule, scopes: where }]) =>
      where.size > 1 &&
      !hasUnknown(rule) &&
      !referencesOf(rule).some((id) => own.has(id)) &&
      secretsOf(rule).length === 0,
  );
  return new Map(shared.map(([text, { rule }]) => [text, rule]));
}
