import plans from "../../schema/plans.json";
import { parseItem, type Details, type Items } from "../lists/item.js";
import { mapFrom } from "../model/json.js";
import { REF_PREFIX, type Conversion, type NewRule } from "./new-rules.js";
import type { OldRules, PageRule } from "./old-rules.js";
import { canMeet, conditionOf } from "./pattern.js";
import { REDIRECT, redirectOf } from "./settings.js";

/** A redirect list of the account, and the rule that puts it in force, in place of rules of the zone. */
export interface BulkRedirects {
  readonly list: string;
  readonly items: Items;
  readonly rule: NewRule;
  /** The rules of the zone that it replaces, by ref. */
  readonly replaced: ReadonlySet<string>;
}

export const BULK_PHASE = "http_request_redirect";
/** What a redirect list does not do as a page rule did: https://developers.cloudflare.com/rules/url-forwarding/bulk-redirects/ */
export const BULK_LACKS =
  "a redirect list compares the path with its letter case, and Cloudflare documents that it runs after custom rules and rate limits";

/**
 * Decides between redirect rules and a redirect list: where the plan includes fewer redirect rules than the zone would have,
 * those with a literal URL become items of a list. Undefined if the rules suffice, or none is literal.
 * @param others redirect rules that the zone has besides
 */
export function bulkRedirects(
  old: OldRules,
  { rules }: Conversion,
  { plan, others, suffix }: { readonly plan: string; readonly others: number; readonly suffix: string },
): BulkRedirects | undefined {
  const own = rules.filter(({ phase }) => phase === REDIRECT);
  const most = plans.rules[REDIRECT].most[plans.plans.indexOf(plan)] ?? Infinity;
  if (own.length + others <= most) return undefined;
  const literal = own.flatMap((rule) => {
    const item = itemOf(old.pageRules, rule);
    return item === undefined ? [] : [{ rule, item }];
  });
  if (literal.length === 0) return undefined;
  const list = `${REF_PREFIX.replace("-", "_")}redirects_${suffix}`;
  const rule: NewRule = {
    phase: BULK_PHASE,
    ref: `${REF_PREFIX}redirects-${suffix}`,
    description: "From page rules: redirects of single URLs",
    action: "redirect",
    expression: `http.request.full_uri in $${list}`,
    actionParameters: { fromList: { name: list, key: "http.request.full_uri" } },
    from: literal.flatMap((one) => one.rule.from),
  };
  const items = mapFrom(literal.map(({ item }) => item));
  return { list, items, rule, replaced: new Set(literal.map((one) => one.rule.ref)) };
}

/**
 * The item for a redirect rule; undefined if the rule has a condition that no item has, or if the rule of a weaker page rule,
 * which would then come first, redirects some of its URLs.
 */
function itemOf(pages: readonly PageRule[], { from, expression }: NewRule): readonly [string, Details] | undefined {
  const index = pages.findIndex(({ id }) => from.includes(id));
  const page = pages[index];
  const target = redirectOf(page?.settings.find(({ id }) => id === "forwarding_url")?.value);
  if (page === undefined || target === undefined || expression !== conditionOf(page.pattern)) return undefined;
  const { text } = page.pattern;
  if (/[*?$#\\]/.test(text + target.url)) return undefined;
  const weaker = pages.slice(index + 1).filter(redirects);
  if (weaker.some(({ pattern }) => canMeet(pattern, page.pattern))) return undefined;
  const source = text.includes("/", text.indexOf("://") + 3) ? text : `${text}/`;
  const parsed = parseItem("redirect", { source, target: target.url, status: target.status });
  return parsed.kind === "item" ? [parsed.key, parsed.details] : undefined;
}

function redirects({ settings }: PageRule): boolean {
  return settings.some(({ id }) => id === "forwarding_url" || id === "always_use_https");
}
