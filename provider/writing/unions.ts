import type * as pulumi from "@pulumi/pulumi";

type Names<Forms> = Forms extends unknown ? keyof Forms : never;

/** Exactly one of several forms, without properties of the others. */
export type OneOf<Forms, All extends PropertyKey = Names<Forms>> = Forms extends unknown
  ? Forms & { readonly [Name in Exclude<All, keyof Forms>]?: never }
  : never;

/** Some of the properties, at least one. */
export type AtLeastOne<T> = {
  [Name in keyof T]-?: { readonly [One in Name]-?: Exclude<T[One], undefined> } & Partial<T>;
}[keyof T];

/** A union of literals without the open `string` that allows values of newer versions of the service. */
type Closed<T> = T extends string ? (string extends T ? never : T) : T;

/** Properties of the model as arguments of a program: each may be an output, and unions are closed. */
export type Arguments<T> = {
  readonly [Name in keyof T]?: pulumi.Input<Closed<Exclude<T[Name], undefined>> | undefined>;
};

/** A fixed value, or an expression that computes it. */
export type ValueOrExpression = pulumi.Input<string> | { readonly expression: pulumi.Input<string> };
