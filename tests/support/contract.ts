import Ajv, { type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import { otherPaths } from "./other-operations.js";
import zoneOperations from "./files/zone-operations.json";
import { TOKEN } from "./emulator.js";
import { send } from "./http.js";
import description from "../../emulator/api/description.json";

export interface Node {
  readonly [key: string]: unknown;
}
export interface Operation {
  readonly parameters?: readonly Node[];
  readonly responses: Readonly<Record<string, Node>>;
  readonly requestBody?: Node;
}

/** The part of the API description with which the emulator validates rules, and the other operations that it serves. */
export const api = {
  paths: mergedPaths(description.paths, zoneOperations.paths, otherPaths),
  components: mergedComponents(mergedComponents(description.components, zoneOperations.components), {
    // The documentation of custom metadata shows other values than text, and recommends them.
    schemas: {
      "tls-certificates-and-hostnames_custom_metadata": { type: "object" },
      // A hostname without a certificate has null.
      "tls-certificates-and-hostnames_ssl": {
        ...zoneOperations.components.schemas["tls-certificates-and-hostnames_ssl"],
        nullable: true,
      },
      // The description allows 32 characters; recorded IDs of hostnames and packs are UUIDs.
      "tls-certificates-and-hostnames_identifier": { type: "string", maxLength: 36 },
      "tls-certificates-and-hostnames_identifier-2": { type: "string", maxLength: 36, readOnly: true },
    },
  }),
};

function mergedPaths(...parts: readonly object[]): Readonly<Record<string, Record<string, Operation>>> {
  const merged: Record<string, Record<string, Operation>> = {};
  for (const [path, methods] of parts.flatMap((part) => Object.entries(part)))
    merged[path] = { ...merged[path], ...(methods as Record<string, Operation>) };
  return merged;
}

function mergedComponents(a: object, b: object): Node {
  const kinds = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  const of = (part: object, kind: string): object => (part as Record<string, object>)[kind] ?? {};
  return Object.fromEntries(kinds.map((kind) => [kind, { ...of(a, kind), ...of(b, kind) }]));
}

/** OpenAPI 3.0 has `nullable` next to a type; JSON Schema has the type null. */
function toJsonSchema(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(toJsonSchema);
  if (typeof node !== "object" || node === null) return node;
  const { nullable, ...rest } = node as Node;
  const mapped = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, toJsonSchema(value)]));
  if (Array.isArray(mapped.required)) mapped.required = [...new Set(mapped.required)];
  // The description writes the null result of a failure as a string with the only value null.
  if (Array.isArray(mapped.enum) && mapped.enum.includes(null)) return { enum: mapped.enum };
  return nullable === true && mapped.type !== undefined ? { ...mapped, type: [mapped.type, "null"] } : mapped;
}

const ajv = addFormats(new Ajv({ strict: false, allErrors: true }));
ajv.addSchema({ $id: "api", ...(toJsonSchema({ components: api.components }) as object) });
const validators = new Map<string, ValidateFunction>();

/** Resolves a reference. */
export function resolve(node: Node): Node {
  if (typeof node.$ref !== "string") return node;
  const found = node.$ref
    .split("/")
    .slice(1)
    .reduce<unknown>((current, step) => (current as Node)[step], api);
  return resolve(found as Node);
}

/** The path in the description that matches a request path. */
function templateOf(path: string): string | undefined {
  const parts = path.split("/");
  const fitting = Object.keys(api.paths).filter((template) => {
    const steps = template.split("/");
    return steps.length === parts.length && steps.every((step, index) => step.startsWith("{") || step === parts[index]);
  });
  // A literal segment takes precedence over a parameter.
  return fitting.find((template) => !template.endsWith("}")) ?? fitting[0];
}

function validatorFor(name: string, schema: Node): ValidateFunction {
  const known = validators.get(name);
  if (known !== undefined) return known;
  const text = JSON.stringify(toJsonSchema(schema)).replaceAll('"#/components', '"api#/components');
  const validator = ajv.compile(JSON.parse(text) as object);
  validators.set(name, validator);
  return validator;
}

