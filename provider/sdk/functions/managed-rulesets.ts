import { scopeWords, shortRulesetId, type Scope } from "../../../core/model/ids.js";
import { managedRulesetIdOf } from "../../../core/managed/rulesets.js";
import type { DeployedRule, Ruleset } from "../../../core/model/ruleset.js";
import { listAllRulesets, readRulesetById, orIfMissing } from "./rulesets.js";
import { checkId } from "../../validation/checks/ids.js";
import {
  checkManagedRuleset,
  checkText,
  insteadOf,
  LEVEL,
  notFound,
  SCOPE,
  scopeOf,
  type ScopeArgs,
} from "./arguments.js";
import { asOutput, lookup } from "./lookup.js";
import { listOf, READ_RULE, READ_RULESET } from "./results.js";
import type { Via } from "./via.js";

/** Arguments of {@link getManagedRuleset}. */
export interface GetManagedRulesetArgs extends ScopeArgs {
  /** The full name, as in the dashboard or Cloudflare's documentation; excludes `id`. */
  readonly name?: string;
  /** Excludes `name`. */
  readonly id?: string;
}

/**
 * One of Cloudflare's managed rulesets with its rules: their IDs, descriptions, tags (`categories`), actions, and whether
 * they are enabled. The service does not return their expressions. Throws LOOKUP_NOT_FOUND with the most similar name.
 * Makes one request per ruleset and run, and one more for a name that `managedRulesets` does not contain.
 * See https://developers.cloudflare.com/ruleset-engine/basic-operations/view-rulesets/.
 */
export const getManagedRuleset = lookup<GetManagedRulesetArgs, Ruleset>(
  {
    name: "getManagedRuleset",
    text: "A managed ruleset of Cloudflare with its rules, by name or ID.",
    exactlyOneOf: [LEVEL, ["name", "id"]],
    arguments: {
      ...SCOPE,
      name: { type: "string", text: "Its name; excludes `id`.", check: checkText },
      id: { type: "string", text: "Its ID; excludes `name`.", check: checkId },
    },
    result: READ_RULESET,
  },
  async (args, via) => {
    const { name, id } = args;
    return managedRuleset(via, scopeOf(args), name ?? id ?? "");
  },
);

/** {@link getManagedRuleset} with outputs. */
export const getManagedRulesetOutput = asOutput(getManagedRuleset);

const ID = /^[0-9a-f]{32}$/;

/** By ID, by a name in `managedRulesets`, or by a name that the service lists. */
async function managedRuleset(via: Via, scope: Scope, nameOrId: string): Promise<Ruleset> {
  const id = ID.test(nameOrId) ? nameOrId : managedRulesetIdOf(nameOrId);
  if (id !== undefined)
    return orIfMissing(readRulesetById(via, scope, id), () => noManagedRuleset(via, scope, nameOrId));
  const found = (await listAllRulesets(via, scope)).find(({ kind, name }) => kind === "managed" && name === nameOrId);
  return found === undefined ? noManagedRuleset(via, scope, nameOrId) : readRulesetById(via, scope, found.id);
}

async function noManagedRuleset(via: Via, scope: Scope, nameOrId: string): Promise<never> {
  const names = (await listAllRulesets(via, scope)).filter(({ kind }) => kind === "managed").map(({ name }) => name);
  return notFound(
    `No managed ruleset ${JSON.stringify(nameOrId)} is visible in ${scopeWords(scope)}. ${insteadOf(nameOrId, names)}`,
  );
}

/** Arguments of {@link listManagedRules}. */
export interface ListManagedRulesArgs extends ScopeArgs {
  /** Name or ID of a managed ruleset, such as `managedRulesets.cloudflareManaged`. */
  readonly ruleset: string;
  /** Only rules with this tag. */
  readonly tag?: string;
  /** Only rules with this tag, which overrides call a category. With `tag`, only rules with both. */
  readonly category?: string;
  /** Only rules whose description contains this text; not case-sensitive. */
  readonly name?: string;
}

/**
 * The rules of a managed ruleset: all of them, or those with a tag or a name. Throws LOOKUP_NOT_FOUND for a tag or a name
 * that no rule has, with the most similar existing one, because an override that matches nothing protects nothing. All
 * lookups of a run share one read of the ruleset.
 *
 * @example
 * ```ts
 * const wordpress = await listManagedRules({ zoneId, ruleset: managedRulesets.cloudflareManaged, tag: "wordpress" });
 * const overrides = { rules: wordpress.map(({ id }) => ({ id, action: "log" })) };
 * ```
 */
export const listManagedRules = lookup<ListManagedRulesArgs, DeployedRule[]>(
  {
    name: "listManagedRules",
    text: "Rules of a managed ruleset of Cloudflare, all or those that match.",
    exactlyOneOf: [LEVEL],
    arguments: {
      ...SCOPE,
      ruleset: { type: "string", text: "Name or ID of the ruleset.", required: true, check: checkManagedRuleset },
      tag: { type: "string", text: "Only rules with this tag.", check: checkText },
      category: { type: "string", text: "Only rules with this tag.", check: checkText },
      name: { type: "string", text: "Only rules with this text in their description.", check: checkText },
    },
    result: { rules: listOf(READ_RULE, "The rules.") },
  },
  async (args, via) => {
    const { ruleset, tag, category, name } = args;
    const whole = await managedRuleset(via, scopeOf(args), shortRulesetId(ruleset));
    for (const wanted of [tag, category]) if (wanted !== undefined) requireTag(whole, wanted);
    if (name !== undefined) requireRuleName(whole, name);
    return whole.rules.filter(
      (rule) =>
        [tag, category].every((wanted) => wanted === undefined || carries(rule, wanted)) &&
        (name === undefined || isCalled(rule, name)),
    );
  },
);

/** {@link listManagedRules} with outputs. */
export const listManagedRulesOutput = asOutput(listManagedRules);

function carries({ categories = [] }: DeployedRule, tag: string): boolean {
  return categories.includes(tag);
}

function isCalled({ description = "" }: DeployedRule, name: string): boolean {
  return description.toLowerCase().includes(name.toLowerCase());
}

function requireTag({ name, rules }: Ruleset, tag: string): void {
  if (rules.some((rule) => carries(rule, tag))) return;
  const tags = rules.flatMap(({ categories = [] }) => categories);
  notFound(`No rule of ${name} has the tag ${JSON.stringify(tag)}. ${insteadOf(tag, tags)}`);
}

function requireRuleName({ name: ruleset, rules }: Ruleset, name: string): void {
  if (rules.some((rule) => isCalled(rule, name))) return;
  const names = rules.flatMap(({ description = "" }) => (description === "" ? [] : [description]));
  notFound(`No rule of ${ruleset} is called ${JSON.stringify(name)}. ${insteadOf(name, names)}`);
}
