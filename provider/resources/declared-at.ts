import { dirname, normalize, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { sourceText } from "../engine/program-run.js";
import type { SourceCall } from "../rules/rule-line.js";

/** This package, and where its source maps say that it is. */
const COMPILED = dirname(__dirname) + sep;
const OWN = [COMPILED, COMPILED.replace(`${sep}dist${sep}`, sep)];
const FRAME = /^\s+at (?:.* \()?(.+?):(\d+):(\d+)\)?$/;

/** How many frames are read: those of this package, of a component's package, and of the program. */
const FRAMES = 40;

/** How many calls of the program are sent. */
const CALLS = 5;

/** What was found at the same place: a loop or a component declares many resources. */
const known = new Map<string, string | undefined>();

/**
 * Where the program is at the moment, for messages; undefined if no frame is in one of its files. Reads the stack as text,
 * because that is what every way of applying source maps changes; as this takes time, only once for each place.
 */
export function declaredAt(): string | undefined {
  const { stackTraceLimit } = Error;
  const prepareStackTrace = Reflect.get(Error, "prepareStackTrace");
  Reflect.set(Error, "stackTraceLimit", FRAMES);
  try {
    const place = stackWith((_error, frames) =>
      frames.map((frame) => `${String(frame.getFileName())}:${String(frame.getPosition())}`).join("\n"),
    );
    if (!known.has(place)) known.set(place, sourceIn(stackWith(prepareStackTrace)));
    return known.get(place);
  } finally {
    Reflect.set(Error, "stackTraceLimit", stackTraceLimit);
    Reflect.set(Error, "prepareStackTrace", prepareStackTrace);
  }
}

function stackWith(prepare: typeof Error.prepareStackTrace): string {
  Reflect.set(Error, "prepareStackTrace", prepare);
  return String(new Error().stack);
}

function sourceIn(stack: string): string | undefined {
  const calls = stack.split("\n").flatMap(callIn).slice(0, CALLS);
  return calls.length === 0 ? undefined : sourceText({ folder: process.cwd(), calls });
}

function callIn(frame: string): SourceCall[] {
  const [, named = "", line = "", column = ""] = FRAME.exec(frame) ?? [];
  // Evaluated code is in no file.
  if (named === "" || frame.includes("eval at ") || named.startsWith("node:") || /[\\/]node_modules[\\/]/.test(named))
    return [];
  const file = normalize(named.startsWith("file:") ? fileURLToPath(named) : named);
  if (OWN.some((own) => file.startsWith(own)) || !/^([\\/]|[A-Za-z]:[\\/])/.test(file)) return [];
  return [{ file, line: Number(line), column: Number(column) }];
}
