import * as pulumi from "@pulumi/pulumi";

/** Arguments of which each may be an output or a promise. */
export type Lifted<Args> = { readonly [Name in keyof Args]: pulumi.Input<Args[Name]> };

/**
 * The form of a look-up that takes outputs and gives one, as Pulumi's own functions have it: unknown in a preview while an
 * argument is, and secret when one is.
 */
export function asOutput<Args extends readonly unknown[], Answer>(
  ask: (...args: Args) => Promise<Answer>,
): (...args: LiftedEach<Args>) => pulumi.Output<Answer> {
  // The types of the SDK cannot say that what it unwraps are the arguments again.
  return (...args) =>
    (pulumi.output(args as object) as pulumi.Output<unknown>).apply((known) => ask(...(known as Args)));
}

type LiftedEach<Args extends readonly unknown[]> = {
  [Index in keyof Args]: pulumi.Input<Args[Index] extends object | undefined ? Lifted<Args[Index]> : Args[Index]>;
};
