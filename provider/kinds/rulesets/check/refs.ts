import { isList, isObject } from "../../../../core/model/json.js";
import type { Path } from "../../../../core/model/path.js";
import type { DeployedRule } from "../../../../core/model/ruleset.js";
import { isUnknown, NOT_KNOWN, valueIfKnown } from "../../../../core/model/unknown.js";
import { type AssignedRefs, assignRefs } from "../../../../core/rules/assign-refs.js";
import { slug } from "../../../../core/rules/derive-ref.js";
import { NO_RULES } from "../../../../core/rules/keyed.js";
import type { KnownRule, WantedRule } from "../../../../core/rules/match.js";
import { Rule } from "../../../../core/rules/rule.js";
import { readInCheck, type Request } from "../../../engine/request.js";
import { pathsByRule } from "../../../engine/secrets.js";
import { checkIgnoredRefs, failure, type Findings } from "../../../validation/index.js";
import type { GivenRulesetArguments } from "../description.js";
import { listBeside } from "../find.js";
import {
  checkedInputs,
  type ExistingCheck,
  knownFromOlds,
  mayRead,
  type RuleList,
  type RulesetCheck,
  type Settled,
} from "./inputs.js";

/**
 * Assigns refs to the rules. In a change they are those of the last run; a new resource gets them from the existing rules that
 * its rules are.
 */
export async function settleRefs(
  checking: RulesetCheck,
  existing: ExistingCheck,
  { wanted, secretPathsIn }: RuleList,
): Promise<Settled> {
  const { olds, urn, place } = checking;
  // Where others have rules too, refs are derived from the URN as well.
  const owner = place.reach.isPart ? urn : undefined;
  const before = rulesBefore(checking, existing);
  const named = await readNamedRules(checking, existing, wanted, before);
  const known = withNamedRules(before, named, wanted);
  const matching = olds === undefined ? existing.found?.matches.all : undefined;
  const { refs, changes } = assignRefs(known, wanted, { secretPathsIn, owner, matching });
  return {
    inputs: checkedInputs(checking, refs),
    refs,
    findings: [checkIgnored(checking, wanted, refs), checkRuleIds(wanted, refs, known, named)].flat(),
    notes: [...changes.map(refChangeText), ...refTraceWarnings(secretPathsIn, wanted, refs)],
  };
}

/** The warning for a ref of the program that would turn an existing rule into a new one. */
function refChangeText(change: AssignedRefs["changes"][number]): string {
  return (
    `rules[${String(change.index)}].ref: the service knows this rule as ${JSON.stringify(change.present)}; under the ref ` +
    `${JSON.stringify(change.ref)} it becomes a new rule with a new ID. To keep its ID, write ref: ${JSON.stringify(change.present)}.`
  );
}

/** The rules that the program's rules may be: those of the last run; for a new resource, the existing ones. */
function rulesBefore({ olds, last }: RulesetCheck, { found }: ExistingCheck): readonly KnownRule[] {
  if (olds === undefined) return found?.matches.known ?? [];
  const { __declared: declared = {} } = olds;
  return knownFromOlds(last?.rules ?? NO_RULES, declared === NOT_KNOWN ? {} : declared);
}

/** The refs that `ignoreChanges` names are checked only once every rule has one: a rule that is still unknown may get any ref. */
function checkIgnored(
  { ignoredFields, last }: RulesetCheck,
  wanted: readonly WantedRule[],
  refs: readonly string[],
): Findings {
  const pending = wanted.some((rule) => isUnknown(rule) || (isObject(rule) && isUnknown(rule.ref)));
  return pending ? [] : checkIgnoredRefs(ignoredFields, [...refs, ...(last?.rules ?? NO_RULES).order]);
}

/** What the service has where the program names rules by IDs that the last run did not know. */
interface NamedRules {
  /** Undefined if no ID needs them, or if they cannot be read. */
  readonly rules?: readonly DeployedRule[];
  readonly findings: Findings;
}

const NOT_READ: NamedRules = { findings: [] };

/** Reads the rules of the ruleset if the program names any by such an ID. */
async function readNamedRules(
  checking: RulesetCheck,
  { isRead, found }: ExistingCheck,
  wanted: readonly WantedRule[],
  before: readonly KnownRule[],
): Promise<NamedRules> {
  const { session, olds, place } = checking;
  const { target, where } = place;
  const name = valueIfKnown(place.name);
  const known = new Set(before.flatMap(({ id, ref }) => [id, ref]));
  const ids = wanted.map(idOf).filter((id) => id !== undefined && !known.has(id));
  if (ids.length === 0) return NOT_READ;
  if (olds === undefined) return isRead ? { rules: found?.deployed.rules ?? [], findings: [] } : NOT_READ;
  if (!mayRead(checking, target)) return NOT_READ;
  const read = await readInCheck(checking, `the IDs of rules in ${where}`, async () => {
    const list = await listBeside(session, target, name);
    return Promise.all(list.map(({ id }) => session.reads.byId(target.scope, id)));
  });
  return read.isRead ? { rules: read.value.flatMap((one) => one?.rules ?? []), findings: [] } : read;
}

