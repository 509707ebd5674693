import * as pulumi from "@pulumi/pulumi";
import { ignorableNames, internalNames, outputNames, type Description } from "../../engine/description.js";
import type { Metadata } from "../../engine/metadata.js";
import { guardArguments, invalid } from "./arguments.js";
import { programLoader } from "./program-loader.js";
import { guardOptions, warnPlainToken } from "./guards.js";
import { programRun } from "./program-run.js";
import { promiseOf } from "./promise-of.js";
import { checkStackSettings } from "./stack-settings.js";
import { splitSecrets } from "./secrets.js";
import { createRequire } from "node:module";
import { join } from "node:path";
import { RulesetsError } from "../../../core/model/errors.js";

/** The engine's name for the package of dynamic resources. */
export const PACKAGE = "pulumi-nodejs";

/** The engine's type of a resource of this package. It must never change, because it is part of every URN. */
export function typeToken(type: string): string {
  return `${PACKAGE}:dynamic/rulesets:${type}`;
}

/** The constant line of text that every state contains instead of serialized code. Like the type, it must never change. */
function providerText(type: string): string {
  return `exports.handler = () => require("pulumi-rulesets/runtime").load("${type}", 1);`;
}

export interface Prepared {
  readonly props: pulumi.Inputs;
  readonly opts: pulumi.CustomResourceOptions;
}

/** What the provider knows of: a name that it does not would reach it as an argument. */
type SentMetadata = { readonly [N in keyof Metadata]?: unknown };

/** Prepares what a resource class passes to the engine: arguments, separate secrets, undefined outputs, internal inputs. */
export function prepareKind(
  description: Description,
  name: string,
  args: object,
  options: pulumi.CustomResourceOptions | null,
): Prepared {
  const opts = options ?? {};
  const { type } = description;
  guardArguments(type, name, args);
  guardOptions(description, name, opts);
  requireInstalled(type, name);
  checkStackSettings();
  warnPlainToken();
  const unset = Object.fromEntries(outputNames(description).map((output) => [output, undefined]));
  if (opts.id !== undefined) {
    const metadata: SentMetadata = { __provider: providerText(type), __get: `${type} ${name}` };
    return { props: { ...unset, ...args, ...metadata }, opts };
  }
  programLoader.declares?.(type, name);
  const { value: apart, secrets, names } = splitSecrets({ ...args });
  const metadata: SentMetadata = {
    __provider: providerText(type),
    __secrets: Object.keys(secrets).length === 0 ? undefined : secrets,
    __ignore: opts.ignoreChanges,
    __names: names.length === 0 ? undefined : names,
    __program: programRun(),
    __urn: urnOf(type, name, opts.parent),
  };
  return { props: { ...unset, ...(apart as object), ...whatIsSet(metadata) }, opts: forEngine(description, opts) };
}

/** Every value that is sent costs the program time. */
function whatIsSet(metadata: SentMetadata): object {
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== undefined));
}

/** Options that make the engine read an existing object by its ID instead of creating one. */
export function readOptions(
  type: string,
  name: string,
  id: pulumi.Input<pulumi.ID>,
  opts: pulumi.CustomResourceOptions,
): pulumi.CustomResourceOptions {
  if ((id as unknown) !== undefined && (id as unknown) !== null && id !== "") return { ...opts, id };
  throw invalid(
    `${type}.get(${JSON.stringify(name)}) requires an ID. Is it an output of another stack that is not set?`,
  );
}

/**
 * The part of `ignoreChanges` that the engine handles. `*` would also apply to the internal inputs, so it is replaced by the
 * names of all arguments. The engine cannot find a single rule in a list, so a ruleset's `check` handles those paths. The
 * internal inputs are in it, so that the engine does not show a change of theirs: a refresh shows every other input.
 */
function forEngine(description: Description, opts: pulumi.CustomResourceOptions): pulumi.CustomResourceOptions {
  const { ignoreChanges = [] } = opts;
  const names = ignorableNames(description);
  const all = ignoreChanges.includes("*") ? names : [];
  const named = ignoreChanges.filter((path) => (description.keyed === true ? names.includes(path) : path !== "*"));
  const ignored = [...all, ...named, ...internalNames(description)];
  return ignored.length === 0 ? opts : { ...opts, ignoreChanges: ignored };
}

/** The resource's own URN. As a promise, because with an output the resource would depend on its parent, which waits for it. */
function urnOf(type: string, name: string, parent: pulumi.Resource | undefined): string | Promise<string> {
  // What `createUrn` returns as an output, which takes the program much longer.
  if (parent === undefined)
    return `urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::${typeToken(type)}::${name}`;
  return promiseOf(pulumi.createUrn(name, typeToken(type), parent));
}

const seen = new Set<string>();

/**
 * Refuses a program if this package cannot be found from its folder, because the provider process starts there. This happens
 * in a workspace when only a library depends on the package.
 */
function requireInstalled(type: string, name: string): void {
  const folder = process.cwd();
  if (seen.has(folder)) return;
  if (!isFoundFrom(folder)) {
    throw new RulesetsError(
      `${type} ${name}: the package pulumi-rulesets cannot be found from ${folder}, where the provider runs. ` +
        `To continue: make it a dependency of the project in that folder too, not only of a library that the program uses.`,
      { code: "PACKAGE_NOT_FOUND" },
    );
  }
  seen.add(folder);
}

function isFoundFrom(folder: string): boolean {
  try {
    createRequire(join(folder, "program.js")).resolve("pulumi-rulesets/package.json");
    return true;
  } catch {
    return false;
  }
}
