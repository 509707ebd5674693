import type { Argument, Condition, Operand } from "../../language/ast.js";
import { isCondition, isOperand } from "../../language/ast.js";
import { printOperand } from "../../language/print/index.js";
import { shareOf, type ShareRange } from "../../language/shares.js";
import { withChildren } from "../../language/tree.js";
import { elementOf, type Type } from "../../language/type.js";
import { ALL_ADDRESSES } from "../values/addresses.js";
import { toIntervals, type Intervals } from "../values/intervals.js";
import { canonicalName, isAlwaysPresent, numberFacts, patternBase, textFacts } from "./facts.js";
import { computedFrom, plainFields } from "../relations/computed.js";
import { Relations } from "../relations/relations.js";
import type { Fields } from "./fields.js";
import type { Formula } from "./formula.js";
import type { ArrayTerm, NumberTerm, Term, TextTerm } from "./term.js";

const INTEGERS: Intervals = [[-(2n ** 63n), 2n ** 63n - 1n]];
const BOOLEANS: Intervals = [[0n, 1n]];

/** All terms of one analysis. */
export class Terms {
  private readonly terms = new Map<string, Term>();
  /** What is known about several terms together. */
  readonly relations = new Relations((key) => this.terms.get(key));
  private readonly formulas = new Map<string, Map<Condition, Formula>>();

  /** Formulas already translated for the same fields. */
  formulasFor({ key }: Fields): Map<Condition, Formula> {
    const known = this.formulas.get(key) ?? new Map<Condition, Formula>();
    this.formulas.set(key, known);
    return known;
  }

  /** The term of an operand whose value is used as a whole; undefined for maps and arrays of arrays. */
  scalar(operand: Operand, fields: Fields): NumberTerm | TextTerm | undefined {
    const key = keyOf(operand, fields);
    const known = this.terms.get(key);
    if (known !== undefined) return known.kind === "array" ? undefined : known;
    const share = shareOf(operand);
    if (share !== undefined) return this.share(key, operand, share);
    const plain = plainName(operand);
    const facts = { name: plain, isAsSent: plain !== undefined && fields.isAsSent(plain) };
    const nilable = plain === undefined || !isAlwaysPresent(plain);
    const term = this.make(key, operand, operand.type, facts, nilable, this.parent(operand, fields));
    if (term === undefined) return undefined;
    this.terms.set(key, term);
    if (operand.kind === "call") this.noteComputed(term, operand, fields);
    this.noteInArray(term, operand);
    return term;
  }

  /** The number that a request gets at random. Whether the upper end of its range belongs to it is not documented. */
  private share(key: string, operand: Operand, { low, high }: ShareRange): NumberTerm {
    const term: NumberTerm = {
      ...{ kind: "number", valueType: "integer", id: this.terms.size, key, nilable: false, operand },
      ...{ universe: [[BigInt(low), BigInt(high)]], examples: [BigInt(high - 1)] },
    } as const;
    this.terms.set(key, term);
    return term;
  }

  /** The term of an array, or of the values of a map. */
  array(operand: Operand, fields: Fields): ArrayTerm | undefined {
    const key = keyOf(operand, fields);
    const known = this.terms.get(key);
    if (known !== undefined) return known.kind === "array" ? known : undefined;
    const type = elementOf(operand.type);
    const plain = plainName(operand);
    const facts = { name: plain === undefined ? undefined : `${plain}[*]`, isAsSent: false };
    const element = type === undefined ? undefined : this.make(`${key}[]`, undefined, type, facts, false, undefined);
    if (element === undefined) return undefined;
    const term: ArrayTerm = { kind: "array", id: this.terms.size, key, nilable: true, operand, element };
    this.terms.set(key, term);
    return term;
  }

  /** An opaque comparison, as an independent term that is true or false. */
  opaque(key: string, about?: Condition, fields?: Fields): NumberTerm {
    const known = this.terms.get(`?${key}`);
    if (known?.kind === "number") return known;
    const term: NumberTerm = {
      ...{ kind: "number", valueType: "boolean", id: this.terms.size, key: `?${key}`, nilable: false },
      ...{ universe: BOOLEANS, examples: [0n], about },
    } as const;
    this.terms.set(term.key, term);
    if (about !== undefined && fields !== undefined) this.noteComputed(term, about, fields);
    return term;
  }

