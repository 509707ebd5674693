import { and, implies, isIn, not, or, type Formula } from "../formula/formula.js";
import { numberLiteral } from "../formula/formula.js";
import { patternBase } from "../formula/facts.js";
import type { Bytes } from "../../language/value.js";
import type { Fields } from "../formula/fields.js";
import type { Term, TextTerm } from "../formula/term.js";
import type { ModelValue } from "../solve/model.js";
import type { TextBase } from "../text/automaton.js";
import { containing, startingWith } from "../text/literals.js";
import * as read from "./projection.js";

/** The fields that show the URL, or a part of it. */
type Role = "raw" | "full" | "uri" | "path" | "query" | "extension" | "basename" | "host" | "ssl";

const FIELDS: Readonly<Record<Role, string>> = {
  raw: "raw.http.request.uri.path",
  full: "http.request.full_uri",
  uri: "http.request.uri",
  path: "http.request.uri.path",
  query: "http.request.uri.query",
  extension: "http.request.uri.path.extension",
  basename: "http.request.uri.path.basename",
  host: "http.host",
  ssl: "ssl",
};

const OF_PATH = { extension: [read.EXTENSION_OF_PATH], basename: [read.BASENAME_OF_PATH] };
const OF_URI = {
  path: [read.PATH_OF_URI],
  query: [read.QUERY_OF_URI],
  extension: [...OF_PATH.extension, read.PATH_OF_URI],
  basename: [...OF_PATH.basename, read.PATH_OF_URI],
};
const OF_URL = {
  uri: [read.URI_OF_URL],
  host: [read.HOST_OF_URL],
  path: [...OF_URI.path, read.URI_OF_URL],
  query: [...OF_URI.query, read.URI_OF_URL],
  extension: [...OF_URI.extension, read.URI_OF_URL],
  basename: [...OF_URI.basename, read.URI_OF_URL],
};

/** How each part is read from a whole: the last projection first. */
const PARTS: readonly (readonly [whole: Role, parts: Readonly<Partial<Record<Role, readonly read.Projection[]>>>])[] = [
  // A path that is plain is not changed by normalisation.
  ["raw", { path: [] }],
  ["full", OF_URL],
  ["uri", OF_URI],
  ["path", OF_PATH],
];

/** Paths without percent-encoding, empty segments and segments that begin with a dot. */
const PLAIN = patternBase("^(/[A-Za-z0-9_~!$&'()*+,;=:@-][A-Za-z0-9._~!$&'()*+,;=:@-]*)*/?$");

/** The terms that conditions test, with the sets of strings that they are tested for. */
export type Tests = ReadonlyMap<Term, Iterable<TextBase>>;

/** The fields of one form of a URL: as the client sent it, normalised, or rewritten. */
export class UrlFields {
  private readonly names: ReadonlyMap<string, string>;

  constructor(
    private readonly fields: Fields,
    /** `raw.` for the form that no rule changes. */
    private readonly prefix: "" | "raw.",
    private readonly find: (key: string) => Term | undefined,
  ) {
    this.names = new Map(
      Object.entries(FIELDS).map(([role, name]) => {
        if (role === "raw") return [role, prefix === "" && fields.isAsSent(FIELDS.path) ? name : ""];
        if (role === "ssl" || (role === "host" && (prefix === "" || fields.isAsSent(name))))
          return [role, fields.name(name)];
        return [role, role === "host" ? "" : fields.name(prefix + name)];
      }),
    );
  }

  /** The keys of the terms. */
  get keys(): Iterable<string> {
    return this.names.values();
  }

  /** Whether no rule has rewritten it, so that its path has no `?`. */
  private get isAsSent(): boolean {
    return this.fields.isAsSent(this.prefix + FIELDS.path);
  }

  private term(role: Role): Term | undefined {
    return this.find(this.names.get(role) ?? "");
  }

  /** Whether conditions test a whole and a part of it. */
  isLinked(): boolean {
    return PARTS.some(([whole, parts]) => {
      const names = whole === "full" ? [...Object.keys(parts), "ssl"] : Object.keys(parts);
      return this.term(whole) !== undefined && names.some((part) => this.term(part as Role) !== undefined);
    });
  }

