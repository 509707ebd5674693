import type { ListTest, SetTest } from "../../core/language/uses.js";
import { expressionsOf } from "../../core/model/expressions.js";
import { isObject } from "../../core/model/json.js";
import type { Path } from "../../core/model/path.js";
import { isUnknown } from "../../core/model/unknown.js";
import { late } from "../../core/model/late.js";

type Rule = Readonly<Record<string, unknown>>;

/** Only for rules that may use a list. */
const loadSyntax = late<typeof import("../../core/language/syntax/index.js")>(() =>
  require("../../core/language/syntax/index.js"),
);
const loadUses = late<typeof import("../../core/language/uses.js")>(() => require("../../core/language/uses.js"));

/** A place where a rule uses a list. */
export interface ListUse {
  /** Without `$`. */
  readonly name: string;
  readonly path: Path;
  /** The kinds of lists that fit there; any if that cannot be told. */
  readonly kinds: readonly string[];
  /** What is compared with the items, as messages show it. */
  readonly what: string;
  /** In the text at the path, from 1. */
  readonly character?: number;
}

/** Where a rule uses lists of the account, in its expressions or to redirect by. Those that Cloudflare maintains are left out. */
export function listUsesOf(rule: unknown, path: Path = []): ListUse[] {
  if (!isObject(rule)) return [];
  const found = expressionsOf(rule, path)
    .filter(({ text }) => text.includes("$"))
    .flatMap(({ text, path: at, options }) => usesIn(text, options.slot === "value" ? "value" : "filter", at));
  return [...found, ...redirectsOf(rule, path)];
}

/** The names of the lists that rules use, without those that Cloudflare maintains. */
export function listNamesIn(rules: readonly unknown[]): readonly string[] {
  return [...new Set(rules.flatMap((rule) => listUsesOf(rule).map(({ name }) => name)))];
}

function usesIn(text: string, kind: "filter" | "value", path: Path): ListUse[] {
  const parsed = loadSyntax().parseExpression(text, kind);
  if ("fault" in parsed) return [];
  return loadUses()
    .listTestsOf(parsed.expression)
    .filter(({ list }) => !list.name.startsWith("cf."))
    .map(({ left, list }) => ({
      name: list.name,
      path,
      kinds: kindsFor(left),
      what: `\`${text.slice(left.span.start, left.span.end)}\``,
      character: list.span.start + 1,
    }));
}

/** A list of addresses that an expression uses, which may be one that Cloudflare maintains. */
export function addressListIn(text: string, kind: "filter" | "value"): string | undefined {
  const parsed = loadSyntax().parseExpression(text, kind);
  if ("fault" in parsed) return undefined;
  const tests = loadUses().listTestsOf(parsed.expression);
  return tests.find(({ left }) => left.type.kind === "ip")?.list.name;
}

/** A list that can have the members of the longest set in a filter: its kind, and what is compared with its items. */
interface ListForSet {
  readonly kind: string;
  readonly what: string;
}

/** Undefined if the filter has no set, or no kind of list has such members. */
export function listForSet(filter: string): ListForSet | undefined {
  const parsed = loadSyntax().parseExpression(filter);
  if ("fault" in parsed) return undefined;
  const sizeOf = ({ set: { span } }: SetTest): number => span.end - span.start;
  const [longest] = loadUses()
    .setTestsOf(parsed.expression)
    .toSorted((a, b) => sizeOf(b) - sizeOf(a));
  if (longest === undefined) return undefined;
  const { left } = longest;
  const what = filter.slice(left.span.start, left.span.end);
  const [kind, ...others] = kindsFor(left);
  const fits = kind === "ip" || kind === "hostname" || (kind === "asn" && what.endsWith("asnum"));
  return fits && others.length === 0 ? { kind, what } : undefined;
}

const FULL_URIS = new Set(["http.request.full_uri", "raw.http.request.full_uri"]);

/** https://developers.cloudflare.com/waf/tools/lists/custom-lists/ */
function kindsFor(left: ListTest["left"]): readonly string[] {
  switch (left.type.kind) {
    case "ip":
      return ["ip"];
    case "integer":
      return ["asn"];
    case "string": {
      const field = left.kind === "field" && left.path.length === 0 ? left.name : "";
      if (FULL_URIS.has(field)) return ["redirect"];
      return field === "http.host" ? ["hostname"] : ["hostname", "redirect"];
    }
    default:
      return [];
  }
}

function redirectsOf({ actionParameters }: Rule, path: Path): ListUse[] {
  const list = isObject(actionParameters) ? actionParameters.fromList : undefined;
  const name = isObject(list) ? list.name : undefined;
  if (typeof name !== "string" || name === "" || isUnknown(name)) return [];
  const at = [...path, "actionParameters", "fromList", "name"];
  return [{ name, path: at, kinds: ["redirect"], what: "`fromList`" }];
}
