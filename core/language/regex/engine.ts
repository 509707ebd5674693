import type { RE2JS } from "re2js";
import type { Bytes } from "../value.js";
import { emitRe2 } from "./emit.js";
import { parseRegex } from "./parse.js";

/** A compiled pattern. Matching takes time linear in the length of the input, for every pattern. */
interface CompiledRegex {
  readonly test: (bytes: Bytes) => boolean;
  /** The position of the first match and its groups; a group that did not match is empty. */
  readonly find: (bytes: Bytes) => RegexMatch | undefined;
}

interface RegexMatch {
  readonly start: number;
  readonly end: number;
  readonly groups: readonly Bytes[];
}

/** Compiles a pattern; undefined if it cannot be run here, such as one with Unicode word boundaries. */
export function compileRegex(pattern: string): CompiledRegex | undefined {
  const parsed = parseRegex(pattern);
  const translated = "kind" in parsed ? emitRe2(parsed) : undefined;
  const compiled = translated === undefined ? undefined : tryCompile(translated);
  if (compiled === undefined) return undefined;
  return { test: (bytes) => compiled.test(bytes), find: (bytes) => findFirst(compiled, bytes) };
}

/** Loaded with the first pattern, in 15 ms: callers that only check expressions, such as a preview, never need it. */
function engine(): typeof RE2JS {
  return (require("re2js") as typeof import("re2js")).RE2JS;
}

function tryCompile(pattern: string): RE2JS | undefined {
  try {
    return engine().compile(pattern);
  } catch {
    // Too large: RE2 limits repetitions where the service limits memory.
    return undefined;
  }
}

function findFirst(compiled: RE2JS, bytes: Bytes): RegexMatch | undefined {
  const matcher = compiled.matcher(bytes);
  if (!matcher.find()) return undefined;
  const groups = Array.from({ length: matcher.groupCount() + 1 }, (_, index) => matcher.group(index) ?? "");
  return { start: matcher.start(), end: matcher.end(), groups };
}
