import Ajv, { type ErrorObject, type ValidateFunction } from "ajv";
import description from "../api/description.json";
import { lookUp } from "../lookup.js";
import { invalidValue, refuse, type ServiceError } from "../failure.js";

interface Node {
  readonly required?: readonly string[];
  readonly [key: string]: unknown;
}

const schemas = description.components.schemas as unknown as Readonly<Record<string, Node>>;
const mapping = (schemas.rulesets_RequestRule as unknown as { discriminator: { mapping: Record<string, string> } })
  .discriminator.mapping;

const ajv = new Ajv({ strict: false, allErrors: false, verbose: true, validateFormats: false });
ajv.addSchema({ $id: "api", components: { schemas } });
const validators = new Map<string, ValidateFunction>();

/** The schema of the API description for rules with an action, less what only answers hold. */
function validatorFor(action: string): ValidateFunction | undefined {
  const reference = lookUp(mapping, action);
  if (reference === undefined) return undefined;
  const known = validators.get(action);
  if (known !== undefined) return known;
  const node = schemas[reference.slice(reference.lastIndexOf("/") + 1)];
  const text = JSON.stringify({ ...node, required: undefined }).replaceAll('"#/components', '"api#/components');
  const validator = ajv.compile(JSON.parse(text) as object);
  validators.set(action, validator);
  return validator;
}

/** Whether the API description knows the action. */
export function isKnownAction(action: string): boolean {
  return lookUp(mapping, action) !== undefined;
}

/** The first fault of a rule against the API description, in the service's words. */
export function schemaFault(
  rule: Readonly<Record<string, unknown>>,
  action: string,
  pointer: string,
): ServiceError | undefined {
  const validate = validatorFor(action);
  // Empty id, version and ref are what the migration configuration holds; the service takes them.
  const sent = Object.fromEntries(Object.entries(rule).filter(([key, value]) => !(IDENTITY.has(key) && value === "")));
  if (validate === undefined || validate(sent)) return undefined;
  const error = validate.errors?.find(({ keyword }) => keyword !== "anyOf") ?? validate.errors?.[0];
  return error === undefined ? undefined : translate(error, pointer);
}

const IDENTITY = new Set(["id", "version", "ref"]);

function translate(error: ErrorObject, pointer: string): ServiceError {
  const at = `${pointer}${error.instancePath}`;
  const field = at.slice(at.lastIndexOf("/") + 1);
  const params = error.params as Record<string, unknown>;
  if (error.keyword === "required") {
    const missing = String(params.missingProperty);
    return refuse(400, undefined, `${missing} is required`, `${at}/${missing}`);
  }
  return invalidValue(error.data, field, error.message ?? "it is not valid", { pointer: at });
}
