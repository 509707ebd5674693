import type { Clause, ElementSet, Formula } from "./formula.js";

const keys = new WeakMap<Formula, string>();

/** A key that is equal for equal formulas, regardless of the order of their parts. */
export function formulaKey(formula: Formula): string {
  const known = keys.get(formula);
  if (known !== undefined) return known;
  const key = make(formula);
  keys.set(formula, key);
  return key;
}

function make(formula: Formula): string {
  switch (formula.kind) {
    case "constant":
      return String(formula.value);
    case "and":
    case "or":
      return `${formula.kind}(${formula.items.map(formulaKey).sort().join(",")})`;
    case "number":
      return `${String(formula.term.id)} in ${formula.set.join(" ")} ${String(formula.nil)}`;
    case "text":
      return `${String(formula.term.id)} ${clauseKey(formula.clause)} ${String(formula.nil)}`;
    case "present":
      return `${String(formula.term.id)} present ${String(formula.yes)}`;
    case "some":
    case "every":
      return `${formula.kind} ${String(formula.term.id)} ${setKey(formula.set)}`;
  }
}

function clauseKey(clause: Clause): string {
  return clause
    .map(({ base, positive }) => `${positive ? "" : "not "}${base.key}`)
    .sort()
    .join("|");
}

function setKey(set: ElementSet): string {
  return set.kind === "number" ? set.set.join(" ") : set.clauses.map(clauseKey).sort().join("&");
}
