import { orderText, withInserted } from "../../../../core/model/ids.js";
import { type Json, mapFrom, omit, ownValue, sameJson } from "../../../../core/model/json.js";
import { parsePendingRule } from "../../../../core/model/parse-rule.js";
import { type Path, uniquePaths, valueAt, withValueAt } from "../../../../core/model/path.js";
import { isUnknown, NOT_KNOWN, type Pending, valueIfKnown, withUnknownLeaves } from "../../../../core/model/unknown.js";
import { type KeyedRules, NO_RULES, type PendingRule, rulesByRef, rulesInForce } from "../../../../core/rules/keyed.js";
import type { KnownRule, WantedRule } from "../../../../core/rules/match.js";
import { NO_RULE } from "../../../../core/rules/rule.js";
import { ignorableNames } from "../../../engine/description.js";
import type { CheckRequest } from "../../../engine/kind.js";
import type { Request } from "../../../engine/request.js";
import { keptSecrets, pathsByRule } from "../../../engine/secrets.js";
import { type Findings, type IgnoredField, readIgnored } from "../../../validation/index.js";
import { PHASE_ENTRYPOINT, RULESET, type RulesetInputs } from "../description.js";
import { type Desired, desiredFrom, isKnownTarget, type Target } from "../desired.js";
import { lastWanted } from "../run.js";
import type { TakeoverPlan } from "../new-resource.js";

/** The inputs apart from the rules. */
type GivenInputs = Pending<Omit<RulesetInputs, "rules" | "order">>;

/** The rules that a ruleset should have, and the paths of secrets in each. */
export interface RuleList {
  readonly wanted: readonly WantedRule[];
  readonly secretPathsIn: (index: number) => readonly Path[];
}

/** What stands for the rules where there is no list. */
export type UnlistedRules = "unknown" | "kept";

/** The check of a list of rules: the request, and what its arguments and the last inputs say, parsed once. */
export interface RulesetCheck extends Request {
  readonly given: GivenInputs;
  readonly list: RuleList | UnlistedRules;
  /** What the program wants of the ruleset. Its rules are not parsed there. */
  readonly place: Desired;
  /** What the last run checked; undefined for a new resource. */
  readonly olds: Pending<RulesetInputs> | undefined;
  /** What the resource wanted in the last run; undefined if it is new. */
  readonly last: Desired | undefined;
  /** The fields of rules that `ignoreChanges` names. */
  readonly ignoredFields: readonly IgnoredField[];
  readonly settle: Settle;
}

/** What exists where a resource will be created, or why it could not be read or must not be taken over. */
export interface ExistingCheck {
  /** Whether it is known what exists. */
  readonly isRead: boolean;
  readonly found?: TakeoverPlan;
  readonly findings: Findings;
}

/** Whether a check may ask the service about a ruleset, and knows which one it is. */
export function mayRead({ session, preview }: Pick<Request, "session" | "preview">, target: Target): boolean {
  return isKnownTarget(target) && !(session.previewChecks === "off" && preview);
}

/** Gives the rules of a list their refs, once it is known what exists. */
type Settle = (checking: RulesetCheck, existing: ExistingCheck, list: RuleList) => Settled | Promise<Settled>;

/** What is known of a list of rules once it is known what exists. */
export interface Settled {
  /** The inputs that the engine keeps. */
  readonly inputs: Pending<RulesetInputs>;
  readonly refs: readonly string[];
  readonly findings: Findings;
  /** What is no fault, but should be known. */
  readonly notes: readonly string[];
}

/** What inputs say of the ruleset itself. */
export function placeIn(given: GivenInputs): Desired {
  return desiredFrom({ ...given, rules: NOT_KNOWN, order: NOT_KNOWN });
}

