import * as pulumi from "@pulumi/pulumi";

/** Arguments, each of which may be an output or a promise. */
export type Lifted<Args> = { readonly [Name in keyof Args]: pulumi.Input<Args[Name]> };

/**
 * Converts a lookup to its output form, which takes outputs and returns one, as Pulumi's own functions do: the result is
 * unknown while an argument is, and secret if an argument is.
 */
export function asOutput<Args extends readonly unknown[], Answer>(
  ask: (...args: Args) => Promise<Answer>,
): (...args: LiftedEach<Args>) => pulumi.Output<Answer> {
  // The SDK's types cannot express that unwrapping gives the arguments.
  return (...args) =>
    (pulumi.output(args as object) as pulumi.Output<unknown>).apply((known) => ask(...(known as Args)));
}

type LiftedEach<Args extends readonly unknown[]> = {
  [Index in keyof Args]: pulumi.Input<Args[Index] extends object | undefined ? Lifted<Args[Index]> : Args[Index]>;
};
