import { readUserText } from "./read-file.js";
import { isAlias, isNode, LineCounter, parseDocument, type Document } from "yaml";
import { findNearest } from "../validation/failure.js";

/** Steps into a document: keys of objects and indexes of lists. */
export type Steps = readonly (string | number)[];

/** A place in a file; lines and columns start at 1. */
export interface FilePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A YAML or JSON file (JSON is YAML) that knows the place of every value. */
export class TextDocument {
  private constructor(
    readonly file: string,
    readonly value: unknown,
    private readonly document: Document,
    private readonly lines: LineCounter,
  ) {}

  /** @throws Error with the place of the first mistake */
  static read(file: string): TextDocument {
    return TextDocument.parse(readUserText(file), file);
  }

  /** @param file name of the file, for messages */
  static parse(text: string, file: string): TextDocument {
    const lines = new LineCounter();
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
    const [error] = document.errors;
    if (error !== undefined) {
      const { line, col } = lines.linePos(error.pos[0]);
      throw new Error(`${file}:${String(line)}:${String(col)}: ${error.message}`);
    }
    return new TextDocument(file, document.toJS({ maxAliasCount: 100 }) as unknown, document, lines);
  }

  /** The place of a value; if it is not in the file, the place of the nearest enclosing value. */
  place(steps: Steps): FilePlace {
    for (let length = steps.length; length >= 0; length -= 1) {
      const offset = this.offsetOf(steps.slice(0, length));
      if (offset === undefined) continue;
      const { line, col } = this.lines.linePos(offset);
      return { file: this.file, line, column: col };
    }
    return { file: this.file, line: 1, column: 1 };
  }

  has(steps: Steps): boolean {
    return this.document.hasIn(steps);
  }

  private offsetOf(steps: Steps): number | undefined {
    const node = steps.length === 0 ? this.document.contents : this.document.getIn(steps, true);
    return isNode(node) && !isAlias(node) ? node.range?.[0] : undefined;
  }

  /**
   * Rejects unknown properties: a misspelled one would otherwise be ignored silently.
   * @param what for messages: `a test`
   */
  rejectUnknownMembers(value: object, names: readonly string[], at: Steps, what: string): void {
    const other = Object.keys(value).find((name) => !names.includes(name));
    if (other === undefined) return;
    const near = findNearest(other, names);
    const hint = near === undefined ? `; it has ${names.join(", ")}` : `; did you mean ${near}?`;
    throw this.errorAt([...at, other], `${what} has no ${other}${hint}`);
  }

  /** An error at a place in the file. */
  errorAt(steps: Steps, reason: string): Error {
    const { line, column } = this.place(steps);
    return new Error(`${this.file}:${String(line)}:${String(column)}: ${showSteps(steps)}${reason}`);
  }
}

function showSteps(steps: Steps): string {
  const text = steps.map((step) => (typeof step === "number" ? `[${String(step)}]` : `.${step}`)).join("");
  return text === "" ? "" : `${text.replace(/^\./, "")}: `;
}
