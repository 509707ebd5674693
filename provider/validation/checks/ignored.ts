import { parsePath, pathText, type Path } from "../../model/path.js";
import { getShape, type FieldType } from "../../model/shapes.js";
import { failure, join, knownName, nearest, NO_FINDINGS, type Findings } from "../failure.js";

/** What `ignoreChanges` leaves alone inside of rules. */
export interface IgnoredFields {
  readonly findings: Findings;
  readonly fields: readonly IgnoredField[];
}
export interface IgnoredField {
  readonly ref: string;
  /** Steps into the rule; none for the whole of it. */
  readonly steps: Path;
}

/** Reads `ignoreChanges` of a resource with these arguments: what is misspelt would be sent all the same. */
export function readIgnored(texts: readonly string[], type: string, names: readonly string[]): IgnoredFields {
  const read = texts.map((text) => readOne(text, type, names));
  return { findings: join(read.map(({ findings }) => findings)), fields: read.flatMap(({ fields }) => fields) };
}

/** `ignoreChanges` of a resource that the engine can keep alone: each path must lead into an argument. */
export function checkIgnored(texts: readonly string[], type: string, names: readonly string[]): Findings {
  return join(
    texts.map((text) => {
      if (text === "*") return NO_FINDINGS;
      const path = parsePath(text.replaceAll("[*]", "[0]"));
      return path === undefined
        ? failure([], `ignoreChanges ${JSON.stringify(text)} is not a path: write the name of an argument`)
        : knownName([], `ignoreChanges: ${type} takes no`, String(path[0]), names);
    }),
  );
}

function readOne(text: string, resourceType: string, names: readonly string[]): IgnoredFields {
  const wrong = (reason: string): IgnoredFields => ({
    findings: failure([], `ignoreChanges ${JSON.stringify(text)} ${reason}`),
    fields: [],
  });
  if (text === "*") return { findings: NO_FINDINGS, fields: [] };
  const counted = /^rules\[(\d+|\*)\](.*)$/.exec(text);
  if (counted !== null) return wrong(countedText(counted[2] ?? ""));
  const path = parsePath(text);
  if (path === undefined) return wrong('is not a path: write description, or rules["<ref>"].enabled');
  const [name, ref, ...steps] = path;
  if (name !== "rules") {
    if (path.length > 1) return wrong(`has too many steps: write ${JSON.stringify(String(name))}`);
    return { findings: knownName([], `ignoreChanges: ${resourceType} takes no`, String(name), names), fields: [] };
  }
  if (ref === undefined) return { findings: NO_FINDINGS, fields: [] };
  const fault = faultIn({ kind: "shape", name: "RulesetRule" }, steps);
  return fault === undefined ? { findings: NO_FINDINGS, fields: [{ ref: String(ref), steps }] } : wrong(fault);
}

function countedText(rest: string): string {
  return (
    `uses an index, but rules are identified by ref. Write ${JSON.stringify(`rules["<ref>"]${rest}`)}; ` +
    "the preview shows each rule's ref"
  );
}

/** Why steps lead nowhere in a rule; undefined where they may. */
function faultIn(type: FieldType, [step, ...rest]: Path): string | undefined {
  if (step === undefined) return undefined;
  switch (type.kind) {
    case "plain":
      return `has too many steps: there is nothing inside what comes before ${JSON.stringify(pathText([step]))}`;
    case "list":
      return typeof step === "number" ? faultIn(type.of, rest) : `names ${JSON.stringify(step)} in a list`;
    case "map":
      return faultIn(type.of, rest);
    case "shape": {
      const { byName, raw } = getShape(type.name);
      const field = typeof step === "string" ? byName[step] : undefined;
      if (field !== undefined) return faultIn(field.type, rest);
      if (raw && step === "wire") return undefined;
      const near = nearest(String(step), Object.keys(byName));
      return `names no field of a rule: ${String(step)}${near === undefined ? "" : `; did you mean ${near}?`}`;
    }
  }
}

/** Refs of `ignoreChanges` that no rule has, neither in the program nor before. */
export function checkIgnoredRefs(fields: readonly IgnoredField[], refs: readonly string[]): Findings {
  const known = new Set(refs);
  const unknown = [...new Set(fields.map(({ ref }) => ref))].filter((ref) => !known.has(ref));
  return join(
    unknown.map((ref) => {
      const near = nearest(ref, refs);
      const meant = near === undefined ? "" : `; did you mean ${near}?`;
      return failure([], `ignoreChanges: there is no rule with the ref ${JSON.stringify(ref)}${meant}`);
    }),
  );
}
