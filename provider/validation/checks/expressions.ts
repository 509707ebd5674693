import { createRequire } from "node:module";
import type { LocatedFinding } from "../../../language/index.js";
import { expressionsOf } from "../../model/expressions.js";
import type { Path } from "../../model/path.js";
import { isUnknown } from "../../model/unknown.js";
import type { Failure, Findings } from "../failure.js";

type Rule = Readonly<Record<string, unknown>>;

const load = createRequire(__filename);
/** Past the index, so that a preview loads nothing that evaluates; and a refresh or a destroy, which checks nothing, not even this. */
const loadCheck = () => load("../../../language/check/index.js") as typeof import("../../../language/check/index.js");

/** Whether every expression of a rule can be read, gives what its place takes, and keeps the limits. */
export function checkExpressions(rule: Rule, phase: unknown, path: Path): Findings {
  const known = typeof phase === "string" && !isUnknown(phase) ? phase : undefined;
  const { analyse } = loadCheck();
  const found = expressionsOf(rule, path).map(({ text, path: at, options }) => {
    const { errors, warnings } = analyse(text, known === undefined ? options : { ...options, phase: known });
    return {
      failures: errors.map((error) => toFailure(error, text, at)),
      warnings: warnings.map((note) => toFailure(note, text, at)),
    };
  });
  return {
    failures: found.flatMap(({ failures }) => failures),
    warnings: found.flatMap(({ warnings }) => warnings),
  };
}

/** What is wrong with the whole text, its length or that there is none, has no place in it. */
function toFailure({ check, offset, message, excerpt }: LocatedFinding, text: string, path: Path): Failure {
  if (check === "length" || text.trim() === "") return { check, path, reason: message };
  return { check, path, character: offset + 1, reason: message, excerpt };
}
