import type { RulesetRule } from "../../../core/model/generated/rule.js";
import { mapFrom, omit, ownValue, pick } from "../../../core/model/json.js";
import type { Position } from "../../../core/model/position.js";
import {
  type DeployedRule,
  deployedRuleIdentity,
  deployedRuleInfo,
  type DeployedRuleInfo,
  type Ruleset,
} from "../../../core/model/ruleset.js";
import { contentOf } from "../../../core/rules/content.js";
import { deployedRulesById, type DeployedRulesById, keyedRules, type KeyedRules } from "../../../core/rules/keyed.js";
import { Rule } from "../../../core/rules/rule.js";
import { inputsIn } from "../../engine/inputs.js";
import type { RecordedRuleset } from "../../ownership/conflict.js";
import { reachOf } from "../../ownership/reach.js";
import type { RulesetSnapshot } from "../../ownership/overwritten-change.js";
import { RULESET, type RulesetInputs, type RulesetState } from "./description.js";
import type { Desired } from "./desired.js";
import { ownedIds } from "./records.js";

/**
 * The declared inputs in a state, exactly as `check` returned them. The fingerprints that `read` adds to the inputs are
 * not among them.
 */
export function inputsOf(state: RulesetState): RulesetInputs {
  return { ...omit(inputsIn(RULESET, state), ["__declared"]), ...pick(state, ["ref", "__kind"]) };
}

/**
 * The complete state after a write: the declared inputs, and what the service returned.
 * @param refs the service's ref for each ref of the program, where they differ
 * @param keyed the rules of the inputs, if they are already parsed
 */
export function stateFrom(
  inputs: RulesetInputs,
  response: Ruleset,
  refs: ReadonlyMap<string, string> = new Map(),
  keyed: KeyedRules = keyedRules(inputs.rules, inputs.order),
): RulesetState {
  const byRef = new Map(response.rules.map((rule) => [rule.ref, rule.id]));
  const { rules, order } = keyed;
  const ids = order.flatMap((ref) => {
    const id = byRef.get(refs.get(ref) ?? ref);
    return id === undefined ? [] : [[ref, id] as const];
  });
  const declared = new Map(ids.map(([ref, id]) => [id, rules[ref]]));
  // Rules of others in a shared ruleset are not ours to store, nor are their secrets.
  const covers = reachOf(inputs).covers(declared.keys());
  const visible = response.rules.filter(({ id }) => covers(id));
  const different = visible.filter((rule) => declared.get(rule.id)?.meansSameAs(Rule.of(rule)) !== true);
  const { __declared: _repaired, ...declaredInputs } = inputs;
  return {
    ...declaredInputs,
    rulesetId: response.id,
    version: response.version,
    lastUpdated: response.lastUpdated ?? "",
    deployedRules: response.rules.map(deployedRuleInfo),
    ruleIds: mapFrom(ids),
    ...(different.length === 0
      ? {}
      : { __answers: mapFrom(different.map((rule) => [rule.id, contentOf(rule)] as const)) }),
    ...serviceTexts(inputs, response),
  };
}

/** The name at the service where it is not the declared one, and the description there where the program sets none. */
export function serviceTexts(
  declared: Pick<RulesetInputs, "name" | "description">,
  { name, description }: Pick<Ruleset, "name" | "description">,
): Pick<RulesetState, "__service"> {
  const texts = {
    ...(declared.name === undefined || declared.name === name ? {} : { name }),
    ...(declared.description === undefined && description !== "" ? { description } : {}),
  };
  return Object.keys(texts).length === 0 ? {} : { __service: texts };
}

/** The name that the service last returned, as far as the state has it. */
export function recordedName({ name, __service }: RulesetState): string | undefined {
  return __service?.name ?? name;
}

/** The description that the service last returned. */
export function recordedDescription({ description, __service }: RulesetState): string {
  return description ?? __service?.description ?? "";
}

/** What a state records: the declared rules, and the service's last response. Parsed once. */
export interface ParsedState extends RecordedRuleset {
  readonly declared: KeyedRules<RulesetRule>;
  /** By ref, the positions that the program requested. */
  readonly positions: ReadonlyMap<string, Position>;
  /** The ruleset as last read, for judging a write whose response was lost. */
  readonly lastRuleset: RulesetSnapshot;
  readonly state: RulesetState;
}

/** What a stack knows about its ruleset. */
export function parseState(state: RulesetState): ParsedState {
  const { ruleIds, deployedRules: infos, __answers: answers } = state;
  const declared = keyedRules(state.rules, state.order);
  const refOf = refsById(ruleIds);
  const deployedRule = (info: DeployedRuleInfo): DeployedRule => {
    const returned = answers?.[info.id];
    if (returned !== undefined) return { action: "", ...returned, ...deployedRuleIdentity(info) };
    const rule = declared.rules[refOf.get(info.id) ?? ""];
    const fields = { action: "", ...rule?.fields, ...deployedRuleIdentity(info) };
    return Rule.of(fields, rule?.fields.action === undefined ? undefined : rule).fields;
  };
  const description = recordedDescription(state);
  let deployed: readonly DeployedRule[] | undefined;
  let byId: DeployedRulesById | undefined;
  // A refresh that finds no change does not read them.
  const deployedRules = () => (deployed ??= infos.map(deployedRule));
  return {
    declared,
    positions: new Map(Object.entries(state.positions ?? {})),
    ruleIds: mapFrom(Object.entries(ruleIds)),
    get deployedRules() {
      return (byId ??= deployedRulesById(deployedRules()));
    },
    description,
    get lastRuleset() {
      return { id: state.rulesetId, version: state.version, rules: deployedRules(), description };
    },
    state,
  };
}

