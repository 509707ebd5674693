import { HttpRequest, Unknown, type Evaluated, type Rewrite } from "../language/index.js";
import { showBytes } from "../language/bytes.js";
import { formatIp } from "../language/ip.js";
import { isAddress } from "../language/value.js";
import type { Effect, TextSource } from "./effect.js";

type RewriteEffect = Extract<Effect, { kind: "rewrite" }>;

/** The text of a source for a request: numbers, Booleans and addresses are written as text; nil becomes an empty string. */
export function textOf(source: TextSource, request: HttpRequest): string | Unknown {
  if (typeof source === "string") return source;
  const found = source.value(request);
  if (found instanceof Unknown) return found;
  if (typeof found === "string") return showBytes(found);
  if (isAddress(found)) return formatIp(found);
  return found === undefined || typeof found === "object" ? "" : String(found);
}

/**
 * The value of a header. What the service does with a value that HTTP does not allow is not documented, so it is unknown:
 * https://www.rfc-editor.org/rfc/rfc9110#section-5.5
 */
export function headerValueOf(source: TextSource, request: HttpRequest): string | Unknown {
  const text = textOf(source, request);
  if (typeof text !== "string" || !/[^\P{Cc}\t]/u.test(text)) return text;
  return unknownBecause([`a header cannot have the value ${JSON.stringify(text)}`]);
}

const PATH_FIELDS = ["uri", "uri.path", "uri.path.extension", "uri.path.basename", "full_uri"];
const QUERY_FIELDS = ["uri", "uri.query", "uri.args", "uri.args.names", "uri.args.values", "full_uri"];
const HEADER_FIELDS = ["headers", "headers.names", "headers.values", "cookies", "accepted_languages"];
const OF_HEADERS = ["http.host", "http.cookie", "http.referer", "http.user_agent", "http.x_forwarded_for"];

/**
 * The changes that the rules of one phase make. Fields do not change within a phase, so every rule computes its values from the
 * request as it entered the phase: https://developers.cloudflare.com/ruleset-engine/about/rules/
 */
export class Rewrites {
  private path: string | Unknown | undefined;
  private query: string | Unknown | undefined;
  private readonly headers = new Map<string, readonly string[] | Unknown>();

  constructor(private readonly before: HttpRequest) {}

  /**
   * Adds the changes of a rule, and returns why the value of a header is not known. `because`: what the match of the rule depends
   * on. An empty value removes the header:
   * https://developers.cloudflare.com/rules/transform/request-header-modification/#important-remarks
   */
  add(effect: RewriteEffect, because: readonly string[]): readonly Unknown[] {
    const unknown: Unknown[] = [];
    const { before } = this;
    const doubt = because.length === 0 ? undefined : unknownBecause(because);
    if (effect.path !== undefined) this.path = doubt ?? textOf(effect.path, before);
    if (effect.query !== undefined) this.query = doubt ?? textOf(effect.query, before);
    for (const { name, operation, value } of effect.headers) {
      const key = name.toLowerCase();
      const text = operation === "remove" ? "" : headerValueOf(value, before);
      if (text instanceof Unknown) unknown.push(text);
      if (doubt !== undefined || text instanceof Unknown) this.headers.set(key, doubt ?? (text as Unknown));
      else if (operation === "add") this.headers.set(key, this.appended(key, text));
      else this.headers.set(key, text === "" ? [] : [text]);
    }
    return unknown;
  }

  /** The request as the next phase sees it. */
  apply(): HttpRequest {
    const { path, query, headers, before } = this;
    if (path === undefined && query === undefined && headers.size === 0) return before;
    const known: { name: string; values: readonly string[] }[] = [];
    const unknown = new Map<string, Evaluated>();
    const hide = (names: readonly string[], why: Unknown): void => {
      for (const name of names) unknown.set(name, why);
    };
    if (path instanceof Unknown) hide(prefixed(PATH_FIELDS), path);
    if (query instanceof Unknown) hide(prefixed(QUERY_FIELDS), query);
    for (const [name, values] of headers) {
      if (values instanceof Unknown) hide([...prefixed(HEADER_FIELDS), ...OF_HEADERS], values);
      else known.push({ name, values });
    }
    const rewrite: Rewrite = {
      path: path instanceof Unknown ? undefined : path,
      query: query instanceof Unknown ? undefined : query,
      headers: known,
    };
    const after = before.rewrite(rewrite);
    return unknown.size === 0 ? after : after.withFields(unknown);
  }

  private appended(name: string, value: string): readonly string[] | Unknown {
    const own = this.headers.get(name);
    if (own instanceof Unknown) return own;
    if (own === undefined && this.before.isUnknownHeader(name))
      return unknownBecause([`whether the request has the header "${name}" is not known`]);
    const present = this.before.headers.filter(([one]) => one.toLowerCase() === name).map(([, text]) => text);
    return [...(own ?? present), ...(value === "" ? [] : [value])];
  }
}

/** A value that depends on whether a rule matches. */
function unknownBecause(because: readonly string[]): Unknown {
  return new Unknown(because.map((why) => ({ kind: "field", name: why, why })));
}

function prefixed(names: readonly string[]): readonly string[] {
  return names.map((name) => `http.request.${name}`);
}
