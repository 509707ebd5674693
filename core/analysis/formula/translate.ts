import type {
  Argument,
  CallOperand,
  Comparison,
  Condition,
  ListName,
  Operand,
  OrderOperator,
  Quantifier,
  Test,
} from "../../language/ast.js";
import { isCondition, isOperand } from "../../language/ast.js";
import { printCondition, printOperand } from "../../language/print/index.js";
import { STRING } from "../../language/type.js";
import type { Bytes } from "../../language/value.js";
import { endingWith, oneOf, startingWith } from "../text/literals.js";
import { ofLength } from "../text/preimages.js";
import type { TextBase } from "../text/automaton.js";
import { toIntervals, type Intervals } from "../values/intervals.js";
import { and, FALSE, not, numberLiteral, or, TRUE, type Formula } from "./formula.js";
import { joinedFormula, type Piece } from "./joined.js";
import { elementsFormula } from "./elements.js";
import { fieldNamed } from "./rewritten-url.js";
import { contentsOf, versionsIn } from "./known-lists.js";
import { testedSet } from "./tested.js";
import { ORDINARY, type Fields } from "./fields.js";
import type { TextTerm } from "./term.js";
import { renamed, type Terms } from "./terms.js";
import { isAlwaysMissing, nilFits, textView, type TextView } from "./view.js";

/** Translates conditions to formulas over terms. What it cannot express becomes a separate term that may be true or false. */
export class Translator {
  private readonly known: Map<Condition, Formula>;

  constructor(
    readonly terms: Terms,
    readonly fields: Fields = ORDINARY,
  ) {
    this.known = terms.formulasFor(fields);
    terms.relations.note(fields);
  }

  translate(condition: Condition): Formula {
    const known = this.known.get(condition);
    if (known !== undefined) return known;
    const formula = this.make(condition);
    this.known.set(condition, formula);
    return formula;
  }

  private make(condition: Condition): Formula {
    switch (condition.kind) {
      case "group":
        return this.translate(condition.of);
      case "not":
        return not(this.translate(condition.of));
      case "combination":
        return this.combine(
          condition.op,
          condition.items.map((item) => this.translate(item)),
          condition,
        );
      case "quantifier":
        return this.quantifier(condition);
      case "truth":
        return this.truth(condition.operand, condition);
      case "comparison":
        return this.comparison(condition);
    }
  }

  /** Represents a condition as a term that is true or false, without further knowledge. */
  opaque(condition: Condition): Formula {
    const versions = versionsIn(condition);
    const key = printCondition(renamed(condition, this.fields)) + (versions === "" ? "" : ` of ${versions}`);
    return numberLiteral(this.terms.opaque(key, condition, this.fields), [[1n, 1n]]);
  }

  private combine(op: "and" | "or" | "xor", items: readonly Formula[], condition: Condition): Formula {
    if (op === "and") return and(items);
    if (op === "or") return or(items);
    // Each additional item doubles the formula.
    if (items.length > 6) return this.opaque(condition);
    return items.reduce((a, b) => or([and([a, not(b)]), and([not(a), b])]));
  }

  private truth(operand: Operand, condition: Condition): Formula {
    if (operand.kind === "field" && operand.name === "true") return TRUE;
    if (operand.kind === "field" && operand.name === "false") return FALSE;
    if (isAlwaysMissing(operand, this.fields)) return FALSE;
    if (operand.mapped || operand.type.kind === "array" || operand.type.kind === "map") return this.opaque(condition);
    const call = operand.kind === "call" && operand.path.length === 0 ? this.booleanCall(operand) : undefined;
    if (call !== undefined) return call;
    const term = this.terms.scalar(operand, this.fields);
    return term?.kind === "number" && term.valueType === "boolean"
      ? numberLiteral(term, [[1n, 1n]])
      : this.opaque(condition);
  }

  private booleanCall({ name, args }: CallOperand): Formula | undefined {
    const [first, second] = args;
    if (first === undefined || !isOperand(first) || first.mapped || second?.kind !== "string") return undefined;
    if (name === "starts_with") return this.text(first, startingWith(second.value), true);
    if (name === "ends_with") return this.text(first, endingWith(second.value), true);
    if (name === "has_key" && first.type.kind === "map") return this.hasKey(first, second.value);
    if (name === "has_value" && first.type.kind === "array") {
      const term = this.terms.array(first, this.fields);
      if (term?.element.kind !== "text") return undefined;
      const clauses = [[{ base: oneOf(new Set([second.value])), positive: true }]];
      return isAlwaysMissing(first, this.fields) ? FALSE : { kind: "some", term, set: { kind: "text", clauses } };
    }
    return undefined;
  }