  private noteComputed(term: Term, what: Operand | Condition, fields: Fields): void {
    const leaves = plainFields(what);
    if (leaves === undefined || leaves.length === 0) return;
    const inputs = new Map<string, NumberTerm | TextTerm>();
    for (const leaf of leaves) {
      const input = fields.isAbsent(leaf.name) ? undefined : this.scalar(leaf, fields);
      if (input === undefined) return;
      inputs.set(canonicalName(leaf.name), input);
    }
    const [a, b] = inputs.values();
    const isEqual =
      !isOperand(what) && what.kind === "comparison" && what.test.kind === "order" && what.test.op === "eq";
    const areFields =
      isEqual && what.left.kind === "field" && isOperand(what.test.right) && what.test.right.kind === "field";
    const equal = areFields && a?.kind === "text" && b?.kind === "text" ? ([a, b] as const) : undefined;
    this.relations.noteComputed(term, { ...computedFrom(what, inputs), equal });
  }

  /** Notes that a term is an element of an array. */
  private noteInArray(term: Term, operand: Operand): void {
    const last = operand.path.at(-1);
    if (term.parent !== undefined && last?.kind === "position")
      this.relations.arrays.noteElement(term.parent, last.value, term);
  }

  private parent(operand: Operand, fields: Fields): ArrayTerm | undefined {
    const last = operand.path.at(-1);
    if (last?.kind !== "position" || operand.mapped) return undefined;
    const type = { kind: "array", of: operand.type } as const;
    return this.array({ ...operand, path: operand.path.slice(0, -1), type }, fields);
  }

  private make(
    key: string,
    operand: Operand | undefined,
    type: Type,
    { name = "", isAsSent }: KnownFacts,
    nilable: boolean,
    parent: ArrayTerm | undefined,
  ): NumberTerm | TextTerm | undefined {
    const base = { id: this.terms.size, key, nilable, operand, parent };
    if (type.kind === "string") {
      const { always, sent, readable, examples } = textFacts(name);
      const pattern = patternBase(isAsSent ? (sent ?? always) : always);
      return {
        ...base,
        kind: "text",
        domain: pattern === undefined ? [] : [pattern],
        readable: patternBase(readable),
        examples: examples ?? [],
      };
    }
    if (type.kind !== "integer" && type.kind !== "ip" && type.kind !== "boolean") return undefined;
    const { always, examples } = numberFacts(name);
    const whole = type.kind === "ip" ? ALL_ADDRESSES : type.kind === "boolean" ? BOOLEANS : INTEGERS;
    const isLength = operand?.kind === "call" && operand.name === "len" && operand.path.length === 0;
    const universe = isLength ? LENGTHS : always === undefined ? whole : toIntervals(always);
    return { ...base, kind: "number", valueType: type.kind, universe, examples };
  }
}

/** Which facts are known about a value. */
interface KnownFacts {
  /** The field, with `[*]` for its elements; undefined for other operands. */
  readonly name: string | undefined;
  /** Whether no rule has rewritten it. */
  readonly isAsSent: boolean;
}

const LENGTHS: Intervals = [[0n, 2n ** 63n - 1n]];

/** The field's current name, if an operand is a plain field. */
function plainName(operand: Operand): string | undefined {
  return operand.kind === "field" && operand.path.length === 0 ? canonicalName(operand.name) : undefined;
}

function keyOf(operand: Operand, fields: Fields): string {
  return printOperand(renamed(operand, fields));
}

/** The condition or the value with the names that terms use. */
export function renamed<A extends Argument>(argument: A, fields: Fields): A {
  if (!isCondition(argument) && !isOperand(argument)) return argument;
  const own: Argument =
    argument.kind === "field"
      ? { ...argument, name: fields.name(canonicalName(argument.name)) }
      : withChildren(argument, (one) => renamed(one, fields));
  return own as A;
}
