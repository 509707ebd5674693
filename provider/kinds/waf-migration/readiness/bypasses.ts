import type { BypassRule } from "../../../model/migration.js";
import type { IndexedRule, RuleIndex } from "./rule-index.js";

/** What became of a setting of the previous WAF, in a line. */
export interface Outcome {
  readonly carried: boolean;
  readonly text: string;
}

/** The rules a zone gets, and those the service generated for it. */
export interface Generated {
  readonly result: RuleIndex;
  readonly retrieved: RuleIndex;
}

/** What becomes of a firewall rule that lets requests past the managed rules: a skip rule for what it matches. */
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
        ? `${who}: is not carried over. ${part ?? alikeWords(bypass, result)}${keepWords(bypass)}`
        : `${who}: the retrieved configuration contains a rule for it, but the program leaves it out.`,
  };
}

function bypassWords({ id, description, expression, paused }: BypassRule): string {
  const name = description === "" ? id : JSON.stringify(description);
  return `Firewall rule ${name} with bypass${paused ? " (paused)" : ""} when ${expression}`;
}

/** The exception that matches what a firewall rule matches, on or off as it is where there are several. */
function findSkip({ expression, paused }: BypassRule, rules: RuleIndex): IndexedRule | undefined {
  const found = rules.matching(expression).filter(({ isException }) => isException);
  return found.find(({ rule }) => (rule.enabled === false) === paused) ?? found[0];
}

/** A skip rule that matches the same, and does not skip what the firewall rule let pass. */
function partWords({ expression }: BypassRule, rules: RuleIndex): string | undefined {
  const part = rules.matching(expression).find(({ rule }) => rule.action === "skip");
  return part && `${part.name} matches the same requests, but does not skip all managed rules. `;
}

/** A rule that has the name and matches something else. */
function alikeWords({ description }: BypassRule, { all }: RuleIndex): string {
  if (description === "") return "";
  const alike = all.find(({ rule }) => rule.action === "skip" && rule.description === description);
  return alike === undefined ? "" : `${alike.name} has the same name, but matches ${alike.rule.expression}. `;
}

/** The rule to write for a bypass that would be lost. An exception only affects rules after it, so it goes first. */
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
