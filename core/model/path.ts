import { isList, isObject, mapFrom, ownValue, type Json } from "./json.js";

/** Steps into a value: keys of objects and indexes of lists. */
export type Path = readonly (string | number)[];

/** Whether a value is a path. */
export function isPath(value: unknown): value is Path {
  return isList(value) && value.every((step) => typeof step === "string" || typeof step === "number");
}

/** Whether a value is a list of paths. */
export function isPathList(value: unknown): value is readonly Path[] {
  return isList(value) && value.every(isPath);
}

/** The paths in a list; any other items are ignored. Empty if the value is not a list. */
export function pathsIn(value: unknown): Path[] {
  return isList(value) ? value.filter(isPath) : [];
}

/** The paths, each once. */
export function uniquePaths(paths: readonly Path[]): Path[] {
  return [...new Map(paths.map((path) => [pathText(path), path])).values()];
}

/** A tree of the steps of many paths. */
interface PathTree {
  ends: boolean;
  readonly inside: Map<string | number, PathTree>;
}

/** Whether a path leads to one of many paths or into it, or is part of the way there: one lookup for each of its steps. */
export function isAroundAny(paths: readonly Path[]): (path: Path) => boolean {
  const root: PathTree = { ends: false, inside: new Map() };
  for (const path of paths) {
    let tree = root;
    for (const step of path) {
      const next = tree.inside.get(step) ?? { ends: false, inside: new Map() };
      tree.inside.set(step, next);
      tree = next;
    }
    tree.ends = true;
  }
  return (path) => {
    let tree: PathTree | undefined = paths.length === 0 ? undefined : root;
    for (const step of path) {
      if (tree === undefined || tree.ends) break;
      tree = tree.inside.get(step);
    }
    return tree !== undefined;
  };
}

const plainKey = /^[A-Za-z_$][\w$]*$/;

/** A path as Pulumi writes it: `rules[2].actionParameters.headers["x-a"]`. */
export function pathText(path: Path): string {
  return path
    .map((step, index) => {
      if (typeof step === "number") return `[${String(step)}]`;
      if (!plainKey.test(step)) return `[${JSON.stringify(step)}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join("");
}

const STEP = /\.?([\w$-]+)|\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]/y;

/** Parses a path in Pulumi's notation; undefined if the text is not one. Wildcards such as `[*]` are not supported. */
export function parsePath(text: string): Path | undefined {
  const path: (string | number)[] = [];
  for (let at = 0; at < text.length;) {
    STEP.lastIndex = at;
    const [whole = "", plain, quoted, index] = STEP.exec(text) ?? [];
    const dotted = whole.startsWith(".");
    if (whole === "" || (plain !== undefined && dotted === (at === 0))) return undefined;
    path.push(index === undefined ? (plain ?? unquoted(quoted ?? "")) : Number(index));
    at += whole.length;
  }
  return path.length === 0 ? undefined : path;
}

/** The text between the quotes of a step. */
export function unquoted(text: string): string {
  return text.replace(/\\(.)/g, "$1");
}

/** The value at a path, or undefined if the path does not exist. */
export function valueAt(value: Json | undefined, path: Path): Json | undefined;
export function valueAt(value: unknown, path: Path): unknown;
export function valueAt(value: unknown, path: Path): unknown {
  let current = value;
  for (const step of path) {
    if (isList(current)) current = current[Number(step)];
    else if (isObject(current)) current = ownValue(current, String(step));
    else return undefined;
  }
  return current;
}

/** A copy with the value at a path replaced; `undefined` removes the key. Unchanged if the path does not exist. */
export function withValueAt(value: Json | undefined, path: Path, replacement: Json | undefined): Json | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return replacement;
  if (isList(value)) {
    return value.map((item, index) => (index === Number(step) ? (withValueAt(item, rest, replacement) ?? null) : item));
  }
  if (!isObject(value)) return value;
  const key = String(step);
  const old = ownValue(value, key);
  if (rest.length > 0 && old === undefined) return value;
  const entries = Object.entries(value).filter(([name]) => name !== key);
  const next = withValueAt(old, rest, replacement);
  return mapFrom<Json | undefined>(next === undefined ? entries : [...entries, [key, next]]);
}
