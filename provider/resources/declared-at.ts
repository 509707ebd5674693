import { dirname, normalize, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { sourceText } from "../engine/program-source.js";
import type { SourceCall } from "../rules/rule-line.js";

/** This package, and where its source maps say that it is. */
const COMPILED = dirname(__dirname) + sep;
const OWN = [COMPILED, COMPILED.replace(`${sep}dist${sep}`, sep)];
const FRAME = /^\s+at (?:.* \()?(.+?):(\d+):(\d+)\)?$/;

/** How many frames are read: those of this package, of a component's package, and of the program. */
const FRAMES = 40;

/** How many calls of the program are sent. */
const CALLS = 5;

/**
 * Where the program is at the moment, for messages; undefined if no frame is in one of its files. Reads the stack as text,
 * because that is what every way of applying source maps changes.
 */
export function declaredAt(): string | undefined {
  const limit = Error.stackTraceLimit;
  Reflect.set(Error, "stackTraceLimit", FRAMES);
  const { stack = "" } = new Error();
  Reflect.set(Error, "stackTraceLimit", limit);
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
