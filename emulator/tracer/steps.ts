import type { Simulation, TraceEntry } from "../../core/simulator/index.js";
import type { ApiResult } from "../call.js";
import type { EdgeRules } from "../edge/rules.js";
import type { StoredRule } from "../rulesets/model.js";
import type { Zone } from "../zones/model.js";

interface Read {
  readonly step: ApiResult;
  /** The index of the next ruleset's first entry. */
  readonly next: number;
}

/** The rulesets that ran for a request, in phase order, each with its rules; a rule contains the ruleset that it executes. */
export function stepsOf({ trace }: Simulation, zone: Zone, rules: EdgeRules): ApiResult[] {
  return new Steps(
    trace.filter(({ status }) => status !== "not reached"),
    zone,
    rules,
  ).all();
}

class Steps {
  constructor(
    private readonly entries: readonly TraceEntry[],
    private readonly zone: Zone,
    private readonly rules: EdgeRules,
  ) {}

  all(): ApiResult[] {
    const steps: ApiResult[] = [];
    for (let at = 0; at < this.entries.length;) {
      const { step, next } = this.ruleset(at);
      steps.push(step);
      at = next;
    }
    return steps;
  }

  /** Entries of one ruleset are consecutive, except that those of an executed ruleset follow the rule that executes it. */
  private ruleset(from: number): Read {
    const id = this.entries[from]?.ruleset ?? "";
    const steps: ApiResult[] = [];
    let at = from;
    let executed: string | undefined;
    for (let entry = this.entries[at]; entry !== undefined; entry = this.entries[at]) {
      if (entry.ruleset === id) {
        const rule = this.rules.rule(this.zone, id, entry.id ?? "");
        executed = executedBy(rule);
        steps.push(ruleStep(entry, rule));
        at += 1;
      } else if (executed !== undefined && entry.ruleset === executed) {
        const inner = this.ruleset(at);
        steps.push({ ...steps.pop(), trace: [inner.step] });
        at = inner.next;
      } else break;
    }
    const { name, kind, phase } = this.rules.ruleset(this.zone, id) ?? { name: id, kind: "custom", phase: "" };
    const matched = steps.some((step) => step.matched === true);
    return { step: { step_name: phase, type: "ruleset", kind, name, matched, trace: steps }, next: at };
  }
}

function ruleStep(
  { id, action, expression, description, matched }: TraceEntry,
  rule: StoredRule | undefined,
): ApiResult {
  return {
    step_name: id ?? "",
    type: "rule",
    action,
    action_parameters: rule?.action_parameters ?? {},
    ...(expression === undefined ? {} : { expression }),
    description: description ?? "",
    matched: matched === true,
  };
}

function executedBy(rule: StoredRule | undefined): string | undefined {
  if (rule?.action !== "execute") return undefined;
  return (rule.action_parameters as { readonly id?: string } | undefined)?.id;
}
