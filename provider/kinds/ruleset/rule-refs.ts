import { ignorableNames } from "../../engine/description.js";
import type { CheckRequest } from "../../engine/kind.js";
import { isObject } from "../../model/json.js";
import { isUnknown, NOT_KNOWN } from "../../model/unknown.js";
import { assignRefs, type AssignedRefs } from "../../rules/assign-refs.js";
import { NO_RULES } from "../../rules/keyed.js";
import type { KnownRule, WantedRule } from "../../rules/match.js";
import {
  checkIgnoredRefs,
  NO_FINDINGS,
  readIgnored,
  type Findings,
  type IgnoredField,
} from "../../validation/index.js";
import { PHASE_ENTRYPOINT, RULESET } from "./description.js";
import type { Desired } from "./desired.js";
import { knownFromOlds } from "./key-rules.js";
import type { RuleList } from "./restore/rule-list.js";
import { isShared } from "./shared/check.js";
import type { TakeoverPlan } from "./takeover-plan.js";

type RulesetRequest = CheckRequest<typeof RULESET>;

/**
 * The refs of the rules. In a change they are those of the last run; a new resource gets them from the existing rules that
 * its rules are; the rules of an earlier version keep theirs.
 */
export function assignRuleRefs(
  { urn, olds, wanted: args }: RulesetRequest,
  known: readonly KnownRule[],
  found: TakeoverPlan | undefined,
  { wanted, secretPathsIn, restored }: RuleList,
): AssignedRefs {
  if (restored !== undefined) return { refs: restored.refs, changes: [] };
  const owner = isShared({ wanted: args }) ? urn : undefined;
  const matching = olds === undefined ? found?.matches.all : undefined;
  return assignRefs(known, wanted, { secretPathsIn, owner, matching });
}

/** The rules that the program's rules may be: those of the last run; for a new resource, the existing ones. */
export function rulesBefore(
  { olds }: RulesetRequest,
  last: Desired | undefined,
  found: TakeoverPlan | undefined,
): readonly KnownRule[] {
  if (olds === undefined) return found?.matches.known ?? [];
  const { __declared: declared = {} } = olds;
  return knownFromOlds(last?.rules ?? NO_RULES, declared === NOT_KNOWN ? {} : declared);
}

/** The fields of rules that `ignoreChanges` names. */
export function ignoredFields({ ignored, wanted }: RulesetRequest): readonly IgnoredField[] {
  const description = wanted.kind === undefined ? PHASE_ENTRYPOINT : RULESET;
  return readIgnored(ignored, description.type, ignorableNames(description)).fields;
}

/** The refs that `ignoreChanges` names are checked only once every rule has one: a rule that is still unknown may get any ref. */
export function checkIgnored(
  request: RulesetRequest,
  wanted: readonly WantedRule[],
  refs: readonly string[],
  last: Desired | undefined,
): Findings {
  const pending = wanted.some((rule) => isUnknown(rule) || (isObject(rule) && isUnknown(rule.ref)));
  if (pending) return NO_FINDINGS;
  return checkIgnoredRefs(ignoredFields(request), [...refs, ...(last?.rules ?? NO_RULES).order]);
}
