import type { Path } from "./path.js";

/** A place in a file; lines and columns start at 1. */
export interface FilePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** What else is known about a mistake. */
export interface MistakeDetails {
  /** Whether it is in the name of a member, and not in its value. */
  readonly inName?: boolean;
  /** What to write instead. */
  readonly instead?: string | undefined;
  /** Mistakes after it. */
  readonly others?: readonly FileError[];
}

/** A mistake in a file. */
export class FileError extends Error {
  constructor(
    readonly place: FilePlace,
    readonly steps: Path,
    /** Without the place and the steps. */
    readonly reason: string,
    readonly details: MistakeDetails = {},
  ) {
    const own = `${place.file}:${String(place.line)}:${String(place.column)}: ${showSteps(steps)}${reason}`;
    super([own, ...(details.others ?? []).map(({ message }) => message)].join("\n"));
  }

  /** This mistake and those after it. */
  get all(): readonly FileError[] {
    const { others = [], ...details } = this.details;
    return others.length === 0 ? [this] : [new FileError(this.place, this.steps, this.reason, details), ...others];
  }

  /** The message without the place. */
  get text(): string {
    return `${showSteps(this.steps)}${this.reason}`;
  }
}

function showSteps(steps: Path): string {
  const text = steps.map((step) => (typeof step === "number" ? `[${String(step)}]` : `.${step}`)).join("");
  return text === "" ? "" : `${text.replace(/^\./, "")}: `;
}

/**
 * Reads every item, so that one mistake does not hide those after it.
 * @throws FileError the first mistake, with the others
 */
export function readEach<Item, Read>(items: readonly Item[], read: (item: Item, index: number) => Read): Read[] {
  const faults: FileError[] = [];
  const found = items.flatMap((item, index) => {
    try {
      return [read(item, index)];
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      faults.push(...error.all);
      return [];
    }
  });
  const [first, ...others] = faults;
  if (first === undefined) return found;
  throw joinedErrors([first, ...others]);
}

/** The first mistake of a file, with the others, in the order of the file. */
export function joinedErrors(faults: readonly FileError[]): FileError {
  const [first, ...others] = faults.toSorted((a, b) => a.place.line - b.place.line || a.place.column - b.place.column);
  if (first === undefined) throw new Error("there is no mistake");
  return new FileError(first.place, first.steps, first.reason, { ...first.details, others });
}

/**
 * Reads the parts of an object, all of them.
 * @throws FileError the first mistake, with the others
 */
export function readParts<Parts extends Readonly<Record<string, () => unknown>>>(
  parts: Parts,
): { readonly [Name in keyof Parts]: ReturnType<Parts[Name]> } {
  const read = readEach(Object.entries(parts), ([name, part]) => [name, part()] as const);
  return Object.fromEntries(read) as { readonly [Name in keyof Parts]: ReturnType<Parts[Name]> };
}
