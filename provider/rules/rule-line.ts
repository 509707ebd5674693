import { isObject } from "../model/json.js";
import { outlineOf, type SourceLiteral, type SourceOutline } from "./source-outline.js";

/** A line of a source file, from 1. */
interface SourceLine {
  readonly file: string;
  readonly line: number;
}

/** A call in a source file; columns start at 1 too. */
export interface SourceCall extends SourceLine {
  readonly column: number;
}

/** The files of a program. */
export interface SourceFiles {
  /** The text of a file; undefined if it cannot be read. */
  read(file: string): string | undefined;
  /** The files that a relative import can mean. */
  resolve(file: string, specifier: string): readonly string[];
}

/** Which properties tell where a program writes a rule, the most specific first. */
const TELLING = ["ref", "description", "expression"] as const;

/** If these differ where one of those was found, it is another rule. */
const AGREEING = ["ref", "description", "action"] as const;

const MOST_IMPORTS = 100;

/** Finds the lines where a program writes its rules, in the text of its files. */
export class RuleLines {
  private readonly sources = new Map<string, Source | undefined>();

  constructor(private readonly files: SourceFiles) {}

  /**
   * The line of a rule if exactly one place says what only this rule says: in the calls that declare its resource, otherwise
   * in their files, otherwise in the files that they import. If there is none or there are several, the line of the call.
   * @param calls the constructor of the resource, and the calls that led to it
   * @param rules all rules of the resource
   */
  find(rule: unknown, rules: readonly unknown[], calls: readonly SourceCall[]): SourceLine | undefined {
    const [declared] = calls;
    if (declared === undefined) return undefined;
    for (const [key, value] of told(rule, rules)) {
      const lines = this.search(calls, (source, literals) => source.linesOf(rule, key, value, literals));
      const [line] = lines;
      if (line !== undefined && lines.length === 1) return line;
    }
    return { file: declared.file, line: declared.line };
  }

  /** What the first of these parts of the program contains. */
  private search(
    calls: readonly SourceCall[],
    linesIn: (source: Source, literals: readonly SourceLiteral[]) => readonly SourceLine[],
  ): readonly SourceLine[] {
    const own = [...new Set(calls.map(({ file }) => file))].flatMap((file) => this.source(file) ?? []);
    for (const call of calls) {
      const source = this.source(call.file);
      const found = source === undefined ? [] : linesIn(source, source.inCall(call));
      if (found.length > 0) return found;
    }
    for (const source of own) {
      const found = linesIn(source, source.literals);
      if (found.length > 0) return found;
    }
    return this.importedBy(own).flatMap((source) => linesIn(source, source.literals));
  }

  private importedBy(own: readonly Source[]): readonly Source[] {
    const found = [...own];
    for (const source of found) {
      if (found.length > MOST_IMPORTS) break;
      for (const specifier of source.imports) {
        const next = this.files.resolve(source.file, specifier).map((file) => this.source(file));
        const imported = next.find((one) => one !== undefined);
        if (imported !== undefined && !found.includes(imported)) found.push(imported);
      }
    }
    return found.slice(own.length);
  }

  private source(file: string): Source | undefined {
    if (!this.sources.has(file)) {
      const text = this.files.read(file);
      this.sources.set(file, text === undefined ? undefined : new Source(file, text));
    }
    return this.sources.get(file);
  }
}

/** What is said of this rule and of no other one of the resource. */
function told(rule: unknown, rules: readonly unknown[]): (readonly [string, string])[] {
  return TELLING.flatMap((key) => {
    const value = textAt(rule, key);
    const isOwn = rules.every((other) => other === rule || textAt(other, key) !== value);
    return value !== "" && isOwn ? [[key, value] as const] : [];
  });
}

function textAt(rule: unknown, key: string): string {
  const value = isObject(rule) ? rule[key] : undefined;
  return typeof value === "string" ? value.trim() : "";
}

/** One file of a program. */
class Source {
  private readonly outline: SourceOutline;

  constructor(
    readonly file: string,
    private readonly text: string,
  ) {
    this.outline = outlineOf(text);
  }

  get literals(): readonly SourceLiteral[] {
    return this.outline.literals;
  }

  /** The relative imports. */
  get imports(): readonly string[] {
    return this.literals.map(({ value }) => value).filter((value) => /^\.\.?\//.test(value));
  }

  /** The strings in the arguments of a call. */
  inCall({ line, column }: SourceCall): readonly SourceLiteral[] {
    const starts = this.text.split("\n", line - 1).reduce((sum, { length }) => sum + length + 1, 0);
    const opening = this.text.indexOf("(", starts + column - 1);
    const end = this.outline.closing.get(opening) ?? opening;
    return this.literals.filter(({ start }) => start > opening && start < end);
  }

  /** The lines of the objects among these strings that are the rule, as far as can be seen. */
  linesOf(rule: unknown, key: string, value: string, literals: readonly SourceLiteral[]): readonly SourceLine[] {
    const objects = literals.flatMap((literal) =>
      literal.key === key && literal.value.trim() === value ? (literal.object ?? []) : [],
    );
    return [...new Set(objects)]
      .filter((object) => this.agrees(rule, object))
      .map((object) => ({ file: this.file, line: this.text.slice(0, object).split("\n").length }));
  }

  private agrees(rule: unknown, object: number): boolean {
    const own = this.literals.filter((literal) => literal.object === object);
    return AGREEING.every((key) => {
      const literal = own.find((one) => one.key === key);
      return literal === undefined || literal.value.trim() === textAt(rule, key);
    });
  }
}
