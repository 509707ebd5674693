import { analyse, compare } from "../../../core/analysis/index.js";
import { and, not, type Formula } from "../../../core/analysis/formula/formula.js";
import { FormulaKeys } from "../../../core/analysis/formula/key.js";
import { Terms } from "../../../core/analysis/formula/terms.js";
import { Translator } from "../../../core/analysis/formula/translate.js";
import { TextIds } from "../../../core/analysis/text/text-ids.js";
import { parseExpression } from "../../../core/language/index.js";
import type { RuleInput, RulesetInput } from "../../../core/simulator/index.js";

/** Conditions that have no field in common with their neighbours, so that nothing merges them. */
const FIELDS = ["http.host", "http.user_agent", "http.referer"];
const conditionOf = (index: number): string => `${FIELDS[index % FIELDS.length] ?? ""} eq "x${String(index)}"`;

/** The guards of skip rules that each skip all rules after them: each contains those before it, negated. */
function guards(count: number): Formula[] {
  const translator = new Translator(new Terms());
  const skips: Formula[] = [];
  for (let index = 0; index < count; index += 1) {
    const parsed = parseExpression(conditionOf(index));
    if (!("expression" in parsed) || parsed.expression.kind !== "filter") throw new Error("not a filter");
    skips.push(and([translator.translate(parsed.expression.condition), ...skips.map(not)]));
  }
  return skips;
}

test("the negation of a negation is the formula itself", () => {
  for (const guard of guards(5)) expect(not(not(guard))).toBe(guard);
});

test("equal formulas have equal keys, whatever the order of their parts, and others have others", () => {
  const keys = new FormulaKeys(new TextIds());
  const [a, b, c] = guards(3) as [Formula, Formula, Formula];
  expect(keys.of(and([a, b]))).toBe(keys.of(and([b, a])));
  expect(new Set([a, b, c, not(a), not(b), and([a, b])].map((formula) => keys.of(formula))).size).toBe(6);
});

test("keys are short, however many formulas share their parts", () => {
  const keys = new FormulaKeys(new TextIds());
  const longest = Math.max(...guards(18).map((guard) => keys.of(guard).length));
  expect(longest).toBeLessThan(20);
});

/** Half of the rules are exceptions from all rules after them. */
const withExceptions = (count: number): RulesetInput[] => {
  const rules = Array.from({ length: count }, (_, index): RuleInput =>
    index % 2 === 0
      ? {
          ref: `r${String(index)}`,
          action: "skip",
          expression: conditionOf(index / 2),
          actionParameters: { ruleset: "current" },
        }
      : {
          ref: `r${String(index)}`,
          action: "block",
          expression: `http.request.uri.path contains "/p${String(index)}/"`,
        },
  );
  return [{ kind: "zone", phase: "http_request_firewall_custom", rules }];
};

test("many exceptions are negated a few times each, in the analysis and in a comparison", () => {
  const count = 120;
  const rulesets = withExceptions(count);
  const get = jest.spyOn(WeakMap.prototype, "get");
  expect(analyse({ rulesets }).filter(({ code }) => code === "never-matches")).toEqual([]);
  const before = withExceptions(count - 1);
  expect(compare({ before, after: rulesets }).verdict).toBe("stricter");
  const negations = get.mock.calls.length;
  get.mockRestore();
  expect(negations).toBeLessThanOrEqual(2 * count * count);
});
