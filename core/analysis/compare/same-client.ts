import type { AnalysisContext } from "../analysis-context.js";
import { isValue, TRUE, type Formula } from "../formula/formula.js";
import type { Term } from "../formula/term.js";
import type { Model } from "../solve/model.js";
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
      if (isOfClient(term) && !shared.has(term)) shared.set(term, valueOf(term, client));
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

/** Arrays are left open. */
function valueOf(term: Term, client: Model): Formula {
  const value = client.get(term);
  const isText = term.kind === "text" && (value === undefined || typeof value === "string");
  const isNumber = term.kind === "number" && (value === undefined || typeof value === "bigint");
  return isText || isNumber ? isValue(term, value) : TRUE;
}
