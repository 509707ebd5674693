/** The folder of this package, which a workspace may link from outside `node_modules`. */
const PACKAGE = __dirname.replace(/([\\/]dist)?[\\/]core[\\/]model$/, "");
/** What is in that folder and not the program of an example or a test. */
const OWN = /^[\\/](?!(examples|tests)[\\/])/;
const FRAME = /^ +at (?!.*\(eval at )(?:.*? \()?(?:async )?((?:file:\/\/)?(?:[A-Za-z]:)?[\\/].*):(\d+):\d+\)?$/;

/**
 * Gives an error of this package a stack trace with only the frames in files of the program: an expected failure is not a
 * defect of this package, of Pulumi or of Node.js, whose frames hide the line to correct. Some of those also do harm:
 * `util.inspect`, with which Pulumi prints errors, takes minutes and gigabytes in Node 22 for a path such as
 * `node_modules/@pulumi/output.ts:519:31`, which the source maps of Pulumi's SDK give.
 *
 * The stack trace is made when it is read: source maps take time, and the SDK extends messages of errors before.
 */
export function keepProgramFrames(error: Error): void {
  const captured: { stack?: string } = {};
  Error.captureStackTrace(captured, error.constructor);
  let replaced: string | undefined;
  Object.defineProperty(error, "stack", {
    configurable: true,
    get: () => replaced ?? withProgramFrames(error, captured.stack),
    set: (stack: string | undefined) => {
      replaced = stack;
    },
  });
}

/** The name and the message of an error, and those frames of a stack trace that are in files of the program. */
export function withProgramFrames(error: Error, stack = ""): string {
  return [String(error), ...stack.split("\n").filter((line) => programPlace(line) !== undefined)].join("\n");
}

/** A line of a file of the program. */
export interface ProgramPlace {
  /** Its path, or its URL as an ES module. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** The place in the program that a frame of a stack trace is about; undefined for any other. */
export function programPlace(frame: string): ProgramPlace | undefined {
  const [, file, line] = FRAME.exec(frame) ?? [];
  const path = file?.replace(/^file:\/\//, "");
  if (file === undefined || path === undefined || /[\\/]node_modules[\\/]/.test(path)) return undefined;
  if (path.startsWith(PACKAGE) && OWN.test(path.slice(PACKAGE.length))) return undefined;
  return { file, line: Number(line) };
}
