import type { ErrorObject } from "ajv";
import type { Body } from "./call.js";
import { invalidValue, refuse, type ServiceError } from "./failure.js";
import { declareSchema, type Schema } from "./schemas.js";

/** A schema of an object. */
type ObjectSchema = Schema & { readonly properties: Schema };

/** Error codes by the location of the error: the first matching pointer prefix applies, and "" matches everything. */
export type CodesByPointer = readonly (readonly [pointer: string, code: number])[];

/** Checks bodies against a schema. The result contains only fields that the schema knows, at any depth; others are ignored. */
export function bodyCheck(schema: ObjectSchema, codes: CodesByPointer): (body: Body) => Body {
  const compiled = declareSchema(schema);
  return (body: Body): Body => {
    const validate = compiled();
    if (!validate(body)) throw faultOf(validate.errors?.[0], codes);
    return known(schema, body) as Body;
  };
}

/** The part of a value that its schema describes. A value with alternative schemas is kept whole. */
function known({ properties, items, allOf }: Schema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => known((items ?? {}) as Schema, item));
  if (typeof value !== "object" || value === null || properties === undefined || allOf !== undefined) return value;
  const fields = Object.entries(properties as Readonly<Record<string, Schema>>);
  return Object.fromEntries(
    fields.flatMap(([name, schema]) =>
      Object.hasOwn(value, name) ? [[name, known(schema, (value as Body)[name])]] : [],
    ),
  );
}

function faultOf(error: ErrorObject | undefined, codes: CodesByPointer): ServiceError {
  if (error === undefined) return refuse(400, codeAt("", codes), "the body is not valid");
  const { keyword, params, instancePath } = error;
  if (keyword === "required") {
    const missing = String((params as { missingProperty?: unknown }).missingProperty);
    const at = `${instancePath}/${missing}`;
    return refuse(400, codeAt(at, codes), `${missing} is required`, at);
  }
  const field = instancePath.slice(instancePath.lastIndexOf("/") + 1);
  return invalidValue(error.data, field, reasonOf(error), { code: codeAt(instancePath, codes), pointer: instancePath });
}

function reasonOf({ keyword, params, message }: ErrorObject): string {
  const { allowedValues } = params as { allowedValues?: readonly unknown[] };
  if (keyword === "enum" && allowedValues !== undefined) return `it must be one of ${allowedValues.join(", ")}`;
  return `it ${message ?? "is not valid"}`;
}

function codeAt(pointer: string, codes: CodesByPointer): number | undefined {
  return codes.find(([start]) => start === "" || pointer === start || pointer.startsWith(`${start}/`))?.[1];
}

/** The value if it is a string, otherwise an empty string. */
export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Shorthands for body schemas. */
export const string: Schema = { type: "string" };
export const nonEmpty: Schema = { type: "string", minLength: 1 };
export const boolean: Schema = { type: "boolean" };
export const oneOf = (...values: readonly unknown[]): Schema => ({ enum: values });
export const listOf = (items: Schema, more: Schema = {}): Schema => ({ type: "array", items, ...more });
export const object = (properties: Schema, required: readonly string[] = [], more: Schema = {}): ObjectSchema => ({
  type: "object",
  properties,
  required,
  ...more,
});
