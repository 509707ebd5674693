import type {
  Argument,
  CallOperand,
  Combination,
  Condition,
  Index,
  ListName,
  Literal,
  Operand,
  OrderOperator,
  SetItem,
  SetLiteral,
  Span,
  Test,
} from "../ast.js";
import { findField, findFunction } from "../catalogue/index.js";
import { fromBytes } from "../bytes.js";
import { arrayOf, BOOLEAN, elementOf, INTEGER, STRING, UNKNOWN, type Type } from "../type.js";
import { readInteger, readLiteral, readSetItem } from "./bare-literals.js";
import { resultOf } from "./result.js";
import type { Scanner } from "./scanner.js";
import { atText, readQuoted, readRegex, readText } from "./text-literals.js";
import { operatorHint } from "./traps.js";

/** No service takes expressions nested deeper; it keeps every walk over the tree within the stack. */
export const MAX_NESTING = 500;

const MAX_POSITION = 2 ** 32 - 1;
const LIST_NAME = /[a-z0-9_.]+/y;
const WORD = /[A-Za-z0-9_]+/y;

/** Keywords with what they mean, by their first character. Of two that begin alike, the first in the table wins. */
type Keywords<T> = ReadonlyMap<string, readonly (readonly [text: string, meaning: T])[]>;

function byFirst<T>(keywords: readonly (readonly [text: string, meaning: T])[]): Keywords<T> {
  const firsts = new Set(keywords.map(([text]) => text.charAt(0)));
  return new Map(Array.from(firsts, (first) => [first, keywords.filter(([text]) => text.startsWith(first))]));
}

const LOGICAL = byFirst<Combination["op"]>([
  ["or", "or"],
  ["||", "or"],
  ["xor", "xor"],
  ["^^", "xor"],
  ["and", "and"],
  ["&&", "and"],
]);
const RANK = { or: 1, xor: 2, and: 3 } as const;

type Operator = OrderOperator | "in" | "bits" | "contains" | "matches" | "wildcard" | "strict wildcard";
const OPERATORS = byFirst<Operator>([
  ["in", "in"],
  ["eq", "eq"],
  ["==", "eq"],
  ["ne", "ne"],
  ["!=", "ne"],
  ["ge", "ge"],
  [">=", "ge"],
  ["le", "le"],
  ["<=", "le"],
  ["gt", "gt"],
  [">", "gt"],
  ["lt", "lt"],
  ["<", "lt"],
  ["&", "bits"],
  ["bitwise_and", "bits"],
  ["contains", "contains"],
  ["~", "matches"],
  ["matches", "matches"],
  ["wildcard", "wildcard"],
  ["strict wildcard", "strict wildcard"],
]);
/** First segments of all names: what begins so is taken for a field that is newer than the catalogue. */
const ROOTS: ReadonlySet<string> = new Set("cf http icmp ip raw ssl tcp udp".split(" "));

/** Operators without an order; a Boolean takes none of them in any form. */
const RANKLESS: ReadonlySet<Operator> = new Set(["in", "bits", "contains", "matches", "wildcard", "strict wildcard"]);

interface FoundOperator {
  readonly op: Operator;
  readonly span: Span;
}

/** The grammar, by recursive descent. A method reads one production and leaves the scanner behind it. */
export class Grammar {
  /** The deepest nesting of brackets, negations and calls so far. */
  deepest = 0;
  private depth = 0;

  constructor(private readonly scanner: Scanner) {}

  filter(): Condition {
    if (this.scanner.done) this.scanner.fail("the expression is blank; `true` matches every request");
    const condition = this.condition();
    this.finish();
    return condition;
  }

