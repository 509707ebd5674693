import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  compileExpression,
  ExpressionError,
  makeContext,
  normalForm,
  type Context,
  type PlainValue,
} from "../../../core/language/index";

// Verdicts of the engine that Cloudflare published in 2019 on generated expressions that the engine of 2026 still reads.

interface Setup {
  /** Type names of the engine: `Bytes`, `Int`, `Ip`, `Bool`. */
  readonly fields: Readonly<Record<string, string>>;
  /** Strings are in hex. */
  readonly contexts: readonly Readonly<Record<string, string | number | boolean>>[];
}

interface Judged {
  readonly expression: string;
  /** `1` or `0` for each context, or `rejected`. */
  readonly verdicts: string;
}

const FILE = join(__dirname, "corpus/witness/wirefilter.ndjson");
const [first = "", ...lines] = readFileSync(FILE, "utf8").trimEnd().split("\n");
const setup = JSON.parse(first) as Setup;
const recorded = lines.map((line) => JSON.parse(line) as Judged);
const contexts = setup.contexts.map(toContext);

function toContext(values: Setup["contexts"][number]): Context {
  const fields = Object.entries(values).map(([name, value]): [string, PlainValue] => [
    name,
    setup.fields[name] === "Bytes" ? Buffer.from(String(value), "hex") : value,
  ]);
  return makeContext({ fields: Object.fromEntries(fields) });
}

function judge(expression: string): string {
  try {
    const compiled = compileExpression(expression, { strict: true });
    return contexts.map((context) => (compiled.matches(context) ? "1" : "0")).join("");
  } catch (error) {
    if (error instanceof ExpressionError) return "rejected";
    throw error;
  }
}

describe("Cloudflare's engine", () => {
  it("has judged enough expressions, with both results", () => {
    const accepted = recorded.filter(({ verdicts }) => verdicts !== "rejected");
    expect(accepted.length).toBeGreaterThan(3000);
    expect(recorded.length - accepted.length).toBeGreaterThan(500);
    expect(accepted.filter(({ verdicts }) => /01|10/.test(verdicts)).length).toBeGreaterThan(1500);
  });

  it("agrees with our verdicts", () => {
    const differences = recorded.flatMap(({ expression, verdicts }) => {
      const ours = judge(expression);
      return ours === verdicts ? [] : [{ expression, engine: verdicts, ours }];
    });
    expect(differences).toEqual([]);
  });

  it("agrees on normal forms", () => {
    const differences = recorded.flatMap(({ expression, verdicts }) => {
      const form = verdicts === "rejected" ? undefined : normalForm(expression);
      return form === undefined || judge(form) === verdicts ? [] : [{ expression, form }];
    });
    expect(differences).toEqual([]);
  });
});