/** Rules of the last run, with what the service says about those that the program names by their IDs. */
function withNamedRules(
  before: readonly KnownRule[],
  { rules: named = [] }: NamedRules,
  wanted: readonly WantedRule[],
): readonly KnownRule[] {
  const ids = new Set(wanted.map(idOf));
  const meant = named.filter(({ id }) => ids.has(id));
  const idByRef = new Map(meant.map(({ ref, id }) => [ref, id]));
  const refs = new Set(before.map(({ ref }) => ref));
  return [
    ...before.map((rule) => ({ ...rule, id: idByRef.get(rule.ref) ?? rule.id })),
    ...meant.filter(({ ref }) => !refs.has(ref)).map((rule) => ({ ref: rule.ref, id: rule.id, rule: Rule.of(rule) })),
  ];
}

/** Refuses IDs that the rules would not keep. */
function checkRuleIds(
  wanted: readonly WantedRule[],
  refs: readonly string[],
  known: readonly KnownRule[],
  { rules: named, findings }: NamedRules,
): Findings {
  const refById = new Map([
    ...known.flatMap(({ id = "", ref }) => [[ref, ref] as const, [id, ref] as const]),
    ...(named ?? []).map(({ id, ref }) => [id, ref] as const),
  ]);
  return [
    findings,
    ...wanted.map((rule, index) => {
      const id = idOf(rule);
      if (id === undefined) return [];
      const ref = refById.get(id);
      if (ref === refs[index]) return [];
      const path = ["rules", index, "id"];
      if (ref !== undefined)
        return failure(
          path,
          `is the ID of the rule with the ref ${JSON.stringify(ref)}. To keep it, write ref: ${JSON.stringify(ref)}; ` +
            "to create a new rule, leave id out",
        );
      return named === undefined
        ? []
        : failure(
            path,
            "is the ID of no rule in this ruleset, so the rule would get another one. To create a new rule, leave id out",
          );
    }),
  ].flat();
}

function idOf(rule: WantedRule): string | undefined {
  const id = isObject(rule) ? rule.id : undefined;
  return typeof id === "string" && !isUnknown(id) ? id : undefined;
}

/**
 * Refs and IDs appear in keys of the state, in its order, in outputs and in messages, so they cannot be hidden. The
 * rules of another resource of this program arrive as one secret if any of them contains a secret; their refs are
 * already in plain text, so they pass.
 */
export function refuseSecretRefs({
  args: { rules },
  secretPaths,
  session: { secrets },
}: Request<GivenRulesetArguments>): Findings {
  if (!isList(rules)) return [].flat();
  const pathsIn = pathsByRule(secretPaths);
  return rules
    .flatMap((rule, index) =>
      (["ref", "id"] as const)
        .filter((name) => isObject(rule) && rule[name] !== undefined && !secrets.isPublished(rule[name]))
        .filter((name) => pathsIn(index).some(([step]) => step === undefined || step === name))
        .map((name) =>
          failure(
            ["rules", index, name],
            `is a secret, or inside one, but a rule's ${name} is in plain text in the state, in outputs and in ` +
              `messages. Make single values of the rule secret (expression: secret), or leave ${name} out; ` +
              `if it does not need to be hidden, use pulumi.unsecret(${name})`,
          ),
        ),
    )
    .flat();
}

/** Warns about refs that were derived from a description that has become a secret: the ref stays. */
function refTraceWarnings(
  pathsIn: (index: number) => readonly Path[],
  wanted: readonly WantedRule[],
  refs: readonly string[],
): string[] {
  return wanted.flatMap((rule, index) => {
    const ref = refs[index] ?? "";
    const description = isObject(rule) && typeof rule.description === "string" ? slug(rule.description) : "";
    const isSecret = pathsIn(index).some(([step]) => step === undefined || step === "description");
    if (!isSecret || description.length < 4 || !ref.startsWith(description)) return [];
    return [
      `rules[${String(index)}].description: is a secret now, but the rule's ref ${ref} was derived from it and is in plain text in ` +
        "the state. To remove it, give the rule another ref; the service then creates a new rule with a new ID.",
    ];
  });
}
