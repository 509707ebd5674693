import { isObject, sameJson, type Json, type JsonObject } from "../../core/model/json.js";
import { hideWrapped, secretInWire } from "../../core/model/secret.js";
import type { Service } from "../support/emulator.js";
import type { Props } from "./run.js";
import { ManagedResource, type StoredResource } from "./managed.js";

/** A resource of a program, as the engine names it. */
export function resourceNamed(service: Service, type: string, name: string): EnginePart {
  return new ManagedResource(
    type,
    service,
    `urn:pulumi:prod::firewall::pulumi-nodejs:dynamic/rulesets:${type}::${name}`,
  );
}
type EnginePart = ManagedResource<unknown, StoredResource<unknown>>;

/**
 * What `pulumi preview --json` prints for an edit of a resource: checked and compared by the provider's own handlers. Only what
 * the engine does with their answers is played here.
 */
export async function previewJson(resource: EnginePart, after: object): Promise<string> {
  const { action, checked, notes, warnings, plans } = await resource.preview(after);
  const { stored, urn } = resource;
  const step = {
    op: action === "none" ? "same" : action,
    urn,
    ...(stored === undefined
      ? {}
      : { oldState: { id: stored.id, inputs: shown(stored.inputs), outputs: shown(stored.outputs) } }),
    newState: { inputs: shown(checked) },
    detailedDiff: stored === undefined ? null : pathsOf(stored.inputs as JsonObject, checked as JsonObject),
  };
  return JSON.stringify({
    steps: [step],
    diagnostics: [
      ...[...notes, ...plans].map((note) => ({ urn, severity: "info", message: `${note}\n` })),
      ...warnings.map((warning) => ({ urn, severity: "warning", message: `warning: ${warning}\n` })),
    ],
    changeSummary: { [step.op]: 1 },
  });
}

/** Secrets, and everything but metadata, as the engine shows it. */
function shown(props: Props): Json {
  return hideWrapped(props as JsonObject) ?? null;
}

/** The engine compares inputs where the provider leaves it open what changes: every innermost path that differs. */
function pathsOf(before: JsonObject, after: JsonObject): JsonObject {
  return Object.fromEntries(differing(before, after, "").map(([path, kind]) => [path, { kind, inputDiff: true }]));
}

function differing(before: Json | undefined, after: Json | undefined, path: string): (readonly [string, string])[] {
  if (sameJson(before, after)) return [];
  if (!isObject(before) || !isObject(after) || secretInWire(before) !== undefined || secretInWire(after) !== undefined)
    return [[path, before === undefined ? "add" : after === undefined ? "delete" : "update"]];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => path !== "" || !name.startsWith("__"))
    .flatMap((name) => differing(before[name], after[name], pathTo(path, name)));
}

/** A path as the engine spells it. */
function pathTo(path: string, name: string): string {
  if (!/^[\w-]+$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === "" ? name : `${path}.${name}`;
}
