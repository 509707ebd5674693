import { createRequire } from "node:module";
import type { RE2JS } from "re2js";
import type { Bytes } from "../value.js";
import { emitRe2 } from "./emit.js";
import { parseRegex } from "./parse.js";

/** A compiled pattern. Matching is linear in the length of the input for every pattern. */
export interface CompiledRegex {
  readonly test: (bytes: Bytes) => boolean;
  /** Where the first match stands, and its groups; a group that took no part is empty. */
  readonly find: (bytes: Bytes) => RegexMatch | undefined;
}

export interface RegexMatch {
  readonly start: number;
  readonly end: number;
  readonly groups: readonly Bytes[];
}

/** Compiles a pattern; undefined for what cannot be run here, such as Unicode word boundaries. */
export function compileRegex(pattern: string): CompiledRegex | undefined {
  const parsed = parseRegex(pattern);
  const translated = "kind" in parsed ? emitRe2(parsed) : undefined;
  const compiled = translated === undefined ? undefined : tryCompile(translated);
  if (compiled === undefined) return undefined;
  return { test: (bytes) => compiled.test(bytes), find: (bytes) => findFirst(compiled, bytes) };
}

const load = createRequire(__filename);

/** Loaded with the first pattern: those who only check expressions, as a preview does, never need it. */
function engine(): typeof RE2JS {
  return (load("re2js") as { readonly RE2JS: typeof RE2JS }).RE2JS;
}

function tryCompile(pattern: string): RE2JS | undefined {
  try {
    return engine().compile(pattern);
  } catch {
    // Too large: RE2 bounds repetitions where the service bounds memory.
    return undefined;
  }
}

function findFirst(compiled: RE2JS, bytes: Bytes): RegexMatch | undefined {
  const matcher = compiled.matcher(bytes);
  if (!matcher.find()) return undefined;
  const groups = Array.from({ length: matcher.groupCount() + 1 }, (_, index) => matcher.group(index) ?? "");
  return { start: matcher.start(), end: matcher.end(), groups };
}
