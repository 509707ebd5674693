import type { Description } from "../../engine/description.js";
import { inSchemaForm } from "../../engine/schema-form.js";
import { isObject, mapFrom, type Json, type JsonObject } from "../../../core/model/json.js";
import { UNKNOWN } from "../../../core/model/unknown.js";

/**
 * The outputs of a resource that will be created or updated, as far as a preview knows them: its inputs, and what an update
 * leaves as it is. Anything else is unknown, so that nothing is computed from what was true before.
 * @param inputs as `check` returned them, secrets in their wire format
 * @param before the state of the resource; undefined if it does not exist yet
 */
export function previewedOutputs(description: Description, inputs: JsonObject, before?: JsonObject): JsonObject {
  const outputs = Object.entries(description.outputs)
    .filter(([name]) => !name.startsWith("__"))
    .map(([name, { stable = false }]): [string, Json] => [name, previewed(stable, name, inputs, before)]);
  return inSchemaForm(description, { ...inputs, ...Object.fromEntries(outputs) });
}

function previewed(stable: boolean | "by ref", name: string, inputs: JsonObject, before: JsonObject = {}): Json {
  const value = before[name];
  if (stable === false || value === undefined) return UNKNOWN;
  const { rules } = inputs;
  if (stable !== "by ref") return value;
  if (!isObject(value) || !isObject(rules)) return UNKNOWN;
  return mapFrom(Object.keys(rules).map((ref) => [ref, value[ref] ?? UNKNOWN] as const));
}

/** The outputs that no update of a kind changes. */
export function stableOutputs({ outputs }: Description): string[] {
  return Object.keys(outputs).filter((name) => outputs[name]?.stable === true);
}
