import type { Clause } from "../formula/formula.js";
import type { TextTerm } from "../formula/term.js";
import type { TextIds } from "../text/text-ids.js";
import type { Budget } from "./budget.js";
import { findText, type FoundText } from "./find-text.js";

/** Caches searches for strings in intersections of sets. */
export class TextCache {
  private readonly found = new Map<string, FoundText>();
  private readonly clauseKeys = new Map<Clause, string>();

  constructor(private readonly ids: TextIds) {}

  /** A string that satisfies all clauses, none of which is a list. */
  find(clauses: readonly Clause[], term: TextTerm, budget: Budget): FoundText {
    const keys = new Set(clauses.map((clause) => this.keyOf(clause)));
    const key = `${String(term.id)}:${Array.from(keys).sort().join("&")}`;
    const known = this.found.get(key);
    if (known !== undefined) return known;
    const found = findText(clauses, term, budget);
    // What was given up with budget left has too many states, and is given up whenever it is asked.
    if (found.kind !== "unknown" || !budget.isSpent) this.found.set(key, found);
    return found;
  }

  private keyOf(clause: Clause): string {
    const known = this.clauseKeys.get(clause) ?? this.makeKey(clause);
    this.clauseKeys.set(clause, known);
    return known;
  }

  private makeKey(clause: Clause): string {
    return clause
      .map(({ base, positive }) => (positive ? this.ids.of(base) : -this.ids.of(base)))
      .sort()
      .join("|");
  }
}