  private hasKey(map: Operand, key: string): Formula | undefined {
    if (map.type.kind !== "map") return undefined;
    const path = [...map.path, { kind: "key", value: key, span: map.span } as const];
    const operand: Operand = { ...map, path, type: map.type.of };
    if (isAlwaysMissing(operand, this.fields)) return FALSE;
    const term = this.terms.array(operand, this.fields);
    return term === undefined ? undefined : { kind: "present", term, yes: true };
  }

  private comparison(comparison: Comparison): Formula {
    const { left, test } = comparison;
    if (left.mapped) return this.opaque(comparison);
    // No comparison with nil is true.
    if (isAlwaysMissing(left, this.fields)) return FALSE;
    const length = this.length(left, test);
    if (length !== undefined) return length;
    if (test.kind === "order" && isOperand(test.right)) return this.bothSides(comparison, test.right, test.op);
    const hosts = test.kind === "in" && test.right.kind === "list" ? this.amongHosts(left, test.right) : undefined;
    if (hosts !== undefined) return hosts;
    const tested = testedSet(test, left.type.kind);
    if (tested === "never") return FALSE;
    if (tested === undefined) return this.withNil(left, this.opaque(comparison));
    if (tested.kind === "text") return this.text(left, tested.base, tested.positive) ?? this.opaque(comparison);
    return this.number(left, tested.set) ?? this.opaque(comparison);
  }

  /** Hostnames compare whatever their case, and `*.example.com` contains every subdomain. */
  private amongHosts(left: Operand, list: ListName): Formula | undefined {
    const values = contentsOf(list)?.values;
    if (values?.kind !== "string" || left.type.kind !== "string") return undefined;
    const { span } = left;
    const host: Operand = {
      kind: "call",
      name: "lower",
      args: [left],
      path: [],
      type: STRING,
      mapped: false,
      span,
      nameSpan: span,
    };
    const { names, suffixes } = values;
    const below = (suffix: Bytes): Formula | undefined => {
      const [ends, bare] = [endingWith(suffix), oneOf(new Set([suffix]))].map((base) => this.text(host, base, true));
      return ends === undefined || bare === undefined ? undefined : and([ends, not(bare)]);
    };
    const parts = [this.text(host, oneOf(names), true), ...suffixes.map(below)];
    return parts.every((part) => part !== undefined) ? or(parts) : undefined;
  }

  /** Whether two operands are equal does not depend on their order. */
  private bothSides(comparison: Comparison, right: Operand, op: OrderOperator): Formula {
    const { left, test } = comparison;
    if (isAlwaysMissing(right, this.fields)) return FALSE;
    if (right.mapped) return this.withNil(left, this.opaque(comparison));
    const whole = (formula: Formula): Formula => this.withNil(left, this.withNil(right, formula));
    if (op !== "eq" && op !== "ne") return whole(this.opaque(comparison));
    const [first, second] = printOperand(left) < printOperand(right) ? [left, right] : [right, left];
    const equal = this.opaque({ ...comparison, left: first, test: { ...test, op: "eq", right: second } as Test });
    return whole(op === "eq" ? equal : not(equal));
  }

  /** An opaque test is false for nil; nothing else is known about it. */
  private withNil(left: Operand, formula: Formula): Formula {
    const term = this.terms.scalar(left, this.fields);
    if (term === undefined || !term.nilable) return formula;
    const present: Formula =
      term.kind === "number"
        ? { kind: "number", term, set: term.universe, nil: false }
        : { kind: "text", term, clause: [{ base: oneOf(new Set()), positive: false }], nil: false };
    return and([present, formula]);
  }

  private text(operand: Operand, base: TextBase, positive: boolean): Formula | undefined {
    if (isAlwaysMissing(operand, this.fields)) return FALSE;
    const [of] =
      operand.kind === "call" && operand.name === "to_string" && operand.path.length === 0 ? operand.args : [];
    if (of !== undefined && isOperand(of) && of.type.kind === "boolean") return this.written(of, base, positive);
    const view = textView(operand, this.terms, this.fields);
    if (view === undefined || view.isOpaque) {
      const joined = this.joined(operand, base);
      if (joined !== undefined) return positive ? joined : not(joined);
    }
    return view === undefined ? undefined : this.literal(view, base, positive);
  }

