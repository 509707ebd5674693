import { isAlias, isCollection, isNode, isPair, isScalar, LineCounter, visit, type Document, type Pair } from "yaml";
import { readUserText } from "./read-file.js";
import type { FileValues, Steps } from "../../../core/model/file-values.js";
import { FileError, type FilePlace, type MistakeDetails } from "../../../core/model/file-error.js";
import { composeYaml } from "./compose-yaml.js";
import { writtenScalar, type WrittenScalar } from "./written-scalar.js";

export { FileError, type FilePlace } from "../../../core/model/file-error.js";
export type { Steps } from "../../../core/model/file-values.js";
export { offsetsOf, type WrittenScalar } from "./written-scalar.js";

/** A YAML or JSON file (JSON is YAML) that knows the place of every value. */
export class TextDocument implements FileValues {
  private written: readonly WrittenScalar[] | undefined;
  private byStart: ReadonlyMap<number, WrittenScalar> | undefined;

  private constructor(
    readonly file: string,
    readonly value: unknown,
    /** Faults of the notation; only of a document that is read leniently. */
    readonly faults: readonly FileError[],
    private readonly document: Document,
    private readonly lines: LineCounter,
  ) {}

  /** @throws Error with the place of the first mistake */
  static read(file: string): TextDocument {
    return TextDocument.parse(readUserText(file), file);
  }

  /** @param file name of the file, for messages */
  static parse(text: string, file: string): TextDocument {
    const document = TextDocument.parseLeniently(text, file);
    const [fault] = document.faults;
    if (fault !== undefined) throw fault;
    return document;
  }

  /** Reads what can be read of a text that is being written. With faults, the value is undefined. */
  static parseLeniently(text: string, file: string): TextDocument {
    const lines = new LineCounter();
    const document = composeYaml(text, lines);
    const faults = document.errors.map(({ pos: [offset], message }) => {
      const { line, col } = lines.linePos(offset);
      return new FileError({ file, line, column: col }, [], message);
    });
    if (faults.length > 0) return new TextDocument(file, undefined, faults, document, lines);
    try {
      return new TextDocument(file, document.toJS({ maxAliasCount: 100 }), [], document, lines);
    } catch {
      const many = new FileError({ file, line: 1, column: 1 }, [], "its aliases (`*name`) stand for too many values");
      return new TextDocument(file, undefined, [many], document, lines);
    }
  }

  /** Every single value, and every name of a member, in the order of the document. */
  get scalars(): readonly WrittenScalar[] {
    this.written ??= scalarsIn(this.document);
    return this.written;
  }

  /** The single value, or the name of a member, that begins at an offset. */
  scalarAt(offset: number): WrittenScalar | undefined {
    this.byStart ??= new Map(this.scalars.map((scalar) => [scalar.start, scalar]));
    return this.byStart.get(offset);
  }

  /** The name of the member at some steps. */
  nameAt(steps: Steps): WrittenScalar | undefined {
    return this.scalars.find(({ isKey, steps: at }) => isKey && sameSteps(at, steps));
  }

  /** The offset of a line and a column, which start at 1. */
  offsetAt({ line, column }: Pick<FilePlace, "line" | "column">): number {
    return (this.lines.lineStarts[line - 1] ?? 0) + column - 1;
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

  /** An error at a place in the file. */
  errorAt(steps: Steps, reason: string, details?: MistakeDetails): FileError {
    return new FileError(this.place(steps), steps, reason, details);
  }
}

function sameSteps(a: Steps, b: Steps): boolean {
  return a.length === b.length && a.every((step, index) => step === b[index]);
}

function scalarsIn(document: Document): readonly WrittenScalar[] {
  const found: WrittenScalar[] = [];
  // The steps to the pairs and lists on the way, which are visited before what is in them.
  const stepsTo = new Map<unknown, Steps>([[document, []]]);
  const stepsOf = (key: unknown, path: readonly unknown[]): Steps => {
    const parent = path.at(-1);
    const before = stepsTo.get(parent) ?? [];
    return typeof key === "number" && !isPairList(parent) ? [...before, key] : before;
  };
  visit(document, {
    Pair: (key, pair, path) => void stepsTo.set(pair, [...stepsOf(key, path), nameOf(pair)]),
    Collection: (key, node, path) => void stepsTo.set(node, stepsOf(key, path)),
    Scalar: (key, node, path) => {
      const scalar = writtenScalar(node, stepsOf(key, path), key === "key");
      if (scalar !== undefined) found.push(scalar);
    },
  });
  return found;
}

/** A map is a list of pairs, whose positions are no steps. */
function isPairList(node: unknown): boolean {
  return isCollection(node) && isPair(node.items[0]);
}

function nameOf({ key }: Pair): string {
  return isScalar(key) ? String(key.value) : "";
}
