import { createHash } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import { assignRefs } from "../provider/rules/assign-refs.js";
import { programSourceIn, type ProgramSource } from "../provider/engine/program-run.js";
import { restoreSecrets } from "../provider/engine/secrets.js";
import type { RulesetRule } from "../provider/model/generated/rule.js";
import { isList, isObject, mapFrom, type Json } from "../provider/model/json.js";
import { parseRule } from "../provider/model/parse-rule.js";
import { valueAt, type Path } from "../provider/model/path.js";
import { resolveRule } from "../provider/rules/written/resolve.js";
import { inOurNames, pathInOurNames, readSpelling } from "../provider/model/spelling.js";
import { knownItems } from "../provider/kinds/lists/given-items.js";
import { listInputOf } from "../provider/lists/list-input.js";
import { LIST_KINDS } from "../provider/lists/kind.js";
import { ownTypeOf } from "../provider/model/urn.js";
import { isUnknown, NOT_KNOWN } from "../provider/model/unknown.js";
import { RulesList } from "../provider/resources/generated/classes.js";
import { RULE_FIELDS, RULESET_RULE, WRITTEN } from "../provider/kinds/rulesets/rule/description.js";
import { PhaseEntrypoint } from "../provider/resources/phase-entrypoint.js";
import { RulesetRule as SingleRule } from "../provider/resources/ruleset-rule.js";
import { Ruleset } from "../provider/resources/ruleset.js";
import { compileProgram, type ListInput, type RuleInput, type RulesetInput } from "../simulator/index.js";
import { Firewall } from "./firewall.js";

export interface LoadOptions {
  /** @default "project" */
  readonly project?: string;
  /** @default "test" */
  readonly stack?: string;
  /** Configuration of the program by key; a key without `:` belongs to the project. */
  readonly config?: Readonly<Record<string, string>>;
  /** Results of functions and outputs of other resources that the program needs. */
  readonly mocks?: Partial<pulumi.runtime.Mocks>;
}

/** What a program declares. */
export interface DeclaredRules {
  readonly rulesets: readonly RulesetInput[];
  /** Where the program declares each of them, as far as that is known. */
  readonly sources?: readonly (ProgramSource | undefined)[];
  /** Secret values of the program, with their paths in a ruleset: reports must not show them. */
  readonly secrets: readonly DeclaredSecret[];
  /** The indexes of rulesets whose rules are not known without the engine. */
  readonly unknown?: readonly number[];
  /** The other resources of this package. */
  readonly resources?: readonly DeclaredResource[];
}

/** A resource without rules, and where it is. */
export interface DeclaredResource {
  /** The name of its class: `RulesList`. */
  readonly type: string;
  readonly name: string;
  readonly inputs: { readonly zoneId?: string; readonly accountId?: string };
}

