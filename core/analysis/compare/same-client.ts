import type { AnalysisContext } from "../analysis-context.js";
import { numberLiteral, TRUE, type Formula } from "../formula/formula.js";
import type { Term } from "../formula/term.js";
import type { Model, ModelValue } from "../solve/model.js";
import { oneOf } from "../text/literals.js";
import { findReaching, type Destination } from "./reaching.js";

const MOST_ROUNDS = 8;

/**
 * A request of the client that sends the request of a model: with the same address, and all that belongs to it, such as the
 * country and the lists that contain it.
 * @param counted the fields by which a rate limit tells clients apart
 */
export function findOfSameClient(
  client: Model,
  counted: readonly string[],
  destination: Destination,
  more: readonly Formula[],
  world: AnalysisContext,
): Model | undefined {
  const isOfClient = ({ key }: Term): boolean => /\bip\.src\b/.test(key) || counted.some((name) => key.includes(name));
  const shared = new Map<Term, Formula>();
  const share = (model: Model): void => {
    for (const [term] of model.entries())
      if (isOfClient(term) && !shared.has(term)) shared.set(term, isValue(term, client.get(term)));
  };
  share(client);
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const answer = findReaching([destination], [...more, ...shared.values()], world);
    if (answer.kind !== "sat") return undefined;
    const before = shared.size;
    share(answer.model);
    if (shared.size === before) return answer.model;
  }
  return undefined;
}

/** That a term has a value; arrays are left open. */
function isValue(term: Term, value: ModelValue): Formula {
  const isMissing = value === undefined;
  if (term.kind === "number" && (isMissing || typeof value === "bigint"))
    return numberLiteral(term, isMissing ? [] : [[value, value]], isMissing);
  if (term.kind === "text" && (isMissing || typeof value === "string"))
    return {
      kind: "text",
      term,
      clause: isMissing ? [] : [{ base: oneOf(new Set([value])), positive: true }],
      nil: isMissing,
    };
  return TRUE;
}
