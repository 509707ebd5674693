import type { IpAddress, IpRange } from "./ip.js";
import type { Type } from "./type.js";
import type { Bytes, Integer } from "./value.js";

/** Start and end (exclusive) in the source, in UTF-16 units as JavaScript counts. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A parsed expression: a condition (filter) or a value. */
export type Expression = FilterExpression | ValueExpression;

export interface FilterExpression {
  readonly kind: "filter";
  readonly condition: Condition;
}
interface ValueExpression {
  readonly kind: "value";
  readonly operand: Operand;
}

/** A value that is true or false, or, inside `any` and `all`, an array of Booleans. */
export type Condition = Combination | Negation | Group | Quantifier | Truth | Comparison;

/** `a and b and c`: two or more conditions joined by the same operator. */
export interface Combination {
  readonly kind: "combination";
  readonly op: "and" | "or" | "xor";
  readonly items: readonly Condition[];
  readonly span: Span;
}
interface Negation {
  readonly kind: "not";
  readonly of: Condition;
  readonly span: Span;
}
/** Parentheses, as written. */
export interface Group {
  readonly kind: "group";
  readonly of: Condition;
  readonly span: Span;
}
export interface Quantifier {
  readonly kind: "quantifier";
  readonly name: "any" | "all";
  readonly of: Argument;
  readonly span: Span;
}
/** An operand without an operator: a Boolean field or call, or inside `any` and `all` an array of Booleans. */
export interface Truth {
  readonly kind: "truth";
  readonly operand: Operand;
  readonly span: Span;
}
/** `operand operator right side`. */
export interface Comparison {
  readonly kind: "comparison";
  readonly left: Operand;
  readonly test: Test;
  readonly span: Span;
}

export type OrderOperator = "eq" | "ne" | "lt" | "le" | "gt" | "ge";

/** The operator of a comparison with its right side. Both notations of an operator parse to the same name. */
export type Test =
  | { readonly kind: "order"; readonly op: OrderOperator; readonly right: Literal | Operand; readonly opSpan: Span }
  | { readonly kind: "bits"; readonly right: Literal; readonly opSpan: Span }
  | { readonly kind: "contains"; readonly right: Literal; readonly opSpan: Span }
  | { readonly kind: "wildcard"; readonly strict: boolean; readonly right: StringLiteral; readonly opSpan: Span }
  | { readonly kind: "matches"; readonly right: RegexLiteral; readonly opSpan: Span }
  | { readonly kind: "in"; readonly right: SetLiteral | ListName; readonly opSpan: Span };

/** A field or a call, followed by indexes. */
export type Operand = FieldOperand | CallOperand;

interface OperandBase {
  readonly path: readonly Index[];
  /** Type after the indexes; with `mapped`, that of one element. */
  readonly type: Type;
  /** Whether the indexes include `[*]`. */
  readonly mapped: boolean;
  readonly span: Span;
  readonly nameSpan: Span;
}
export interface FieldOperand extends OperandBase {
  readonly kind: "field";
  readonly name: string;
}
export interface CallOperand extends OperandBase {
  readonly kind: "call";
  readonly name: string;
  readonly args: readonly Argument[];
}

export type Index =
  | { readonly kind: "position"; readonly value: number; readonly span: Span }
  | { readonly kind: "key"; readonly value: Bytes; readonly span: Span }
  | { readonly kind: "each"; readonly span: Span };

/** What a call takes: a value, a literal, or a condition. */
export type Argument = Operand | Literal | Condition;

export type Literal = StringLiteral | IntegerLiteral | IpLiteral;

export interface StringLiteral {
  readonly kind: "string";
  readonly value: Bytes;
  /** `"…"`, `r"…"` or `68:6F`. */
  readonly notation: "quoted" | "raw" | "bytes";
  readonly span: Span;
}
export interface IntegerLiteral {
  readonly kind: "integer";
  readonly value: Integer;
  readonly notation: "decimal" | "hex" | "octal";
  readonly span: Span;
}
export interface IpLiteral {
  readonly kind: "ip";
  readonly value: IpAddress;
  readonly span: Span;
}
export interface RegexLiteral {
  readonly kind: "regex";
  /** The pattern as passed to the regular expression engine. */
  readonly pattern: string;
  readonly notation: "quoted" | "raw";
  readonly span: Span;
}

export interface SetLiteral {
  readonly kind: "set";
  readonly items: readonly SetItem[];
  readonly span: Span;
}
export type SetItem = Literal | IntegerRange | IpRangeLiteral;

interface IntegerRange {
  readonly kind: "integer-range";
  readonly first: IntegerLiteral;
  readonly last: IntegerLiteral;
  readonly span: Span;
}
/** A prefix (`10.0.0.0/8`) or a range (`10.0.0.1..10.0.0.9`); `prefix` is the length of a prefix. */
export interface IpRangeLiteral {
  readonly kind: "ip-range";
  readonly range: IpRange;
  readonly prefix?: number;
  readonly span: Span;
}
/** `$name`, without the `$`. */
export interface ListName {
  readonly kind: "list";
  readonly name: string;
  readonly span: Span;
}

const CONDITIONS: ReadonlySet<string> = new Set(["combination", "not", "group", "quantifier", "truth", "comparison"]);

export function isCondition(argument: Argument): argument is Condition {
  return CONDITIONS.has(argument.kind);
}

export function isOperand(argument: Argument | Literal): argument is Operand {
  return argument.kind === "field" || argument.kind === "call";
}
