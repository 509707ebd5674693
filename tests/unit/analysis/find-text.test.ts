import { Budget } from "../../../core/analysis/solve/budget.js";
import { findListed, shorterList } from "../../../core/analysis/solve/find-text.js";
import { containing, oneOf } from "../../../core/analysis/text/literals.js";

describe("a list", () => {
  const listOf = (...texts: readonly string[]) => [{ base: oneOf(new Set(texts)), positive: true }];
  const without = (...texts: readonly string[]) => [{ base: oneOf(new Set(texts)), positive: false }];
  /** The texts found while one clause after the other is added. */
  const found = (readable: string, ...clauses: readonly ReturnType<typeof listOf>[]): (string | undefined)[] => {
    const wish = { examples: [], readable: containing(readable) };
    let list: ReturnType<typeof shorterList>;
    return clauses.map((clause, index) => {
      list = shorterList(list, clause);
      if (list === undefined) throw new Error("the first clause is a list");
      const answer = findListed(list, clauses.slice(0, index + 1), wish, new Budget(1000));
      ({ list } = answer);
      return answer.found.kind === "text" ? answer.found.text : undefined;
    });
  };

  test("is gone through as clauses are added", () => {
    expect(found("", listOf("a", "b", "c"), without("a"), without("c"), without("b"))).toEqual([
      "a",
      "b",
      "b",
      undefined,
    ]);
  });

  test("prefers strings that read well, and falls back to the others", () => {
    expect(found("x", listOf("a", "bx", "cx"), without("bx"), without("cx"), without("a"))).toEqual([
      "bx",
      "cx",
      "a",
      undefined,
    ]);
  });

  test("gives way to a shorter one, but not to a longer one", () => {
    expect(found("", listOf("a", "b", "c"), listOf("c", "b"), listOf("c", "b", "d", "e"))).toEqual(["a", "c", "c"]);
  });
});
