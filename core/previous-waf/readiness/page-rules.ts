import type { SwitchingPageRule } from "../../model/migration.js";
import type { Generated, Outcome } from "./bypasses.js";
import { covers, overlaps, urlCondition, withoutScheme } from "../mapping/url-pattern.js";
import type { IndexedRule, RuleIndex } from "./rule-index.js";

/**
 * What happens to a page rule that switches security or the WAF on or off: it becomes rules that skip, or run, for its
 * URLs.
 */
export function pageRuleOutcome(
  rule: SwitchingPageRule,
  generated: Generated,
  all: readonly SwitchingPageRule[],
): Outcome {
  const who = `Page rule ${rule.url} with ${rule.does}`;
  const find = rule.does === "WAF on" ? whereRun : whereSkipped;
  const carried = find(rule, generated.result, all);
  if (carried !== undefined) return { carried: true, text: `${who}: ${carried}.` };
  return find(rule, generated.retrieved, all) === undefined
    ? { carried: false, text: `${who}: not carried over. ${keepWords(rule)}` }
    : {
        carried: false,
        text: `${who}: the retrieved configuration contains a rule for it, but the program leaves it out.`,
      };
}

function keepWords({ does, url }: SwitchingPageRule): string {
  const expression = urlCondition(url);
  return does === "WAF on"
    ? `To keep it, use \`rules\` to run the managed rules there: ${expression}`
    : `To keep it, add to \`adjustments.prepend\`:\n{ action: "skip", expression: ${JSON.stringify(expression)}, actionParameters: { ruleset: "current" } },`;
}

/** Why no managed rule runs where a page rule switches them off; undefined if one does. */
function whereSkipped(page: SwitchingPageRule, rules: RuleIndex, all: readonly SwitchingPageRule[]) {
  const { url, priority } = page;
  const exceptions = rules.running("skip").filter(({ isException }) => isException);
  const skip = findFor(url, exceptions);
  if (skip !== undefined) return skip;
  const stronger = all.find((other) => other.does === "WAF on" && other.priority > priority && covers(other.url, url));
  if (stronger !== undefined) return `without effect, because page rule ${stronger.url} takes precedence`;
  const runs = rules.running("execute").some((rule) => mayReach(rule, page, all));
  return runs ? undefined : "no managed rule runs there";
}

/** Where the managed rules run that a page rule switches on; undefined if they do not. */
function whereRun({ url, priority }: SwitchingPageRule, rules: RuleIndex, all: readonly SwitchingPageRule[]) {
  const executes = rules.running("execute");
  const existing = findFor(url, executes);
  if (existing !== undefined) return `${existing} runs there`;
  if (!executes.some(({ rule }) => rule.expression === "true")) return undefined;
  const weaker = all.filter(
    (other) => other.does !== "WAF on" && other.priority < priority && overlaps(other.url, url),
  );
  const skips = rules
    .running("skip")
    .filter((rule) => weaker.some((other) => relationTo(rule, other.url) === "appliesTo"));
  if (skips.some((rule) => relationTo(rule, url) !== "excludes")) return undefined;
  return skips[0] === undefined ? "the managed rules run on all requests" : `${skips[0].name} excludes its URLs`;
}

/**
 * The name of the rule for a URL. How the service writes a URL is not documented, so a match by host and path is
 * reported as such.
 */
function findFor(url: string, rules: readonly IndexedRule[]): string | undefined {
  const rule = rules.find((candidate) => relationTo(candidate, url) === "appliesTo");
  if (rule === undefined) return undefined;
  return isSpelled(rule, url) ? rule.name : `${rule.name}, going by its host and path`;
}

/**
 * Whether an execute rule may run where a page rule switches it off. A rule for the URLs of other page rules runs only
 * there, and a page rule with higher precedence may make it run.
 */
function mayReach(rule: IndexedRule, { url, priority }: SwitchingPageRule, all: readonly SwitchingPageRule[]): boolean {
  if (relationTo(rule, url) === "excludes") return false;
  const limits = all.filter((other) => relationTo(rule, other.url) === "appliesTo");
  return limits.length === 0 || limits.some((other) => other.priority < priority && overlaps(other.url, url));
}

/** Whether a rule applies to a URL or excludes it: by the pattern itself, or by host and path in separate strings. */
function relationTo(rule: IndexedRule, url: string): "appliesTo" | "excludes" | undefined {
  const same = rule.literals.find(({ text }) => withoutScheme(text) === withoutScheme(url));
  if (same !== undefined) return same.negated ? "excludes" : "appliesTo";
  const texts = rule.literals.filter(({ negated }) => !negated).map(({ text }) => bare(withoutScheme(text)));
  return sameTexts(texts, partsOf(withoutScheme(url))) ? "appliesTo" : undefined;
}

function isSpelled(rule: IndexedRule, url: string): boolean {
  return rule.literals.some(({ text }) => withoutScheme(text) === withoutScheme(url));
}

/** Host and path of a pattern, without the asterisks at their ends. */
function partsOf(url: string): string[] {
  const slash = url.indexOf("/");
  const [host, path] = slash < 0 ? [url, ""] : [url.slice(0, slash), url.slice(slash)];
  return [bare(host), bare(path)].filter((part) => part !== "" && part !== "/");
}

function bare(text: string): string {
  return text.replace(/^[*.]+|\*+$/g, "");
}

function sameTexts(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && others.length > 0 && others.every((text) => some.includes(text));
}
