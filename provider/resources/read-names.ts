import * as pulumi from "@pulumi/pulumi";
import { ManagedNames } from "../model/managed-names.js";

/**
 * What the look-ups of this program have read of managed rulesets. Resources pass it on for the ids that they hold, so that
 * previews and messages of the provider, which is another process, name them without a request.
 */
export const readNames = new ManagedNames();

type Names = Readonly<Record<string, string>>;

/** The names of the ids in an output, once it is known; nothing of a secret, which a name would tell. */
export function namesInOutput(output: pulumi.Output<unknown>, isSecret: Promise<boolean>): pulumi.Output<Names> {
  return pulumi.unsecret(output).apply(async (value) => ((await isSecret) ? {} : readNames.readIn(value)));
}
