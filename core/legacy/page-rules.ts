import { covers } from "../previous-waf/mapping/url-pattern.js";
import type { JsonObject } from "../model/json.js";
import { REF_PREFIX, type Conversion, type Left, type NewRule, type Note } from "./new-rules.js";
import type { PageRule } from "./old-rules.js";
import { anyMatches, canMeet, conditionOf, quoted, quotedGlob, targetParts, type UrlPattern } from "./pattern.js";
import { ACTIONS, CACHE, CONFIG, findSetting, merged, ORIGIN, REDIRECT, redirectOf } from "./settings.js";

/** Characters of a condition that names each stronger rule; what a rule adds has room in the rest of 4,096. */
const MOST_REACH = 3600;
const WITHOUT_MATCHES: readonly (string | undefined)[] = ["free", "pro"];

/** Where a page rule applies: its pattern, without those of stronger rules that it can meet. */
export function reachOf(rule: PageRule, stronger: readonly PageRule[], plan: string | undefined): string {
  const excluded = stronger.map(({ pattern }) => pattern).filter((one) => canMeet(one, rule.pattern));
  const own = conditionOf(rule.pattern);
  const reach = [own, ...excluded.map((one) => `not ${conditionOf(one)}`)].join(" and ");
  const isLong = reach.length > MOST_REACH && !WITHOUT_MATCHES.includes(plan);
  return isLong ? `${own} and not ${anyMatches(excluded)}` : reach;
}

/** Page rules that meet others of the same priority, so that which of them applies is not known. */
export function unordered(rules: readonly PageRule[]): ReadonlyMap<PageRule, PageRule> {
  const found = new Map<PageRule, PageRule>();
  rules.forEach((rule, index) => {
    for (const other of rules.slice(index + 1)) {
      if (other.priority !== rule.priority) break;
      if (!canMeet(rule.pattern, other.pattern)) continue;
      found.set(rule, found.get(rule) ?? other);
      found.set(other, found.get(other) ?? rule);
    }
  });
  return found;
}

type Pages = Pick<Conversion, "rules" | "notes">;

/**
 * Of several page rules that match, the one with the highest priority applies alone; of the new rules, all that match run. So
 * each leaves out the URLs of stronger ones, where it can meet them. Those that redirect need no exception: their requests end
 * before any other rule runs.
 */
export function convertPageRules(rules: readonly PageRule[], refused: Left, plan: string | undefined): Pages {
  const notes: Note[] = [];
  const left = leftAlone(rules, refused);
  const converted = rules.flatMap((rule, index): NewRule[] => {
    const note = (text: string, kind: Note["kind"]): void => void notes.push({ rule, text, kind });
    const reason = left.get(rule.id);
    if (reason !== undefined) {
      note(reason, "left");
      return [];
    }
    const stronger = rules.slice(0, index);
    const hiding = stronger.find((one) => coversAll(one.pattern, rule.pattern));
    if (hiding !== undefined) {
      note(`it never applied: ${hiding.label} matches all of its URLs and is stronger`, "obsolete");
      return [];
    }
    const excluded = stronger.filter((one) => left.has(one.id) || !redirectsAll(one));
    const lacking = rule.settings.flatMap(({ id }) => {
      const lacks = findSetting(id)?.lacks;
      return lacks === undefined ? [] : [[id, lacks] as const];
    });
    const reasons = new Map<string, string[]>();
    for (const [id, lacks] of lacking) reasons.set(lacks, [...(reasons.get(lacks) ?? []), id]);
    for (const [lacks, ids] of reasons) note(`${ids.join(", ")}: ${lacks}`, "lacks");
    const reach = reachOf(rule, excluded, plan);
    const found = [...redirectRules(rule, reach, note), ...settingRules(rule, reach)];
    return found;
  });
  return { rules: converted, notes };
}

function coversAll(wide: UrlPattern, narrow: UrlPattern): boolean {
  if (wide.scheme !== undefined && wide.scheme !== narrow.scheme) return false;
  return narrow.globs.every((glob) => wide.globs.some((one) => covers(one, glob)));
}

/** Why page rules are left alone. Those that are weaker leave their URLs to them. */
function leftAlone(rules: readonly PageRule[], refused: Left): Left {
  const ties = unordered(rules);
  const reasonOf = (rule: PageRule): string | undefined => {
    const tie = ties.get(rule);
    if (rule.leftAlone !== undefined) return rule.leftAlone;
    if (tie !== undefined)
      return `it has the priority of ${tie.label}, and both match some URLs: which one applies is not known`;
    const target = redirectOf(rule.settings.find(({ id }) => id === "forwarding_url")?.value);
    const isWritten = target === undefined || replacementOf(target.url, rule.pattern) !== undefined;
    return isWritten ? refused.get(rule.id) : "its target refers to text that the new rule cannot insert";
  };
  return new Map(
    rules.flatMap((rule) => {
      const reason = reasonOf(rule);
      return reason === undefined ? [] : [[rule.id, reason]];
    }),
  );
}

/** Whether requests that a rule matches go no further. */
export function redirectsAll({ settings }: PageRule): boolean {
  return settings.some(({ id }) => id === "forwarding_url");
}

