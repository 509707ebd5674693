import type { RulePlace, Simulation } from "../../core/simulator/index.js";
import { ruleName } from "../../core/simulator/names.js";
import { headerText, type Headers } from "./message.js";

/** What the headers about the decision say. */
interface Verdict {
  readonly ray: string;
  readonly zone: string;
  readonly decision: Simulation["decision"];
  /** The ruleset of the rule that decided, as messages name it. */
  readonly rulesetName: string;
  readonly undecided: Simulation["undecided"];
  /** Names of managed rulesets that would run. */
  readonly managed: readonly string[];
}

/** Headers that name the rule that decided, and what the edge could not determine. */
export function verdictHeaders({ ray, zone, decision, rulesetName, undecided, managed }: Verdict): Headers {
  const unknown = undecided.map(({ rule }) => ruleName(rule) ?? rule.action);
  return [
    ["cf-ray", ray],
    ["x-edge-zone", headerText(zone)],
    ["x-edge-outcome", decision?.outcome ?? "allowed"],
    ...(decision === undefined ? [] : ruleHeaders(decision.rule, rulesetName)),
    ...(unknown.length === 0 ? [] : [["x-edge-undecided", headerText(unknown.join(", "))] as const]),
    ...(managed.length === 0 ? [] : [["x-edge-managed", headerText(managed.join(", "))] as const]),
  ];
}

function ruleHeaders(rule: RulePlace, rulesetName: string): Headers {
  const { ref, id, action, phase, ruleset } = rule;
  return [
    ["x-edge-rule", headerText(ruleName(rule) ?? "")],
    ["x-edge-rule-ref", headerText(ref ?? "")],
    ["x-edge-rule-id", headerText(id ?? "")],
    ["x-edge-action", headerText(action)],
    ["x-edge-phase", phase],
    ["x-edge-ruleset", headerText(rulesetName)],
    ["x-edge-ruleset-id", headerText(ruleset ?? "")],
  ];
}
