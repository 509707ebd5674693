import { joinedErrors, type FileError, type MistakeDetails } from "../model/file-error.js";
import type { FileValues, Steps } from "../model/file-values.js";
import type { Path } from "../model/path.js";
import { findNearest } from "../model/failure.js";
import { pathOfPointer } from "./pointer.js";
import { typeOfValue } from "./type-of-value.js";

/** A part of the JSON Schema of a kind of files, as far as messages are made of it. */
interface SchemaNode {
  readonly type?: string | readonly string[];
  readonly description?: string;
  /** Says what a value must be, where its type, pattern or alternatives say it badly. Editors show it too. */
  readonly errorMessage?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly SchemaNode[];
  readonly anyOf?: readonly SchemaNode[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly not?: SchemaNode;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
}

/** What a compiled schema found. */
interface SchemaFault {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly parentSchema: SchemaNode;
  readonly data: unknown;
}

/** The compiled schema of a kind of files; `errors` are those of the last call. */
export interface FileSchema<File> {
  (value: unknown): value is File;
  errors?: readonly SchemaFault[] | null;
}

/**
 * The content of a file, or a part of it, once its schema holds.
 * @throws FileError all mistakes with their places. It shows no value: one may be a secret.
 */
export function readBySchema<File>(
  source: FileValues,
  schema: FileSchema<File>,
  part: { readonly value: unknown; readonly at: Steps } = { value: source.value, at: [] },
): File {
  if (schema(part.value)) return part.value;
  const errors = meantFaults(schema.errors ?? []).map((fault) => {
    const { path, reason, details } = mistakeOf(fault, pathOfPointer(fault.instancePath, part.value));
    return source.errorAt([...part.at, ...path], reason, details);
  });
  throw joinedErrors(withoutConsequences(errors));
}

/**
 * The faults without those of alternatives that nobody meant. A value that fits none of some alternatives has faults in each of
 * them: one of the wrong type was not meant.
 */
function meantFaults(faults: readonly SchemaFault[]): readonly SchemaFault[] {
  const hidden = new Set<SchemaFault>();
  for (const union of faults.filter(({ keyword }) => keyword === "oneOf" || keyword === "anyOf")) {
    const inside = faults.filter((fault) => isInside(fault, union));
    const meant = meantAlternative(union, inside);
    for (const fault of inside) if (!meant.includes(fault)) hidden.add(fault);
    if (meant.length > 0) hidden.add(union);
  }
  return faults.filter((fault) => !hidden.has(fault));
}

function isInside({ instancePath, schemaPath }: SchemaFault, union: SchemaFault): boolean {
  return schemaPath.startsWith(`${union.schemaPath}/`) && `${instancePath}/`.startsWith(`${union.instancePath}/`);
}

/** The faults in the alternative that a value is nearest to; none if it has the type of no one. */
function meantAlternative(union: SchemaFault, inside: readonly SchemaFault[]): readonly SchemaFault[] {
  if (isChoice(union.parentSchema)) return [];
  const isOfWhole = ({ instancePath }: SchemaFault): boolean => instancePath === union.instancePath;
  const hasType = (own: readonly SchemaFault[]): boolean =>
    !own.some((fault) => isOfWhole(fault) && ["type", "enum", "const"].includes(fault.keyword));
  const alternatives = alternativesOf(union.parentSchema).map((_, index) =>
    inside.filter(({ schemaPath }) => schemaPath.startsWith(`${union.schemaPath}/${String(index)}/`)),
  );
  const [nearest = []] = alternatives.filter(hasType).toSorted((a, b) => a.length - b.length);
  const isOnlyValue = nearest.every((fault) => isOfWhole(fault) && !OF_MEMBERS.includes(fault.keyword));
  return union.parentSchema.errorMessage !== undefined && isOnlyValue ? [] : nearest;
}

/** The keywords about members of an object, of which more is said than what the object must be. */
const OF_MEMBERS = ["required", "additionalProperties", "dependencies"];

/** Whether its alternatives are only which one of its members an object has. */
function isChoice(node: SchemaNode): boolean {
  const alternatives = alternativesOf(node);
  return (
    alternatives.length > 0 && alternatives.every(({ type, required }) => type === undefined && required !== undefined)
  );
}

function alternativesOf({ oneOf, anyOf }: SchemaNode): readonly SchemaNode[] {
  return oneOf ?? anyOf ?? [];
}

/** What a misspelled name is instead of is not missing, also where one of some has to be there; one mistake is said once. */
function withoutConsequences(errors: readonly FileError[]): readonly FileError[] {
  const said = new Set<string>();
  const misspelled = new Set(
    errors.flatMap(({ steps, details: { inName, instead } }) =>
      inName === true && instead !== undefined
        ? [JSON.stringify([...steps.slice(0, -1), instead]), JSON.stringify(steps.slice(0, -1))]
        : [],
    ),
  );
  return errors.filter(({ steps, details }) => {
    const place = JSON.stringify(steps);
    if (said.has(place) || (details.inName !== true && misspelled.has(place))) return false;
    said.add(place);
    return true;
  });
}

interface Mistake {
  readonly path: Path;
  readonly reason: string;
  readonly details?: MistakeDetails;
}

function mistakeOf({ keyword, params, parentSchema: node, data }: SchemaFault, path: Path): Mistake {
  switch (keyword) {
    case "required": {
      const name = String(params.missingProperty);
      return { path: [...path, name], reason: `is required${explained(node.properties?.[name])}` };
    }
    case "additionalProperties":
      return unknownName(String(params.additionalProperty), Object.keys(node.properties ?? {}), path);
    case "dependencies":
      return {
        path: [...path, String(params.property)],
        reason: `is only allowed with \`${String(params.missingProperty)}\``,
      };
    case "not":
      return { path, reason: `has both ${(node.not?.required ?? []).join(" and ")}; it must have one of them` };
    default:
      return wrongValue(keyword, node, data, path);
  }
}

function unknownName(name: string, known: readonly string[], path: Path): Mistake {
  const near = findNearest(name, known);
  const hint =
    near === undefined ? `use ${known.filter((one) => one !== "$schema").join(", ")}` : `did you mean ${near}?`;
  return {
    path: [...path, name],
    reason: `is not known here; ${hint}`,
    details: { inName: true, instead: near },
  };
}

function wrongValue(keyword: string, node: SchemaNode, data: unknown, path: Path): Mistake {
  if (node.errorMessage === undefined && EMPTY.includes(keyword) && isEmpty(data))
    return { path, reason: `must not be empty${explained(node)}` };
  const known = [node, ...alternativesOf(node)].flatMap((one) => [...(one.enum ?? []), one.const]);
  const texts = known.filter((one) => typeof one === "string");
  const near = typeof data === "string" ? findNearest(data, texts) : undefined;
  const hint = near === undefined ? "" : `; did you mean ${near}?`;
  const actual = keyword === "type" && node.errorMessage === undefined ? `, not ${typeOfValue(data)}` : "";
  return { path, reason: `${node.errorMessage ?? `must ${wanted(node)}`}${actual}${hint}`, details: { instead: near } };
}

/** The keywords that an empty value breaks; the only pattern without a message of its own is that of a text that is not blank. */
const EMPTY = ["minLength", "minItems", "minProperties", "pattern"];

function isEmpty(data: unknown): boolean {
  if (typeof data === "string") return data.trim() === "";
  return typeof data === "object" && data !== null && Object.keys(data).length === 0;
}

/** What a value is for, from the first sentence that describes it. */
function explained(node: SchemaNode | undefined): string {
  const [sentence = ""] = (node?.description ?? "").split(/\.(?:\s|$)/);
  return sentence === "" ? "" : `: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}

/** `be a number above 0`, or `have exactly one of a, b`. */
function wanted(node: SchemaNode): string {
  const alternatives = alternativesOf(node);
  if (isChoice(node)) return `have exactly one of ${alternatives.flatMap(({ required = [] }) => required).join(", ")}`;
  return `be ${alternatives.length > 0 ? alternatives.map(kindOf).join(", or ") : kindOf(node)}`;
}

function kindOf(node: SchemaNode): string {
  if (node.enum !== undefined) return `one of ${node.enum.map(String).join(", ")}`;
  if (node.const !== undefined) return typeof node.const === "string" ? node.const : JSON.stringify(node.const);
  return [node.type ?? []]
    .flat()
    .map((type) => typeText(type, node))
    .join(" or ");
}

function typeText(type: string, node: SchemaNode): string {
  switch (type) {
    case "string":
      return "a string";
    case "integer":
      return `a whole number${boundsOf(node)}`;
    case "number":
      return `a number${boundsOf(node)}`;
    case "boolean":
      return "true or false";
    case "array":
      if (node.items?.enum !== undefined) return "a list of them";
      return node.items?.type === "string" ? "a list of strings" : "a list";
    case "object": {
      const names = Object.keys(node.properties ?? {}).filter((name) => name !== "$schema");
      return names.length === 0 ? "an object" : `an object with ${names.join(", ")}`;
    }
    default:
      return type;
  }
}

function boundsOf({ minimum, exclusiveMinimum, maximum }: SchemaNode): string {
  const least = minimum === undefined ? [] : [`of at least ${String(minimum)}`];
  const above = exclusiveMinimum === undefined ? [] : [`above ${String(exclusiveMinimum)}`];
  const most = maximum === undefined ? [] : [`at most ${String(maximum)}`];
  const bounds = [...least, ...above, ...most];
  return bounds.length === 0 ? "" : ` ${bounds.join(", ")}`;
}
