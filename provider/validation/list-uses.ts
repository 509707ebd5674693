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
  return [...testsOf(rule, path).flatMap(usesIn), ...redirectsOf(rule, path)];
}

/** The names of the lists that rules use, without those that Cloudflare maintains. */
export function listNamesIn(rules: readonly unknown[]): readonly string[] {
  return [...new Set(rules.flatMap((rule) => listUsesOf(rule).map(({ name }) => name)))];
}

/** For each expression of a rule that uses a list of addresses, one of these, which Cloudflare may maintain. */
export function addressListsOf(rule: Rule, path: Path): Pick<ListUse, "name" | "path">[] {
  return testsOf(rule, path).flatMap(({ path: at, tests }) => {
    const used = tests.find(({ left }) => left.type.kind === "ip");
    return used === undefined ? [] : [{ name: used.list.name, path: at }];
  });
}

/** An expression of a rule with its tests of lists. */
interface PlacedTests {
  readonly text: string;
  readonly path: Path;
  readonly tests: readonly ListTest[];
}

function testsOf(rule: Rule, path: Path): PlacedTests[] {
  return expressionsOf(rule, path)
    .filter(({ text }) => text.includes("$"))
    .map(({ text, path: at, options }) => {
      const parsed = loadSyntax().parseExpression(text, options.slot === "value" ? "value" : "filter");
      return { text, path: at, tests: "fault" in parsed ? [] : loadUses().listTestsOf(parsed.expression) };
    });
}

function usesIn({ text, path, tests }: PlacedTests): ListUse[] {
  return tests
    .filter(({ list }) => !list.name.startsWith("cf."))
    .map(({ left, list }) => ({
      name: list.name,
      path,
      kinds: kindsFor(left),
      what: `\`${text.slice(left.span.start, left.span.end)}\``,
      character: list.span.start + 1,
    }));
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
