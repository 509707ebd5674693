import { valueAt, type Path } from "../model/path.js";

/** Converts a JSON pointer into a value to a path. */
export function pathOfPointer(pointer: string, root: unknown): Path {
  const names = pointer
    .split("/")
    .slice(1)
    .map((step) => step.replace(/~1/g, "/").replace(/~0/g, "~"));
  return names.map((name, index) => (Array.isArray(valueAt(root, names.slice(0, index))) ? Number(name) : name));
}
