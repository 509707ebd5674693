import type { BypassRule } from "../../model/migration.js";
import { quotedRuleName } from "../../model/names.js";
import type { IndexedRule, RuleIndex } from "./rule-index.js";

/** What happens to a setting of the previous WAF, in one line. */
export interface Outcome {
  readonly carried: boolean;
  readonly text: string;
}

/** The rules that a zone gets, and those that the service generated for it. */
export interface Generated {
  readonly result: RuleIndex;
  readonly retrieved: RuleIndex;
}

/** What happens to a firewall rule that bypasses the managed rules: it becomes a skip rule for what it matches. */
export function bypassOutcome(bypass: BypassRule, { result, retrieved }: Generated): Outcome {
  const who = bypassWords(bypass);
  const written = findSkip(bypass, result);
  if (written !== undefined) {
    const isOff = written.rule.enabled === false;
    if (isOff && !bypass.paused)
      return { carried: false, text: `${who}: ${written.name} replaces it and is disabled.` };
    return { carried: true, text: `${who}: ${written.name}${!isOff && bypass.paused ? ", which is enabled" : ""}.` };
  }
  const part = partWords(bypass, result);
  return {
    carried: false,
    text:
      findSkip(bypass, retrieved) === undefined || part !== undefined
        ? `${who}: not carried over. ${part ?? sameNameWords(bypass, result)}${keepWords(bypass)}`
        : `${who}: the retrieved configuration contains a rule for it, but the program leaves it out.`,
  };
}

function bypassWords({ id, description, expression, paused }: BypassRule): string {
  return `Firewall rule ${quotedRuleName({ description, id })} with bypass${paused ? " (paused)" : ""} when ${expression}`;
}

/**
 * The exception that matches what a firewall rule matches; if there are several, preferably one with the same enabled
 * state.
 */
function findSkip({ expression, paused }: BypassRule, rules: RuleIndex): IndexedRule | undefined {
  const found = rules.matching(expression).filter(({ isException }) => isException);
  return found.find(({ rule }) => (rule.enabled === false) === paused) ?? found[0];
}

/** A skip rule that matches the same requests but does not skip everything that the firewall rule bypassed. */
function partWords({ expression }: BypassRule, rules: RuleIndex): string | undefined {
  const part = rules.matching(expression).find(({ rule }) => rule.action === "skip");
  return part && `${part.name} matches the same requests, but does not skip all managed rules. `;
}

/** A rule that has the same name but matches something else. */
function sameNameWords({ description }: BypassRule, { all }: RuleIndex): string {
  if (description === "") return "";
  const sameName = all.find(({ rule }) => rule.action === "skip" && rule.description === description);
  return sameName === undefined ? "" : `${sameName.name} has the same name, but matches ${sameName.rule.expression}. `;
}

/** The rule to add for a bypass that would be lost. An exception only affects rules after it, so it goes first. */
function keepWords({ description, expression, paused }: BypassRule): string {
  const members = [
    ...(description === "" ? [] : [`description: ${JSON.stringify(description)}`]),
    'action: "skip"',
    `expression: ${JSON.stringify(expression)}`,
    ...(paused ? ["enabled: false"] : []),
    'actionParameters: { ruleset: "current" }',
  ];
  return `To keep it, add to \`adjustments.prepend\`:\n{ ${members.join(", ")} },`;
}
