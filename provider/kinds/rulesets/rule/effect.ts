import type { Session } from "../../../engine/session.js";
import type { Path } from "../../../model/path.js";
import { Rule } from "../../../rules/rule.js";
import { haveSameEffects, reportEffect, type RuleInForce } from "../effect.js";
import type { Desired } from "./desired.js";

/** What is in force under the ref of a rule, before a change of it. */
export interface RuleBefore {
  /** Undefined for a new rule. */
  readonly rule: Rule | undefined;
  readonly secretPaths: readonly Path[];
  /** Whether the rule gets another place among the others. */
  readonly moves: boolean;
}

/** Reports what a change of a single rule does to requests, as far as that can be known without the rules around it. */
export function reportRuleEffect(session: Session, desired: Desired, { rule, secretPaths, moves }: RuleBefore): void {
  if (session.ruleAnalysis === "off") return;
  const { urn, ref, target } = desired;
  // A move is recognised by the ref.
  const named = (fields: object): Rule => Rule.of({ ...fields, ref });
  const before: RuleInForce[] = rule === undefined ? [] : [{ rule: named(rule.fields as object), secretPaths }];
  const after = [{ rule: named(desired.rule.fields), secretPaths: desired.secretPaths }];
  if (!moves && haveSameEffects({ before, after })) return;
  const ruleset = { phase: target.phase, kind: target.kind, isPart: true, moved: moves ? [ref] : [] };
  reportEffect(session, urn, ruleset, { before, after });
}
