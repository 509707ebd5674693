import type { Client } from "../../client/index.js";
import type { Scope } from "../../core/model/ids.js";
import type { Findings } from "../../core/model/failure.js";
import type { Json, JsonObject } from "../../core/model/json.js";
import type { Range } from "../../core/model/numbers.js";
import type { Path } from "../../core/model/path.js";
import { isUnknown, NOT_KNOWN, type NotKnown } from "../../core/model/unknown.js";
import type { PlannedRequest } from "./preview-plan.js";
import { isOfType, type NamedType, type ValueType } from "./named-type.js";

/** The text of a property whose type is a field in schema/rule.json, which has its text. */
export const IN_RULE_SCHEMA = "";

/** A property, with what people read about it; the comments of the resource's class say the same. */
export interface Property {
  readonly type: ValueType;
  readonly text: string;
  /** The value that applies where it is missing. */
  readonly default?: string | number | boolean;
  /** What applies where it is missing, if that is not always the same value. */
  readonly otherwise?: string;
  /**
   * Whether every resource of the kind has it; `by programs` if programs must give it and `check` reports its absence
   * itself.
   */
  readonly required?: boolean | "by programs";
  /** The allowed values of a string with a closed set of values. */
  readonly choices?: readonly string[];
  /** The values that a program may write, for a string that the service may return with other values. */
  readonly among?: readonly string[];
  /** Other spellings of the choices that programs may write, and that `normalise` replaces. */
  readonly spellings?: readonly string[];
  /**
   * Whether an update leaves an output as it is, so that a preview knows it; `by ref` for a map with an entry for each rule:
   * those of the rules that stay.
   */
  readonly stable?: boolean | "by ref";
  /** The TypeScript type of the values that are known today. Any other string passes as well. */
  readonly known?: string;
  /** Whether the outputs in a state hold it as a JSON text, which the class converts. Inputs hold the value. */
  readonly storedAsJson?: boolean;
}

/** A property of the inputs. */
export interface Input extends Property {
  /** Whether it is also an output of the resource; `for the class` if only the class reads it. */
  readonly output?: boolean | "for the class";
  /** What people read about the output, if that is something else. */
  readonly outputText?: string;
  /** The type of the output, if the class converts it. */
  readonly outputType?: ValueType;
  /** Whether the class says that it is always there, although it may be missing until the service has been queried. */
  readonly alwaysDeclared?: boolean;
  /** Whether `ignoreChanges` may name it. @default arguments only */
  readonly ignorable?: boolean;
  /** What must happen when it changes. @default the kind compares what it is derived from */
  readonly change?: Effect;
  /** Whose text it repeats, so that it contains their secrets too. */
  readonly repeats?: "arguments" | "responses";
}

/**
 * What must happen when an input changes: the resource is replaced; something may have to be written; only the state has to
 * be updated, because a later call reads the value there; nothing, because the value is only read when it is used; or `check`
 * refuses it.
 */
export type Effect = "replace" | "write" | "record" | "none" | "refuse";

/** What the value of an argument must be, of a resource or a look-up. One that is not given, or not known yet, is not checked. */
export interface Constraints {
  /** What a number may be. */
  readonly range?: Range;
  /** Finds what else is wrong. The value may have any type. */
  readonly check?: (path: Path, value: unknown) => Findings;
}

export interface Argument extends Input, Constraints {
  readonly change: Effect;
  /**
   * What a program writes for it, by the value of another argument: its class has a type of arguments for each value, and one for
   * all others.
   */
  readonly typeBy?: {
    readonly argument: string;
    readonly types: Readonly<Record<string, ValueType>>;
    readonly otherwise: ValueType;
  };
  /** Other inputs with values for which changing this one replaces the resource as well. */
  readonly replacesWhere?: Readonly<Record<string, string>>;
  /** Another argument with the same meaning, whose value `check` finds by this one: a change of this one changes both. */
  readonly standsFor?: string;
  /** Whether `check` converts it, so that the checked inputs do not contain it. */
  readonly consumed?: boolean;
  /**
   * How a program writes a checked value, where `check` converts it to another form; given all inputs.
   * @default as it is
   */
  readonly written?: (value: Json, inputs: JsonObject) => Json;
  /** The values that an existing object has without anybody's choice, so that an imported resource need not declare them. */
  readonly implied?: readonly string[];
  /** Whether it may be a secret, or only the comments in it. An argument that becomes part of an ID or an output may not. */
  readonly mayBeSecret?: boolean | "comments";
}

export type Properties = Readonly<Record<string, Property>>;

/**
 * The single description of a kind of resource: its types, its parsing, the names in messages and the outputs of its
 * class follow from it.
 */
