import { parsePath, pathText, type Path } from "../../../core/model/path.js";
import { getShape, type FieldType } from "../../../core/model/shapes.js";
import { failure, checkKnownName, findNearest, type Findings } from "../../../core/model/failure.js";

/** Fields of rules that `ignoreChanges` names. */
interface IgnoredFields {
  readonly findings: Findings;
  readonly fields: readonly IgnoredField[];
}
export interface IgnoredField {
  readonly ref: string;
  /** Path inside the rule; empty for the whole rule. */
  readonly steps: Path;
}

/** Parses `ignoreChanges` of a resource with these arguments; with a misspelled path, the change would still be sent. */
export function readIgnored(texts: readonly string[], type: string, names: readonly string[]): IgnoredFields {
  const read = texts.map((text) => readOne(text, type, names));
  return { findings: read.map(({ findings }) => findings).flat(), fields: read.flatMap(({ fields }) => fields) };
}

/** Checks `ignoreChanges` of a resource for which the engine handles it: each path must begin with an argument. */
export function checkIgnored(texts: readonly string[], type: string, names: readonly string[]): Findings {
  return texts
    .map((text) => {
      if (text === "*") return [];
      const path = parsePath(text.replaceAll("[*]", "[0]"));
      return path === undefined
        ? failure([], `ignoreChanges ${JSON.stringify(text)} is not a path: write the name of an argument`)
        : checkKnownName([], `ignoreChanges: ${type} has no argument`, String(path[0]), names);
    })
    .flat();
}

function readOne(text: string, resourceType: string, names: readonly string[]): IgnoredFields {
  const wrong = (reason: string): IgnoredFields => ({
    findings: failure([], `ignoreChanges ${JSON.stringify(text)} ${reason}`),
    fields: [],
  });
  if (text === "*") return { findings: [], fields: [] };
  const counted = /^rules\[(\d+|\*)\](.*)$/.exec(text);
  if (counted !== null) return wrong(countedText(counted[2] ?? ""));
  const path = parsePath(text);
  if (path === undefined) return wrong('is not a path: write description, or rules["<ref>"].enabled');
  const [name, ref, ...steps] = path;
  if (name !== "rules") {
    if (path.length > 1) return wrong(`has too many steps: write ${JSON.stringify(String(name))}`);
    return {
      findings: checkKnownName([], `ignoreChanges: ${resourceType} has no argument`, String(name), names),
      fields: [],
    };
  }
  if (ref === undefined) return { findings: [], fields: [] };
  const fault = faultIn({ kind: "shape", name: "RulesetRule" }, steps);
  return fault === undefined ? { findings: [], fields: [{ ref: String(ref), steps }] } : wrong(fault);
}

function countedText(rest: string): string {
  return (
    `uses an index, but rules are identified by ref. Write ${JSON.stringify(`rules["<ref>"]${rest}`)}; ` +
    "the preview shows each rule's ref"
  );
}

/** Why a path does not exist in a rule; undefined if it may exist. */
function faultIn(type: FieldType, [step, ...rest]: Path): string | undefined {
  if (step === undefined) return undefined;
  switch (type.kind) {
    case "plain":
      return `has too many steps: the value before ${JSON.stringify(pathText([step]))} has no fields`;
    case "list":
      return typeof step === "number" ? faultIn(type.of, rest) : `uses ${JSON.stringify(step)} as the index of a list`;
    case "map":
      return faultIn(type.of, rest);
    case "shape": {
      const { byName, raw } = getShape(type.name);
      const field = typeof step === "string" ? byName[step] : undefined;
      if (field !== undefined) return faultIn(field.type, rest);
      if (raw && step === "wire") return undefined;
      const near = findNearest(String(step), Object.keys(byName));
      return `names a field that does not exist: ${String(step)}${near === undefined ? "" : `; did you mean ${near}?`}`;
    }
  }
}

/** A similar ref is sought for so many unknown ones: each is compared with every ref. */
const MOST_SUGGESTIONS = 20;

/** Checks that the refs in `ignoreChanges` belong to rules, either in the program or in the state. */
export function checkIgnoredRefs(fields: readonly IgnoredField[], refs: readonly string[]): Findings {
  const known = new Set(refs);
  const unknown = [...new Set(fields.map(({ ref }) => ref))].filter((ref) => !known.has(ref));
  return unknown
    .map((ref, index) => {
      const near = index < MOST_SUGGESTIONS ? findNearest(ref, refs) : undefined;
      const meant = near === undefined ? "" : `; did you mean ${near}?`;
      return failure([], `ignoreChanges: there is no rule with the ref ${JSON.stringify(ref)}${meant}`);
    })
    .flat();
}