/** Parses the arguments of a resource with a list of rules. */
export function parseCheck(request: CheckRequest<typeof RULESET>, settle: Settle): RulesetCheck {
  const { rulesetId, ...args } = omit(request.wanted, ["rules"]);
  const description = args.kind === undefined ? PHASE_ENTRYPOINT : RULESET;
  const { fields: ignoredFields } = readIgnored(request.ignored, description.type, ignorableNames(description));
  const secretArgs = secretArguments(request);
  const given: GivenInputs = {
    ...args,
    ...(rulesetId === undefined ? {} : { __adopt: rulesetId }),
    ...(secretArgs.length === 0 ? {} : { __secretArgs: secretArgs }),
  };
  const list = listIn(request);
  return {
    ...request,
    given,
    list,
    place: placeIn(given),
    last: lastWanted(request, desiredFrom),
    ignoredFields,
    settle,
  };
}

/** The list that the program gives, or why there is none. */
function listIn({ wanted, keptInputs, secretPaths }: CheckRequest<typeof RULESET>): RuleList | UnlistedRules {
  if (wanted.rules === NOT_KNOWN) return "unknown";
  if (keptInputs.includes("rules")) return "kept";
  return { wanted: wanted.rules ?? [], secretPathsIn: pathsByRule(secretPaths) };
}

/** The rules that a program's rules can be matched with: those of its last checked inputs. */
export function knownFromOlds(
  { rules, order }: KeyedRules,
  fingerprints: Readonly<Record<string, string>>,
): KnownRule[] {
  return order.map((ref) => {
    const rule = rules[ref] ?? NO_RULE;
    const declared = ownValue(fingerprints, ref);
    const id = typeof rule.fields === "string" ? undefined : rule.fields.id;
    return { ref, rule, ...(id === undefined ? {} : { id }), ...(declared === undefined ? {} : { declared }) };
  });
}

/** The rules of a program with their refs, and what else `check` knows about them. */
interface KeyRulesInput {
  /** As the program wrote them, in order. */
  readonly wanted: readonly WantedRule[];
  readonly refs: readonly string[];
  /** The rules of the last run. */
  readonly before: KeyedRules;
  readonly ignored: readonly IgnoredField[];
  /** Whether `ignoreChanges` names the order of the rules: the engine then passes the old one. */
  readonly keepsOrder: boolean;
  /** The paths of secrets in the rule at an index. */
  readonly secretPathsIn: (index: number) => readonly Path[];
  /** By ref, their paths in the last run. */
  readonly secretsBefore: Readonly<Record<string, readonly Path[]>>;
}

/** The inputs that contain the rules. */
type ListedRules = Pick<RulesetInputs, "order" | "foreignRules" | "__secretPaths"> & {
  readonly rules: Readonly<Record<string, PendingRule>>;
};

/** Builds the rules by ref, with ignored fields set back to their old values, and the paths of secrets. */
export function keyRules({
  wanted,
  refs,
  before,
  ignored,
  keepsOrder,
  secretPathsIn,
  secretsBefore,
}: KeyRulesInput): ListedRules {
  const ignoredIn = fieldsByRef(ignored);
  const entries = wanted.map((rule, index) => {
    const ref = refs[index] ?? "";
    const old = before.rules[ref]?.fields;
    const present = old === undefined || !isUnknown(rule) ? rule : withUnknownLeaves(old);
    const fields = old === undefined ? [] : ignoredIn(ref);
    const kept = fields.reduce<Json | undefined>(
      (current, { steps }) => withValueAt(current, steps, valueAt(old, steps)),
      present,
    );
    return [ref, parsePendingRule(kept)] as const;
  });
  const paths = refs.flatMap((ref, index) => {
    const kept = keptPaths(ownValue(secretsBefore, ref) ?? [], ignoredIn(ref));
    const inRule = uniquePaths([...secretPathsIn(index), ...kept]);
    return inRule.length === 0 ? [] : [[ref, inRule] as const];
  });
  return {
    rules: mapFrom(entries),
    order: orderText(keepsOrder ? keptOrder(before.order, refs) : refs),
    ...(paths.length === 0 ? {} : { __secretPaths: mapFrom(paths) }),
  };
}