  /** Makes the values agree where no condition tells the difference; returns what is known about the others. */
  reconcile(values: Map<Term, ModelValue>, tests: Tests): readonly Formula[] {
    this.combine(values, tests);
    const known: Formula[] = [];
    for (const [role, parts] of PARTS) {
      const whole = this.text(role);
      if (whole === undefined) continue;
      if (!values.has(whole) && !this.compose(whole, role, values)) continue;
      for (const [name, chain] of Object.entries(parts)) {
        const part = this.text(name as Role);
        if (part !== undefined && this.isCertain(role, name as Role, values))
          known.push(...this.agree(part, whole, chain, values, tests, this.doubt(role, name as Role)));
      }
      if (role === "full") known.push(...this.agreeOnScheme(whole, values));
    }
    return known;
  }

  /**
   * Looks for one URL that passes the same tests as the values of the search, which are those of several URLs: combines their
   * parts. That is quicker than a search for all tests at once, and finds long parts.
   */
  private combine(values: Map<Term, ModelValue>, tests: Tests): void {
    if (!this.isAsSent || this.term("raw") !== undefined) return;
    const given = new Map<UrlRole, Bytes>();
    for (const role of URL_ROLES) {
      const [term, value] = [this.text(role), this.valueOf(role, values)];
      if (term !== undefined && tests.has(term) && value !== undefined) given.set(role, value);
    }
    if (given.size < 2) return;
    const ssl = this.term("ssl");
    const isTested = ssl !== undefined && tests.has(ssl);
    const scheme = isTested ? (values.get(ssl) === 0n ? "http" : "https") : undefined;
    const wanted = Array.from(given, ([role, own]) => {
      const bases = Array.from(tests.get(this.text(role) as TextTerm) ?? []);
      return { role, own, results: bases.map((base) => [base, base.has(own)] as const) };
    });
    const found = candidateUrls(given, scheme).find((url) =>
      wanted.every(({ role, own, results }) => {
        const text = partOf(url, role);
        return text === own || results.every(([base, result]) => base.has(text) === result);
      }),
    );
    if (found === undefined) return;
    for (const role of given.keys()) values.set(this.text(role) as TextTerm, partOf(found, role));
  }

  private valueOf(role: Role, values: ReadonlyMap<Term, ModelValue>): Bytes | undefined {
    const term = this.text(role);
    const value = term === undefined ? undefined : values.get(term);
    return typeof value === "string" ? value : undefined;
  }

  private text(role: Role): TextTerm | undefined {
    const term = this.term(role);
    return term?.kind === "text" ? term : undefined;
  }

  /** A rewritten path may contain a `?`, before which nothing can be told. */
  private isCertain(whole: Role, part: Role, values: ReadonlyMap<Term, ModelValue>): boolean {
    if (whole === "raw") {
      const raw = this.term("raw");
      const value = raw === undefined ? undefined : values.get(raw);
      return typeof value === "string" && PLAIN?.has(value) === true;
    }
    if (this.isAsSent || whole === "path" || part === "host" || part === "uri") return true;
    const path = this.text("path");
    if (path === undefined) return false;
    const value = values.get(path);
    return typeof value !== "string" || !value.includes("?");
  }

  private doubt(whole: Role, part: Role): readonly Formula[] {
    const [raw, path] = [this.text("raw"), this.text("path")];
    if (whole === "raw") return raw === undefined || PLAIN === undefined ? [] : [not(isIn(raw, PLAIN))];
    if (this.isAsSent || whole === "path" || part === "host" || part === "uri" || path === undefined) return [];
    return [isIn(path, containing("?"))];
  }

  private agree(
    part: TextTerm,
    whole: TextTerm,
    chain: readonly read.Projection[],
    values: Map<Term, ModelValue>,
    tests: Tests,
    doubt: readonly Formula[],
  ): readonly Formula[] {
    const from = values.get(whole);
    if (typeof from !== "string") return [];
    const derived = chain.reduceRight((text, projection) => read.project(projection, text), from);
    const own = values.get(part);
    if (own === derived) return [];
    const bases = Array.from(tests.get(part) ?? []);
    if (typeof own !== "string" || bases.every((base) => base.has(derived) === base.has(own))) {
      values.set(part, derived);
      return [];
    }
    return bases.map((base) => {
      const test = chain.reduce((set, projection) => read.ofProjection(projection, set), base);
      return or([...doubt, same(isIn(part, base), isIn(whole, test))]);
    });
  }