/** The ways in which a response violates the API description; none when it agrees. */
export function contractFaults(method: string, path: string, status: number, body: unknown): string[] {
  const template = templateOf(path);
  const operation = template === undefined ? undefined : api.paths[template]?.[method.toLowerCase()];
  if (operation === undefined) return [`${method} ${path} is not in the API description`];
  return answerFaults(`${method} ${template ?? ""}`, operation, status, body);
}

/** The same for a known operation. */
export function answerFaults(name: string, operation: Operation, status: number, body: unknown): string[] {
  const key = [String(status), status >= 400 ? "4XX" : "2XX"].find((each) => operation.responses[each] !== undefined);
  if (key === undefined)
    return [`${name} has no answer ${String(status)}, only ${Object.keys(operation.responses).join()}`];
  const content = resolve(operation.responses[key] as Node).content as Node | undefined;
  const schema = (content?.["application/json"] as Node | undefined)?.schema as Node | undefined;
  if (schema === undefined) return body === undefined ? [] : [`${name} ${key} must be empty`];
  const validate = validatorFor(`${name} ${key}`, schema);
  return validate(body) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message ?? ""}`);
}

/** The schema of a request body; undefined for an operation without one. */
export function bodySchema({ requestBody }: Operation): Node | undefined {
  const content = requestBody === undefined ? undefined : (resolve(requestBody).content as Node | undefined);
  return (content?.["application/json"] as Node | undefined)?.schema as Node | undefined;
}

/** The ways in which a request body violates the description, ignoring read-only properties. */
export function bodyFaults(name: string, operation: Operation, body: unknown): string[] {
  const schema = bodySchema(operation);
  if (schema === undefined) return [];
  const validate = requestValidator(name, schema);
  return validate(body) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message ?? ""}`);
}

const requests = new Ajv({ strict: false, allErrors: true, validateFormats: false });
requests.addSchema({ $id: "api", ...(toJsonSchema({ components: sendable(api.components) }) as object) });

function requestValidator(name: string, schema: Node): ValidateFunction {
  const known = validators.get(`${name} request`);
  if (known !== undefined) return known;
  const text = JSON.stringify(toJsonSchema(sendable(schema))).replaceAll('"#/components', '"api#/components');
  const validator = requests.compile(JSON.parse(text) as object);
  validators.set(`${name} request`, validator);
  return validator;
}

/** A schema without its read-only properties, which a client does not send. */
export function sendable(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(sendable);
  if (typeof node !== "object" || node === null) return node;
  const { properties, required, ...rest } = node as Node & { properties?: Node; required?: unknown };
  const mapped = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, sendable(value)]));
  if (typeof properties !== "object") return { ...mapped, ...(required === undefined ? {} : { required }) };
  const sent = Object.entries(properties).filter(([, value]) => !isReadOnly(value as Node));
  const names = new Set(sent.map(([name]) => name));
  return {
    ...mapped,
    properties: Object.fromEntries(sent.map(([name, value]) => [name, sendable(value)])),
    ...(Array.isArray(required) ? { required: required.filter((name: string) => names.has(name)) } : {}),
  };
}

function isReadOnly(node: Node): boolean {
  return node.readOnly === true;
}

/** Every operation of the description on rulesets and zones, as `GET /zones/{zone_id}/rulesets`. */
export const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
  Object.keys(methods)
    .filter((method) => ["get", "put", "post", "patch", "delete"].includes(method))
    .map((method) => `${method.toUpperCase()} ${path}`),
);
/** A result, as far as tests look at it. */
export interface Result {
  readonly id: string;
  readonly version: string;
  readonly rules: readonly { readonly id: string }[];
}

/** A client for the emulator that checks every response against the API description. */
export class Contract {
  constructor(private readonly url: string) {}

  /** Sends a request, checks the response against the description, and returns its result. */
  async send<T = Result>(method: string, path: string, body?: unknown, expected = 200): Promise<T> {
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const { status, text } = await send(`${this.url}${path}`, method, { headers, body });
    const parsed: unknown = text === "" ? undefined : JSON.parse(text);
    const bare = path.split("?")[0] ?? "";
    expect([status, text]).toEqual([expected, expect.anything()]);
    expect(contractFaults(method, bare, status, parsed)).toEqual([]);
    return (parsed as { result?: unknown } | undefined)?.result as T;
  }
}