  value(): Operand {
    const { scanner } = this;
    if (scanner.done) scanner.fail("the expression is blank; a value is a field or a call of a function");
    const rule = "A value expression is one field or one call of a function";
    if (atText(scanner))
      scanner.fail(`${rule}; for a constant text use the property \`value\``, scanner.at, scanner.at);
    if (scanner.peek() === "(") scanner.fail(`${rule}, without brackets around it`);
    const operand = this.operand();
    scanner.skipSpace();
    if (!scanner.done && (this.peekOperator() !== undefined || this.peekLogical() !== undefined)) {
      scanner.fail(`${rule}, not a condition`, scanner.at, scanner.end);
    }
    if (scanner.peek() === "+") scanner.fail(`${rule}; texts are joined with \`concat(a, b)\``);
    this.finish();
    return operand;
  }

  private finish(): void {
    const { scanner } = this;
    scanner.skipSpace();
    if (scanner.done) return;
    if (scanner.peek() === ")") scanner.fail("this `)` closes nothing");
    this.failAtTrap();
    scanner.expected("`and`, `or`, `xor` or the end");
  }

  /** Fails where a word or a sign stands that people take for an operator. */
  private failAtTrap(): void {
    const { scanner } = this;
    const trap = operatorHint(scanner.text.slice(scanner.at, Math.min(scanner.at + 40, scanner.end)));
    if (trap === undefined) return;
    scanner.fail(`\`${trap.shown}\` does not belong here. ${trap.hint}`, scanner.at, scanner.at + trap.shown.length);
  }

  private condition(lowest = 1): Condition {
    let left = this.unary();
    for (;;) {
      const op = this.peekLogical();
      if (op === undefined || RANK[op] < lowest) return left;
      const items = [left];
      while (this.peekLogical() === op) {
        this.takeLogical();
        items.push(this.condition(RANK[op] + 1));
      }
      const last = items.at(-1) ?? left;
      left = { kind: "combination", op, items, span: { start: left.span.start, end: last.span.end } };
    }
  }

  private peekLogical(): Combination["op"] | undefined {
    const { scanner } = this;
    const before = scanner.at;
    scanner.skipSpace();
    const found = this.findKeyword(LOGICAL);
    if (found === undefined) scanner.at = before;
    return found?.[1];
  }

  /** The keyword of a table, arranged by first characters, that comes next. */
  private findKeyword<T>(table: Keywords<T>): readonly [text: string, meaning: T] | undefined {
    const candidates = table.get(this.scanner.peek());
    return candidates?.find(([text]) => this.scanner.looksAt(text));
  }

  private takeLogical(): void {
    const { scanner } = this;
    scanner.skipSpace();
    this.takeKeyword(this.findKeyword(LOGICAL)?.[0] ?? "");
    scanner.skipSpace();
  }

  /** Consumes a keyword; notes where it is glued to a word, which the service reads all the same. */
  private takeKeyword(keyword: string): void {
    const { scanner } = this;
    const start = scanner.at;
    scanner.at += keyword.length;
    if (!/[a-z]$/.test(keyword)) return;
    const before = scanner.identifierCharacterAt(start - 1);
    if (!before && !scanner.identifierCharacterAt(scanner.at)) return;
    scanner.note(
      "glued-keyword",
      start,
      scanner.at,
      `\`${keyword}\` is read as an operator though no space stands ${before ? "before" : "after"} it`,
    );
  }

  private nested<T>(at: number, read: () => T): T {
    this.depth += 1;
    this.deepest = Math.max(this.deepest, this.depth);
    if (this.depth > MAX_NESTING) {
      this.scanner.fail(`nested deeper than ${String(MAX_NESTING)} levels`, at, at + 1, "nesting");
    }
    const result = read();
    this.depth -= 1;
    return result;
  }

  private unary(): Condition {
    const { scanner } = this;
    const start = scanner.at;
    if (scanner.looksAt("(")) {
      scanner.at += 1;
      scanner.skipSpace();
      const of = this.nested(start, () => this.condition());
      scanner.skipSpace();
      if (!scanner.take(")")) this.notClosed(start);
      return { kind: "group", of, span: { start, end: scanner.at } };
    }
    const negation = scanner.looksAt("not") ? "not" : scanner.looksAt("!") ? "!" : undefined;
    if (negation !== undefined) {
      this.takeKeyword(negation);
      scanner.skipSpace();
      const of = this.nested(start, () => this.unary());
      return { kind: "not", of, span: { start, end: of.span.end } };
    }
    return this.peekQuantifier() === undefined ? this.comparison(this.operand()) : this.quantifier();
  }

