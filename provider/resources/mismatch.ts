import type * as pulumi from "@pulumi/pulumi";
import type { Description, OutputNameOf, ShownOf, WritableOf } from "../engine/description.js";

/**
 * What a class declares differently from the description of its kind: names of arguments and outputs that only one of them
 * has, that only one of them requires, or that have another type.
 */
export type Mismatch<D extends Description, Args, Resource> =
  | Unshared<keyof D["arguments"], keyof Args>
  | Unshared<OutputNameOf<D>, OwnName<Resource>>
  | MismatchedArgument<D["arguments"], Args>
  | MismatchedOutput<OutputsOf<D>, Resource>;

type Unshared<A, B> = Exclude<A, B> | Exclude<B, A>;
type OwnName<Resource> = Exclude<keyof Resource, keyof pulumi.CustomResource>;

type MismatchedArgument<Described, Args> = {
  [N in keyof Described & keyof Args]: [
    IsOptional<Args, N>,
    Accepts<Args[N], WritableOf<Described[N]>>,
    IsClosed<WritableOf<Described[N]>, Plain<Args[N]>>,
  ] extends [Described[N] extends { readonly required: true | "by programs" } ? false : true, true, true]
    ? never
    : N;
}[keyof Described & keyof Args];

/** The properties that are outputs, without arguments that are replaced by a checked input or an output of that name. */
type OutputsOf<D extends Description> = Omit<D["arguments"], keyof D["checked"] | keyof D["outputs"]> &
  D["checked"] &
  D["outputs"];

type MismatchedOutput<Described, Resource> = {
  [N in keyof Described & OwnName<Resource>]: Resource[N] extends pulumi.Output<infer Value>
    ? [
        undefined extends Value ? true : false,
        Accepts<Value, ShownOf<Described[N]>>,
        IsClosed<ShownOf<Described[N]>, NonNullable<Value>>,
      ] extends [Described[N] extends Always ? false : true, true, true]
      ? never
      : N
    : N;
}[keyof Described & OwnName<Resource>];

type Always = { readonly required: true | "by programs" } | { readonly alwaysDeclared: true };
type IsOptional<T, N extends keyof T> = Partial<Pick<T, N>> extends Pick<T, N> ? true : false;

/** Whether a declared type takes every value that is described. Lists are compared as if they could be changed. */
type Accepts<Declared, Described> = [Changeable<Described>] extends [Declared] ? true : false;
type Changeable<T> = T extends string
  ? T
  : T extends readonly (infer Item)[]
    ? Changeable<Item>[]
    : T extends object
      ? { -readonly [N in keyof T]: Changeable<T[N]> }
      : T;

/** An input without its promises and outputs. */
type Plain<T> = T extends Promise<unknown> | pulumi.OutputInstance<unknown> | undefined ? never : T;

/** Whether a declared type takes nothing that is not described. The parts of an object may be declared more widely. */
type IsClosed<Described, Declared> = [Exclude<Declared, object>] extends [Described] ? true : false;