export interface DeclaredSecret {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

/**
 * Runs a program without the engine, with Pulumi's own mocks, and collects the rules that it declares. No request is made.
 * @param program runs the program: `() => import("./index.js")`
 * @throws TypeError on an invalid expression, with the resource and the rule
 *
 * @example
 * const firewall = await loadFirewall(() => import("../index.js"), { config: { zoneId: "z1" } });
 * expect(firewall.zone("z1")).toBlock(makeRequest({ url: "https://example.com/admin" }));
 */
export async function loadFirewall(program: () => unknown, options: LoadOptions = {}): Promise<Firewall> {
  return new Firewall(compileProgram((await loadRulesets(program, options)).rulesets));
}

/**
 * Runs a program like {@link loadFirewall}, and returns its rules without checking them, even rules that the service would
 * reject.
 * @param program runs the program: `() => import("./index.js")`
 */
export async function loadRulesets(program: () => unknown, options: LoadOptions = {}): Promise<DeclaredRules> {
  const { project = "project", stack = "test", config = {}, mocks = {} } = options;
  const declared: Collected = { rulesets: [], sources: [], secrets: [], unknown: [], lists: [], resources: [] };
  const keys = Object.entries(config).map(([key, value]) => [key.includes(":") ? key : `${project}:${key}`, value]);
  await pulumi.runtime.setMocks(
    {
      newResource: (args) => {
        if (isRuleset(args.type)) return declare(args, declared);
        if (args.type === RulesList.__pulumiType) declareList(args, declared);
        declareOther(args, declared);
        return mocks.newResource?.(args) ?? { id: `${args.name}-id`, state: args.inputs as object };
      },
      call: (args) => mocks.call?.(args) ?? {},
    },
    project,
    stack,
    false,
  );
  pulumi.runtime.setAllConfig(Object.fromEntries(keys) as Record<string, string>);
  await program();
  await pulumi.runtime.disconnect();
  return { ...declared, rulesets: declared.rulesets.map((ruleset) => withLists(ruleset, declared.lists)) };
}

function isRuleset(type: string): boolean {
  return type === PhaseEntrypoint.__pulumiType || type === Ruleset.__pulumiType || isSingleRule(type);
}

function isSingleRule(type: string): boolean {
  return type === SingleRule.__pulumiType;
}

/** What the resources so far declare. */
interface Collected {
  readonly rulesets: RulesetInput[];
  readonly sources: (ProgramSource | undefined)[];
  readonly secrets: DeclaredSecret[];
  readonly unknown: number[];
  readonly lists: DeclaredList[];
  readonly resources: DeclaredResource[];
}

function declareOther({ type, name, inputs }: pulumi.runtime.MockResourceArgs, { resources }: Collected): void {
  const own = ownTypeOf(type);
  if (own === undefined) return;
  const { zoneId, accountId } = unwrap(inputs) as Readonly<Record<string, unknown>>;
  resources.push({
    ...{ type: own, name },
    inputs: {
      ...(typeof zoneId === "string" ? { zoneId } : {}),
      ...(typeof accountId === "string" ? { accountId } : {}),
    },
  });
}

/** A list whose items the program decides. */
interface DeclaredList {
  readonly accountId: unknown;
  readonly name: string;
  readonly input: ListInput;
}

/** Records the items of a list, unless others have items in it too. */
function declareList({ inputs, id }: pulumi.runtime.MockResourceArgs, { lists, secrets }: Collected): void {
  if (id !== undefined && id !== "") return;
  const { __secrets: hidden = {}, ...given } = unwrap(inputs) as Record<string, unknown>;
  const { value, paths } = restoreSecrets(given as Json, hidden as Record<string, unknown>);
  secrets.push(...paths.map((path) => ({ path, value: valueAt(value, path) })));
  if (!isObject(value)) return;
  const { accountId, name, kind, items, itemsFile, ownership } = value;
  const known = LIST_KINDS.find((one) => one === kind);
  if (typeof name !== "string" || isUnknown(name) || known === undefined || ownership === "shared") return;
  const found = knownItems(known, items, itemsFile);
  if (found !== NOT_KNOWN) lists.push({ accountId, name, input: listInputOf(known, found) });
}

/**
 * A ruleset with the lists of its account. Which account a zone belongs to is not known here: it has every list, but none of a
 * name that lists of several accounts have.
 */
function withLists(ruleset: RulesetInput, lists: readonly DeclaredList[]): RulesetInput {
  const own = lists.filter(({ accountId }) => ruleset.accountId === undefined || ruleset.accountId === accountId);
  const named = own.filter(({ name }) => own.filter((one) => one.name === name).length === 1);
  if (named.length === 0) return ruleset;
  return { ...ruleset, lists: mapFrom(named.map(({ name, input }) => [name, input] as const)) };
}

/** Records what a resource declares, and returns the outputs that the provider would return. */
function declare(
  { type, name, inputs, id }: pulumi.runtime.MockResourceArgs,
  declared: Collected,
): { id: string; state: object } {
  const { __secrets: secrets = {}, ...given } = unwrap(inputs) as Record<string, unknown>;
  const isSingle = isSingleRule(type);
  const plain = isSingle ? asList(name, given, declared.rulesets) : given;
  const own = createHash("md5").update(`${type} ${name}`).digest("hex");
  const rulesetId = typeof plain.rulesetId === "string" ? plain.rulesetId : own;
  const state = { ...given, ...(isSingle ? { ref: given.ref ?? name } : {}), rulesetId, version: "1" };
  if (id !== undefined && id !== "") return { id, state };
  const { accountId, zoneId, kind, phase, ownership } = plain as Readonly<Record<string, string | undefined>>;
  const container = zoneId === undefined ? `accounts/${accountId ?? ""}` : `zones/${zoneId}`;
  declared.sources.push(programSourceIn(plain));
  const { value, paths } = restoreSecrets(plain.rules as Json, secrets as Record<string, unknown>);
  const rules = isList(value) ? value : [];
  if (!isList(value)) declared.unknown.push(declared.rulesets.length);
  declared.secrets.push(
    ...paths.map((path) => ({ path: ["rules", ...pathIn(rules, path)], value: valueAt(value, path) })),
  );
  declared.rulesets.push({
    id: rulesetId,
    name,
    kind: kind ?? (zoneId === undefined ? "root" : "zone"),
    phase: phase ?? "",
    accountId,
    zoneId,
    rules: withRefs(
      rules.filter(isObject).flatMap((rule) => resolveRule(inOurNames(rule), { isSingle }).map(parseRule)),
    ),
    ...(isSingle || ownership === "shared" ? { isPart: true } : {}),
    ...(isObject(plain.position) ? { position: plain.position } : {}),
  });
  return { id: `${container}/rulesets/${rulesetId}`, state };
}

const OF_RULE = { ...RULE_FIELDS, ...WRITTEN };

/** Arguments of a `RulesetRule` that are not a part of the rule. */
const BESIDE_RULE: ReadonlySet<string> = new Set(
  Object.keys(RULESET_RULE.arguments).filter((name) => name !== "ref" && !Object.hasOwn(OF_RULE, name)),
);

/** The arguments of a `RulesetRule` as those of a list with this one rule. */
function asList(
  name: string,
  given: Record<string, unknown>,
  declared: readonly RulesetInput[],
): Record<string, unknown> {
  const isOfRule = ([key]: readonly [string, unknown]): boolean => !BESIDE_RULE.has(key) && !key.startsWith("__");
  const rule = { ref: name, ...Object.fromEntries(Object.entries(given).filter(isOfRule)) };
  if (given.rulesetId === undefined) return { ...given, rules: [rule] };
  const { kind = "custom", phase } = declared.find(({ id }) => id === given.rulesetId) ?? {};
  return { ...given, kind, phase, rules: [rule] };
}

/** The path of a value in rules, with the names of this package. */
function pathIn(rules: readonly Json[], [index, ...rest]: Path): Path {
  if (index === undefined) return [];
  const rule = rules[Number(index)];
  return [index, ...(isObject(rule) && readSpelling(rule).isService ? pathInOurNames(rest) : rest)];
}

/** Rules with the refs that the first deployment would give them. */
function withRefs(rules: readonly RulesetRule[]): readonly RuleInput[] {
  const { refs } = assignRefs([], rules);
  return rules.map((rule, index) => ({ ...rule, ref: refs[index] }));
}

/** How the engine's wire format marks a secret. */
const SIGNATURE = "4dabf18193072939515e22adb298388d";

/** Removes the markers of secrets from a value. */
function unwrap(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unwrap);
  if (!isObject(value)) return value;
  if (SIGNATURE in value && "value" in value) return unwrap(value.value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unwrap(item)]));
}
