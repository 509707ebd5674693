import type { Path } from "../core/model/path.js";
import { getShape, type FieldType } from "../core/model/shapes.js";

const RULES: FieldType = { kind: "list", of: { kind: "shape", name: "RulesetRule" } };

/**
 * Converts a JSON pointer into a ruleset on the wire to a path in the arguments: `/rules/0/action_parameters/uri` is
 * `rules[0].actionParameters.uri`. Steps without a typed name are kept unchanged.
 */
export function pathOfPointer(pointer: string): Path {
  const [first, ...rest] = stepsOf(pointer);
  if (first === undefined || first === "") return [];
  return [first, ...namesOf(rest, first === "rules" ? RULES : undefined)];
}

/** The same for a pointer into a single rule: `/action_parameters/uri` is `actionParameters.uri`. */
export function rulePathOfPointer(pointer: string): Path {
  return namesOf(stepsOf(pointer), { kind: "shape", name: "RulesetRule" });
}

function stepsOf(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function namesOf(steps: readonly string[], inside: FieldType | undefined): (string | number)[] {
  const names: (string | number)[] = [];
  let type = inside;
  for (const step of steps) {
    const found = stepInto(type, step);
    names.push(found.name);
    type = found.type;
  }
  return names;
}

interface Step {
  readonly name: string | number;
  readonly type: FieldType | undefined;
}

function stepInto(type: FieldType | undefined, step: string): Step {
  if (type?.kind === "map") return { name: step, type: type.of };
  if (/^\d+$/.test(step)) return { name: Number(step), type: type?.kind === "list" ? type.of : undefined };
  const field = type?.kind === "shape" ? getShape(type.name).byWire[step] : undefined;
  return field ?? { name: step, type: undefined };
}