  /** That an operand is in a set; a missing value counts as empty. Undefined if it is no string, or cannot be expressed. */
  isIn(operand: Operand, base: TextBase): Formula | undefined {
    if (operand.mapped || operand.type.kind !== "string") return undefined;
    if (isAlwaysMissing(operand, this.fields)) return base.has("") ? TRUE : FALSE;
    const view = textView(operand, this.terms, this.fields);
    if (view === undefined || view.isOpaque) {
      const joined = this.joined(operand, base);
      if (joined !== undefined) return joined;
    }
    return view === undefined ? undefined : this.literal({ ...view, ofNil: view.ofNil ?? "" }, base, true);
  }

  private literal(view: TextView, base: TextBase, positive: boolean): Formula {
    if (view.rewritten === undefined) return textLiteral(view, base, positive);
    const { rewrites } = this.fields;
    const formula = rewrites?.isIn(view.rewritten, view.preimage(base));
    if (formula !== undefined) return positive ? formula : not(formula);
    // What is not expressed is a field of its own.
    const term = this.terms.scalar(fieldNamed(view.rewritten), this.fields) as TextTerm;
    return textLiteral({ ...view, term }, base, positive);
  }

  /** `concat` of several fields, at least one of which is never missing: otherwise the result may be, too. */
  private joined(operand: Operand, base: TextBase): Formula | undefined {
    if (operand.kind !== "call" || operand.name !== "concat" || operand.path.length > 0) return undefined;
    const pieces = operand.args.map((part): Piece | undefined =>
      part.kind === "string" ? part.value : isOperand(part) ? (of) => this.isIn(part, of) : undefined,
    );
    const isNeverNil = (part: Argument): boolean => {
      if (!isOperand(part)) return true;
      const view = textView(part, this.terms, this.fields);
      return view !== undefined && (!view.term.nilable || view.ofNil !== undefined);
    };
    if (!operand.args.some(isNeverNil)) return undefined;
    return pieces.every((piece) => piece !== undefined) ? joinedFormula(pieces, base) : undefined;
  }

  /** A Boolean as a string is one of two values. */
  private written(operand: Operand, base: TextBase, positive: boolean): Formula | undefined {
    const fitting = [0n, 1n].filter((value) => base.has(value === 1n ? "true" : "false") === positive);
    return this.number(operand, () => toIntervals(fitting.map((value) => [value, value])));
  }

  private number(operand: Operand, set: (universe: Intervals) => Intervals): Formula | undefined {
    const term = this.terms.scalar(operand, this.fields);
    return term?.kind === "number" ? numberLiteral(term, set(term.universe)) : undefined;
  }

  /** A test on the `len` of a string, as a test on the string. */
  private length(operand: Operand, test: Test): Formula | undefined {
    const [text] = operand.kind === "call" && operand.name === "len" && operand.path.length === 0 ? operand.args : [];
    if (text === undefined || !isOperand(text) || text.mapped || text.type.kind !== "string") return undefined;
    const tested = testedSet(test, "integer");
    if (tested === undefined || tested === "never" || tested.kind !== "number") return undefined;
    return this.text(text, ofLength(tested.set([[0n, 2n ** 63n - 1n]])), true);
  }

  private quantifier({ name, of, ...rest }: Quantifier): Formula {
    const whole: Quantifier = { name, of, ...rest };
    const inner = isCondition(of)
      ? elementsFormula(of, this.terms, this.fields)
      : callOverElements(of, this.terms, this.fields);
    if (inner === undefined) return this.opaque(whole);
    if (inner === "always missing") return name === "all" && isCondition(of) ? TRUE : FALSE;
    const { term, set, needsArray } = inner;
    if (name === "any") return { kind: "some", term, set };
    const every: Formula = { kind: "every", term, set };
    return needsArray ? and([every, { kind: "present", term, yes: true }]) : every;
  }
}

function callOverElements(of: Argument, terms: Terms, fields: Fields): ReturnType<typeof elementsFormula> {
  if (!isOperand(of)) return undefined;
  const truth: Condition = { kind: "truth", operand: of, span: of.span };
  const inner = elementsFormula(truth, terms, fields);
  // In a value, a nil array makes `all` false.
  return inner === undefined || inner === "always missing" ? inner : { ...inner, needsArray: true };
}

function textLiteral(view: TextView, base: TextBase, positive: boolean): Formula {
  const clause = [{ base: view.preimage(base), positive }];
  return { kind: "text", term: view.term, clause, nil: nilFits(view, base, positive) };
}
