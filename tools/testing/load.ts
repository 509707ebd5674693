import { setImmediate } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import type { DeclaredSecret, DeclaredSoFar, ListOfProgram } from "../../provider/engine/declare-rules.js";
import type { ProgramPlace } from "../../core/model/program-frames.js";
import { newZoneFrom } from "../../core/model/new-zones.js";
import { isZoneType } from "../../core/model/urn.js";
import { findDeclare } from "../../provider/kinds/index.js";
import { isObject, mapFrom, textOf, type JsonObject } from "../../core/model/json.js";
import { ownTypeOf } from "../../core/model/urn.js";
import { knownText, UNKNOWN } from "../../core/model/unknown.js";
import { checkPhaseName } from "../../provider/validation/index.js";
import { compileProgram, withUnknown, type RulesetInput } from "../../core/simulator/index.js";
import { SECRET_SETTINGS } from "../../core/model/settings.js";
import { programLoader } from "../../provider/sdk/resources/program-loader.js";
import { watchCallbacks, type Callbacks } from "./callbacks.js";
import { Firewall } from "./firewall.js";
import { markUnknownResults, notGiven } from "./lookups.js";
import { currentPlace } from "./program-place.js";

export type { DeclaredSecret } from "../../provider/engine/declare-rules.js";

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
  readonly places?: readonly (ProgramPlace | undefined)[];
  /** The kinds of their resources. */
  readonly types?: readonly string[];
  /** Secret values of the program, with their paths in a ruleset: reports must not show them. */
  readonly secrets: readonly DeclaredSecret[];
  /** The indexes of rulesets whose rules are not known without the engine. */
  readonly unknown?: readonly number[];
  /**
   * By index of a ruleset, its rules with the engine's marker in place of what is not known without it; undefined if all of it is
   * known. In `rulesets`, what is not known is left out, and the rule marked.
   */
  readonly pending?: readonly (readonly JsonObject[] | undefined)[];
  /** Places of code that waits for values which are not known without the engine: it did not run, and may declare rules. */
  readonly skipped?: readonly string[];
  /** The other resources of this package. */
  readonly resources?: readonly DeclaredResource[];
  /** By ID, the names of zones that the program has as resources. */
  readonly zoneNames?: ReadonlyMap<string, string>;
}

/** A resource without rules, and where it is. */
export interface DeclaredResource {
  /** The name of its class: `RulesList`. */
  readonly type: string;
  readonly name: string;
  readonly inputs: { readonly zoneId?: string; readonly accountId?: string };
}

/**
 * Runs a program without the engine, with Pulumi's own mocks, and collects the rules that it declares. No request is made.
 * @param program runs the program: `() => import("./index.js")`
 * @throws TypeError on an invalid expression, or a phase that is not known, with the resource and the rule
 *
 * @example
 * const firewall = await loadFirewall(() => import("../index.js"), { config: { zoneId: "z1" } });
 * expect(firewall.zone("z1")).toBlock(makeRequest({ url: "https://example.com/admin" }));
 */
export async function loadFirewall(program: () => unknown, options: LoadOptions = {}): Promise<Firewall> {
  const { rulesets, unknown = [], skipped = [] } = await loadRulesets(program, options);
  if (skipped.length > 0)
    throw new Error(
      `what \`apply\` declares at ${skipped.join(", ")} is not known, because it waits for a value that only the engine knows.\n` +
        "To continue: pass mocks whose newResource or call returns the value",
    );
  rulesets.forEach(requireKnownPhase);
  const known = rulesets.map((one, index) => withUnknown(one, unknown.includes(index), "the program"));
  return new Firewall(compileProgram(known));
}

/** No request meets the rules of a phase that does not exist, so a test that expects it to be allowed would pass. */
function requireKnownPhase({ name, phase }: RulesetInput): void {
  const [found] = checkPhaseName(phase);
  if (found !== undefined) throw new TypeError(`${name ?? phase}: phase: ${found.message}`);
}

/**
 * Runs a program like {@link loadFirewall}, and returns its rules without checking them, even rules that the service would
 * reject.
 * @param program runs the program: `() => import("./index.js")`
 */
export async function loadRulesets(program: () => unknown, options: LoadOptions = {}): Promise<DeclaredRules> {
  const { project = "project", stack = "test", config = {}, mocks = {} } = options;
  const declared: DeclaredSoFar = {
    rulesets: [],
    types: [],
    unknown: [],
    pending: [],
    lists: [],
    secrets: [],
  };
  const places: (ProgramPlace | undefined)[] = [];
  const declaredAt = watchDeclarations();
  const resources: DeclaredResource[] = [];
  const zoneNames = new Map<string, string>();
  const keys = Object.entries(config).map(([key, value]) => [key.includes(":") ? key : `${project}:${key}`, value]);
  await pulumi.runtime.setMocks(
    {
      newResource: (args) => {
        const type = ownTypeOf(args.type);
        const outputs = type === undefined ? undefined : declare(type, args, declared);
        if (declared.rulesets.length > places.length) places.push(declaredAt(type ?? "", args.name));
        if (outputs !== undefined) return outputs;
        if (type !== undefined) resources.push(withoutRules(type, args));
        const made = madeBy(mocks, args);
        if (args.type === STACK_REFERENCE) return withOutputs(args, made);
        return isZoneType(args.type) ? named(args, made, zoneNames) : made;
      },
      call: async (args) => ((await mocks.call?.(args)) as object | undefined) ?? notGiven(args.token),
    },
    project,
    stack,
    // As in a preview, outputs that nobody gives are not known, instead of undefined.
    true,
  );
  markUnknownResults();
  const callbacks = watchCallbacks();
  // Whether a stack has them in plain text is not known here: a command passes what it has decrypted.
  pulumi.runtime.setAllConfig(Object.fromEntries(keys) as Record<string, string>, SECRET_SETTINGS);
  await program();
  await ended(callbacks);
  return {
    ...declared,
    places,
    resources,
    skipped: [...callbacks.skipped],
    zoneNames,
    rulesets: declared.rulesets.map((ruleset) => withLists(ruleset, declared.lists)),
  };
}

