import { slug } from "../../../core/rules/derive-ref.js";

/** Keywords, names that strict mode forbids, and globals that programs use. */
const RESERVED = new Set(
  (
    "abstract any arguments as async await boolean break case catch class const continue debugger declare default delete " +
    "do else enum eval export exports extends false finally for function get if implements import in infer instanceof " +
    "interface is keyof let module namespace never new null number object of package private protected public readonly " +
    "require return set static string super switch symbol this throw true try type typeof undefined unique unknown var " +
    "void while with yield console process global globalThis"
  ).split(" "),
);

/**
 * A variable name from words in any script: `Blocked paths` becomes `blockedPaths`.
 * @param what appended to a name that cannot stand alone, such as `default`, and prepended to one that begins with a digit
 */
export function identifier(text: string, what: string): string {
  const camel = slug(text).replace(/-([a-z0-9])/g, (_, first: string) => first.toUpperCase());
  if (camel === "") return what;
  const capital = what.charAt(0).toUpperCase() + what.slice(1);
  if (/^\d/.test(camel)) return `${what}${camel}`;
  return RESERVED.has(camel) ? `${camel}${capital}` : camel;
}

/** Assigns unique names. */
export class Names {
  private readonly taken: Set<string>;

  constructor(taken: Iterable<string> = []) {
    this.taken = new Set(taken);
  }

  /** The name, or, if it is taken, the name with a suffix such as the start of an ID. */
  take(wanted: string, own: string, join: (name: string, suffix: string) => string): string {
    const distinct = own === "" ? wanted : join(wanted, own);
    for (let number = 0; ; number += 1) {
      const found = number === 0 ? wanted : number === 1 ? distinct : join(distinct, String(number));
      if (this.taken.has(found)) continue;
      this.taken.add(found);
      return found;
    }
  }
}

/** The start of an ID, for telling it from others. */
export function shortId(id: string): string {
  return id
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
    .slice(0, 6);
}

/** `blockedPaths` and `0a1b` make `blockedPaths0a1b`. */
export function joinWords(name: string, suffix: string): string {
  return `${name}${suffix.charAt(0).toUpperCase()}${suffix.slice(1)}`;
}

/** `blocked-paths` and `0a1b` make `blocked-paths-0a1b`. */
export function joinHyphen(name: string, suffix: string): string {
  return `${name}-${suffix}`;
}

/** A phase without the common prefix: `firewall-custom`, `ratelimit`, `response-compression`. */
export function phaseWords(phase: string): string {
  return slug(phase.replace(/^http_(request_)?/, "").replace(/_/g, "-")) || "phase";
}