/** What a stack knows of a resource that does not exist yet. */
export const NOTHING_KNOWN: ParsedState = {
  declared: { rules: {}, order: [] },
  positions: new Map(),
  ruleIds: {},
  deployedRules: new Map(),
  description: "",
  lastRuleset: { id: "", version: "", rules: [], description: "" },
  state: {
    phase: "",
    rules: {},
    order: "",
    rulesetId: "",
    version: "",
    lastUpdated: "",
    deployedRules: [],
    ruleIds: {},
  },
};

export function refsById(ruleIds: Readonly<Record<string, string>>): Map<string, string> {
  return new Map(Object.entries(ruleIds).map(([ref, id]) => [id, ref]));
}

/**
 * The service's ref for each ref of the program: they differ if a rule was recognised under its old ref.
 * @param recognised by ref, existing rules that the state does not have
 */
export function serviceRefs(
  ruleIds: Readonly<Record<string, string>>,
  rules: readonly DeployedRule[],
  recognised: ReadonlyMap<string, DeployedRule> = new Map(),
): Map<string, string> {
  const byId = new Map(rules.map((rule) => [rule.id, rule.ref]));
  const known = Object.entries(ruleIds).flatMap(([ref, id]) => {
    const now = byId.get(id);
    return now === undefined ? [] : [[ref, now] as const];
  });
  return new Map([...known, ...Array.from(recognised, ([ref, rule]) => [ref, rule.ref] as const)]);
}

/**
 * Rules that a write with an unknown result turns out to have added: the state has them without an ID, and they exist
 * under the same ref. If such a rule has other content in its first version, this stack never sent it; in a later
 * version, somebody has edited it.
 */
export function findUnconfirmedAdditions(
  declared: KeyedRules,
  ruleIds: Readonly<Record<string, string>>,
  deployed: Pick<Ruleset, "rules">,
): { readonly ref: string; readonly rule: DeployedRule }[] {
  const lost = declared.order.filter((ref) => ownValue(ruleIds, ref) === undefined);
  if (lost.length === 0) return [];
  const byRef = new Map(deployed.rules.map((rule) => [rule.ref, rule]));
  return lost.flatMap((ref) => {
    const rule = byRef.get(ref);
    if (rule === undefined) return [];
    return rule.version !== "1" || declared.rules[ref]?.meansSameAs(Rule.of(rule)) === true ? [{ ref, rule }] : [];
  });
}

/** Refs of rules that a stack manages because they were equal, has not changed and was not asked to own. */
export function takenOverIn({ state }: Pick<ParsedState, "state">): ReadonlySet<string> {
  return new Set(state.__takenOver ?? []);
}

/**
 * What a stack knows, including rules that a write with an unknown result turns out to have added. What it sent counts
 * as what it last read, so that an edit since then is somebody else's.
 */
export function withUnconfirmedAdditions(recorded: ParsedState, deployed: Pick<Ruleset, "rules">): ParsedState {
  const { declared, ruleIds } = recorded;
  const found = findUnconfirmedAdditions(declared, ruleIds, deployed);
  const sent = found.map(({ ref, rule: { id, ref: known, version } }) => {
    const rule: DeployedRule = { action: "", ...declared.rules[ref]?.fields, ...{ id, ref: known, version } };
    return { ref, rule };
  });
  return withRules(recorded, sent);
}

/** What a stack knows, with further rules of the resource. */
function withRules(
  recorded: ParsedState,
  rules: readonly { readonly ref: string; readonly rule: DeployedRule }[],
): ParsedState {
  if (rules.length === 0) return recorded;
  const ids = rules.map(({ ref, rule }) => [ref, rule.id] as const);
  const added = deployedRulesById(rules.map(({ rule }) => rule));
  return {
    ...recorded,
    ruleIds: mapFrom([...Object.entries(recorded.ruleIds), ...ids]),
    deployedRules: new Map([...recorded.deployedRules, ...added]),
  };
}

/** What a stack knows, where the one rule that a resource is may have been recreated by somebody under its ref. */
export function withRecreated(
  recorded: ParsedState,
  { reach }: Pick<Desired, "reach">,
  { rules }: Pick<Ruleset, "rules">,
): ParsedState {
  if (!reach.followsRef) return recorded;
  const existingIds = new Set(rules.map(({ id }) => id));
  const recreated = Object.entries(recorded.ruleIds).flatMap(([ref, id]) => {
    const last = recorded.deployedRules.get(id)?.fields;
    const rule = existingIds.has(id) ? undefined : rules.find((each) => each.ref === ref);
    return last === undefined || rule === undefined ? [] : [{ ref, rule: { ...last, id: rule.id } }];
  });
  return withRules(recorded, recreated);
}

/** What a stack knows, without rules that no longer belong to the resource. */
export function withoutRules(recorded: ParsedState, ids: ReadonlySet<string>): ParsedState {
  if (ids.size === 0) return recorded;
  return { ...recorded, ruleIds: mapFrom(Object.entries(recorded.ruleIds).filter(([, id]) => !ids.has(id))) };
}

/** Which rules of a ruleset a resource covers, and which are those of others, which stay whatever becomes of it. */
export function coveredIn<R extends { readonly id: string }>(
  { state, ruleIds }: Pick<ParsedState, "state" | "ruleIds">,
  rules: readonly R[],
): { readonly covered: readonly R[]; readonly others: readonly R[] } {
  const covers = reachOf(state).covers(Object.values(ruleIds));
  return { covered: rules.filter(({ id }) => covers(id)), others: rules.filter(({ id }) => !covers(id)) };
}

/** The rules that deleting a resource would delete. */
export function ownRules({ state }: Pick<ParsedState, "state">): readonly DeployedRuleInfo[] {
  const owned = new Set(ownedIds({ ...state }));
  return state.deployedRules.filter(({ id }) => owned.has(id));
}
