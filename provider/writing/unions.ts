import type * as pulumi from "@pulumi/pulumi";

type Names<Forms> = Forms extends unknown ? keyof Forms : never;

/** One of several forms, and nothing that belongs to another one of them. */
export type OneOf<Forms, All extends PropertyKey = Names<Forms>> = Forms extends unknown
  ? Forms & { readonly [Name in Exclude<All, keyof Forms>]?: never }
  : never;

/** Some of the properties, at least one. */
export type AtLeastOne<T> = {
  [Name in keyof T]-?: { readonly [One in Name]-?: Exclude<T[One], undefined> } & Partial<T>;
}[keyof T];

/** A choice without the words that only a newer version of the service may know. */
type Closed<T> = T extends string ? (string extends T ? never : T) : T;

/** Properties of the model as arguments of a program: each may be an output, and a choice is closed. */
export type Arguments<T> = {
  readonly [Name in keyof T]?: pulumi.Input<Closed<Exclude<T[Name], undefined>> | undefined>;
};

/** The same where all are required. */
export type Required<T> = { readonly [Name in keyof T]-?: pulumi.Input<Closed<Exclude<T[Name], undefined>>> };

/** A fixed value, or the expression that yields it. */
export type ValueOrExpression = pulumi.Input<string> | { readonly expression: pulumi.Input<string> };
