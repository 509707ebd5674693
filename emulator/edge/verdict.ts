import type { RulePlace, Simulation } from "../../simulator/index.js";
import { headerText, type Headers } from "./message.js";

/** What the headers about the decision say. */
interface Verdict {
  readonly ray: string;
  readonly zone: string;
  readonly decision: Simulation["decision"];
  readonly undecided: Simulation["undecided"];
  /** Names of managed rulesets that would run. */
  readonly managed: readonly string[];
}

/** Headers that name the rule that decided, and what the edge could not determine. */
export function verdictHeaders({ ray, zone, decision, undecided, managed }: Verdict): Headers {
  const unknown = undecided.map(({ rule }) => rule.ref ?? rule.id ?? rule.action);
  return [
    ["cf-ray", ray],
    ["x-edge-zone", headerText(zone)],
    ["x-edge-outcome", decision?.outcome ?? "allowed"],
    ...(decision === undefined ? [] : ruleHeaders(decision.rule)),
    ...(unknown.length === 0 ? [] : [["x-edge-undecided", headerText(unknown.join(", "))] as const]),
    ...(managed.length === 0 ? [] : [["x-edge-managed", headerText(managed.join(", "))] as const]),
  ];
}

function ruleHeaders({ ref, id, action, phase, ruleset }: RulePlace): Headers {
  return [
    ["x-edge-rule", headerText(ref ?? id ?? "")],
    ["x-edge-rule-id", headerText(id ?? "")],
    ["x-edge-action", headerText(action)],
    ["x-edge-phase", phase],
    ["x-edge-ruleset", headerText(ruleset ?? "")],
  ];
}
