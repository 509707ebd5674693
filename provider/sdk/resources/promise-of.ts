import type * as pulumi from "@pulumi/pulumi";

/** What outputs have, but the SDK's types omit. */
interface Whole<T> {
  readonly isKnown: Promise<boolean>;
  promise(): Promise<T>;
}

/** An output with what the types omit. */
function whole<T>(output: pulumi.Output<T>): Whole<T> {
  return output as unknown as Whole<T>;
}

/** The value of an output as a promise. With the output itself, every resource that gets it would depend on its resource. */
export function promiseOf<T>(output: pulumi.Output<T>): Promise<T> {
  return whole(output).promise();
}

/** Whether the value of an output is known, which it may not be in a preview. */
export function isKnown(output: pulumi.Output<unknown>): Promise<boolean> {
  return whole(output).isKnown;
}
