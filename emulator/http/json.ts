/** Deeper than any body of the API, and far below the depth at which JSON.stringify fails. */
const MAX_DEPTH = 64;

/** Why a body cannot be parsed. */
export class Unreadable extends Error {}

/** Parses a body; undefined if it is empty. Throws {@link Unreadable}. */
export function readJson(text: string): unknown {
  if (text.trim() === "") return undefined;
  if (depthOf(text) > MAX_DEPTH) throw new Unreadable(`the request body is nested more than ${String(MAX_DEPTH)} deep`);
  try {
    return JSON.parse(text, refusePrototype) as unknown;
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable("Malformed JSON in request body");
  }
}

/** The nesting depth of brackets outside strings. */
function depthOf(text: string): number {
  let [depth, most, inText] = [0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (inText) {
      if (sign === "\\") at += 1;
      else if (sign === '"') inText = false;
    } else if (sign === '"') inText = true;
    else if (sign === "{" || sign === "[") most = Math.max(most, (depth += 1));
    else if (sign === "}" || sign === "]") depth -= 1;
  }
  return most;
}

/** Rejects a key that would change the prototype of objects it is copied to. */
function refusePrototype(key: string, value: unknown): unknown {
  if (key === "__proto__") throw new Unreadable('invalid JSON: unknown field "__proto__"');
  return value;
}
