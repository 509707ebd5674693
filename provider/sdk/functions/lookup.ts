import type * as pulumi from "@pulumi/pulumi";
import { isObject } from "../../../core/model/json.js";
import type { FunctionDescription } from "../../engine/package-schema.js";
import { late } from "../../../core/model/late.js";
import { checkGiven } from "../../engine/check-arguments.js";
import { failure } from "../../../core/model/failure.js";
import { requireValid, type LookupArgument } from "./arguments.js";
import { viaOf, type DirectLookup, type LookupOptions, type Via } from "./via.js";

/** Only in programs: the process of a provider needs no SDK. */
const loadSdk = late<typeof pulumi>(() => require("@pulumi/pulumi"));

interface LookupDescription<Args> extends FunctionDescription {
  readonly arguments: { readonly [Name in keyof Args]-?: LookupArgument };
}

/** What programs give a look-up. */
type GivenTo<Args> = readonly [args: Args, opts?: LookupOptions];

/** A function of the package: programs call it, the process of a provider for programs in other languages, and SDKs are made from it. */
export type Lookup<Answer, Given extends readonly unknown[]> = ((...given: Given) => Promise<Answer>) & {
  readonly description: FunctionDescription;
  /** Answers for the process of a provider, whose arguments have no types. */
  readonly answer: (args: unknown, opts?: LookupOptions | DirectLookup) => Promise<Answer>;
};

/**
 * Makes a look-up of what describes it and what answers it. It throws ARGUMENTS_INVALID for arguments that the description does not
 * allow, before any request.
 */
export function lookup<Args extends object, Answer extends object, Given extends readonly unknown[] = GivenTo<Args>>(
  description: LookupDescription<Args>,
  ask: (args: Args, via: Via) => Answer | Promise<Answer>,
): Lookup<Answer, Given> {
  const needsNone =
    description.exactlyOneOf === undefined &&
    Object.values<LookupArgument>(description.arguments).every(({ required }) => required !== true);
  // A program without types may give anything.
  const answer = async (args: unknown, opts?: LookupOptions | DirectLookup): Promise<Answer> => {
    requireArguments(description, args);
    return ask(args as Args, viaOf(description.name, opts));
  };
  const call = (...[args = needsNone ? {} : undefined, opts]: Given): Promise<Answer> =>
    answer(args, opts as LookupOptions);
  return Object.assign(call, { description, answer });
}

/** All names are known: a misspelled filter would silently have no effect. */
function requireArguments(description: LookupDescription<unknown>, args: unknown): void {
  const { name: lookupName, arguments: known } = description;
  if (!isObject(args)) {
    requireValid(lookupName, failure([], `needs an object of arguments: ${Object.keys(known).join(", ")}`));
    return;
  }
  requireValid(lookupName, checkGiven(lookupName, description, args));
}

/** Arguments, each of which may be an output or a promise. Options are not lifted. */
type Lifted<Given extends readonly unknown[]> = {
  [Index in keyof Given]: keyof LookupOptions extends keyof Exclude<Given[Index], undefined>
    ? Given[Index]
    : pulumi.Input<{ readonly [Name in keyof Given[Index]]: pulumi.Input<Given[Index][Name]> }>;
};

/**
 * A look-up that takes outputs and returns one, as Pulumi's own functions do: the result is unknown while an argument or the settings of
 * the provider are, and secret if an argument is.
 */
export function asOutput<Answer, Given extends readonly unknown[]>({
  description,
  answer,
}: Lookup<Answer, Given>): (...given: Lifted<Given>) => pulumi.Output<Answer> {
  return (...[args, opts]) => {
    const { output, all } = loadSdk();
    const given = output(args ?? {});
    const { provider } = viaOf(description.name, opts as LookupOptions);
    const known = provider === undefined ? given : all([given, provider.whenKnown()]).apply(([values]) => values);
    return known.apply((values) => answer(values, opts as LookupOptions));
  };
}

/** Whether a value is an output. Asks for the mark that the SDK gives to outputs, because asking the SDK would load it. */
export function isOutput(value: unknown): boolean {
  return typeof value === "object" && value !== null && Reflect.get(value, "__pulumiOutput") === true;
}
