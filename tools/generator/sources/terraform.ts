import { isList, isObject, type Json, type JsonObject, textOf, objectsIn } from "../../../core/model/json.js";
import { withValueAt, type Path } from "../../../core/model/path.js";
import { UNKNOWN } from "../../../core/model/unknown.js";
import type { ForeignResource } from "./foreign.js";

/** Resources from a state file of Terraform or OpenTofu; undefined for any other document. */
export function readStateFile(document: JsonObject): ForeignResource[] | undefined {
  const { version, resources } = document;
  if (version !== 4 || !Array.isArray(resources)) return undefined;
  return objectsIn(resources).flatMap((resource) =>
    objectsIn(resource.instances).flatMap((instance): ForeignResource[] => {
      const { attributes } = instance;
      if (!isObject(attributes)) return [];
      const { type, name } = named(resource);
      const module = textOf(resource.module);
      const data = resource.mode === "data" ? "data." : "";
      const address = `${module === "" ? "" : `${module}.`}${data}${type}.${name}${indexText(instance.index_key)}`;
      const hidden = sensitivePaths(instance.sensitive_attributes).reduce<Json>(
        (value, path) => withValueAt(value, path, UNKNOWN) ?? value,
        attributes,
      ) as JsonObject;
      return [resourceOf(address, type, name, hidden)];
    }),
  );
}

/** Resources from `terraform show -json` for a state or a plan; undefined for any other document. */
export function readShownState(document: JsonObject): ForeignResource[] | undefined {
  const { format_version: format, values, prior_state: prior } = document;
  if (typeof format !== "string") return undefined;
  const state = isObject(values) ? values : isObject(prior) && isObject(prior.values) ? prior.values : {};
  return isObject(state.root_module) ? inModule(state.root_module) : [];
}

function inModule(module: JsonObject): ForeignResource[] {
  const own = objectsIn(module.resources).map((resource) => {
    const { type, name } = named(resource);
    const values = isObject(resource.values) ? resource.values : {};
    return resourceOf(
      textOf(resource.address),
      type,
      name,
      withoutMarked(values, resource.sensitive_values) as JsonObject,
    );
  });
  return [...own, ...objectsIn(module.child_modules).flatMap(inModule)];
}

function resourceOf(address: string, type: string, name: string, values: JsonObject): ForeignResource {
  return { tool: "terraform", address, type, ownType: type, name, id: textOf(values.id), values };
}

function named(resource: JsonObject): { readonly type: string; readonly name: string } {
  return { type: textOf(resource.type), name: textOf(resource.name) };
}

function indexText(key: Json | undefined): string {
  if (key === undefined || key === null) return "";
  return `[${JSON.stringify(key)}]`;
}

/** `[[{ type: "get_attr", value: "rules" }, { type: "index", value: { value: 0 } }]]`. */
function sensitivePaths(value: Json | undefined): Path[] {
  if (!isList(value)) return [];
  return value.map((path) =>
    objectsIn(path).flatMap((step): (string | number)[] => {
      const inside = isObject(step.value) ? step.value.value : step.value;
      return typeof inside === "string" || typeof inside === "number" ? [inside] : [];
    }),
  );
}

/** Hides every part of a value that is marked with `true` in a second value of the same shape. */
function withoutMarked(value: Json, marks: Json | undefined): Json {
  if (marks === true) return UNKNOWN;
  if (isList(value) && isList(marks)) return value.map((item, index) => withoutMarked(item, marks[index]));
  if (!isObject(value) || !isObject(marks)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, item === undefined ? item : withoutMarked(item, marks[key])]),
  );
}
