import description from "../../api/description.json";
import type { ErrorObject, ValidateFunction } from "ajv";
import { invalidValue, refuse, type ServiceError } from "../../failure.js";
import { ownValue } from "../../lookup.js";
import { addDocument, declareSchema, type Schema } from "../../schemas.js";
import type { Check } from "./check.js";
import type { Body } from "../../call.js";

interface Node {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly anyOf?: readonly Node[];
  readonly allOf?: readonly Node[];
  readonly [key: string]: unknown;
}

const schemas = description.components.schemas as unknown as Readonly<Record<string, Node>>;
const mapping = (schemas.rulesets_RequestRule as unknown as { discriminator: { mapping: Record<string, string> } })
  .discriminator.mapping;

/** The part of the API description that the schemas of rules refer to. */
export const API_SCHEMAS: Schema = { $id: "api", components: { schemas: withEveryProperty(schemas) } };
addDocument(API_SCHEMAS);
const validators = new Map<string, () => ValidateFunction>();

/**
 * Objects have the described properties only: the service refuses others. The description gives alternatives of which an object has at
 * least one, such as `path` or `query`. Where they do not contradict each other, the service looks at each property, whichever
 * alternative it is in.
 */
function withEveryProperty(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withEveryProperty);
  if (!isObject(node)) return node;
  const made = Object.fromEntries(Object.entries(node).map(([name, part]) => [name, withEveryProperty(part)])) as Node;
  const parts = made.anyOf?.map(({ properties }) => properties ?? {}) ?? [];
  const all = parts.flatMap((part) => Object.entries(part).map((entry) => JSON.stringify(entry)));
  const names = new Set(parts.flatMap((part) => Object.keys(part)));
  const isJoined = parts.length > 1 && new Set(all).size <= names.size;
  const properties = isJoined ? { ...made.properties, ...(Object.assign({}, ...parts) as object) } : made.properties;
  const isOpen = properties === undefined || made.additionalProperties !== undefined || (parts.length > 0 && !isJoined);
  return {
    ...made,
    ...(properties === undefined ? {} : { properties }),
    ...(isJoined ? { anyOf: node.anyOf } : {}),
    ...(isOpen ? {} : { additionalProperties: false }),
  };
}

function resolve(node: Node): Node {
  const name = node.$ref?.slice(node.$ref.lastIndexOf("/") + 1);
  return name === undefined ? node : resolve(schemas[name] ?? {});
}

/** The API description's schema for rules with an action. */
function schemaOf(action: string): Node | undefined {
  const $ref = ownValue(mapping, action);
  return $ref === undefined ? undefined : resolve({ $ref });
}

/** Whether the API description knows the action. */
export function isKnownAction(action: string): boolean {
  return schemaOf(action) !== undefined;
}

/** The parameter names of an action; undefined if the description does not know it. */
export function parametersOf(action: string): ReadonlySet<string> | undefined {
  const parameters = schemaOf(action)?.properties?.action_parameters;
  return parameters === undefined ? undefined : namesIn(parameters);
}

function namesIn(node: Node): Set<string> {
  const { properties, anyOf, allOf } = resolve(node);
  return new Set([
    ...Object.keys(properties ?? {}),
    ...[...(anyOf ?? []), ...(allOf ?? [])].flatMap((part) => [...namesIn(part)]),
  ]);
}

/** The actions that the API description knows. */
export const KNOWN_ACTIONS: readonly string[] = Object.keys(mapping);

/** The schema of a rule with an action; undefined if the description does not know it. */
export function ruleSchemaOf(action: string): Schema | undefined {
  const schema = schemaOf(action);
  if (schema === undefined) return undefined;
  const { action_parameters: parameters, ...properties } = schema.properties ?? {};
  const own = parameters === undefined ? {} : { action_parameters: withParts(parameters) };
  // What the description requires is what responses contain.
  const text = JSON.stringify({ ...schema, properties: { ...properties, ...own }, required: undefined }).replaceAll(
    '"#/components',
    '"api#/components',
  );
  return JSON.parse(text) as Schema;
}

