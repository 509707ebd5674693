import type { List } from "../language/index.js";
import { showBytes } from "../language/bytes.js";
import { readProperty, readNumber, readText } from "./read-property.js";

/** An item of a redirect list, in a program's notation or the API's. */
export interface RedirectInput {
  readonly sourceUrl?: string;
  readonly targetUrl?: string;
  /** @default 301 */
  readonly statusCode?: number;
  /** @default false */
  readonly includeSubdomains?: boolean;
  /** @default false */
  readonly subpathMatching?: boolean;
  /** @default false */
  readonly preserveQueryString?: boolean;
  /** With `subpathMatching`. @default true */
  readonly preservePathSuffix?: boolean;
  /** The item in the API's notation. */
  readonly redirect?: object;
}

/** A compiled redirect. */
export interface Redirect {
  readonly sourceUrl: string;
  /** Undefined matches http and https. */
  readonly scheme: string | undefined;
  readonly host: string;
  readonly path: string;
  readonly targetUrl: string;
  readonly statusCode: number;
  readonly includeSubdomains: boolean;
  readonly subpathMatching: boolean;
  readonly preserveQueryString: boolean;
  readonly preservePathSuffix: boolean;
}

export type RedirectLists = ReadonlyMap<string, readonly Redirect[]>;

const URL_PARTS = /^(?:(https?):\/\/)?([^/?#]+)([^?#]*)/is;

/**
 * Reads the redirects of lists, by list name.
 * @throws TypeError on an item without URLs
 */
export function readRedirectLists(lists: Readonly<Record<string, readonly RedirectInput[]>>): RedirectLists {
  return new Map(Object.entries(lists).map(([name, items]) => [name, readRedirects(name, items)]));
}

/** @throws TypeError on an item without URLs */
export function readRedirects(name: string, items: readonly RedirectInput[]): readonly Redirect[] {
  return items.map((item, index) =>
    readRedirect(item.redirect ?? item, `redirectLists[${JSON.stringify(name)}][${String(index)}]`),
  );
}

function readRedirect(from: object, path: string): Redirect {
  const sourceUrl = readText(from, "sourceUrl");
  const targetUrl = readText(from, "targetUrl");
  const [, scheme, host] = URL_PARTS.exec(sourceUrl ?? "") ?? [];
  if (sourceUrl === undefined || host === undefined) throw new TypeError(`${path}: sourceUrl must be a URL`);
  if (targetUrl === undefined) throw new TypeError(`${path}: targetUrl is required`);
  return {
    sourceUrl,
    scheme: scheme?.toLowerCase(),
    host: host.toLowerCase(),
    path: pathOf(sourceUrl),
    targetUrl,
    statusCode: readNumber(from, "statusCode") ?? 301,
    includeSubdomains: readProperty(from, "includeSubdomains") === true,
    subpathMatching: readProperty(from, "subpathMatching") === true,
    preserveQueryString: readProperty(from, "preserveQueryString") === true,
    preservePathSuffix: readProperty(from, "preservePathSuffix") !== false,
  };
}

function pathOf(url: string): string {
  const path = URL_PARTS.exec(url)?.[3] ?? "";
  return path === "" ? "/" : path;
}

/**
 * The redirect that applies to a URL, and its target.
 * https://developers.cloudflare.com/rules/url-forwarding/bulk-redirects/how-it-works/#url-matching-algorithm
 */
export function findRedirect(
  items: readonly Redirect[],
  url: string,
): { readonly item: Redirect; readonly location: string } | undefined {
  const [, scheme = "", host = ""] = URL_PARTS.exec(url) ?? [];
  const parts = { scheme: scheme.toLowerCase(), host: host.toLowerCase(), path: pathOf(url) };
  const [item] = items.filter((one) => isFor(one, parts)).sort((a, b) => compare(a, b, parts));
  return item === undefined ? undefined : { item, location: locationOf(item, url, parts.path) };
}

interface UrlParts {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
}

/** The list for `http.request.full_uri in $list`. */
export function toList(items: readonly Redirect[]): List {
  return { has: (value) => typeof value === "string" && findRedirect(items, showBytes(value)) !== undefined };
}

function isFor({ scheme, host, path, includeSubdomains, subpathMatching }: Redirect, parts: UrlParts): boolean {
  if (scheme !== undefined && scheme !== parts.scheme) return false;
  if (host !== parts.host && !(includeSubdomains && parts.host.endsWith(`.${host}`))) return false;
  return path === parts.path || (subpathMatching && parts.path.startsWith(folder(path)));
}

function folder(path: string): string {
  return path.endsWith("/") ? path : `${path}/`;
}

/** The most specific path first, then the exact host, then the most specific domain, then an explicit scheme. */
function compare(a: Redirect, b: Redirect, { host }: UrlParts): number {
  return (
    b.path.length - a.path.length ||
    Number(b.host === host) - Number(a.host === host) ||
    b.host.length - a.host.length ||
    Number(b.scheme !== undefined) - Number(a.scheme !== undefined)
  );
}

function locationOf(
  { path, targetUrl, subpathMatching, preservePathSuffix, preserveQueryString }: Redirect,
  url: string,
  requestPath: string,
): string {
  const suffix = subpathMatching && preservePathSuffix ? requestPath.slice(path.length) : "";
  const [, base = "", query, fragment = ""] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(targetUrl) ?? [];
  const own = query === undefined ? "" : `?${query}`;
  const sent = /\?([^#]*)/s.exec(url)?.[1];
  const asSent = preserveQueryString && sent !== undefined && sent !== "" ? `?${sent}` : own;
  return `${joined(base, suffix)}${asSent}${fragment}`;
}

/** Appends the rest of the path to the target. */
function joined(base: string, suffix: string): string {
  if (suffix === "") return base;
  return `${base.replace(/\/$/, "")}/${suffix.replace(/^\//, "")}`;
}
