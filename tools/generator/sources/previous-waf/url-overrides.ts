import { urlCondition } from "../../../../core/previous-waf/mapping/url-pattern.js";
import { isObject, textsIn, textOf } from "../../../../core/model/json.js";
import type { ForeignResource } from "../foreign.js";
import type { Execution } from "./managed-rules.js";
import { skipRule, type Outcome } from "./outcome.js";

/**
 * Converts URI-based overrides, the highest priority first. One that turns everything off becomes a skip rule; a zone executes a
 * managed ruleset once, so that there is nothing for other settings of some URLs
 * (https://developers.cloudflare.com/waf/account/managed-rulesets/#account-level-deployment).
 */
export function convertUrlOverrides(resources: readonly ForeignResource[], execution: Execution): Outcome {
  const outcomes = [...resources].sort(byPriority).map((one) => convert(one, execution));
  return {
    rules: outcomes.flatMap(({ rules }) => rules),
    notConverted: outcomes.flatMap(({ notConverted }) => notConverted),
  };
}

/** A lower number is a higher priority. */
function byPriority(a: ForeignResource, b: ForeignResource): number {
  const priority = ({ values }: ForeignResource): number =>
    typeof values.priority === "number" ? values.priority : Number.MAX_SAFE_INTEGER;
  return priority(a) - priority(b) || (a.address < b.address ? -1 : 1);
}

const ONCE =
  "a zone executes a managed ruleset once, so its settings cannot differ for some URLs. To convert it, change the rules for the whole " +
  "zone in the overrides of managedRulesets.cloudflareManaged, or skip them for these URLs";

function convert({ address, values }: ForeignResource, execution: Execution): Outcome {
  const leave = (reason: string): Outcome => ({ rules: [], notConverted: [{ what: address, reason }] });
  const urls = textsIn(values.urls).filter((url) => url !== "");
  if (urls.length === 0) return leave("the state does not contain its URLs");
  const rewrites = isObject(values.rewrite_action) ? values.rewrite_action : {};
  const turnsOff = rewrites.default === "disable" && Object.values(rewrites).every((to) => to === "disable");
  if (!turnsOff) return leave(ONCE);
  const rule = {
    description: textOf(values.description) || `URI-based override for ${urls[0] ?? ""}`,
    expression: bothOf(urls.map(urlCondition), execution.expression),
    ...(values.paused === true || !execution.enabled ? { enabled: false } : {}),
  };
  return { rules: [skipRule(rule)], notConverted: [] };
}

function bothOf(urls: readonly string[], where: string): string {
  const any = urls.length === 1 ? (urls[0] ?? "") : urls.map((one) => `(${one})`).join(" or ");
  return where === "true" ? any : `(${any}) and (${where})`;
}
