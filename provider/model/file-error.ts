import type { Steps } from "./file-values.js";

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
}

/** A mistake in a file. */
export class FileError extends Error {
  constructor(
    readonly place: FilePlace,
    readonly steps: Steps,
    /** Without the place and the steps. */
    readonly reason: string,
    readonly details: MistakeDetails = {},
  ) {
    super(`${place.file}:${String(place.line)}:${String(place.column)}: ${showSteps(steps)}${reason}`);
  }

  /** The message without the place. */
  get text(): string {
    return `${showSteps(this.steps)}${this.reason}`;
  }
}

function showSteps(steps: Steps): string {
  const text = steps.map((step) => (typeof step === "number" ? `[${String(step)}]` : `.${step}`)).join("");
  return text === "" ? "" : `${text.replace(/^\./, "")}: `;
}
