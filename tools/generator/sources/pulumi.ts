import { isList, isObject, type Json, type JsonObject, textOf, objectsIn } from "../../../core/model/json.js";
import { shortRulesetId } from "../../../core/model/ids.js";
import { snakeCase } from "../../../core/model/shapes.js";
import { wrapSecret } from "../../../core/model/secret.js";
import { UNKNOWN } from "../../../core/model/unknown.js";
import type { ForeignResource } from "./foreign.js";

/** The key by which the engine marks a value as secret. */
const [SIGNATURE = ""] = Object.keys(wrapSecret(""));

/** Resources of `@pulumi/cloudflare` from `pulumi stack export`; undefined for any other document. */
export function readPulumiState(document: JsonObject): ForeignResource[] | undefined {
  const { deployment } = document;
  if (!isObject(deployment)) return undefined;
  return objectsIn(deployment.resources).flatMap((resource): ForeignResource[] => {
    const ownType = textOf(resource.type);
    const [, kind] = /^cloudflare:index\/(\w+):\w+$/.exec(ownType) ?? [];
    // A resource that is pending deletion is no longer declared.
    if (kind === undefined || resource.delete === true) return [];
    const address = textOf(resource.urn);
    const outputs = isObject(resource.outputs) ? resource.outputs : {};
    const inputs = isObject(resource.inputs) ? resource.inputs : {};
    const values = withoutSecrets({ ...inputs, ...outputs }) as JsonObject;
    const id = shortRulesetId(textOf(resource.id));
    const name = address.slice(address.lastIndexOf("::") + 2);
    return [
      { tool: "pulumi", address, type: `cloudflare_${snakeCase(kind)}`, ownType, name, id, values: snakeKeys(values) },
    ];
  });
}

function withoutSecrets(value: Json): Json {
  if (isList(value)) return value.map(withoutSecrets);
  if (!isObject(value)) return value;
  if (Object.hasOwn(value, SIGNATURE)) return UNKNOWN;
  const entries = Object.entries(value).filter(([key]) => !key.startsWith("__"));
  return Object.fromEntries(entries.map(([key, item]) => [key, item === undefined ? item : withoutSecrets(item)]));
}

/** The arguments of a resource under Terraform's names; nested keys are not changed. */
function snakeKeys(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [snakeCase(key), value]));
}