/** Returns what tells where the program declares a resource. Several may have the same type and name, below different parents. */
function watchDeclarations(): (type: string, name: string) => ProgramPlace | undefined {
  const places = new Map<string, (ProgramPlace | undefined)[]>();
  programLoader.declares = (type, name) => {
    const key = `${type} ${name}`;
    places.set(key, [...(places.get(key) ?? []), currentPlace()]);
  };
  return (type, name) => places.get(`${type} ${name}`)?.shift();
}

/**
 * Waits for everything that a program declares. The SDK waits for resources; the callbacks of their outputs, which may declare
 * more, run later.
 */
async function ended(callbacks: Callbacks): Promise<void> {
  for (let called = -1; called !== callbacks.called;) {
    ({ called } = callbacks);
    await pulumi.runtime.disconnect();
    await Promise.all(callbacks.running);
    await setImmediate();
  }
}

/** Records what a resource means for rules; returns its outputs if they follow from its arguments. */
function declare(
  type: string,
  { name, inputs, id }: pulumi.runtime.MockResourceArgs,
  declared: DeclaredSoFar,
): { readonly id: string; readonly state: object } | undefined {
  const { __secrets: secrets, ...given } = unwrap(inputs) as JsonObject;
  const resource = {
    ...{ type, name, inputs: given, secrets: isObject(secrets) ? secrets : {} },
    id: id === "" ? undefined : id,
  };
  return findDeclare(type)?.(resource, declared);
}

/** As far as a resource that nobody mocks is known: its inputs. The IDs of zones and accounts only tell them apart. */
function withoutMocks({ type, name, inputs }: pulumi.runtime.MockResourceArgs): Awaited<Made> {
  const isPlace = isZoneType(type) || /[:/]\w*Account$/.test(type);
  return { id: isPlace ? `${name}-id` : undefined, state: inputs as object };
}

type Made = ReturnType<pulumi.runtime.Mocks["newResource"]>;

/** What mocks make of a resource. They are code of a test, perhaps in JavaScript, and may return anything. */
async function madeBy(mocks: Partial<pulumi.runtime.Mocks>, args: pulumi.runtime.MockResourceArgs) {
  const made: unknown = (await mocks.newResource?.(args)) ?? withoutMocks(args);
  if (isObject(made) && isObject(made.state)) return made as unknown as Awaited<Made>;
  throw new TypeError(
    `newResource of the mocks returns no state for the resource "${args.name}" of type ${args.type}.\n` +
      "To continue: return { id, state: { ...inputs } } for it, or undefined to leave it without a mock",
  );
}

/** Notes the name of a zone. */
async function named({ inputs }: pulumi.runtime.MockResourceArgs, made: Made, names: Map<string, string>) {
  const zone = await made;
  const { name } = newZoneFrom("", unwrap(inputs) as JsonObject);
  if (name !== undefined && zone.id !== undefined) names.set(zone.id, name);
  return zone;
}

const STACK_REFERENCE = "pulumi:pulumi:StackReference";

/** Nothing follows from the outputs of another stack that are not known: code that gets `undefined` could skip resources. */
async function withOutputs({ inputs }: pulumi.runtime.MockResourceArgs, made: Made): Promise<Awaited<Made>> {
  const found = await made;
  if (isObject((found.state as JsonObject).outputs)) return found;
  throw new Error(
    `the outputs of the stack "${textOf((inputs as JsonObject).name)}" are not known without the engine.\nTo continue: pass mocks ` +
      `(--mocks in commands) whose newResource returns { id, state: { ...inputs, outputs: { … } } } for "${STACK_REFERENCE}"`,
  );
}

function withoutRules(type: string, { name, inputs }: pulumi.runtime.MockResourceArgs): DeclaredResource {
  const { zoneId, accountId } = unwrap(inputs) as JsonObject;
  return {
    ...{ type, name },
    inputs: {
      ...(knownText(zoneId) === "" ? {} : { zoneId: knownText(zoneId) }),
      ...(knownText(accountId) === "" ? {} : { accountId: knownText(accountId) }),
    },
  };
}

/**
 * A ruleset with the lists of its account. Which account a zone belongs to is not known here: it has every list, but none of a
 * name that lists of several accounts have.
 */
function withLists(ruleset: RulesetInput, lists: readonly ListOfProgram[]): RulesetInput {
  const own = lists.filter(({ accountId }) => ruleset.accountId === undefined || ruleset.accountId === accountId);
  const named = own.filter(({ name }) => own.filter((one) => one.name === name).length === 1);
  if (named.length === 0) return ruleset;
  return { ...ruleset, lists: mapFrom(named.map(({ name, input }) => [name, input] as const)) };
}

/** How the engine's wire format marks a secret. */
const SIGNATURE = "4dabf18193072939515e22adb298388d";

/** Removes the markers of secrets from a value, and puts the engine's marker in place of what is not known. */
function unwrap(value: unknown): unknown {
  if (pulumi.isUnknown(value)) return UNKNOWN;
  if (Array.isArray(value)) return value.map(unwrap);
  if (!isObject(value)) return value;
  if (SIGNATURE in value && "value" in value) return unwrap(value.value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unwrap(item)]));
}
