import * as pulumi from "@pulumi/pulumi";
import { ignorableNames, outputNames, type Description, type OutputNameOf } from "../engine/description.js";
import { countDeclared } from "./declared.js";
import { guardArguments, invalid } from "./arguments.js";
import { guardOptions, warnPlainToken } from "./guards.js";
import { requireInstalled } from "./installed.js";
import { splitSecrets } from "./secrets.js";
import { stackAddress } from "./stack-address.js";

/** The package of dynamic resources; the engine's own name for it. */
export const PACKAGE = "pulumi-nodejs";

/** The engine's type of a resource of this package. For ever: it stands in every URN. */
export function typeToken(type: string): string {
  return `${PACKAGE}:dynamic/rulesets:${type}`;
}

/** The one line of text every state holds instead of serialized code. For ever, like the type. */
function providerText(type: string): string {
  return `exports.handler = () => require("pulumi-rulesets/runtime").load("${type}", 1);`;
}

export interface Prepared {
  readonly props: pulumi.Inputs;
  readonly opts: pulumi.CustomResourceOptions;
}

/** Names that a class declares and the description of its kind does not have, or the other way round. */
type Forgotten<D extends Description, Args, Resource> =
  | Unshared<keyof D["arguments"], keyof Args>
  | Unshared<OutputNameOf<D>, Exclude<keyof Resource, keyof pulumi.CustomResource>>;
type Unshared<A, B> = Exclude<A, B> | Exclude<B, A>;

/**
 * What the class of a kind hands to the engine. The class names its arguments and itself, so that the compiler finds what
 * stands in one of the two only: `prepareKind<typeof TOTAL_TLS_CA, TotalTlsCaArgs, TotalTlsCa>(TOTAL_TLS_CA, …)`.
 */
export function prepareKind<D extends Description, Args extends object, Resource extends pulumi.CustomResource>(
  description: [Forgotten<D, Args, Resource>] extends [never] ? D : Forgotten<D, Args, Resource>,
  name: string,
  args: Args,
  opts: pulumi.CustomResourceOptions | null,
): Prepared {
  return prepare(description as D, name, args, opts ?? {});
}

/** What a resource class hands to the engine: arguments, secrets apart, outputs to be, and a few internal inputs. */
function prepare(description: Description, name: string, args: object, opts: pulumi.CustomResourceOptions): Prepared {
  const { type } = description;
  guardArguments(type, name, args);
  guardOptions(type, name, opts);
  requireInstalled(type, name);
  warnPlainToken();
  const unset = Object.fromEntries(outputNames(description).map((output) => [output, undefined]));
  const own = { ...unset, ...args, __provider: providerText(type) };
  if (opts.id !== undefined) return { props: { ...own, __get: `${type} ${name}` }, opts };
  const { value: apart, secrets, names } = splitSecrets({ ...args });
  return {
    props: {
      ...own,
      ...(apart as object),
      ...(Object.keys(secrets).length === 0 ? {} : { __secrets: secrets }),
      __resources: countDeclared(opts.provider ?? opts.parent?.getProvider(typeToken(type))),
      ...(opts.ignoreChanges === undefined ? {} : { __ignore: opts.ignoreChanges }),
      ...(names.length === 0 ? {} : { __names: names }),
      __preview: pulumi.runtime.isDryRun(),
      __stack: stackAddress(),
      __urn: urnOf(type, name, opts.parent),
    },
    opts: forEngine(description, opts),
  };
}

/** Options that make the engine read what is there, under its id, in place of creating it. */
export function readOptions(
  type: string,
  name: string,
  id: pulumi.Input<pulumi.ID>,
  opts: pulumi.CustomResourceOptions,
): pulumi.CustomResourceOptions {
  if ((id as unknown) !== undefined && (id as unknown) !== null && id !== "") return { ...opts, id };
  throw invalid(
    `${type}.get(${JSON.stringify(name)}) needs the ID of what it reads. Was it an output of another stack that is not set?`,
  );
}

/**
 * What is left to the engine of `ignoreChanges`. With `*` it would take away what is sent beside the arguments, so each
 * of these is named; and it cannot find a single rule in a list, which `check` of a ruleset does.
 */
function forEngine(description: Description, opts: pulumi.CustomResourceOptions): pulumi.CustomResourceOptions {
  const { ignoreChanges } = opts;
  if (ignoreChanges === undefined) return opts;
  const names = ignorableNames(description);
  const all = ignoreChanges.includes("*") ? names : [];
  const named = ignoreChanges.filter((path) => (description.keyed === true ? names.includes(path) : path !== "*"));
  return { ...opts, ignoreChanges: [...all, ...named] };
}

/** By type, what the URNs of resources without a parent begin with, in the stack that runs. */
const prefixes = new Map<string, Promise<string>>();

/** The resource's own URN, as a promise: an output would make the resource depend on its parent, which waits for it. */
async function urnOf(type: string, name: string, parent: pulumi.Resource | undefined): Promise<string> {
  if (parent !== undefined) return createUrn(type, name, parent);
  // In the Automation API programs of several stacks run in one process.
  const key = `${pulumi.getStack()} ${pulumi.getProject()} ${type}`;
  const prefix = prefixes.get(key) ?? createUrn(type, "");
  prefixes.set(key, prefix);
  return `${await prefix}${name}`;
}

function createUrn(type: string, name: string, parent?: pulumi.Resource): Promise<string> {
  // Outputs have `promise`, and the types of the SDK leave it out.
  const urn = pulumi.createUrn(name, typeToken(type), parent) as unknown as { promise(): Promise<string> };
  return urn.promise();
}
