import type { TextIds } from "../text/text-ids.js";
import type { Clause, ElementSet, Formula } from "./formula.js";

/**
 * Keys of formulas, equal for equal formulas, regardless of the order of their parts. A key is short however large its
 * formula is: formulas share their parts, so written in full, keys would grow exponentially with the number of skip rules.
 */
export class FormulaKeys {
  private readonly keys = new Map<Formula, string>();
  private readonly numbers = new Map<string, number>();

  constructor(private readonly ids: TextIds) {}

  of(formula: Formula): string {
    const known = this.keys.get(formula);
    if (known !== undefined) return known;
    const key = this.numbered(this.make(formula));
    this.keys.set(formula, key);
    return key;
  }

  private numbered(text: string): string {
    const number = this.numbers.get(text) ?? this.numbers.size;
    this.numbers.set(text, number);
    return `#${String(number)}`;
  }

  /** A formula written with the keys of its parts. */
  private make(formula: Formula): string {
    switch (formula.kind) {
      case "constant":
        return String(formula.value);
      case "and":
      case "or": {
        const items = formula.items.map((item) => this.of(item)).sort();
        return `${formula.kind}(${items.join(",")})`;
      }
      case "number":
        return `${String(formula.term.id)} in ${formula.set.join(" ")} ${String(formula.nil)}`;
      case "text":
        return `${String(formula.term.id)} ${this.ofClause(formula.clause)} ${String(formula.nil)}`;
      case "present":
        return `${String(formula.term.id)} present ${String(formula.yes)}`;
      case "some":
      case "every":
        return `${formula.kind} ${String(formula.term.id)} ${this.ofSet(formula.set)}`;
    }
  }

  private ofClause(clause: Clause): string {
    return clause
      .map(({ base, positive }) => `${positive ? "" : "not "}${String(this.ids.of(base))}`)
      .sort()
      .join("|");
  }

  private ofSet(set: ElementSet): string {
    if (set.kind === "number") return set.set.join(" ");
    return set.clauses
      .map((clause) => this.ofClause(clause))
      .sort()
      .join("&");
  }
}
