import { parseType, type Type } from "../type.js";
import fields from "./fields.json";
import functions from "./functions.json";

/** A field of the language. */
export interface Field {
  readonly name: string;
  readonly type: Type;
  readonly about: string;
  /** When during a request it gets a value; `response` fields exist in response phases and counting expressions. */
  readonly when?: "early" | "mid" | "late" | "custom" | "response";
  /** `http` or packet phases (`l4`). */
  readonly scope: readonly string[];
  /** The only phases that support it; missing if no limit is documented. */
  readonly phases?: readonly string[];
  /** The lowest plan that includes it, in Cloudflare's words. */
  readonly plan?: string;
  /** The current name of a renamed field. */
  readonly replacement?: string;
  /** Whether the name or the type is not documented by Cloudflare. */
  readonly unsure: boolean;
}

export interface Parameter {
  readonly name: string;
  readonly types: readonly string[];
  /** `field`: no literals; `literal`: only literals; `any`: both. */
  readonly takes: "field" | "literal" | "any";
  /** Whether Cloudflare documents `takes`. */
  readonly sure: boolean;
  /** Whether the types are only known from examples. */
  readonly unsure: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly minLength?: number;
  readonly pattern?: RegExp;
  readonly oneOf?: readonly string[];
  readonly regex: boolean;
  readonly wildcard: boolean;
}

/** A function of the language. `any` and `all` are part of the grammar instead. */
export interface FunctionEntry {
  readonly name: string;
  readonly returns: Type;
  readonly params: readonly Parameter[];
  readonly min: number;
  /** Undefined if any number is allowed; the last parameter repeats. */
  readonly max?: number;
  readonly signature: string;
  readonly about: string;
  readonly plan?: string;
  readonly phases?: readonly string[];
  readonly slots?: readonly string[];
  readonly maxUses?: number;
  readonly scope: readonly string[];
}

interface RawField {
  name: string;
  type: string;
  about: string;
  when?: string;
  scope?: string[];
  phases?: string[];
  plan?: string;
  replacement?: string;
  unsure?: boolean;
}

const rawFields: readonly RawField[] = fields;
const rawFunctions: readonly RawFunction[] = functions;

const HTTP: readonly string[] = ["http"];
const EVERYWHERE: readonly string[] = ["http", "l4"];

let fieldsByName: ReadonlyMap<string, Field> | undefined;
let functionsByName: ReadonlyMap<string, FunctionEntry> | undefined;

/** All fields by name, loaded on first use. */
export function allFields(): ReadonlyMap<string, Field> {
  fieldsByName ??= new Map(rawFields.map((raw) => [raw.name, toField(raw)]));
  return fieldsByName;
}

/** All functions by name, loaded on first use. */
export function allFunctions(): ReadonlyMap<string, FunctionEntry> {
  functionsByName ??= new Map(rawFunctions.map((raw) => [raw.name, toFunction(raw)]));
  return functionsByName;
}

export function findField(name: string): Field | undefined {
  return allFields().get(name);
}

export function findFunction(name: string): FunctionEntry | undefined {
  return allFunctions().get(name);
}

function toField(raw: RawField): Field {
  return {
    ...raw,
    type: parseType(raw.type),
    when: raw.when as Field["when"],
    scope: raw.scope ?? HTTP,
    unsure: raw.unsure === true,
  };
}

interface RawParameter {
  name: string;
  types: string[];
  takes: string;
  sure?: boolean;
  unsure?: boolean;
  min?: number;
  max?: number;
  minLength?: number;
  pattern?: string;
  oneOf?: string[];
  regex?: boolean;
  wildcard?: boolean;
}
interface RawFunction {
  name: string;
  returns: string;
  params: RawParameter[];
  min: number;
  max: number | null;
  signature: string;
  about: string;
  plan?: string;
  phases?: string[];
  slots?: string[];
  maxUses?: number;
  scope?: string[];
}

function toFunction(raw: RawFunction): FunctionEntry {
  return {
    ...raw,
    returns: parseType(raw.returns),
    max: raw.max ?? undefined,
    scope: raw.scope ?? (raw.phases === undefined ? EVERYWHERE : HTTP),
    params: raw.params.map((param) => ({
      ...param,
      takes: param.takes as Parameter["takes"],
      sure: param.sure === true,
      unsure: param.unsure === true,
      regex: param.regex === true,
      wildcard: param.wildcard === true,
      pattern: param.pattern === undefined ? undefined : new RegExp(param.pattern),
    })),
  };
}
