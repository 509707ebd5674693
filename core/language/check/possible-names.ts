import { allFields, findFunction } from "../catalogue/index.js";
import { OPERATORS } from "../syntax/traps.js";

/*
 * Cloudflare keeps adding fields and functions, so an unknown name is a warning. A name that none of them can have is an error.
 */

const KEYWORDS: ReadonlySet<string> = new Set([...OPERATORS, "strict", "bitwise_and"]);
/** Cloudflare's engine has functions with these names too. */
const FUNCTIONS_TOO: ReadonlySet<string> = new Set(["contains", "wildcard"]);

export function isKeyword(name: string): boolean {
  return KEYWORDS.has(name.toLowerCase());
}

export function isFunction(name: string): boolean {
  return name === "any" || name === "all" || findFunction(name) !== undefined;
}

export function cannotBeField(name: string): boolean {
  return isFunction(name) || isKeyword(name) || isOddlyWritten(name);
}

export function cannotBeFunction(name: string): boolean {
  return (isKeyword(name) && !FUNCTIONS_TOO.has(name.toLowerCase())) || isOddlyWritten(name);
}

/** No name begins with a digit or has a capital. */
function isOddlyWritten(name: string): boolean {
  return /^[0-9]|[A-Z]/.test(name);
}

let namespaces: ReadonlySet<string> | undefined;

/**
 * Whether an unknown name that is compared with nothing may be a new Boolean field: it would be in one of the namespaces that there
 * are. Anything else is text, such as `example.com`.
 */
export function mayBeCondition(name: string): boolean {
  namespaces ??= new Set(Array.from(allFields().keys(), namespaceOf));
  return namespaces.has(namespaceOf(name));
}

function namespaceOf(name: string): string {
  return name.split(".", 1).join("");
}