export interface Description {
  /** The name in the engine's type and in `load`. It must never change. */
  readonly type: string;
  /** Whether it has rules by ref, so that `ignoreChanges` may name parts of single rules, which its own check reads. */
  readonly keyed?: boolean;
  /** What people read about the kind. */
  readonly text: string;
  /** An example for the package schema, from which every language's is written. @default none */
  readonly example?: Example;
  /** What else its class says. Without it, the class is written by hand in `resources/`. */
  readonly class?: ClassText;
  /** What its runs ask and send, which decides what a token must be permitted to do. */
  readonly operations: readonly OperationsOf[];
  /** Where its objects are. */
  readonly levels: readonly Scope["level"][];
  /** The page of the documentation about it: `lists`. */
  readonly guide: string;
  /** What a program writes instead of Pulumi's option `import`, and the page about that. @default the guide */
  readonly insteadOfImport: readonly [text: string, page?: string];
  /** Whether it consists of rules, so that messages about them name the rule. */
  readonly hasRules?: boolean;
  /** Inputs on which the rules of other resources depend: a change of one changes what these rules do. */
  readonly usedByRules?: readonly string[];
  /** What a resource is about, for summaries of previews. @default its type */
  readonly title?: (inputs: JsonObject) => string;
  /** The requests of a create or an update. @default its handlers record them, or nobody knows them before they are sent */
  readonly plannedWrites?: (inputs: JsonObject) => readonly PlannedRequest[];
  /** The requests of a delete, about which an engine does not ask in a preview. @default none */
  readonly plannedDelete?: (state: RecordedState) => readonly PlannedRequest[];
  /** Groups of arguments of which a program must give exactly one. */
  readonly exactlyOneOf?: readonly (readonly string[])[];
  /** Groups of arguments of which a program may give one. */
  readonly atMostOneOf?: readonly (readonly string[])[];
  /** Arguments that go only with some values of others. */
  readonly refusals?: readonly Refusal[];
  /** What a program passes. */
  readonly arguments: Readonly<Record<string, Argument>>;
  /** What `check` adds to the arguments or replaces them with. Names that begin with `__` are internal. */
  readonly checked: Readonly<Record<string, Input>>;
  /** What the service returns, in addition to the inputs. Names that begin with `__` are internal. */
  readonly outputs: Properties;
}

/** Where an argument must not be given: where all of it holds. */
export interface Refusal {
  readonly argument: string;
  /** The value that is refused. @default any */
  readonly value?: Json;
  /** Values of other arguments beside which it is. */
  readonly beside?: Readonly<Record<string, string>>;
  /** Values of other arguments that it needs, if they are known. */
  readonly without?: Readonly<Record<string, string>>;
  /** Why, and what to write: it comes after the name of the argument. */
  readonly because: string;
}

/** Operations that need one permission. */
export interface OperationsOf {
  /** Below the zone or the account: `/rules/lists`. */
  readonly path: string;
  /** Whether also an `up` only reads there. */
  readonly isReadOnly?: boolean;
  /** What a token reads to show that it may: its name, and the request. @default nothing asks */
  readonly probe?: Probe;
}

/** A request that shows whether a token may read something. */
export interface Probe {
  readonly subject: string;
  readonly read: (client: Client, scope: Scope) => Promise<unknown>;
}

/** An ID in examples. */
export const EXAMPLE_ID = "0123456789abcdef0123456789abcdef";

export interface Example {
  /** The resource's name in the program. */
  readonly name: string;
  readonly text: string;
  readonly args: Readonly<Record<string, ExampleValue>>;
}

export type ExampleValue =
  | string
  | number
  | boolean
  | readonly ExampleValue[]
  | { readonly [Name in string]: ExampleValue };

/** A resource as a preview shows it, which is deleted or replaced. */
export interface RecordedState {
  readonly inputs: JsonObject;
  readonly outputs: JsonObject;
  /** The refs of its rules that move to other resources. */
  readonly released: ReadonlySet<string>;
}

/** What a generated class says besides the text of its kind. */
interface ClassText {
  /** Code of a program. */
  readonly example: string;
  /** What `get` reads, such as `the authority of a zone`. */
  readonly reads: string;
  /** The form of an ID. */
  readonly id: string;
}

type ItemValue<T> = T extends "string"
  ? string
  : T extends "number"
    ? number
    : T extends "boolean"
      ? boolean
      : T extends NamedType<infer Value>
        ? Value
        : never;

type TypeValue<T> = T extends { readonly list: infer Item }
  ? readonly ItemValue<Item>[]
  : T extends { readonly map: infer Item }
    ? Readonly<Record<string, ItemValue<Item>>>
    : ItemValue<T>;

type PropertyValue<P> = P extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : P extends { readonly type: infer T }
    ? TypeValue<T>
    : never;