function ruleOf(
  rule: PageRule,
  name: string,
  more: Pick<NewRule, "phase" | "action" | "expression" | "actionParameters">,
): NewRule {
  return {
    ref: `${REF_PREFIX}page-${rule.id.slice(0, 12)}-${name}`,
    description: `From the page rule ${rule.pattern.text}`,
    ...more,
    from: [rule.id],
  };
}

function redirectRules(rule: PageRule, reach: string, note: (text: string, kind: Note["kind"]) => void): NewRule[] {
  const { settings, pattern } = rule;
  const redirect = (name: string, expression: string, fromValue: JsonObject): NewRule =>
    ruleOf(rule, name, { phase: REDIRECT, action: "redirect", expression, actionParameters: { fromValue } });
  const https = settings
    .filter(({ id }) => id === "always_use_https")
    .map(() =>
      redirect("https", `${reach} and not ssl`, {
        statusCode: 301,
        preserveQueryString: false,
        targetUrl: { expression: 'concat("https://", http.host, http.request.uri)' },
      }),
    );
  const forwarding = settings.find(({ id }) => id === "forwarding_url");
  const target = redirectOf(forwarding?.value);
  if (target === undefined) return https;
  const { url, status } = target;
  if (pattern.globs.length > 1) note(QUERY, "lacks");
  const replacement = replacementOf(url, pattern);
  if (replacement === undefined) return https;
  if (replacement.isFixed) {
    const fromValue = { statusCode: status, preserveQueryString: false, targetUrl: { value: replacement.text } };
    return [...https, redirect("redirect", reach, fromValue)];
  }
  return [
    ...https,
    ...pattern.globs.map((glob, index) => {
      const own = `${pattern.scheme ?? "http*"}://${glob}`;
      const expression = `wildcard_replace(http.request.full_uri, ${quotedGlob(own)}, ${quoted(replacement.text)})`;
      // The pattern alone, then the pattern before a query string.
      const only =
        pattern.globs.length === 1 || index === 1
          ? reach
          : `${reach} and ${conditionOf({ ...pattern, globs: [glob] })}`;
      const fromValue = { statusCode: status, preserveQueryString: false, targetUrl: { expression } };
      return redirect(index === 0 ? "redirect" : "redirect-query", only, fromValue);
    }),
  ];
}

/** What a forwarding URL inserts, as the new rule writes it; undefined if that cannot be written. */
function replacementOf(
  url: string,
  { globs, scheme }: UrlPattern,
): { readonly text: string; readonly isFixed: boolean } | undefined {
  const parts = targetParts(url);
  const numbers = parts?.filter((part) => typeof part === "number") ?? [];
  // The asterisk of `http*`.
  const shift = scheme === undefined ? 1 : 0;
  const stars = (globs[0]?.split("*").length ?? 1) - 1;
  if (parts === undefined || numbers.some((number) => number < 1 || number > stars || number + shift > 8))
    return undefined;
  // How a dollar is written beside references is not documented.
  if (numbers.length > 0 && parts.includes("$")) return undefined;
  const text = parts.map((part) => (typeof part === "number" ? `\${${String(part + shift)}}` : part)).join("");
  return { text, isFixed: numbers.length === 0 };
}

const QUERY =
  "whether it passed the query string on where no asterisk stands for it is not documented; the new rule does not";

/** One rule for each phase with what always applies, then one for each setting with a condition of its own. */
function settingRules(rule: PageRule, reach: string): NewRule[] {
  const known = rule.settings
    .map(({ id, value }) => ({ id, value, setting: findSetting(id) }))
    .filter(({ setting }) => setting?.phase !== undefined && setting.phase !== REDIRECT);
  return Object.entries(ACTIONS).flatMap(([phase, action]) => {
    const own = known.filter(({ setting }) => setting?.phase === phase);
    const conditionOf_ = ({ setting, value }: (typeof own)[number]): string => setting?.when?.(value) ?? "";
    const always = own
      .filter((one) => conditionOf_(one) === "")
      .reduce<JsonObject>((all, { setting, value }) => merged(all, setting?.parameters(value) ?? {}), {});
    const base =
      Object.keys(always).length === 0
        ? []
        : [ruleOf(rule, NAMES[phase] ?? "", { phase, action, expression: reach, actionParameters: always })];
    // Caching on a cookie takes precedence over bypassing on one, so it comes last.
    const special = own
      .filter((one) => conditionOf_(one) !== "")
      .toSorted((a, b) => Number(a.id === "cache_on_cookie") - Number(b.id === "cache_on_cookie"));
    return [
      ...base,
      ...special.map((one) =>
        ruleOf(rule, one.id.replaceAll("_", "-"), {
          phase,
          action,
          expression: `${reach} and ${conditionOf_(one)}`,
          actionParameters: one.setting?.parameters(one.value) ?? {},
        }),
      ),
    ];
  });
}

const NAMES: Readonly<Record<string, string>> = { [CONFIG]: "config", [CACHE]: "cache", [ORIGIN]: "origin" };

/** The URLs for which a page rule turns security off. */
export function unprotectedBy(rules: readonly PageRule[], plan: string | undefined): readonly string[] {
  return rules.flatMap((rule, index) =>
    rule.settings.some(({ id }) => id === "disable_security")
      ? [`(${reachOf(rule, rules.slice(0, index), plan)})`]
      : [],
  );
}
