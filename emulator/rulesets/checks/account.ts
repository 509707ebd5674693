import { invalidValue } from "../../failure.js";
import { withoutStrings } from "../without-strings.js";
import type { Check } from "./check.js";

const CUSTOM = "http_request_firewall_custom";
/** Phases in which an account's entry point only accepts a strict form of expressions. */
const STRICT = new Set([CUSTOM, "http_request_firewall_managed", "http_ratelimit"]);
const PLAN = String.raw`(?:\(\s*)?cf\.zone\.plan\s+(?:eq|==)\s+"ENT"(?:\s*\))?`;
const PLAN_ALONE = new RegExp(`^${PLAN}$`);
const PLAN_LAST = new RegExp(String.raw`^([\s\S]+?)\s+(?:and|&&)\s+${PLAN}$`);
const SCORES = /\bcf\.waf\.score(\.class|\.rce|\.sqli|\.xss)?\b/;

/** Rules that an account's entry point rejects. Custom rulesets of an account accept all of them. */
export const accountFault: Check = ({ action, expression }, { level, kind, phase }, at) => {
  if (level !== "accounts" || kind !== "root") return undefined;
  const pointer = `${at}/expression`;
  const text = String(expression).trim();
  if (action === "skip" && phase === CUSTOM)
    return invalidValue(
      action,
      "action",
      `it is not possible to use the skip action in a ruleset with phase ${CUSTOM} and kind ${kind}`,
      { code: 20016, pointer: `${at}/action` },
    );
  if (STRICT.has(phase) ? !isStrict(text) : isManagedResponse(phase) && !endsWithPlan(text)) {
    const reason = 'it must be cf.zone.plan eq "ENT", or one group in brackets followed by and cf.zone.plan eq "ENT"';
    return invalidValue(text, "expression", reason, { pointer });
  }
  if (phase === CUSTOM && /\$[a-z0-9_.]+/.test(withoutStrings(text)))
    return invalidValue(text, "expression", "lists cannot be used in the entry point ruleset of an account", {
      code: 20127,
      pointer,
    });
  if ((phase === CUSTOM || phase === "http_ratelimit") && SCORES.test(withoutStrings(text)))
    return invalidValue(text, "expression", "cf.waf.score cannot be used in the entry point ruleset of an account", {
      pointer,
    });
  return undefined;
};

function isManagedResponse(phase: string): boolean {
  return phase === "http_response_firewall_managed";
}

function endsWithPlan(text: string): boolean {
  return PLAN_ALONE.test(text) || PLAN_LAST.test(text);
}

/** The plan condition alone, or one group in parentheses and the plan condition. */
function isStrict(text: string): boolean {
  if (PLAN_ALONE.test(text)) return true;
  const before = PLAN_LAST.exec(text)?.[1]?.trim();
  return before !== undefined && isOneGroup(before);
}

function isOneGroup(text: string): boolean {
  const signs = withoutStrings(text);
  if (!signs.startsWith("(") || !signs.endsWith(")")) return false;
  let depth = 0;
  for (let at = 0; at < signs.length; at += 1) {
    if (signs[at] === "(") depth += 1;
    if (signs[at] === ")") depth -= 1;
    if (depth === 0 && at < signs.length - 1) return false;
  }
  return depth === 0;
}
