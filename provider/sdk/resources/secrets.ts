import * as pulumi from "@pulumi/pulumi";
import { namesInOutput, readNames } from "./read-names.js";
import { secretPlaceholder } from "../../engine/secrets.js";

/** A value whose secret leaves are replaced by placeholders, and these leaves, by the placeholder's name. */
interface Split {
  readonly value: unknown;
  readonly secrets: Readonly<Record<string, pulumi.Output<unknown>>>;
  /** Names of managed rules that the program has read, for the IDs in the arguments. */
  readonly names: readonly pulumi.Input<Readonly<Record<string, string>>>[];
}

/**
 * Separates the secrets from the arguments. A secret anywhere in a list of rules would make the engine mask the whole list,
 * so that a preview shows nothing, and the engine does not tell the provider process which values are secret. Outputs that
 * are not secret stay in place, with their dependencies.
 */
export function splitSecrets(whole: unknown): Split {
  const secrets: Record<string, pulumi.Output<unknown>> = {};
  const names: pulumi.Output<Readonly<Record<string, string>>>[] = [];
  const texts: string[] = [];
  const walk = (value: unknown): unknown => {
    if (pulumi.Output.isInstance(value)) return split(value);
    if (value instanceof Promise) return split(pulumi.output(value as Promise<unknown>));
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item)]));
    }
    if (typeof value === "string") texts.push(value);
    return value;
  };
  const split = (output: pulumi.Output<unknown>): pulumi.Output<unknown> => {
    const name = String(Object.keys(secrets).length);
    const isSecret = pulumi.isSecret(output);
    // For an output that is known and not secret, this entry stays undefined.
    names.push(namesInOutput(output, isSecret));
    secrets[name] = output.apply(async (value) => ((await isSecret) ? value : undefined));
    return pulumi
      .unsecret(output)
      .apply(async (value) => ((await isSecret) && value !== undefined ? secretPlaceholder(name) : value));
  };
  const value = walk(whole);
  const read = readNames.readIn(texts);
  return { value, secrets, names: Object.keys(read).length === 0 ? names : [read, ...names] };
}
