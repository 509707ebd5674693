import { readFileSync } from "node:fs";

/** A place in the source that refuses something, with the texts of its message. */
export interface RefusalSite {
  readonly file: string;
  readonly text: string;
}

/**
 * The calls in a file of functions that make refusals, and the findings that are written as errors. Texts in constants and functions of
 * the file that one names are its own.
 */
export function refusalSites(file: string, makers: readonly string[]): RefusalSite[] {
  const source = readFileSync(file, "utf8");
  const calls = source.matchAll(new RegExp(String.raw`(?<!function |\.)\b(?:${makers.join("|")})\(`, "g"));
  const written = source.matchAll(/severity: "error"(?!;)/g);
  const starts = [
    ...[...calls].map(({ index, 0: start }) => ({ index, inside: index + start.length })),
    ...[...written].map(({ index }) => ({ index: startOf(source, index), inside: index })),
  ];
  return starts.map(({ index, inside }) => {
    const call = source.slice(index, endOf(source, inside));
    const named = [...call.matchAll(/\b[a-z]\w*\b/gi)].flatMap(([name]) => definitionOf(name, source, index));
    return { file, text: [call, ...named].flatMap(textsIn).join(" | ") };
  });
}

/** Where the object begins that a place is in. */
function startOf(source: string, at: number): number {
  let depth = 1;
  let start = at;
  while (depth > 0 && start > 0) {
    start -= 1;
    if (source[start] === "}") depth += 1;
    if (source[start] === "{") depth -= 1;
  }
  return start;
}

/** Where the brackets are closed that are open at a place. */
function endOf(source: string, from: number): number {
  let depth = 1;
  for (const { 0: part, index } of source.slice(from).matchAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[(){}]/g)) {
    if (part === "(" || part === "{") depth += 1;
    if (part === ")" || part === "}") depth -= 1;
    if (depth === 0) return from + index;
  }
  return source.length;
}

/** The nearest constant before a place, or the function, of a name. */
function definitionOf(name: string, source: string, before: number): string[] {
  const constant = source.slice(0, before).lastIndexOf(`const ${name} =`);
  const declared = source.indexOf(`function ${name}(`);
  if (constant >= 0 && before - constant < 1200) return [source.slice(constant, source.indexOf(";\n", constant))];
  return declared < 0 ? [] : [source.slice(declared, source.indexOf("\n}\n", declared))];
}

function textsIn(code: string): string[] {
  const texts = code.matchAll(/"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g);
  return [...texts].map(([, double = "", single = "", template = ""]) =>
    (double + single + template).replaceAll(/\$\{[^}]*\}/g, "…"),
  );
}
