import type * as pulumi from "@pulumi/pulumi";

/** The value of an output as a promise. With the output itself, every resource that gets it would depend on its resource. */
export function promiseOf<T>(output: pulumi.Output<T>): Promise<T> {
  // Outputs have `promise`, but the SDK's types omit it.
  return (output as unknown as { promise(): Promise<T> }).promise();
}

/** Whether the value of an output is known, which it may not be in a preview. */
export function isKnown(output: pulumi.Output<unknown>): Promise<boolean> {
  // Outputs have `isKnown`, but the SDK's types omit it.
  return (output as unknown as { readonly isKnown: Promise<boolean> }).isKnown;
}