/** The ignored fields of the rule with a ref. */
function fieldsByRef(ignored: readonly IgnoredField[]): (ref: string) => readonly IgnoredField[] {
  const byRef = new Map<string, IgnoredField[]>();
  for (const field of ignored) {
    const known = byRef.get(field.ref);
    if (known === undefined) byRef.set(field.ref, [field]);
    else known.push(field);
  }
  return (ref) => byRef.get(ref) ?? [];
}

/** The paths of secrets in what the ignored fields keep of a rule; the whole field if it was inside a secret. */
function keptPaths(before: readonly Path[], fields: readonly IgnoredField[]): Path[] {
  return fields.flatMap(({ steps }) =>
    before.flatMap((path) => {
      const common = Math.min(path.length, steps.length);
      const overlaps = sameJson(path.slice(0, common), steps.slice(0, common));
      return overlaps ? [path.length > steps.length ? path : steps] : [];
    }),
  );
}

/** The old order; a new rule goes after the rule that precedes it in the program. */
function keptOrder(before: readonly string[], refs: readonly string[]): string[] {
  const wanted = new Set(refs);
  const kept = before.filter((ref) => wanted.has(ref));
  return withInserted(kept, refs);
}

function rulesByRefIn(checking: RulesetCheck, refs: readonly string[]): Pending<ListedRules> {
  const { olds, last, list, keptInputs, ignoredFields } = checking;
  if (list === "unknown") return pendingRules(checking);
  if (list === "kept") return lastRules(checking);
  return keyRules({
    ...{ ...list, refs, ignored: ignoredFields },
    before: last?.rules ?? NO_RULES,
    keepsOrder: keptInputs.includes("order"),
    secretsBefore: valueIfKnown(olds?.__secretPaths) ?? {},
  });
}

/** While the list is unknown, every old rule may still be in it, so none is shown as removed. */
function pendingRules({ last }: Pick<RulesetCheck, "last">): Pending<ListedRules> {
  const rules = last?.rules ?? NO_RULES;
  return { rules: rules.order.length === 0 ? NOT_KNOWN : withUnknownLeaves(rulesByRef(rules)), order: NOT_KNOWN };
}

/** The old rules, in the old order, and the rules of others that a refresh has found among them. */
function lastRules({ olds, last }: RulesetCheck): Pending<ListedRules> {
  const rules = last?.rules ?? NO_RULES;
  const { foreignRules, __secretPaths: secrets } = olds ?? {};
  return {
    rules: rulesByRef(rules),
    order: orderText(rules.order),
    ...(foreignRules === undefined ? {} : { foreignRules }),
    ...(secrets === undefined ? {} : { __secretPaths: secrets }),
  };
}

/** The inputs that the engine keeps: the arguments, the rules by ref, and what later runs need to know about them. */
export function checkedInputs(checking: RulesetCheck, refs: readonly string[]): Pending<RulesetInputs> {
  const keyed = rulesByRefIn(checking, refs);
  const inForce = keyed.rules === NOT_KNOWN || keyed.order === NOT_KNOWN ? undefined : rulesInForce(keyed.rules);
  return {
    ...checking.given,
    ...keyed,
    ...(inForce === undefined ? {} : { rulesInForce: inForce }),
    ...repairing(checking, keyed),
  };
}

/** Names of arguments, apart from the rules, that contain a secret. */
function secretArguments(request: CheckRequest<typeof RULESET>): readonly string[] {
  const { secretPaths, olds } = request;
  const inArguments = secretPaths.flatMap(([name]) => (name === "rules" || name === undefined ? [] : [String(name)]));
  const before = (valueIfKnown(olds?.__secretArgs) ?? []).map((name) => [name]);
  const kept = keptSecrets(before, request).map(([name]) => String(name));
  return [...new Set([...inArguments, ...kept])];
}

/** Keeps the fingerprints of drifted rules until they are repaired, so that no preview shows them as added or removed. */
function repairing(
  { olds }: RulesetCheck,
  { rules, order }: Pending<ListedRules>,
): Pick<Pending<RulesetInputs>, "__declared"> {
  const declared = olds?.__declared;
  const isRepaired = declared === undefined || (sameJson(olds?.rules, rules) && olds?.order === order);
  return isRepaired ? {} : { __declared: declared };
}