  private agreeOnScheme(whole: TextTerm, values: Map<Term, ModelValue>): readonly Formula[] {
    const ssl = this.term("ssl");
    const url = values.get(whole);
    if (ssl?.kind !== "number" || typeof url !== "string") return [];
    const isSecure = url.startsWith("https:") ? 1n : 0n;
    const own = values.get(ssl);
    if (own === undefined) values.set(ssl, isSecure);
    if (own === undefined || own === isSecure) return [];
    return [same(numberLiteral(ssl, [[1n, 1n]]), isIn(whole, startingWith("https:")))];
  }

  private composeRaw(raw: TextTerm, values: Map<Term, ModelValue>): boolean {
    const path = this.term("path");
    const value = path === undefined ? undefined : values.get(path);
    if (typeof value !== "string" || PLAIN?.has(value) !== true) return false;
    values.set(raw, value);
    return true;
  }

  /** Puts a whole together from its parts, if one of them has a value. */
  private compose(whole: TextTerm, role: Role, values: Map<Term, ModelValue>): boolean {
    const value = (part: Role): string | undefined => {
      const term = this.term(part);
      const found = term === undefined ? undefined : values.get(term);
      return typeof found === "string" ? found : undefined;
    };
    if (role === "raw") return this.composeRaw(whole, values);
    const names = Object.keys(PARTS.find(([one]) => one === role)?.[1] ?? {}) as Role[];
    if (names.every((name) => value(name) === undefined)) return false;
    const extension = value("extension") ?? "";
    const file = value("basename") ?? (extension === "" ? "" : `file.${extension}`);
    const path = value("path") ?? `/${file}`;
    const query = value("query") ?? "";
    const uri = value("uri") ?? (query === "" ? path : `${path}?${query}`);
    const ssl = this.term("ssl");
    const scheme = ssl !== undefined && values.get(ssl) === 0n ? "http" : "https";
    const url = `${scheme}://${value("host") ?? "www.example.com"}${uri}`;
    values.set(whole, role === "path" ? path : role === "uri" ? uri : url);
    return true;
  }
}

/** The shortest ones first, which are quick to test. */
const URL_ROLES = ["host", "extension", "basename", "query", "path", "uri", "full"] as const;

type UrlRole = (typeof URL_ROLES)[number];

function partOf(url: Bytes, role: UrlRole): Bytes {
  if (role === "full") return url;
  return OF_URL[role].reduceRight((text, projection) => read.project(projection, text), url);
}

const MOST_CANDIDATES = 48;

/** URLs whose parts are those of several texts, or several of them after one another. */
function candidateUrls(given: ReadonlyMap<UrlRole, Bytes>, scheme: string | undefined): readonly Bytes[] {
  const [full, uri] = [given.get("full"), given.get("uri")];
  const from = (part: "path" | "query" | "host"): readonly Bytes[] => [
    ...(given.has(part) ? [given.get(part) as Bytes] : []),
    ...(uri === undefined || part === "host"
      ? []
      : [OF_URI[part].reduceRight((text, one) => read.project(one, text), uri)]),
    ...(full === undefined ? [] : [partOf(full, part)]),
  ];
  const file =
    given.get("basename") ?? (given.has("extension") ? `file.${given.get("extension") as Bytes}` : undefined);
  const paths = joinings(from("path"), "/").flatMap((path) =>
    file === undefined ? [path] : [path, path.endsWith("/") ? path + file : `${path}/${file}`],
  );
  const queries = joinings(from("query"), "");
  const own = scheme ?? (full === undefined ? "https" : read.project(read.SCHEME_OF_URL, full));
  const hosts = new Set([...from("host"), "www.example.com"]);
  const urls = Array.from(hosts).flatMap((host) =>
    paths.flatMap((path) => queries.map((query) => `${own}://${host}${path}${query === "" ? "" : `?${query}`}`)),
  );
  return urls.slice(0, MOST_CANDIDATES);
}

/** Texts, and two of them after one another; one text that is usual if there is none. */
function joinings(texts: readonly Bytes[], usual: Bytes): readonly Bytes[] {
  const own = new Set(texts);
  if (own.size === 0) return [usual];
  return Array.from(new Set([...own, ...texts.flatMap((one) => texts.map((other) => one + other))]));
}

function same(a: Formula, b: Formula): Formula {
  return and([implies(a, b), implies(b, a)]);
}
