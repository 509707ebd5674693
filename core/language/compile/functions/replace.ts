import { fromBytes } from "../../bytes.js";
import { compileRegex } from "../../regex/engine.js";
import { Unknown, type Bytes } from "../../value.js";
import { compileWildcardCaptures } from "../../wildcard.js";
import { literalString, type Implementation, type Prepare } from "./implementation.js";

const REFERENCE = /\$(?:(\$)|\{(\d+)\})/g;

/** Replaces the first match; `${1}` to `${8}` are its groups, `$$` is a dollar sign. */
export const regexReplace: Prepare = (args) => {
  const pattern = literalString(args[1]) ?? "";
  const compiled = compileRegex(fromBytes(pattern) ?? pattern);
  if (compiled === undefined) {
    return () =>
      new Unknown([{ kind: "regex", name: pattern, why: "this regular expression cannot be evaluated locally" }]);
  }
  return ([text, , replacement]) => {
    if (typeof text !== "string" || typeof replacement !== "string") return undefined;
    const match = compiled.find(text);
    if (match === undefined) return text;
    return text.slice(0, match.start) + expand(replacement, match.groups) + text.slice(match.end);
  };
};

/** Replaces the whole string if it matches the pattern; `${1}` is what the first asterisk matched. */
export const wildcardReplace: Prepare = (args) => {
  const find = compileWildcardCaptures(literalString(args[1]) ?? "", literalString(args[3]) === "s");
  return ([text, , replacement]) => {
    if (typeof text !== "string" || typeof replacement !== "string") return undefined;
    const stars = find(text);
    return stars === undefined ? text : expand(replacement, [text, ...stars]);
  };
};

function expand(replacement: Bytes, groups: readonly Bytes[]): Bytes {
  return replacement.replace(REFERENCE, (_all, dollar?: string, group?: string) =>
    dollar === undefined ? (groups[Number(group)] ?? "") : "$",
  );
}

/** Removes all parameters with the given names from a query; the others keep their order. */
export const removeQueryArgs: Implementation = ([query, ...names]) => {
  if (typeof query !== "string") return undefined;
  const gone = new Set(names);
  return query
    .split("&")
    .filter((pair) => !gone.has(pair.split("=", 1)[0] ?? ""))
    .join("&");
};