  private notClosed(start: number): never {
    const { scanner } = this;
    if (scanner.done) scanner.fail("this `(` is never closed", start, start + 1);
    this.failAtTrap();
    return scanner.expected("`and`, `or`, `xor` or `)`");
  }

  private peekQuantifier(): "any" | "all" | undefined {
    const { scanner } = this;
    const name = scanner.peekIdentifier();
    if (name !== "any" && name !== "all") return undefined;
    const before = scanner.at;
    scanner.at += name.length;
    scanner.skipSpace();
    const opens = scanner.peek() === "(";
    scanner.at = before;
    return opens ? name : undefined;
  }

  private quantifier(): Condition {
    const { scanner } = this;
    const start = scanner.at;
    const name = this.peekQuantifier() ?? "any";
    scanner.at += name.length;
    scanner.skipSpace();
    const open = scanner.at;
    scanner.at += 1;
    scanner.skipSpace();
    if (scanner.peek() === ")")
      scanner.fail(`\`${name}\` takes one condition over an array: \`${name}(array[*] eq "x")\``);
    const of = this.nested(open, () => this.argument());
    scanner.skipSpace();
    if (!scanner.take(")")) this.argumentNotClosed(name, open);
    return { kind: "quantifier", name, of, span: { start, end: scanner.at } };
  }

  private argumentNotClosed(name: string, open: number): never {
    const { scanner } = this;
    if (scanner.done) scanner.fail(`the brackets of \`${name}\` are never closed`, open, open + 1);
    if (this.peekLogical() !== undefined) {
      const hint = `Put brackets of their own around the whole: \`${name}((a and b))\``;
      scanner.fail(`\`${name}\` takes one comparison here. ${hint}`, scanner.at, scanner.at + 1);
    }
    this.failAtTrap();
    if (name === "any" || name === "all") {
      if (scanner.peek() === ",") scanner.fail(`\`${name}\` takes one argument`);
      scanner.expected(`\`)\` of \`${name}\``);
    }
    return scanner.expected("`,` or `)`");
  }

  /** An operand alone, or with an operator and its right side. */
  private comparison(left: Operand): Condition {
    const { scanner } = this;
    const behind = scanner.at;
    scanner.skipSpace();
    const operator = this.peekOperator();
    if (operator === undefined) {
      if (!isBoolean(left.type)) this.operatorMissing(left);
      scanner.at = behind;
      return { kind: "truth", operand: left, span: left.span };
    }
    if (left.type === BOOLEAN && RANKLESS.has(operator.op)) this.booleanCompared(left, "", operator.span);
    const test = this.test(left, operator);
    return { kind: "comparison", left, test, span: { start: left.span.start, end: scanner.at } };
  }

