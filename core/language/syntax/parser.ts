import type { Argument, Condition } from "../ast.js";
import { Scanner } from "./scanner.js";

/** Far more than the service allows; the limit protects the stack when the tree is traversed. */
const MAX_NESTING = 500;

/** The productions that are mutually recursive with those in other files. */
interface Productions {
  readonly condition: (parser: Parser) => Condition;
  readonly argument: (parser: Parser) => Argument;
}

/** The state of one parse: the scanner, the nesting depth, and the mutually recursive productions. */
export class Parser {
  readonly scanner: Scanner;
  /** The deepest nesting of parentheses, negations and calls so far. */
  deepest = 0;
  private depth = 0;

  constructor(
    text: string,
    private readonly productions: Productions,
  ) {
    this.scanner = new Scanner(text);
  }

  condition(): Condition {
    return this.productions.condition(this);
  }

  argument(): Argument {
    return this.productions.argument(this);
  }

  /** Reads something one level deeper; `at` is where the level begins. */
  nested<T>(at: number, read: (parser: Parser) => T): T {
    this.depth += 1;
    this.deepest = Math.max(this.deepest, this.depth);
    if (this.depth > MAX_NESTING) {
      this.scanner.fail(`nested deeper than ${String(MAX_NESTING)} levels`, at, at + 1, "nesting");
    }
    const result = read(this);
    this.depth -= 1;
    return result;
  }
}
