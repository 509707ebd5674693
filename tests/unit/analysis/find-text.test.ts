import { Budget } from "../../../core/analysis/solve/budget.js";
import { findListed, findText, shorterList } from "../../../core/analysis/solve/find-text.js";
import { classesOf, type TextBase } from "../../../core/analysis/text/automaton.js";
import { containing, oneOf } from "../../../core/analysis/text/literals.js";

/** A set of strings of one letter, by the states that the letters lead to; other letters lead to `other`. */
function lettersTo(key: string, states: Readonly<Record<string, number>>, accepted: number): TextBase {
  const accepts = (state: number): boolean => state === accepted;
  const step = (state: number, byte: number): number => (state === 1 ? (states[String.fromCharCode(byte)] ?? -1) : -1);
  return {
    key,
    has: (bytes) => bytes.length === 1 && accepts(step(1, bytes.charCodeAt(0))),
    automaton: () => ({
      start: 1,
      step,
      accepts,
      settled: (state) => (state === 1 ? undefined : accepts(state)),
      classes: classesOf(Object.keys(states)),
    }),
  };
}

test.each([65_534, 65_535, 65_536, 2 ** 32 - 1])(
  "a search does not take a state of %d next to a rejected string for two other states",
  (high) => {
    // "a" leads to the states 0 and -1, which is no match; "b" leads to -1 and the high state, which is the only one.
    const clauses = [
      [{ base: lettersTo("left", { a: 0, b: -1 }, 0), positive: false }],
      [{ base: lettersTo("right", { a: -1, b: high }, high), positive: true }],
    ];
    const wish = { examples: [] };
    expect(findText(clauses, wish, new Budget(10_000))).toEqual({ kind: "text", text: "b" });
  },
);

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
