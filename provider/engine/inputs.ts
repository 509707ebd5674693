import { omit, pick, sameJson } from "../../core/model/json.js";
import type { Pending } from "../../core/model/unknown.js";
import {
  argumentEffect,
  inputProperties,
  type Description,
  type Effect,
  type Input,
  type InputsOf,
  type StateOf,
} from "./description.js";

type InputNameOf<D extends Description> = keyof InputsOf<D> & string;

/** Inputs whose change can replace the resource. */
type ReplacingNameOf<D extends Description> = {
  [N in keyof D["arguments"]]: D["arguments"][N] extends
    | { readonly change: "replace" }
    | { readonly replacesWhere: object }
    ? N
    : never;
}[keyof D["arguments"]] &
  InputNameOf<D>;

function inputNames<D extends Description>(description: D): InputNameOf<D>[] {
  return Object.keys(inputProperties(description)) as InputNameOf<D>[];
}

/** The inputs in a state, exactly as `check` returned them. */
export function inputsIn<D extends Description, S extends Pending<Partial<InputsOf<D>>>>(
  description: D,
  state: S,
): Pick<S, keyof InputsOf<D> & keyof S> {
  return pick(state, inputNames(description) as (keyof InputsOf<D> & keyof S)[]);
}

/** What a state contains in addition to its inputs: the service's responses. */
export function outputsIn<D extends Description, S extends StateOf<D>>(
  description: D,
  state: S,
): Omit<S, keyof InputsOf<D> & keyof S> {
  return omit(state, inputNames(description) as (keyof InputsOf<D> & keyof S)[]);
}

/** Whether all inputs are the same, except those named. */
export function sameInputs<D extends Description>(
  description: D,
  before: Pending<Partial<InputsOf<D>>>,
  after: Pending<Partial<InputsOf<D>>>,
  except: readonly InputNameOf<D>[] = [],
): boolean {
  return inputNames(description).every((name) => except.includes(name) || sameJson(before[name], after[name]));
}

/** The inputs that differ and must therefore replace the resource. */
export function replacedInputs<D extends Description>(
  description: D,
  before: { readonly [N in ReplacingNameOf<D>]?: unknown },
  after: { readonly [N in ReplacingNameOf<D>]?: unknown },
): ReplacingNameOf<D>[] {
  const args: Description["arguments"] = description.arguments;
  const names = Object.keys(args).filter(
    (name) => args[name]?.standsFor === undefined && argumentEffect(description, name, after) === "replace",
  ) as ReplacingNameOf<D>[];
  return names.filter((name) => before[name] !== after[name]);
}

/** Whether inputs differ whose change has one of these effects. */
export function hasChanged(
  { arguments: args, checked }: Description,
  effects: readonly Effect[],
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): boolean {
  const inputs: Readonly<Record<string, Input>> = { ...args, ...checked };
  return Object.entries(inputs)
    .filter(([, { change }]) => change !== undefined && effects.includes(change))
    .some(([name]) => !sameJson(before[name], after[name]));
}
