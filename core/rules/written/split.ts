import { createHash } from "node:crypto";
import type { Condition } from "../../language/ast.js";
import { expressionLength } from "../../language/length.js";
import { joined } from "../../language/print/combine.js";
import { parseExpression } from "../../language/syntax/index.js";

/** Below the dashboard's limit, so that the parts can be edited there too. */
const MOST_CHARACTERS = 4000;

/** One of the rules that a rule is split into. */
interface Part {
  /** What its ref has after that of the rule; empty for the first part. */
  readonly suffix: string;
  readonly expression: string;
}

/** A condition as members that are joined by `or`, and the text around them. */
interface Members {
  readonly texts: readonly string[];
  /** The condition with some of the members. */
  readonly write: (texts: readonly string[]) => string;
  /** How much of the text they are. */
  readonly size: number;
}

/**
 * Splits an expression that is too long at its longest `or` or set, which may be one of several conditions joined by `and`.
 * The members are distributed by their hashes, and a part that is full is divided: another member changes the part it
 * belongs to, and at most adds others. Undefined if there is nothing to split at.
 */
export function splitExpression(text: string): readonly Part[] | undefined {
  if (expressionLength(text) <= MOST_CHARACTERS) return [{ suffix: "", expression: text }];
  const members = membersOf(text);
  if (members === undefined) return undefined;
  const hashed = Array.from(new Set(members.texts), (member) => ({ member, bits: bitsOf(member) }));
  const write = (some: readonly Hashed[]): string => members.write(some.map(({ member }) => member));
  return divide(hashed, { prefix: "", suffix: "" }, write);
}

interface Hashed {
  readonly member: string;
  readonly bits: string;
}

/** Where members belong whose hashes begin with the same bits, and what their part is called. */
interface Bucket {
  readonly prefix: string;
  readonly suffix: string;
}

/** When a part is divided, its first half keeps its name, or the other one if that is empty. */
function divide(
  members: readonly Hashed[],
  { prefix, suffix }: Bucket,
  write: (members: readonly Hashed[]) => string,
): readonly Part[] {
  const expression = write(members);
  const isWhole = members.length === 1 || prefix.length === BITS;
  if (isWhole || expressionLength(expression) <= MOST_CHARACTERS) return [{ suffix, expression }];
  const half = (bit: string): readonly Hashed[] => members.filter(({ bits }) => bits[prefix.length] === bit);
  const [zeros, ones] = [half("0"), half("1")];
  const own = `${prefix}1`;
  if (zeros.length === 0) return divide(ones, { prefix: own, suffix }, write);
  const first = divide(zeros, { prefix: `${prefix}0`, suffix }, write);
  return ones.length === 0 ? first : [...first, ...divide(ones, { prefix: own, suffix: `-part-${own}` }, write)];
}

const BITS = 32;

function bitsOf(member: string): string {
  const number = createHash("sha256").update(member).digest().readUInt32BE();
  return number.toString(2).padStart(BITS, "0");
}

/** The longest list of members in a condition; undefined if it has none. */
function membersOf(text: string): Members | undefined {
  const parsed = parseExpression(text);
  if ("fault" in parsed || parsed.expression.kind !== "filter") return undefined;
  const factors = factorsOf(parsed.expression.condition);
  const sliced = ({ span }: Condition): string => text.slice(span.start, span.end);
  const found = factors.flatMap((factor, index) => {
    const own = ownMembers(factor, text);
    if (own === undefined || own.texts.length < 2) return [];
    const around = factors.map(sliced);
    return [{ ...own, write: (texts: readonly string[]) => joined("and", around.with(index, own.write(texts))) }];
  });
  return found.reduce<Members | undefined>(
    (best, one) => (best === undefined || one.size > best.size ? one : best),
    undefined,
  );
}

/** The conditions that all must be true. */
function factorsOf(condition: Condition): readonly Condition[] {
  if (condition.kind === "group") return factorsOf(condition.of);
  return condition.kind === "combination" && condition.op === "and" ? condition.items.flatMap(factorsOf) : [condition];
}

function ownMembers(condition: Condition, text: string): Members | undefined {
  if (condition.kind === "group") return ownMembers(condition.of, text);
  const { start, end } = condition.span;
  if (condition.kind === "combination" && condition.op === "or") {
    const texts = condition.items.map(({ span }) => text.slice(span.start, span.end));
    return { texts, write: (some) => joined("or", some), size: end - start };
  }
  if (condition.kind !== "comparison" || condition.test.kind !== "in" || condition.test.right.kind !== "set")
    return undefined;
  const { right } = condition.test;
  const before = text.slice(start, right.span.start);
  const texts = right.items.map(({ span }) => text.slice(span.start, span.end));
  return { texts, write: (some) => `${before}{${some.join(" ")}}`, size: right.span.end - right.span.start };
}
