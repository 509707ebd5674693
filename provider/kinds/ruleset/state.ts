import { contentOf, fingerprint, overlay, sameContent } from "../../rules/content.js";
import { writtenAs } from "../../rules/form.js";
import { mapFrom, sameJson, type Json } from "../../model/json.js";
import type { RulesetRule } from "../../model/generated/rule.js";
import { deployedRuleInfo, type DeployedRule, type Ruleset } from "../../model/ruleset.js";
import type { LastSeen } from "../../ownership/conflict.js";
import { inputsOf, keyedRules, orderText, rulesInForce, type CheckedInputs, type RulesetState } from "./model.js";

/** The whole state after a write: what was declared, and what the service answered. */
export function stateFrom(
  inputs: CheckedInputs,
  answer: Ruleset,
  refs: ReadonlyMap<string, string> = new Map(),
): RulesetState {
  const byRef = new Map(answer.rules.map((rule) => [rule.ref, rule.id]));
  const { rules, order } = keyedRules(inputs);
  const ids = order.flatMap((ref) => {
    const id = byRef.get(refs.get(ref) ?? ref);
    return id === undefined ? [] : [[ref, id] as const];
  });
  const declared = new Map(ids.map(([ref, id]) => [id, rules[ref]]));
  const different = answer.rules.filter((rule) => !sameContent(rule, declared.get(rule.id) ?? {}));
  const { __declared: _repaired, ...declaredInputs } = inputs;
  return {
    ...declaredInputs,
    rulesetId: answer.id,
    version: answer.version,
    lastUpdated: answer.lastUpdated ?? "",
    deployedRules: answer.rules.map(deployedRuleInfo),
    ruleIds: mapFrom(ids),
    ...(different.length === 0
      ? {}
      : { __answers: mapFrom(different.map((rule) => [rule.id, contentOf(rule)] as const)) }),
    ...(inputs.description === undefined && answer.description !== ""
      ? { __serviceDescription: answer.description }
      : {}),
    ...(answer.name === (inputs.name ?? "") ? {} : { __serviceName: answer.name }),
  };
}

/** The same state, and whether a delete may take the ruleset away. */
export function withOwnership({ __takenOver, ...state }: RulesetState, owned: boolean): RulesetState {
  return owned ? state : { ...state, __takenOver: true };
}

/** The description to send: the declared one; none when it was taken out; what is there where none was ever declared. */
export function wantedDescription(olds: CheckedInputs | undefined, news: CheckedInputs, actual: Ruleset): string {
  return news.description ?? (olds?.description === undefined ? actual.description : "");
}

/** The description the service last answered. */
export function seenDescription(state: RulesetState): string {
  return state.description ?? state.__serviceDescription ?? "";
}

/** What a stack knows of its ruleset. A state of the vendor's own package holds its answers in the list of rules. */
export function lastSeen(state: RulesetState): LastSeen {
  const { ruleIds, deployedRules, __answers } = state as Partial<RulesetState>;
  const { rules, order } = keyedRules(state);
  const refOf = new Map(Object.entries(ruleIds ?? {}).map(([ref, id]) => [id, ref]));
  const deployed = deployedRules?.map((info) => {
    const content = __answers?.[info.id] ?? rules[refOf.get(info.id) ?? ""];
    return { ...(content as object), ...info } as DeployedRule;
  });
  const listed = Array.isArray(state.rules)
    ? order.map((ref) => ({ ...rules[ref], ref }) as unknown as DeployedRule)
    : [];
  return {
    ruleIds: mapFrom(
      ruleIds === undefined
        ? listed.filter(({ id }) => typeof id === "string").map(({ ref, id }) => [ref, id] as const)
        : Object.entries(ruleIds),
    ),
    deployedRules: deployed ?? listed,
    description: seenDescription(state),
  };
}