type Required<P> = { [N in keyof P]: P[N] extends { readonly required: true } ? N : never }[keyof P];
type Values<P> = { readonly [N in Required<P>]: PropertyValue<P[N]> } & {
  readonly [N in Exclude<keyof P, Required<P>>]?: PropertyValue<P[N]>;
};
type Consumed<P> = { [N in keyof P]: P[N] extends { readonly consumed: true } ? N : never }[keyof P];
type Flat<T> = { readonly [N in keyof T]: T[N] };

/** What every checked resource has in addition to its own inputs: each call says it, and states of dynamic providers have it too. */
interface Internal {
  /** The resource's URN, so that messages appear at its row. */
  readonly __urn?: string;
}

/** Arguments before they are parsed: a program may have given anything for each, but no other name is one. */
export type GivenArguments<D extends Description> = { readonly [N in keyof D["arguments"]]?: Json };
/** Arguments as a program passes them. */
export type ArgumentsOf<D extends Description> = Flat<Values<D["arguments"]>>;
/** Inputs as `check` returns them. */
export type InputsOf<D extends Description> = Flat<
  Omit<Values<D["arguments"]>, Consumed<D["arguments"]> | keyof D["checked"]> & Values<D["checked"]> & Internal
>;
/** The complete state. */
export type StateOf<D extends Description> = Flat<InputsOf<D> & Values<D["outputs"]>>;

const INTERNAL = {
  __urn: { type: "string", text: "The resource's URN, so that messages appear at its row." },
} as const satisfies Properties;

/** The properties of checked inputs. */
export function inputProperties({ arguments: args, checked }: Description): Properties {
  const kept = Object.entries(args).filter(([, { consumed }]) => consumed !== true);
  return { ...Object.fromEntries(kept), ...checked, ...INTERNAL };
}

export function stateProperties(description: Description): Properties {
  return { ...inputProperties(description), ...description.outputs };
}

/** The arguments that the kind's resource class takes. */
export function argumentNames(description: Description): readonly string[] {
  return Object.keys(description.arguments);
}

/** What a change of an argument does, where other inputs have these values. */
export function argumentEffect(
  description: Pick<Description, "arguments">,
  name: string,
  values: Readonly<Record<string, unknown>> = {},
): Effect {
  const { change = "none", replacesWhere, standsFor } = description.arguments[name] ?? {};
  if (standsFor !== undefined) return argumentEffect(description, standsFor, values);
  const where = Object.entries(replacesWhere ?? {});
  return where.length > 0 && where.every(([other, value]) => values[other] === value) ? "replace" : change;
}

/** What inputs contain for the provider alone: people do not see it. */
export function internalNames({ checked }: Pick<Description, "checked">): readonly string[] {
  return Object.keys(checked).filter((name) => name.startsWith("__"));
}

/** What `ignoreChanges` may name. */
export function ignorableNames({ arguments: args, checked }: Description): readonly string[] {
  return [...Object.keys(args), ...Object.keys(checked).filter((name) => checked[name]?.ignorable === true)];
}

/** The outputs that the kind's resource class reads. */
export function outputNames({ arguments: args, checked, outputs }: Description): readonly string[] {
  const inputs = { ...args, ...checked };
  const shown = Object.keys(inputs).filter((name) => (inputs[name]?.output ?? false) !== false);
  return [...shown, ...Object.keys(outputs).filter((name) => !name.startsWith("__"))];
}

/** Arguments that may be secrets. */
export function secretNames({ arguments: args }: Description): readonly string[] {
  return Object.keys(args).filter((name) => (args[name]?.mayBeSecret ?? false) !== false);
}

/** Inputs that repeat the text of arguments or responses. */
export function repeatingNames({ checked }: Description, what: "arguments" | "responses"): readonly string[] {
  return Object.keys(checked).filter((name) => checked[name]?.repeats === what);
}

/** Values of properties. An unknown one is a case of its own. */
export type ParsedValues = Readonly<Record<string, Json | NotKnown | undefined>>;

/**
 * Values parsed by their properties. An unknown value is a case of its own, and names that are not properties are
 * dropped.
 */
type Parsed =
  | { readonly kind: "parsed"; readonly values: ParsedValues }
  /** Names of properties that are missing or have another type. */
  | { readonly kind: "invalid"; readonly names: readonly string[] };

export function parseProperties(properties: Properties, props: Readonly<Record<string, unknown>>): Parsed {
  const values: Record<string, unknown> = {};
  const invalid: string[] = [];
  for (const [name, { type, required, choices }] of Object.entries(properties)) {
    const value = props[name];
    if (value === undefined || value === null) {
      if (required === true) invalid.push(name);
    } else if (isUnknown(value)) values[name] = NOT_KNOWN;
    else if (isOfType(type, value) && (choices === undefined || choices.includes(value as string)))
      values[name] = value;
    else invalid.push(name);
  }
  return invalid.length > 0 ? { kind: "invalid", names: invalid } : { kind: "parsed", values: values as ParsedValues };
}
