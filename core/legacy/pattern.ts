import { toBytes } from "../language/bytes.js";
import { printLiteral } from "../language/print/literals.js";
import { overlaps } from "../previous-waf/mapping/url-pattern.js";

/**
 * The URL pattern of a page rule, a lockdown or a previous rate limit: `*` is any text, `/` and nothing included; letters
 * match in both cases; a pattern without a scheme applies to both.
 * https://developers.cloudflare.com/rules/page-rules/reference/wildcard-matching/
 */
export interface UrlPattern {
  /** As the rule has it. */
  readonly text: string;
  readonly scheme?: "http" | "https";
  /** Patterns of the URL without its scheme, any of which matches. */
  readonly globs: readonly string[];
}

type Parsed = UrlPattern | { readonly fault: string };

/** Parses a pattern, or says why this version cannot convert it. */
export function parsePattern(text: string): Parsed {
  const [, before, rest = ""] = /^(?:([a-z*]*):\/\/)?(.*)$/is.exec(text) ?? [];
  const scheme = before?.toLowerCase();
  if (!["http", "https", "http*", "*", undefined].includes(scheme)) return { fault: `its scheme is ${before ?? ""}` };
  if (/^[^/?]*:\d+/.test(rest)) return { fault: "its URL has a port" };
  if (rest.includes("|"))
    return { fault: "its URL has a pipe, which Cloudflare's API describes as an or, but nowhere else" };
  if (rest.includes("**")) return { fault: "its URL has two asterisks side by side" };
  if (!/^[!-~]+$/.test(rest)) return { fault: "its URL has characters that a request cannot have" };
  // The service adds the slash when it saves a pattern that ends with the name of the zone.
  const whole = rest.includes("/") || rest.endsWith("*") ? rest : `${rest}/`;
  const glob = whole.toLowerCase();
  return {
    text,
    ...(scheme === "http" || scheme === "https" ? { scheme } : {}),
    globs: glob.endsWith("*") || glob.includes("?") ? [glob] : [glob, `${glob}?*`],
  };
}

/**
 * A forwarding URL as texts and the numbers of asterisks: `\$` is a dollar. Undefined if it has another backslash or dollar, whose
 * meaning is not documented. https://developers.cloudflare.com/rules/page-rules/reference/wildcard-matching/
 */
export function targetParts(url: string): readonly (string | number)[] | undefined {
  const parts: readonly string[] = url.match(/\\\$|\$\d+|[^\\$]+|./gs) ?? [];
  if (parts.includes("$") || parts.includes("\\")) return undefined;
  return parts.map((part) => (part === "\\$" ? "$" : part.startsWith("$") ? Number(part.slice(1)) : part));
}

/** Whether a URL can match two patterns. */
export function canMeet(one: UrlPattern, other: UrlPattern): boolean {
  if (one.scheme !== undefined && other.scheme !== undefined && one.scheme !== other.scheme) return false;
  return one.globs.some((glob) => other.globs.some((against) => overlaps(glob, against)));
}

/** The condition that a pattern stands for, as an expression that can be joined with others. */
export function conditionOf({ scheme, globs }: UrlPattern): string {
  const [first = ""] = globs;
  const [, host, uri = ""] = /^([^*/?]+)(\/.*)$/s.exec(first) ?? [];
  if (host === undefined) {
    const schemes = scheme === undefined ? ["http", "https"] : [scheme];
    return anyOf(globs.flatMap((glob) => schemes.map((one) => wildcard("full_uri", `${one}://${glob}`))));
  }
  const path = !uri.includes("*") && !uri.includes("?") ? [wildcard("uri.path", uri)] : undefined;
  const uris = path ?? globs.map((glob) => wildcard("uri", glob.slice(host.length)));
  return allOf([
    `lower(http.host) eq ${quoted(host)}`,
    ...(uri === "/*" ? [] : [anyOf(uris)]),
    ...(scheme === undefined ? [] : [scheme === "https" ? "ssl" : "not ssl"]),
  ]);
}

/**
 * The condition that any of many patterns matches, in a regular expression: much shorter, because patterns of the same host share its
 * text. Only Business and Enterprise plans have it.
 */
export function anyMatches(patterns: readonly UrlPattern[]): string {
  const parts = patterns.flatMap((pattern) => {
    const [glob = ""] = pattern.globs;
    const at = glob.indexOf("/") + 1;
    const isOpen = glob.endsWith("*");
    const end = isOpen ? "" : pattern.globs.length > 1 ? String.raw`(?:\?|$)` : "$";
    const scheme = pattern.scheme ?? "https?";
    const tail = isOpen ? glob.slice(at, -1) : glob.slice(at);
    return [{ host: `${scheme}://${regexOf(glob.slice(0, at))}`, tail: `${regexOf(tail)}${end}` }];
  });
  const hosts = Array.from(
    Map.groupBy(parts, ({ host }) => host),
    ([host, own]) =>
      own.length === 1 ? `${host}${own[0]?.tail ?? ""}` : `${host}(?:${own.map(({ tail }) => tail).join("|")})`,
  );
  return `http.request.full_uri matches ${quoted(`(?is)^(?:${hosts.join("|")})`)}`;
}

function regexOf(glob: string): string {
  return glob.replace(/[\\.+?^${}()|[\]#&~-]/g, String.raw`\$&`).replaceAll("*", ".*");
}

export function wildcard(field: "full_uri" | "uri" | "uri.path", glob: string): string {
  return `http.request.${field} wildcard ${quotedGlob(glob)}`;
}

/** A glob as a literal: a backslash stands for itself. */
export function quotedGlob(glob: string): string {
  return quoted(glob.replaceAll("\\", "\\\\"));
}

export function quoted(text: string): string {
  const notation = text.includes("\\") ? "raw" : "quoted";
  return printLiteral({ kind: "string", value: toBytes(text), notation, span: { start: 0, end: 0 } });
}

export function anyOf(conditions: readonly string[]): string {
  return conditions.length === 1 ? (conditions[0] ?? "") : `(${conditions.join(" or ")})`;
}

/** In parentheses, so that `not` can be put before it. */
export function allOf(conditions: readonly string[]): string {
  return conditions.length === 1 ? (conditions[0] ?? "") : `(${conditions.join(" and ")})`;
}