  /** Fails where an operator has to come; leaves what ends a condition to the check of types. */
  private operatorMissing(left: Operand): void {
    const { scanner } = this;
    if (scanner.done || /[),]/.test(scanner.peek()) || this.peekLogical() !== undefined) return;
    const rest = scanner.text.slice(scanner.at, scanner.at + 40);
    const hint = operatorHint(rest);
    if (hint !== undefined) {
      scanner.fail(`\`${hint.shown}\` is no operator. ${hint.hint}`, scanner.at, scanner.at + hint.shown.length);
    }
    if (scanner.peek() === "[") scanner.fail("an index stands directly behind its field, without a space");
    if (left.type === UNKNOWN && scanner.peek() !== "\t") {
      scanner.fail(
        `\`${left.name}\` is followed by no operator; operators are \`eq\`, \`ne\`, \`in\`, \`contains\`, …`,
      );
    }
    scanner.expected("an operator such as `eq`, `ne`, `in` or `contains`");
  }

  private peekOperator(): FoundOperator | undefined {
    const { scanner } = this;
    const found = this.findKeyword(OPERATORS);
    if (found === undefined) return undefined;
    const [text, op] = found;
    if (text === "&" && scanner.looksAt("&&")) return undefined;
    const span = { start: scanner.at, end: scanner.at + text.length };
    return this.isWordOfItsOwn(text, span) ? { op, span } : undefined;
  }

  /** `eqhttp.host` and `eq80` are read as the service does; `equals` and `include` are words that mean no operator. */
  private isWordOfItsOwn(text: string, span: Span): boolean {
    const { scanner } = this;
    if (!/[a-z]$/.test(text) || !scanner.identifierCharacterAt(span.end)) return true;
    const before = scanner.at;
    scanner.at = span.end;
    const rest = scanner.peekIdentifier();
    const fits =
      /^[0-9]/.test(rest) || atText(scanner) || findField(rest) !== undefined || findFunction(rest) !== undefined;
    const bytes = /^[0-9a-f]{2}[:.-][0-9a-f]{2}/i.test(scanner.text.slice(scanner.at, scanner.at + 5));
    scanner.at = before;
    return fits || bytes;
  }

  private test(left: Operand, { op, span: opSpan }: FoundOperator): Test {
    const { scanner } = this;
    this.takeKeyword(scanner.text.slice(opSpan.start, opSpan.end));
    scanner.skipSpace();
    switch (op) {
      case "in":
        return { kind: "in", right: this.members(left), opSpan };
      case "bits": {
        const right = readInteger(scanner) ?? readLiteral(scanner, INTEGER);
        return { kind: "bits", right: right ?? scanner.expected("an integer"), opSpan };
      }
      case "contains":
        if (scanner.peek() === "{") {
          scanner.fail('`contains` takes one text; join several: `x contains "a" or x contains "b"`');
        }
        return { kind: "contains", right: readLiteral(scanner, STRING) ?? this.textExpected(), opSpan };
      case "matches":
        if (!atText(scanner)) scanner.expected('a pattern in quotes (`"…"` or `r"…"`)');
        return { kind: "matches", right: readRegex(scanner), opSpan };
      case "wildcard":
      case "strict wildcard":
        if (!atText(scanner)) scanner.expected('a pattern in quotes (`"…"` or `r"…"`)');
        return { kind: "wildcard", strict: op === "strict wildcard", right: readText(scanner), opSpan };
      default:
        return { kind: "order", op, right: this.rightSide(left, opSpan), opSpan };
    }
  }

  /** A literal, or since October 2026 a field or a call. */
  private rightSide(left: Operand, opSpan: Span): Literal | Operand {
    const { scanner } = this;
    if (atText(scanner)) return readText(scanner);
    const name = scanner.peekIdentifier();
    if (left.type.kind === "boolean") this.booleanCompared(left, name, opSpan);
    if (findField(name) !== undefined || findFunction(name) !== undefined) return this.operand();
    if (scanner.peek() === "{") scanner.fail("a set stands after `in`: `field in {…}`");
    if (scanner.peek() === "$") scanner.fail("a list stands after `in`: `field in $list`");
    if (scanner.peek() === "(") scanner.fail("the right side of a comparison stands without brackets");
    const literal = readLiteral(scanner, left.type);
    if (literal !== undefined) return literal;
    if (name !== "" && (ROOTS.has(name.split(".")[0] ?? "") || this.opensCall(name))) return this.operand();
    return left.type.kind === "integer"
      ? scanner.expected("an integer")
      : left.type.kind === "ip"
        ? scanner.expected("an IP address without quotes")
        : this.textExpected();
  }

  private opensCall(name: string): boolean {
    return this.scanner.text[this.scanner.at + name.length] === "(";
  }

  private textExpected(): never {
    const { scanner } = this;
    const word = scanner.match(/[\p{L}\p{N}_./:@*?%+-]+/uy);
    if (word === "") return scanner.expected('a text in quotes (`"…"`)');
    return scanner.fail(`text stands in quotes: \`"${word}"\``, scanner.at, scanner.at + word.length);
  }

  private booleanCompared(left: Operand, name: string, opSpan: Span): void {
    const known = findField(name);
    if (known?.type === BOOLEAN && name !== "true" && name !== "false") return;
    if (findFunction(name)?.returns === BOOLEAN) return;
    const { scanner } = this;
    const text = scanner.text.slice(left.span.start, left.span.end);
    const end = name === "" ? opSpan.end : scanner.at + name.length;
    scanner.fail(
      `\`${left.name}\` is true or false by itself and takes no operator: write \`${text}\` or \`not ${text}\``,
      opSpan.start,
      end,
      "type",
    );
  }

  private members(left: Operand): SetLiteral | ListName {
    const { scanner } = this;
    if (scanner.peek() === "$") return this.listName();
    const start = scanner.at;
    if (!scanner.take("{")) {
      const instead = readSetItem(scanner, left.type);
      if (instead === undefined) scanner.expected("`{` of a set or `$` of a list");
      else {
        const text = scanner.text.slice(instead.span.start, instead.span.end);
        scanner.fail(`a set stands in braces: \`in {${text}}\``, instead.span.start, instead.span.end);
      }
    }
    const items: SetItem[] = [];
    for (;;) {
      scanner.skipSpace();
      if (scanner.done) scanner.fail("this `{` is never closed", start, start + 1);
      if (scanner.take("}")) return { kind: "set", items, span: { start, end: scanner.at } };
      if (scanner.peek() === ",") scanner.fail("the items of a set are separated by spaces, not by commas");
      items.push(readSetItem(scanner, left.type) ?? this.itemExpected(left.type));
    }
  }

  private itemExpected(wanted: Type): never {
    const { scanner } = this;
    if (wanted.kind === "integer") return scanner.expected("an integer or `}`");
    if (wanted.kind === "ip") return scanner.expected("an IP address, a prefix, a range or `}`");
    return this.textExpected();
  }

  private listName(): ListName {
    const { scanner } = this;
    const start = scanner.at;
    scanner.at += 1;
    const name = scanner.match(LIST_NAME);
    if (name === "" || name.startsWith(".") || name.endsWith(".")) {
      const rule = "a list is named `$name`, of the characters a-z, 0-9, `_` and `.`, with no `.` at either end";
      scanner.fail(rule, start, scanner.at + Math.max(1, name.length));
    }
    scanner.at += name.length;
    return { kind: "list", name, span: { start, end: scanner.at } };
  }

  /** A field or a call with its indexes. */
  private operand(): Operand {
    const { scanner } = this;
    const start = scanner.at;
    const name = scanner.peekIdentifier();
    if (name === "") this.operandExpected();
    scanner.at += name.length;
    const nameSpan = { start, end: scanner.at };
    if (scanner.peek() === ".") scanner.fail(`a name follows the dot; \`${name}.\` is none`, start, scanner.at + 1);
    const field = findField(name);
    if (field === undefined && (findFunction(name) !== undefined || this.callFollows())) {
      const args = this.callArguments(name);
      const call = { name, args, type: resultOf(name, args) };
      return this.indexed(
        call.type,
        (path, type, mapped, span): CallOperand => {
          return { kind: "call", name, args, path, type, mapped, span, nameSpan };
        },
        start,
      );
    }
    return this.indexed(
      field?.type ?? UNKNOWN,
      (path, type, mapped, span) => {
        return { kind: "field", name, path, type, mapped, span, nameSpan };
      },
      start,
    );
  }

  private operandExpected(): never {
    const { scanner } = this;
    if (atText(scanner)) {
      scanner.fail('a text cannot stand on the left: write `field eq "text"`', scanner.at, scanner.at + 1);
    }
    if (scanner.peek() === "$") scanner.fail("a list stands on the right of `in`: `ip.src in $list`");
    if (scanner.peek() === "{") scanner.fail("a set stands on the right of `in`: `ip.src in {…}`");
    return scanner.expected("a field or a function");
  }

  private callFollows(): boolean {
    const { scanner } = this;
    const before = scanner.at;
    scanner.skipSpace();
    const follows = scanner.peek() === "(";
    scanner.at = before;
    return follows;
  }

  private callArguments(name: string): readonly Argument[] {
    const { scanner } = this;
    scanner.skipSpace();
    const open = scanner.at;
    if (!scanner.take("(")) scanner.expected(`\`(\` behind the function \`${name}\``);
    return this.nested(open, () => {
      const args: Argument[] = [];
      scanner.skipSpace();
      while (!scanner.take(")")) {
        if (args.length > 0) {
          if (!scanner.take(",")) this.argumentNotClosed(name, open);
          scanner.skipSpace();
          if (scanner.peek() === ")") scanner.fail("no comma stands behind the last argument", scanner.at - 1);
        }
        if (scanner.done) scanner.fail(`the brackets of \`${name}\` are never closed`, open, open + 1);
        args.push(this.argument());
        scanner.skipSpace();
      }
      return args;
    });
  }

  private argument(): Argument {
    const { scanner } = this;
    if (atText(scanner)) return readText(scanner);
    if (scanner.looksAt("(") || scanner.looksAt("!") || scanner.looksAt("not") || this.peekQuantifier() !== undefined) {
      return this.condition();
    }
    const name = scanner.peekIdentifier();
    if (findField(name) === undefined && findFunction(name) === undefined && !this.opensCall(name)) {
      const literal = readLiteral(scanner, UNKNOWN);
      if (literal !== undefined) return literal;
    }
    if (name === "") scanner.expected("a field, a call or a literal");
    const operand = this.operand();
    const behind = scanner.at;
    scanner.skipSpace();
    const compared = this.peekOperator() !== undefined;
    scanner.at = behind;
    return compared ? this.comparison(operand) : operand;
  }

  private indexed<T>(
    base: Type,
    make: (path: Index[], type: Type, mapped: boolean, span: Span) => T,
    start: number,
  ): T {
    const { scanner } = this;
    const path: Index[] = [];
    let type = base;
    let mapped = false;
    while (scanner.peek() === "[") {
      const index = this.index();
      path.push(index);
      mapped ||= index.kind === "each";
      const holder = index.kind === "position" ? "array" : index.kind === "key" ? "map" : type.kind;
      type = type.kind === holder ? (elementOf(type) ?? UNKNOWN) : UNKNOWN;
    }
    return make(path, type, mapped, { start, end: scanner.at });
  }

  private index(): Index {
    const { scanner } = this;
    const start = scanner.at;
    scanner.at += 1;
    scanner.skipSpace();
    const index = this.indexValue();
    scanner.skipSpace();
    if (!scanner.take("]")) scanner.expected("`]`");
    return { ...index, span: { start, end: scanner.at } };
  }

  private indexValue():
    | { readonly kind: "each" }
    | { readonly kind: "key"; readonly value: string }
    | { readonly kind: "position"; readonly value: number } {
    const { scanner } = this;
    const start = scanner.at;
    if (scanner.take("*")) return { kind: "each" };
    if (scanner.peek() === '"') {
      const value = readQuoted(scanner);
      if (fromBytes(value) === undefined) scanner.fail("the key of a map is UTF-8 text", start, scanner.at);
      return { kind: "key", value };
    }
    if (scanner.peek() === "r" && atText(scanner))
      scanner.fail('a key is written in plain quotes: `["key"]`', start, start + 1);
    const position = readInteger(scanner)?.value;
    if (position === undefined) {
      const word = scanner.match(WORD);
      const hint = word === "" ? "" : `; a key is written in quotes: \`["${word}"]\``;
      return scanner.fail(
        `an index is a position, a key in quotes or \`*\`${hint}`,
        start,
        start + Math.max(1, word.length),
      );
    }
    if (typeof position !== "number" || position < 0 || position > MAX_POSITION) {
      return scanner.fail("a position is an integer from 0 to 4294967295", start, scanner.at);
    }
    return { kind: "position", value: position };
  }
}

function isBoolean(type: Type): boolean {
  return type === BOOLEAN || type === arrayOf(BOOLEAN) || elementOf(type) === BOOLEAN;
}
