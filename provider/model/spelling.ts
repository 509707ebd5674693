import { isList, isObject, omit, type Json, type JsonObject } from "./json.js";
import type { Path } from "./path.js";
import { getShape, type Field, type FieldType, type Shape } from "./shapes.js";
import { shapeFromWire } from "./wire.js";

/*
 * A program may spell a rule with the names of this package or, as in a response, with those of the service. Everything behind
 * the border works with the names of this package alone.
 */

/** A field that only one of the spellings names like this. */
interface SpelledField {
  readonly spelling: "ours" | "service";
  readonly path: Path;
  /** Its name in this package. */
  readonly name: string;
}

/** Fields that show that a rule mixes both spellings. */
export type MixedSpelling = Readonly<Record<SpelledField["spelling"], SpelledField>>;

/** A rule of a program. */
interface SpelledRule {
  /** The rule with the names of this package, without fields that only the service sets; unchanged if it mixes spellings. */
  readonly rule: JsonObject;
  readonly mixed?: MixedSpelling;
  /** Whether the program spells it as the service does. */
  readonly isService: boolean;
}

const RULE: FieldType = { kind: "shape", name: "RulesetRule" };

/** Reads a rule in either spelling. */
export function readSpelling(rule: JsonObject): SpelledRule {
  const { ours, service } = spellingsOf(rule);
  if (ours !== undefined && service !== undefined) return { rule, mixed: { ours, service }, isService: false };
  const kept = withoutReadOnly(rule);
  const isService = service !== undefined;
  return { rule: isService ? shapeFromWire(kept, getShape("RulesetRule")) : kept, isService };
}

/** The rule with the names of this package. */
export function inOurNames(rule: JsonObject): JsonObject {
  return readSpelling(rule).rule;
}

/** The first field of each spelling. */
function spellingsOf(rule: JsonObject): Partial<MixedSpelling> {
  const first: FirstSpellings = {};
  findSpellings(rule, RULE, [], first);
  return first;
}

type FirstSpellings = { -readonly [Spelling in SpelledField["spelling"]]?: SpelledField };

/** Every check of every rule comes here, so it makes no object except for what it finds. */
function findSpellings(value: Json | undefined, type: FieldType, at: (string | number)[], first: FirstSpellings): void {
  if (type.kind === "list" && isList(value)) {
    for (let index = 0; index < value.length; index += 1) findInside(index, value[index], type.of, at, first);
    return;
  }
  if (!isObject(value)) return;
  const shape = type.kind === "shape" ? getShape(type.name) : undefined;
  for (const name of Object.keys(value)) {
    const item = value[name];
    if (type.kind === "map") findInside(name, item, type.of, at, first);
    if (shape === undefined || item === undefined || item === null) continue;
    const { spelling, field } = fieldNamed(shape, name);
    if (spelling !== undefined) first[spelling] ??= { spelling, path: [...at, name], name: field?.name ?? name };
    if (first.ours !== undefined && first.service !== undefined) return;
    if (field !== undefined) findInside(name, item, field.type, at, first);
  }
}

function findInside(
  step: string | number,
  item: Json | undefined,
  type: FieldType,
  at: (string | number)[],
  first: FirstSpellings,
): void {
  if (typeof item !== "object") return;
  at.push(step);
  findSpellings(item, type, at, first);
  at.pop();
}

/** The field that has a name in either spelling, and the spelling if the other one has another name for it. */
function fieldNamed(
  shape: Shape,
  name: string,
): { readonly field?: Field | undefined; readonly spelling?: SpelledField["spelling"] | undefined } {
  if (name === "wire" && shape.raw) return { spelling: "ours" };
  const ours = shape.byName[name] ?? shape.readOnly.find((field) => field.name === name);
  const service = shape.byWire[name] ?? shape.readOnly.find((field) => field.wire === name);
  if (ours !== undefined && service !== undefined) return { field: ours };
  return ours === undefined
    ? { field: service, spelling: service === undefined ? undefined : "service" }
    : { field: ours, spelling: "ours" };
}

/** Drops what the service alone sets. A value of another kind stays, so that it is refused. */
function withoutReadOnly(rule: JsonObject): JsonObject {
  const isResponse = ({ type }: Field, value: Json | undefined): boolean =>
    typeof value === "string" ||
    (type.kind === "list" && isList(value) && value.every((item) => typeof item === "string"));
  const names = getShape("RulesetRule").readOnly.flatMap((field) =>
    [field.name, field.wire].filter((name) => isResponse(field, rule[name])),
  );
  return names.length === 0 ? rule : omit(rule, names);
}

/** The path of a field, from the service's spelling of a rule to the names of this package. */
export function pathInOurNames(path: Path): Path {
  return translated(path, ({ byWire, raw }, step) => {
    // A bare list of query parameters.
    if (typeof step === "number") return { steps: ["lists", step] };
    const field = byWire[step];
    return field === undefined && raw ? { steps: ["wire", step] } : { steps: [field?.name ?? step], field };
  });
}

/** The opposite. */
export function pathInServiceNames(path: Path): Path {
  return translated(path, ({ byName, raw }, step) => {
    const field = byName[step];
    return step === "wire" && raw ? { steps: [] } : { steps: [field?.wire ?? step], field };
  });
}

interface Translated {
  readonly steps: Path;
  readonly field?: Field | undefined;
}

function translated(path: Path, translate: (shape: Shape, step: string | number) => Translated): Path {
  let type: FieldType | undefined = RULE;
  const steps: (string | number)[] = [];
  for (const step of path) {
    const found: Translated = type?.kind === "shape" ? translate(getShape(type.name), step) : { steps: [step] };
    type = type?.kind === "list" || type?.kind === "map" ? type.of : found.field?.type;
    steps.push(...found.steps);
  }
  return steps;
}
