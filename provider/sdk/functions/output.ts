import type * as pulumi from "@pulumi/pulumi";
import { viaOf, type LookupOptions } from "./options.js";
import { late } from "../../../core/model/late.js";

/** Only in programs: the process of a provider needs no SDK. */
const loadSdk = late<typeof pulumi>(() => require("@pulumi/pulumi"));

/** Arguments, each of which may be an output or a promise. */
type Lifted<Args> = { readonly [Name in keyof Args]: pulumi.Input<Args[Name]> };

/**
 * Converts a lookup to its output form, which takes outputs and returns one, as Pulumi's own functions do: the result is
 * unknown while an argument or the settings of the provider are, and secret if an argument is.
 * @param count how many arguments there are before the options
 */
export function asOutput<Args extends readonly unknown[], Answer>(
  ask: (...args: Args) => Promise<Answer>,
  count = 1,
): (...args: LiftedEach<Args>) => pulumi.Output<Answer> {
  return (...args) => applyLookup(ask, args.slice(0, count), args[count] as LookupOptions | undefined);
}

/** The result of a lookup whose arguments may contain outputs. */
export function applyLookup<Args extends readonly unknown[], Answer>(
  ask: (...args: Args) => Promise<Answer>,
  args: { readonly [Index in keyof Args]?: unknown },
  opts: LookupOptions | undefined,
): pulumi.Output<Answer> {
  const { output, all } = loadSdk();
  const given = output(args as object) as pulumi.Output<unknown>;
  const { provider } = viaOf(ask.name, opts);
  const known = provider === undefined ? given : all([given, provider.whenKnown()]).apply(([values]) => values);
  // The SDK's types cannot express that unwrapping gives the arguments.
  return known.apply((values) => ask(...([...(values as unknown[]), opts] as unknown as Args)));
}

/** Options are not lifted; no argument has a property with the name of one. */
type LiftedEach<Args extends readonly unknown[]> = {
  [Index in keyof Args]: keyof LookupOptions extends keyof Exclude<Args[Index], undefined>
    ? Args[Index]
    : pulumi.Input<Args[Index] extends object | undefined ? Lifted<Args[Index]> : Args[Index]>;
};

/** Whether a value is an output. Asks for the mark that the SDK gives to outputs, because asking the SDK would load it. */
export function isOutput(value: unknown): boolean {
  return typeof value === "object" && value !== null && Reflect.get(value, "__pulumiOutput") === true;
}