/** The service's ref for each ref of the program: they differ where a rule was recognised under its old ref. */
export function serviceRefs(state: RulesetState, rules: readonly DeployedRule[]): Map<string, string> {
  const byId = new Map(rules.map((rule) => [rule.id, rule.ref]));
  const entries = Object.entries(lastSeen(state).ruleIds);
  return new Map(entries.flatMap(([ref, id]) => (byId.has(id) ? [[ref, byId.get(id) ?? ref] as const] : [])));
}

/** What a refresh finds: inputs and outputs with everything somebody changed put in, and nothing else. */
export interface Refreshed {
  readonly inputs: CheckedInputs;
  readonly state: RulesetState;
}

/** A ruleset in which nothing changed since the state was written. */
export function unchanged(state: RulesetState): Refreshed {
  const { __declared } = state;
  return { inputs: { ...inputsOf(state), ...(__declared === undefined ? {} : { __declared }) }, state };
}

export function refreshState(state: RulesetState, actual: Ruleset): Refreshed {
  const seen = lastSeen(state);
  const { rules } = keyedRules(state);
  const lastById = new Map(seen.deployedRules.map((rule) => [rule.id, rule]));
  const refById = new Map(Object.entries(seen.ruleIds).map(([ref, id]) => [id, ref]));
  const own = actual.rules.flatMap((rule) => {
    const ref = refById.get(rule.id);
    return ref === undefined ? [] : [{ ref, rule }];
  });
  const now = mapFrom(own.map(({ ref, rule }) => [ref, ruleNow(rules[ref], lastById.get(rule.id), rule)] as const));
  // A fingerprint of a secret would be a trace of it.
  const secret = new Set(Object.keys(state.__secretPaths ?? {}));
  const kept = mapFrom(Object.entries(state.__declared ?? {}));
  const declared = mapFrom(
    own.flatMap(({ ref }) => {
      const before = rules[ref];
      return before === undefined || secret.has(ref) || sameJson(now[ref], before)
        ? []
        : [[ref, kept[ref] ?? fingerprint(before)] as const];
    }),
  );
  const described = state.description === undefined ? undefined : actual.description;
  const serviceName = state.__serviceName ?? state.name ?? "";
  const renamed = seen.deployedRules.length > 0 && actual.name !== serviceName;
  const changed = {
    rules: now,
    order: orderText(own.map(({ ref }) => ref)),
    rulesInForce: rulesInForce(now),
    ...(described === undefined ? {} : { description: described }),
    ...(renamed && state.name !== undefined ? { name: actual.name } : {}),
  };
  const inputs = { ...inputsOf(state), ...changed };
  const hints = Object.keys(declared).length === 0 ? {} : { __declared: declared };
  return {
    inputs: { ...inputs, ...hints },
    state: {
      ...stateFrom(inputs, actual, new Map(own.map(({ ref, rule }) => [ref, rule.ref]))),
      ...(state.__incomplete === true ? { __incomplete: true, __lostOver: state.__lostOver ?? state.version } : {}),
      ...(state.__takenOver === true ? { __takenOver: true } : {}),
      ...hints,
    },
  };
}

function ruleNow(declared: RulesetRule | undefined, last: DeployedRule | undefined, actual: DeployedRule): RulesetRule {
  const now = contentOf(actual) as unknown as RulesetRule;
  if (declared === undefined) return now;
  if (last === undefined) return sameContent(declared, actual) ? declared : now;
  if (sameContent(last, actual)) return declared;
  const before = contentOf(last);
  return overlay(declared as unknown as Json, before, writtenAs(contentOf(actual), before)) as unknown as RulesetRule;
}

/** The state of a ruleset nobody has declared: for `get`. */
export function stateOfStranger(inputs: CheckedInputs, actual: Ruleset): RulesetState {
  const order = actual.rules.map(({ ref }) => ref);
  const rules = mapFrom(actual.rules.map((rule) => [rule.ref, contentOf(rule) as unknown as RulesetRule] as const));
  const whole = {
    ...inputs,
    name: actual.name,
    kind: actual.kind,
    phase: actual.phase,
    description: actual.description,
  };
  return stateFrom({ ...whole, rules, order: orderText(order) }, actual);
}
