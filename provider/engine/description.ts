import { isObject, omit, pick, type JsonObject } from "../model/json.js";
import { isUnknown, NOT_KNOWN, type Pending } from "../model/unknown.js";

/** What a property holds, in the words that a package schema is made of. */
export type ValueType = ItemType | { readonly list: ItemType } | { readonly map: ItemType };
type ItemType = "string" | "number" | "boolean" | Shape<unknown>;

/** An object or a union that has a name, and a type that only the compiler sees. */
export interface Shape<T> {
  readonly shape: string;
  readonly is: (value: unknown) => boolean;
  readonly of?: T;
}

/** A named type, such as a rule. What stands in it is checked where it is used; here only what kind of value it is. */
export function shape<T>(name: string, is: (value: unknown) => boolean = isObject): Shape<T> {
  return { shape: name, is };
}

export interface Property {
  readonly type: ValueType;
  /** Whether every resource of the kind has it; `by programs` where they must give it, and `check` says so itself. */
  readonly required?: boolean | "by programs";
  /** The words it may be, for a text that is one of a few. */
  readonly choices?: readonly string[];
  /** The words that a program may write, for a text that the service may answer with others. */
  readonly among?: readonly string[];
}

/** A property of the inputs. */
export interface Input extends Property {
  /** Whether it is an output of the resource too. */
  readonly output?: boolean;
  /** Whether `ignoreChanges` may name it, though it is no argument. */
  readonly ignorable?: boolean;
}

export interface Argument extends Input {
  /** Whether a change of it makes another resource. */
  readonly replaces?: boolean;
  /** Whether `check` makes something else of it, so that checked inputs do not hold it. */
  readonly consumed?: boolean;
  /** Whether it may be a secret: nothing that an id or an output is made of may. */
  readonly mayBeSecret?: boolean;
}

export type Properties = Readonly<Record<string, Property>>;

/** One kind of resource, said once: types, parsing, names in messages, and the outputs of its class follow from it. */
export interface Description {
  /** The name in the engine's type and in `load`. For ever. */
  readonly type: string;
  /** Whether it holds rules by ref, so that `ignoreChanges` may name parts of single ones: its own check reads it. */
  readonly keyed?: boolean;
  /** What a program gives. */
  readonly arguments: Readonly<Record<string, Argument>>;
  /** What `check` adds to the arguments, or puts in their place. Names that begin with `__` are internal. */
  readonly checked: Readonly<Record<string, Input>>;
  /** What the service answers, beside the inputs. Names that begin with `__` are internal. */
  readonly outputs: Properties;
}

type ItemValue<T> = T extends "string"
  ? string
  : T extends "number"
    ? number
    : T extends "boolean"
      ? boolean
      : T extends Shape<infer Value>
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

/** What every checked resource carries beside its own. */
export interface Internal {
  /** The resource's name in the engine, for messages at its row. */
  readonly __urn?: string;
}

/** Arguments as a program gives them. */
export type ArgumentsOf<D extends Description> = Flat<Values<D["arguments"]>>;
/** Inputs as `check` hands them on. */
export type InputsOf<D extends Description> = Flat<
  Omit<Values<D["arguments"]>, Consumed<D["arguments"]> | keyof D["checked"]> & Values<D["checked"]> & Internal
>;
/** The whole state. */
export type StateOf<D extends Description> = Flat<InputsOf<D> & Values<D["outputs"]>>;

type Shown<P> = { [N in keyof P]: P[N] extends { readonly output: true } ? N : never }[keyof P];

/** The names of {@link outputNames}, for the compiler. */
export type OutputNameOf<D extends Description> =
  Shown<D["arguments"]> | Shown<D["checked"]> | Exclude<keyof D["outputs"], `__${string}`>;

const INTERNAL = { __urn: { type: "string" } } as const satisfies Properties;

/** The properties that stand in checked inputs. */
export function inputProperties({ arguments: args, checked }: Description): Properties {
  const kept = Object.entries(args).filter(([, { consumed }]) => consumed !== true);
  return { ...Object.fromEntries(kept), ...checked, ...INTERNAL };
}

export function stateProperties(description: Description): Properties {
  return { ...inputProperties(description), ...description.outputs };
}

/** The arguments that a class of the kind takes. */
export function argumentNames(description: Description): readonly string[] {
  return Object.keys(description.arguments);
}

/** What `ignoreChanges` may name. */
export function ignorableNames({ arguments: args, checked }: Description): readonly string[] {
  return [...Object.keys(args), ...Object.keys(checked).filter((name) => checked[name]?.ignorable === true)];
}

/** The outputs that a class of the kind declares. */
export function outputNames({ arguments: args, checked, outputs }: Description): readonly string[] {
  const inputs = { ...args, ...checked };
  const shown = Object.keys(inputs).filter((name) => inputs[name]?.output === true);
  return [...shown, ...Object.keys(outputs).filter((name) => !name.startsWith("__"))];
}

/** The inputs inside a state, exactly as `check` handed them on. */
export function inputsIn<D extends Description, S extends Pending<InputsOf<D>>>(
  description: D,
  state: S,
): Pick<S, keyof InputsOf<D> & keyof S> {
  return pick(state, Object.keys(inputProperties(description)) as (keyof InputsOf<D> & keyof S)[]);
}

/** What a state holds beside its inputs: the service's answers. */
export function outputsIn<D extends Description, S extends StateOf<D>>(
  description: D,
  state: S,
): Omit<S, keyof InputsOf<D> & keyof S> {
  return omit(state, Object.keys(inputProperties(description)) as (keyof InputsOf<D> & keyof S)[]);
}

/** Arguments of which a change makes another resource. */
export function replacingNames({ arguments: args }: Description): readonly string[] {
  return Object.keys(args).filter((name) => args[name]?.replaces === true);
}

/** Arguments that may be secrets. */
export function secretNames({ arguments: args }: Description): readonly string[] {
  return Object.keys(args).filter((name) => args[name]?.mayBeSecret === true);
}

/** Values by their properties: what is not known is a case of its own, and no other name passes. */
export type Parsed =
  | { readonly kind: "parsed"; readonly values: Pending<JsonObject> }
  /** Names of properties that are missing, or hold something else. */
  | { readonly kind: "unfit"; readonly names: readonly string[] };

export function parseProperties(properties: Properties, props: Readonly<Record<string, unknown>>): Parsed {
  const values: Record<string, unknown> = {};
  const unfit: string[] = [];
  for (const [name, { type, required, choices }] of Object.entries(properties)) {
    const value = props[name];
    if (value === undefined || value === null) {
      if (required === true) unfit.push(name);
    } else if (isUnknown(value)) values[name] = NOT_KNOWN;
    else if (isOfType(type, value) && (choices === undefined || choices.includes(value as string)))
      values[name] = value;
    else unfit.push(name);
  }
  return unfit.length > 0 ? { kind: "unfit", names: unfit } : { kind: "parsed", values: values as Pending<JsonObject> };
}

/** Whether a value is of a type, as far as its kind of value goes. */
export function isOfType(type: ValueType, value: unknown): boolean {
  if (typeof type === "string") return typeof value === type;
  if ("list" in type) return Array.isArray(value) && value.every((item) => isOfType(type.list, item));
  if ("map" in type) return isObject(value) && Object.values(value).every((item) => isOfType(type.map, item));
  return type.is(value);
}
