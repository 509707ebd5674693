import {
  analyse,
  checkExpression,
  compileExpression,
  compileFilter,
  compileValueExpression,
  isError,
  makeContext,
  normalForm,
  normaliseExpression,
  parseExpression,
  printExpression,
  type Expression,
} from "../../../core/language/index";
import { outlineOf } from "../../../core/language/normalise/outline";
import { contextFields, filterText, valueText } from "./arbitrary";
import { anyText, fc, runs } from "../../support/properties.js";

const LISTS = { hosts: ["a", "*.b"], bad: ["10.0.0.0/24", "::1"], numbers: [1, 2, 50] };

function parse(text: string, kind: Expression["kind"] = "filter"): Expression {
  const parsed = parseExpression(text, kind);
  if ("fault" in parsed) throw new Error(`${text}: ${parsed.fault.message}`);
  return parsed.expression;
}

/** A syntax tree without positions. */
function bare(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(bare);
  if (typeof node !== "object" || node === null) return node;
  const entries = Object.entries(node).filter(([key, value]) => !/span$/i.test(key) && value !== undefined);
  return Object.fromEntries(entries.map(([key, value]) => [key, bare(value)]));
}

describe("any valid expression", () => {
  it("is accepted", () => {
    fc.assert(
      fc.property(filterText, (text) => {
        expect(checkExpression(text).filter(isError)).toEqual([]);
      }),
    );
  });

  it("prints as text that parses to the same tree", () => {
    fc.assert(
      fc.property(filterText, (text) => {
        const tree = parse(text);
        expect(bare(parse(printExpression(tree)))).toEqual(bare(tree));
      }),
    );
  });

  it("also prints as a value", () => {
    fc.assert(
      fc.property(valueText, (text) => {
        const tree = parse(text, "value");
        expect(bare(parse(printExpression(tree), "value"))).toEqual(bare(tree));
      }),
    );
  });

  it("has the outline of its normal form", () => {
    fc.assert(
      fc.property(filterText, (text) => {
        expect(outlineOf(normalForm(text) ?? "")).toBe(outlineOf(text));
      }),
    );
  });

  it("has a normal form that is its own normal form", () => {
    fc.assert(
      fc.property(filterText, (text) => {
        const form = normalForm(text) ?? "";
        expect(normalForm(form)).toBe(form);
      }),
    );
  });

  it("has the same meaning as its normal form", () => {
    fc.assert(
      fc.property(filterText, contextFields, (text, fields) => {
        const context = makeContext({ fields, lists: LISTS });
        const form = normalForm(text) ?? "";
        expect(compileExpression(form).evaluate(context).value).toBe(compileExpression(text).evaluate(context).value);
        const normal = normaliseExpression(parse(text));
        if (normal.kind === "filter") {
          expect(compileFilter(normal).evaluate(context).value).toBe(compileExpression(text).evaluate(context).value);
        }
      }),
      { numRuns: runs(300) },
    );
  });

  it("gets the same verdict for every part as for the whole", () => {
    fc.assert(
      fc.property(filterText, contextFields, (text, fields) => {
        const context = makeContext({ fields, lists: LISTS });
        const compiled = compileExpression(text);
        const { verdict } = compiled.trace(context);
        expect(typeof verdict === "boolean" ? verdict : "unknown").toBe(compiled.evaluate(context).value);
      }),
    );
  });

  it("never gets a verdict from an unknown field that one of the field's values contradicts", () => {
    fc.assert(
      fc.property(filterText, contextFields, contextFields, (text, some, more) => {
        const compiled = compileExpression(text);
        const before = compiled.evaluate(makeContext({ fields: some, lists: LISTS })).value;
        const after = compiled.evaluate(makeContext({ fields: { ...more, ...some }, lists: LISTS })).value;
        if (before !== "unknown") expect(after).toBe(before);
      }),
      { numRuns: runs(300) },
    );
  });
});

const mutation = fc.record({
  at: fc.nat({ max: 400 }),
  length: fc.nat({ max: 6 }),
  insert: fc.oneof(
    fc.constantFrom(
      '"',
      "(",
      ")",
      "[*]",
      "{",
      "}",
      "\\",
      " ",
      "\t",
      "not ",
      "and",
      "$",
      "r#",
      "0x",
      "..",
      "/",
      ",",
      "=",
      "é",
      "\u0000",
      "😀",
      "]",
      "-",
    ),
    anyText({ maxLength: 4 }),
  ),
});

describe("any mutation of a valid expression", () => {
  it("gives errors or a valid expression, and never crashes", () => {
    fc.assert(
      fc.property(
        filterText,
        fc.array(mutation, { minLength: 1, maxLength: 4 }),
        contextFields,
        (text, mutations, fields) => {
          const mutated = mutations.reduce((one, { at, length, insert }) => {
            const place = one.length === 0 ? 0 : at % (one.length + 1);
            return one.slice(0, place) + insert + one.slice(place + length);
          }, text);
          const { expression, findings } = analyse(mutated);
          const errors = findings.filter(isError);
          for (const { offset, end } of findings) {
            expect(offset).toBeGreaterThanOrEqual(0);
            expect(end).toBeLessThanOrEqual(mutated.length);
          }
          if (expression === undefined) expect(errors).not.toEqual([]);
          else expect(bare(parse(printExpression(expression)))).toEqual(bare(expression));
          if (errors.length === 0) compileExpression(mutated).evaluate(makeContext({ fields, lists: LISTS }));
        },
      ),
      { numRuns: runs(1000) },
    );
  });

  it("also applies to value expressions", () => {
    fc.assert(
      fc.property(valueText, mutation, contextFields, (text, { at, length, insert }, fields) => {
        const place = at % (text.length + 1);
        const mutated = text.slice(0, place) + insert + text.slice(place + length);
        if (checkExpression(mutated, { slot: "value" }).some(isError)) return;
        compileValueExpression(mutated).value(makeContext({ fields, lists: LISTS }));
      }),
      { numRuns: runs(300) },
    );
  });
});
