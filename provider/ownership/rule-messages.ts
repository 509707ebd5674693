import type { DeployedRule } from "../../core/model/ruleset.js";
import { timeText } from "./rule-text.js";

/** Why a rule may be taken over: the program asks for it, it belonged to this stack before, or it is equal. */
export type RuleTakeoverGrounds =
  | { readonly kind: "requested" | "equal" | "leftover" | "own" }
  | { readonly kind: "inherited"; readonly urn: string };

/** What taking over a rule does; undefined when there is nothing to report. */
export function ruleTakeoverText(
  rule: DeployedRule,
  differences: readonly string[],
  grounds: RuleTakeoverGrounds,
): string | undefined {
  const head = `takes over the rule ${JSON.stringify(rule.ref)} (${rule.id})`;
  switch (grounds.kind) {
    case "own":
      return undefined;
    case "requested":
      return `${head}: ${differences.length === 0 ? "it stays as it is" : `${differences.join(", ")} will change`}`;
    case "leftover":
      return `${head}, which an interrupted run of this stack left behind`;
    case "inherited":
      return (
        `${head}: ${grounds.urn} of this stack managed it before` +
        (differences.length === 0 ? "" : `; ${differences.join(", ")} will change`)
      );
    case "equal": {
      const changed = rule.lastUpdated === undefined ? "" : `, last changed ${timeText(rule.lastUpdated)}`;
      return (
        `${head}, which equals the declared one. It seems to belong to somebody else${changed}. A delete removes it only ` +
        'after this stack has changed it, or with onExisting: "adopt".'
      );
    }
  }
}

/** A warning that another resource of the program was checked first and may delete a rule that moves here. */
export function mayBeDeletedText(
  { ref, id }: Pick<DeployedRule, "ref" | "id">,
  deleter: string,
  isWritten: boolean,
): string {
  const then = isWritten ? "it is created again" : "this resource is checked, which then stops the run until a refresh";
  return (
    `the rule ${JSON.stringify(ref)} (${id}) moves here from ${deleter}, which was checked first and may delete it before ` +
    `${then}. To continue without a gap: add this resource to \`dependsOn\` of that one.`
  );
}

/** Why a resource that does not change stops: another one has deleted rules that both had. */
export function deletedBeforeText(
  where: string,
  rules: readonly { readonly ref: string; readonly id: string; readonly by: string }[],
): string {
  return [
    `${where}: rules of this resource were deleted earlier in this run by another one, whose state had them too:`,
    ...rules.map(({ ref, id, by }) => `  - ${JSON.stringify(ref)} (${id}), by ${by}`),
    "To continue: run `pulumi refresh`, then `pulumi up`, which creates them again.",
  ].join("\n");
}

/** Why a rule, or one of a list, cannot be placed at its position. */
export function anchorMissingText(where: string, name: string, rules: readonly Pick<DeployedRule, "ref">[]): string {
  const refs = rules.map(({ ref }) => ref);
  const existing = refs.length === 0 ? "It contains no rules" : `Its rules: ${refs.join(", ")}`;
  return (
    `there is no rule ${JSON.stringify(name)} in ${where}. ${existing}. To continue: name one of them. To name a rule that this ` +
    "program creates, add its resource to `dependsOn` of this one, or use a RulesetRule instead of its ref: { before: otherRule }"
  );
}

/** Why no place in a ruleset is both after one rule of somebody else and before another. */
export function positionImpossibleText(
  where: string,
  { after, before }: { readonly after: string; readonly before: string },
): string {
  if (after === before)
    return `the positions and the order of \`rules\` require it both before and after ${JSON.stringify(after)}`;
  return (
    `the positions and the order of \`rules\` require it after ${JSON.stringify(after)} and before ${JSON.stringify(before)}, ` +
    `which runs first in ${where}. These are rules of others, which are never moved`
  );
}

/** Why two resources of one program cannot both manage a rule. */
export function twoRuleOwnersText(where: string, one: string, other: string): string {
  return `${where} has two owners in this program: ${[one, other].sort().join(" and ")}. To continue: keep one of them, or give them different refs.`;
}