/** Parameters, of which another check refuses unknown ones. */
function withParts(parameters: Node): Node {
  const { properties, ...others } = withEveryProperty(parameters) as Node;
  return { ...others, properties, additionalProperties: true };
}

function validatorFor(action: string): ValidateFunction | undefined {
  const known = validators.get(action);
  if (known !== undefined) return known();
  const schema = ruleSchemaOf(action);
  if (schema === undefined) return undefined;
  const validator = declareSchema(schema);
  validators.set(action, validator);
  return validator();
}

/** The first violation of the API description in a rule, in the service's wording. */
export const schemaFault: Check = (rule, _context, at) => {
  const validate = validatorFor(String(rule.action));
  if (validate === undefined || validate(asDescribed(rule))) return undefined;
  const error = validate.errors?.find(({ keyword }) => keyword !== "anyOf") ?? validate.errors?.[0];
  return error === undefined ? undefined : translate(error, at);
};

export function unknownField(name: string, at: string): ServiceError {
  return refuse(400, undefined, `invalid JSON: unknown field ${JSON.stringify(name)}`, `${at}/${name}`);
}

function translate(error: ErrorObject, pointer: string): ServiceError {
  const at = `${pointer}${error.instancePath}`;
  const field = at.slice(at.lastIndexOf("/") + 1);
  const params = error.params as Record<string, unknown>;
  if (error.keyword === "additionalProperties") return unknownField(String(params.additionalProperty), at);
  if (error.keyword === "required") {
    const missing = String(params.missingProperty);
    return refuse(400, undefined, `${missing} is required`, `${at}/${missing}`);
  }
  return invalidValue(error.data, field, error.message ?? "it is not valid", { pointer: at });
}

/**
 * A rule in the notation of the API description. The service's documentation also has others, which the service takes:
 * - empty texts of what is missing: `id`, `version` and `ref`, as generated migration configurations contain them, and the
 *   counting expression (https://developers.cloudflare.com/waf/rate-limiting-rules/parameters/);
 * - bare lists of query parameters in cache keys, `["*"]` or `"*"` for all of them
 *   (https://developers.cloudflare.com/cache/how-to/cache-rules/settings/#cache-key);
 * - empty lists of overrides beside others, as the tests of Cloudflare's Terraform provider send them
 *   (https://github.com/cloudflare/terraform-provider-cloudflare/commit/15912b044f727dc30315b0767895186c88974654).
 */
function asDescribed({ ratelimit, action_parameters, ...rule }: Body): Body {
  return {
    ...withoutEmpty(rule, ["id", "version", "ref"]),
    ...(ratelimit === undefined
      ? {}
      : { ratelimit: isObject(ratelimit) ? withoutEmpty(ratelimit, COUNTING) : ratelimit }),
    ...(action_parameters === undefined
      ? {}
      : {
          action_parameters: changed(
            changed(action_parameters, QUERY, queryParameters),
            ["overrides"],
            withoutEmptyLists,
          ),
        }),
  };
}

const COUNTING = ["counting_expression"];
const QUERY = ["cache_key", "custom_key", "query_string"];

function withoutEmptyLists(overrides: Body): Body {
  return Object.fromEntries(
    Object.entries(overrides).filter(([, value]) => !(Array.isArray(value) && value.length === 0)),
  );
}

function withoutEmpty(from: Body, names: readonly string[]): Body {
  return Object.fromEntries(Object.entries(from).filter(([name, value]) => value !== "" || !names.includes(name)));
}

/** A value with the object at a path replaced, if there is one. */
function changed(value: unknown, path: readonly string[], change: (found: Body) => Body): unknown {
  if (!isObject(value)) return value;
  const [name, ...rest] = path;
  if (name === undefined) return change(value);
  return Object.hasOwn(value, name) ? { ...value, [name]: changed(value[name], rest, change) } : value;
}

function queryParameters(query: Body): Body {
  const described = (value: unknown): unknown => {
    if (String(value) === "*") return { all: true };
    return Array.isArray(value) ? { list: value } : value;
  };
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, described(value)]));
}

function isObject(value: unknown): value is Body {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
