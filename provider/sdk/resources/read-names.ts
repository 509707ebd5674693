import * as pulumi from "@pulumi/pulumi";
import { ManagedNames } from "../../../core/managed/names.js";

/**
 * Names of managed rulesets and rules that the program's lookups have read. Resources pass on the names of the IDs in their
 * arguments, so that the provider, which is another process, can use them in previews and messages without a request.
 */
export const readNames = new ManagedNames();

type Names = Readonly<Record<string, string>>;

/** The names of the IDs in an output, once it is known; none for a secret, which a name would reveal. */
export function namesInOutput(output: pulumi.Output<unknown>, isSecret: Promise<boolean>): pulumi.Output<Names> {
  return pulumi.unsecret(output).apply(async (value) => ((await isSecret) ? {} : readNames.readIn(value)));
}
