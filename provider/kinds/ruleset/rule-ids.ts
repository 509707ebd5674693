import type { CheckRequest } from "../../engine/kind.js";
import { reportUnavailableCheck } from "../../engine/request.js";
import { isObject } from "../../model/json.js";
import type { DeployedRule } from "../../model/ruleset.js";
import { isUnknown, valueIfKnown } from "../../model/unknown.js";
import type { KnownRule, WantedRule } from "../../rules/match.js";
import { Rule } from "../../rules/rule.js";
import { failure, joinFindings, NO_FINDINGS, type Findings } from "../../validation/index.js";
import type { ExistingCheck } from "./check-existing.js";
import type { RULESET } from "./description.js";
import { isKnownTarget, targetOf, targetWords } from "./desired.js";
import { listBeside } from "./find-existing.js";

type RulesetRequest = CheckRequest<typeof RULESET>;

/** What the service has where the program names rules by IDs that the last run did not know. */
export interface NamedRules {
  /** Undefined if no ID needs them, or if they cannot be read. */
  readonly rules?: readonly DeployedRule[];
  readonly findings: Findings;
}

const NOT_READ: NamedRules = { findings: NO_FINDINGS };

/** Reads the rules of the ruleset if the program names any by such an ID. */
export async function readNamedRules(
  request: RulesetRequest,
  { isRead, found }: ExistingCheck,
  wanted: readonly WantedRule[],
  before: readonly KnownRule[],
): Promise<NamedRules> {
  const { session, olds, wanted: args, preview } = request;
  const known = new Set(before.flatMap(({ id, ref }) => [id, ref]));
  const ids = wanted.map(idOf).filter((id) => id !== undefined && !known.has(id));
  if (ids.length === 0) return NOT_READ;
  if (olds === undefined) return isRead ? { rules: found?.existing.rules ?? [], findings: NO_FINDINGS } : NOT_READ;
  const target = targetOf(args);
  if (!isKnownTarget(target) || (preview && session.previewChecks === "off")) return NOT_READ;
  const name = valueIfKnown(args.name);
  try {
    const list = await listBeside(session, target, name);
    const rulesets = await Promise.all(list.map(({ id }) => session.reads.byId(target.scope, id)));
    return { rules: rulesets.flatMap((ruleset) => ruleset?.rules ?? []), findings: NO_FINDINGS };
  } catch (error) {
    const refusal = reportUnavailableCheck(request, error, `the IDs of rules in ${targetWords(target, { name })}`);
    return refusal === undefined ? NOT_READ : { findings: { failures: [refusal], warnings: [] } };
  }
}

/** Rules of the last run, with what the service says about those that the program names by their IDs. */
export function withNamedRules(
  before: readonly KnownRule[],
  { rules: named = [] }: NamedRules,
  wanted: readonly WantedRule[],
): readonly KnownRule[] {
  const ids = new Set(wanted.map(idOf));
  const meant = named.filter(({ id }) => ids.has(id));
  const idByRef = new Map(meant.map(({ ref, id }) => [ref, id]));
  const refs = new Set(before.map(({ ref }) => ref));
  return [
    ...before.map((rule) => ({ ...rule, ...optionalId(idByRef.get(rule.ref)) })),
    ...meant.filter(({ ref }) => !refs.has(ref)).map((rule) => ({ ref: rule.ref, id: rule.id, rule: Rule.of(rule) })),
  ];
}

/** Refuses IDs that the rules would not keep. */
export function checkRuleIds(
  wanted: readonly WantedRule[],
  refs: readonly string[],
  known: readonly KnownRule[],
  { rules: named, findings }: NamedRules,
): Findings {
  const refById = new Map([
    ...known.flatMap(({ id = "", ref }) => [[ref, ref] as const, [id, ref] as const]),
    ...(named ?? []).map(({ id, ref }) => [id, ref] as const),
  ]);
  return joinFindings([
    findings,
    ...wanted.map((rule, index) => {
      const id = idOf(rule);
      if (id === undefined) return NO_FINDINGS;
      const ref = refById.get(id);
      if (ref === refs[index]) return NO_FINDINGS;
      const path = ["rules", index, "id"];
      if (ref !== undefined)
        return failure(
          path,
          `is the ID of the rule with the ref ${JSON.stringify(ref)}. To keep it, write ref: ${JSON.stringify(ref)}; ` +
            "to create a new rule, leave id out",
        );
      return named === undefined
        ? NO_FINDINGS
        : failure(
            path,
            "is the ID of no rule in this ruleset, so the rule would get another one. To create a new rule, leave id out",
          );
    }),
  ]);
}

function optionalId(id: string | undefined): { readonly id?: string } {
  return id === undefined ? {} : { id };
}

function idOf(rule: WantedRule): string | undefined {
  const id = isObject(rule) ? rule.id : undefined;
  return typeof id === "string" && !isUnknown(id) ? id : undefined;
}
