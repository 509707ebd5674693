import { execFile } from "node:child_process";
import { findKind } from "../kinds/index.js";
import {
  CLOUDFLARE_RULESET,
  CLOUDFLARE_TYPE,
  isZone,
  ZONE,
  type ReadStack,
  type StackResource,
} from "../engine/predecessors.js";
import { inKindForm } from "../engine/schema-form.js";
import { isList, isObject, parseJson, textOf, type Json } from "../model/json.js";
import { secretInState } from "../model/secret.js";
import { ownTypeOf } from "../model/urn.js";

/** States may be large. */
const LARGEST_STATE = 1024 * 1024 * 1024;

/**
 * Reads this package's resources, `@pulumi/cloudflare`'s rulesets, and zones from the current state of a stack. The engine passes a
 * provider plugin only the state of the resource at hand, and no way to ask for others, so this runs `pulumi stack export` in
 * the folder of the program, with the login, the backend and the passphrase of the running command. It is only run when an
 * object may have belonged to another resource of the stack, and at most once.
 * @param provider URN of the provider that asks; empty if it does not know it
 */
export function exportedStackReader(provider: string): ReadStack {
  return async ({ name }) => resourcesIn(parseJson(await exportStack(name)) as Json | undefined, provider);
}

/** This package's resources, `@pulumi/cloudflare`'s rulesets, and zones in an exported stack. */
export function resourcesIn(state: Json | undefined, provider: string): readonly StackResource[] {
  // A stack without resources has no list of them.
  const resources = isObject(state) && isObject(state.deployment) ? (state.deployment.resources ?? []) : undefined;
  if (!isList(resources)) throw new Error("the exported stack has no resources");
  return resources.flatMap((resource) => resourceIn(resource, provider));
}

function exportStack(name: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const args = ["stack", "export", "--show-secrets", "--stack", name, "--non-interactive"];
    execFile("pulumi", args, { maxBuffer: LARGEST_STATE }, (error, stdout) => {
      // Its message could contain what the command has printed.
      if (error === null) resolve(stdout);
      else reject(new Error("`pulumi stack export` failed"));
    });
  });
}

function resourceIn(resource: Json, provider: string): StackResource[] {
  if (!isObject(resource) || typeof resource.type !== "string" || resource.delete === true) return [];
  const urn = textOf(resource.urn);
  if (isZone(urn)) return [{ type: ZONE, state: { __urn: urn } }];
  const outputs = inClear(resource.outputs ?? {});
  if (!isObject(outputs)) return [];
  if (resource.type === CLOUDFLARE_TYPE) return [{ type: CLOUDFLARE_RULESET, state: { ...outputs, __urn: urn } }];
  const type = ownTypeOf(resource.type);
  const kind = type === undefined ? undefined : findKind(type);
  return kind === undefined || type === undefined
    ? []
    : [
        {
          type,
          state: inKindForm(kind.description, outputs) as StackResource["state"],
          isOthers: provider !== "" && providerNamed(textOf(resource.provider)) !== providerNamed(provider),
        },
      ];
}

/**
 * The name of a provider, from its URN or the reference in a state, which has an ID after it. The engine names default providers after
 * the version of their package, which an upgrade changes for resources that stay.
 */
function providerNamed(reference: string): string {
  const [, name = reference] = /pulumi:providers:rulesets::([^:]*)/.exec(reference) ?? [];
  return /^default(_|$)/.test(name) ? "default" : name;
}

function inClear(value: Json): Json {
  const secret = secretInState(value);
  if (secret !== undefined) return secret.plain ?? null;
  if (isList(value)) return value.map(inClear);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, item === undefined ? item : inClear(item)]),
  );
}
