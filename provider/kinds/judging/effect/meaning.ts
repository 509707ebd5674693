import { checkCache } from "../../../engine/check-cache.js";
import type { Session } from "../../../engine/session.js";
import { findCopies, redactFindings } from "../../../engine/secrets.js";
import { ownValue, sameJson } from "../../../../core/model/json.js";
import type { Path } from "../../../../core/model/path.js";
import { NO_RULES } from "../../../../core/rules/keyed.js";
import { Rule } from "../../../../core/rules/rule.js";
import { checkMeaning, type Findings } from "../../../validation/index.js";
import type { DeclaredRules, Judge } from "../../rulesets/judge.js";
import { stepsOf, type Change, type OwnRules } from "../../rulesets/plan/change.js";
import { orderAfter, rulesBefore } from "../../rulesets/plan/preview.js";
import { isMovedAmongOthers } from "../../../../core/rules/placing/steps.js";
import { haveSameEffects, reportEffect, reportListEffects, type RuleInForce, type RulesInForce } from "./effect.js";

const changing: Judge["changing"] = async ({ session, preview }, change) => {
  if (preview) await reportChange(session, change);
};

/** What the rules of a list mean together, and what a change of them does to requests. */
export const meaningOfList: Judge = {
  declared: (declared) => (reportIfSame(declared) ? [] : checkRulesTogether(declared)),
  changing,
};

/** What a change of a single rule does to requests, or a new one: of a new list, the preview says which rules there are. */
export const meaningOfRule: Judge = {
  declared: (declared) => {
    reportIfSame(declared);
    return [];
  },
  checked: async ({ request: { session, preview }, change }) => {
    if (preview && change?.there.isRead === true) await reportChange(session, change);
    return [];
  },
  changing,
};

/** Returns whether the rules do the same to requests as before, and then reports changes of lists that they use. */
function reportIfSame(declared: DeclaredRules): boolean {
  const { request, target, reach, last } = declared;
  const { session, urn } = request;
  if (last === undefined || !session.mayBePreview(urn) || session.ruleAnalysis === "off") return false;
  const change = { before: declaredBefore(declared), after: declaredNow(declared) };
  if (!haveSameEffects(change)) return false;
  const { phase, kind } = target;
  reportListEffects(session, urn, { phase, kind, isPart: reach.isPart }, change.after);
  return true;
}

/** Analyses what the rules mean together, in the preview of a ruleset that is created or whose rules change. */
function checkRulesTogether({ request, rules, target: { phase, kind } }: DeclaredRules): Findings {
  const { session, preview } = request;
  if (!preview || session.ruleAnalysis === "off") return [];
  return redactFindings(
    checkCache(session).get("meaning", [rules, phase, kind], () => checkMeaning(rules, { phase, kind })),
    request,
  );
}

function declaredBefore({ last }: DeclaredRules): RulesInForce["before"] {
  const { rules, order } = last?.rules ?? NO_RULES;
  return order.flatMap((ref) => inForce(ownValue(rules, ref), last?.secrets.__secretPaths, ref));
}

function declaredNow({ rules, secretPathsIn }: DeclaredRules): RulesInForce["after"] {
  return rules.map((rule, index) => ({ rule: Rule.of(rule), secretPaths: secretPathsIn(index) }));
}

/**
 * Reports what a change of rules does to requests. This comes after the ruleset was read: a rule that moves between resources
 * of the program is in force before and after, and so is one that somebody made meanwhile and the program now declares.
 */
async function reportChange(session: Session, change: Change): Promise<void> {
  const { desired, notes } = change;
  if (session.ruleAnalysis === "off" || desired.rules === undefined) return;
  const { isPart } = desired.reach;
  const rules = notes.own === undefined ? wholeInForce(session, change) : ownInForce(change, notes.own);
  const { phase, kind } = desired.target;
  const moved = movedToPositions(change);
  if (moved.length > 0 || !haveSameEffects(rules))
    await reportEffect(session, desired.urn, { phase, kind, isPart, moved }, rules);
}

/** All rules, of a whole ruleset or where there is none. A rule of somebody else may contain a copy of a secret. */
function wholeInForce(session: Session, change: Change): RulesInForce {
  const { recorded, desired } = change;
  const before = rulesBefore(change);
  const wanted = desired.rules ?? NO_RULES;
  return {
    before: before.order.flatMap((ref) => {
      const rule = before.rules[ref];
      const known = inForce(rule, recorded.state.__secretPaths, ref);
      return rule === ownValue(recorded.declared.rules, ref) ? known : known.map((one) => withCopies(session, one));
    }),
    after: wanted.order.flatMap((ref) => inForce(ownValue(wanted.rules, ref), desired.secrets.__secretPaths, ref)),
  };
}

function withCopies({ secrets }: Session, { rule, secretPaths }: RuleInForce): RuleInForce {
  return { rule, secretPaths: [...secretPaths, ...findCopies(rule.fields, secrets)] };
}

/** Refs of rules that move to a requested position among those of others. */
function movedToPositions(change: Change): string[] {
  const { recorded, desired, there } = change;
  if (there.isRead)
    return stepsOf(change)
      .filter(isMovedAmongOthers)
      .map(({ ref }) => ref);
  return [...desired.positions].flatMap(([ref, position]) =>
    sameJson(recorded.positions.get(ref), position) ? [] : [ref],
  );
}

/** The rules that the resource has, gets or gives to others, in the order of the ruleset if that is known. */
function ownInForce(change: Change, own: OwnRules): RulesInForce {
  const { recorded, desired, there, notes } = change;
  const [old, wanted] = [recorded.declared, desired.rules ?? NO_RULES];
  const oldByRef = (ref: string) => inForce(ownValue(old.rules, ref), recorded.state.__secretPaths, ref);
  const wantedByRef = (ref: string) => inForce(ownValue(wanted.rules, ref), desired.secrets.__secretPaths, ref);
  const oldRefs = new Map(Object.entries(recorded.ruleIds).map(([ref, id]) => [id, ref]));
  const refs = new Map([...own.ids].map(([ref, id]) => [id, ref]));
  const staying = new Set((notes.removal.released ?? []).map(({ rule }) => rule.id));
  const oldRule = (id: string) => oldByRef(oldRefs.get(id) ?? "");
  return {
    before: (there.deployed?.rules ?? []).flatMap(({ id }) => {
      const known = oldRule(id);
      return known.length > 0 ? known : wantedByRef(refs.get(id) ?? "");
    }),
    after: orderAfter(change, staying).flatMap(({ id = "", ref }) =>
      ref === undefined ? (staying.has(id) ? oldRule(id) : []) : wantedByRef(ref),
    ),
  };
}

function inForce(
  rule: Rule | undefined,
  secrets: Readonly<Record<string, readonly Path[]>> | undefined,
  ref: string,
): readonly RuleInForce[] {
  return rule === undefined ? [] : [{ rule, secretPaths: ownValue(secrets ?? {}, ref) ?? [] }];
}
