/** A field of a query, with what it selects. */
export interface Field {
  readonly name: string;
  /** The name in the answer. */
  readonly alias: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly fields: readonly Field[];
}

/** A mistake in a query. */
export class QueryError extends Error {}

const TOKEN = /\s+|,|#[^\n]*|([A-Za-z_]\w*)|("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?)|(\.\.\.|[{}()[\]:$!=])/gy;

/** Parses the one operation of a query: fields with arguments, aliases and variables, but no fragments and directives. */
export function parseQuery(text: string, variables: Readonly<Record<string, unknown>>): readonly Field[] {
  return new Parser(tokensOf(text), variables).operation();
}

function tokensOf(text: string): readonly string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const found = TOKEN.exec(text);
    if (found === null) throw new QueryError(`syntax error at character ${String(at + 1)}`);
    const token = found[1] ?? found[2] ?? found[3] ?? found[4];
    if (token !== undefined) tokens.push(token);
  }
  return tokens;
}

class Parser {
  private at = 0;

  constructor(
    private readonly tokens: readonly string[],
    private readonly variables: Readonly<Record<string, unknown>>,
  ) {}

  operation(): readonly Field[] {
    // The name of the operation, and the types of its variables.
    while (this.next !== "{" && this.next !== undefined) this.at += 1;
    const fields = this.selection();
    if (this.next !== undefined) throw new QueryError(`unexpected ${this.next} after the query`);
    return fields;
  }

  private get next(): string | undefined {
    return this.tokens[this.at];
  }

  private take(expected?: string): string {
    const token = this.next;
    if (token === undefined || (expected !== undefined && token !== expected))
      throw new QueryError(`expected ${expected ?? "more"}, not ${token ?? "the end of the query"}`);
    this.at += 1;
    return token;
  }

  private has(token: string): boolean {
    if (this.next !== token) return false;
    this.at += 1;
    return true;
  }

  private selection(): readonly Field[] {
    this.take("{");
    const fields: Field[] = [];
    while (!this.has("}")) fields.push(this.field());
    return fields;
  }

  private field(): Field {
    const alias = this.take();
    if (!/^\w+$/.test(alias)) throw new QueryError(`${alias} is not supported here`);
    const name = this.has(":") ? this.take() : alias;
    const given = this.has("(") ? this.pairs(")") : {};
    return { name, alias, arguments: given, fields: this.next === "{" ? this.selection() : [] };
  }

  private pairs(end: string): Readonly<Record<string, unknown>> {
    const pairs: [string, unknown][] = [];
    while (!this.has(end)) {
      const name = this.take();
      this.take(":");
      pairs.push([name, this.value()]);
    }
    return Object.fromEntries(pairs);
  }

  private value(): unknown {
    if (this.has("{")) return this.pairs("}");
    if (this.has("[")) {
      const items: unknown[] = [];
      while (!this.has("]")) items.push(this.value());
      return items;
    }
    if (this.has("$")) {
      const name = this.take();
      if (!Object.hasOwn(this.variables, name)) throw new QueryError(`the variable $${name} is not given`);
      return this.variables[name];
    }
    const token = this.take();
    // Strings and numbers as in JSON; any other word is the name of an order, or true, false or null.
    return /^["\d-]/.test(token) || ["true", "false", "null"].includes(token) ? (JSON.parse(token) as unknown) : token;
  }
}
