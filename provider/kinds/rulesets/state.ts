import { findCopies } from "../../engine/secrets.js";
import { valueAt } from "../../model/path.js";
import type { Secrets } from "../../redaction/secrets.js";
import type { Position } from "../../model/position.js";
import { keepIncomplete } from "../../engine/incomplete.js";
import type { RulesetRule } from "../../model/generated/rule.js";
import { inputsIn, outputsIn } from "../../engine/inputs.js";
import { type RecordedRuleset, foreignRules } from "../../ownership/conflict.js";
import type { RulesetSnapshot } from "../../ownership/overwritten-change.js";
import { mapFrom, omit, pick, sameJson, ownValue } from "../../model/json.js";
import {
  deployedRuleIdentity,
  deployedRuleInfo,
  type DeployedRule,
  type DeployedRuleInfo,
  type Ruleset,
} from "../../model/ruleset.js";
import { parseRule } from "../../model/parse-rule.js";
import { contentOf } from "../../rules/content.js";
import { currentRule, Rule } from "../../rules/rule.js";
import {
  keyedEntries,
  keyedRules,
  type KeyedRules,
  orderText,
  ruleEntries,
  rulesByRef,
  rulesInForce,
  deployedRulesById,
  type DeployedRulesById,
} from "../../rules/keyed.js";
import { RULESET, type RulesetDescription, type RulesetInputs, type RulesetState } from "./description.js";
import { withInfos } from "./old-states.js";
import { currentPosition } from "../../rules/placing/position.js";
import type { ReleasedRule } from "./records.js";

/**
 * The declared inputs in a state, exactly as `check` returned them. The fingerprints that `read` adds to the inputs are
 * not among them.
 */
export function inputsOf(state: RulesetState): RulesetInputs {
  return omit(inputsIn(RULESET, state), ["__declared"]);
}

/** What a state contains in addition to its inputs: the service's responses. */
export function outputsOf(state: RulesetState): Omit<RulesetState, keyof RulesetInputs> {
  return { ...outputsIn(RULESET, state), ...pick(state, ["__declared"]) };
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
  const visible = inputs.ownership === "shared" ? response.rules.filter(({ id }) => declared.has(id)) : response.rules;
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
    ...(inputs.description === undefined && response.description !== ""
      ? { __serviceDescription: response.description }
      : {}),
    ...(response.name === (inputs.name ?? "") ? {} : { __serviceName: response.name }),
  };
}

/**
 * The same state, with the version that the last write replaced; undefined if there was no such version or it is not
 * known.
 */
export function withPrevious(
  { previousVersion: _old, ...state }: RulesetState,
  version: string | undefined,
): RulesetState {
  return version === undefined ? state : { ...state, previousVersion: version };
}

/** The same state, recording whether a delete may remove the ruleset. */
export function withOwnership({ __takenOver, ...state }: RulesetState, owned: boolean): RulesetState {
  return owned ? state : { ...state, __takenOver: true };
}

/** The description that the service last returned. */
export function recordedDescription(state: RulesetState): string {
  return state.description ?? state.__serviceDescription ?? "";
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

export function refsById(ruleIds: Readonly<Record<string, string>>): Map<string, string> {
  return new Map(Object.entries(ruleIds).map(([ref, id]) => [id, ref]));
}

/** The service's ref for each ref of the program: they differ if a rule was recognised under its old ref. */
export function serviceRefs(
  ruleIds: Readonly<Record<string, string>>,
  rules: readonly DeployedRule[],
): Map<string, string> {
  const byId = new Map(rules.map((rule) => [rule.id, rule.ref]));
  return new Map(
    Object.entries(ruleIds).flatMap(([ref, id]) => {
      const now = byId.get(id);
      return now === undefined ? [] : [[ref, now] as const];
    }),
  );
}

/** The result of a refresh: inputs and outputs with exactly the changes that somebody made. */
export interface Refreshed {
  readonly inputs: RulesetInputs;
  readonly state: RulesetState;
}

/**
 * The result for a ruleset that has not changed since the state was written. The engine then has the inputs in the state, except
 * after an update of a shared ruleset that stopped halfway: it has those of the whole update, and the state those of the part.
 */
export function unchanged(state: RulesetState): Refreshed | Pick<Refreshed, "state"> {
  return state.ownership === "shared"
    ? { inputs: { ...inputsOf(state), ...pick(state, ["__declared"]) }, state }
    : { state };
}

export function refreshState(state: RulesetState, actual: Ruleset): Refreshed {
  const recorded = parseState(state);
  const rules = rulesByRef(recorded.declared);
  const shared = state.ownership === "shared";
  const lost =
    shared && state.__incomplete === true ? findUnconfirmedAdditions(recorded.declared, recorded.ruleIds, actual) : [];
  const refById = new Map([...refsById(recorded.ruleIds), ...lost.map(({ ref, rule }) => [rule.id, ref] as const)]);
  const own = actual.rules.flatMap((rule) => {
    const ref = refById.get(rule.id);
    return ref === undefined ? [] : [{ ref, rule }];
  });
  const keyed = keyedEntries(
    own.map(({ ref, rule }) => ({
      ref,
      rule: currentRule(recorded.declared.rules[ref], recorded.deployedRules.get(rule.id), Rule.of(rule)),
    })),
  );
  const current = rulesByRef(keyed);
  const declared = fingerprintsOf(recorded, keyed);
  const described = state.description === undefined ? undefined : actual.description;
  const serviceName = state.__serviceName ?? state.name ?? "";
  const renamed = !shared && recorded.deployedRules.size > 0 && actual.name !== serviceName;
  const changed = {
    rules: current,
    order: orderText(keyed.order),
    rulesInForce: rulesInForce(current),
    ...(described === undefined ? {} : { description: described }),
    ...(renamed && state.name !== undefined ? { name: actual.name } : {}),
    ...(shared ? currentPositions(recorded, actual) : foreignRulesIn(recorded, actual)),
  };
  // After a drift the rules no longer match the restored version: it is read again.
  const drifted = !sameJson(current, rules) || changed.order !== orderText(recorded.declared.order);
  const before = omit(inputsOf(state), drifted ? ["foreignRules", "__restored"] : ["foreignRules"]);
  const inputs = { ...before, ...changed };
  const hints = Object.keys(declared).length === 0 ? {} : { __declared: declared };
  return {
    inputs: { ...inputs, ...hints },
    state: {
      ...keepIncomplete(
        withInfos(
          state.deployedRules,
          stateFrom(inputs, actual, new Map(own.map(({ ref, rule }) => [ref, rule.ref])), keyed),
        ),
        state,
      ),
      ...(state.__incomplete === true ? { __lostOver: state.__lostOver ?? state.version } : {}),
      ...(state.__takenOver === true ? { __takenOver: true } : {}),
      ...(state.previousVersion === undefined ? {} : { previousVersion: state.previousVersion }),
      ...takenOverRules(state.__takenOverRules ?? [], current),
      ...releasedRules(state.__handedOver ?? [], actual),
      ...(state.__leftRules === undefined ? {} : { __leftRules: state.__leftRules }),
      ...hints,
    },
  };
}

/** Where the rules of a list are, if somebody moved them out of their positions. */
function currentPositions({ positions, ruleIds }: ParsedState, { rules }: Ruleset): Pick<RulesetInputs, "positions"> {
  if (positions.size === 0) return {};
  const now = [...positions].map(([ref, position]) => {
    const id = ownValue(ruleIds, ref);
    return [ref, rules.some((rule) => rule.id === id) ? currentPosition(rules, id ?? "", position) : position] as const;
  });
  return { positions: mapFrom(now) };
}

/**
 * Marks as secret the places that somebody else copied a secret to. What the program itself has in plain text stays so.
 */
export function withCopies({ inputs, state }: Refreshed, before: Partial<RulesetState>, secrets: Secrets): Refreshed {
  const old = before.rules ?? {};
  const inRules = Object.entries(inputs.rules).flatMap(([ref, rule]) => {
    const paths = rule === old[ref] ? [] : findCopies(rule, secrets);
    const copied = paths.filter((path) => !sameJson(valueAt(rule, path), valueAt(old[ref], path)));
    return copied.length === 0 ? [] : [[ref, [...(inputs.__secretPaths?.[ref] ?? []), ...copied]] as const];
  });
  const names = (["name", "description"] as const).filter(
    (name) => inputs[name] !== before[name] && secrets.contains(inputs[name]),
  );
  const marks = {
    ...(inRules.length === 0 ? {} : { __secretPaths: { ...inputs.__secretPaths, ...mapFrom(inRules) } }),
    ...(names.length === 0 ? {} : { __secretArgs: [...new Set([...(inputs.__secretArgs ?? []), ...names])] }),
  };
  return { inputs: { ...inputs, ...marks }, state: { ...state, ...marks } };
}

/** By ref, the fingerprints of what was declared for rules that somebody has changed since. */
function fingerprintsOf({ declared, state }: ParsedState, current: KeyedRules): Readonly<Record<string, string>> {
  // A fingerprint of a secret would reveal something about it.
  const secret = new Set(Object.keys(state.__secretPaths ?? {}));
  const kept = mapFrom(Object.entries(state.__declared ?? {}));
  return mapFrom(
    ruleEntries(current).flatMap(({ ref, rule }) => {
      const before = declared.rules[ref];
      if (before === undefined || secret.has(ref)) return [];
      const first = kept[ref] ?? (sameJson(rule, before.fields) ? undefined : before.fingerprint);
      return first === undefined || first === current.rules[ref]?.fingerprint ? [] : [[ref, first] as const];
    }),
  );
}

function takenOverRules(
  refs: readonly string[],
  current: RulesetInputs["rules"],
): Pick<RulesetState, "__takenOverRules"> {
  const still = refs.filter((ref) => current[ref] !== undefined);
  return still.length === 0 ? {} : { __takenOverRules: still };
}

/** An edit of a rule that was released is not acknowledged by a refresh, which shows nothing of it. */
function releasedRules(
  released: readonly ReleasedRule[],
  { rules }: Pick<Ruleset, "rules">,
): Pick<RulesetState, "__handedOver"> {
  const existingIds = new Set(rules.map(({ id }) => id));
  const still = released.filter(({ id }) => existingIds.has(id));
  return still.length === 0 ? {} : { __handedOver: still };
}

/** The state of a ruleset that no program declares: for `get`. */
export function stateOfUnmanaged(
  type: RulesetDescription["type"],
  given: Partial<RulesetInputs>,
  actual: Ruleset,
): RulesetState {
  const keyed = keyedEntries(actual.rules.map((rule) => ({ ref: rule.ref, rule: parseRule(contentOf(rule)) })));
  const inputs: RulesetInputs = {
    ...given,
    name: actual.name,
    phase: actual.phase,
    description: actual.description,
    ...(type === "Ruleset" ? { kind: actual.kind } : {}),
    rules: rulesByRef(keyed),
    order: orderText(keyed.order),
  };
  return stateFrom(inputs, actual, undefined, keyed);
}

/**
 * The rules that this stack never wrote, as a refresh shows them, and where each runs: the first rule of a ruleset has
 * index 1. Nothing where there are none.
 */
function foreignRulesIn(
  recorded: Pick<RecordedRuleset, "ruleIds">,
  { rules }: Pick<Ruleset, "rules">,
): Pick<RulesetState, "foreignRules"> {
  const foreign = foreignRules(recorded, rules);
  if (foreign.length === 0) return {};
  const shown = foreign.map((rule) => {
    return [rule.ref, { ...contentOf(rule), position: { index: rules.indexOf(rule) + 1 } }] as const;
  });
  return { foreignRules: mapFrom(shown) };
}

/**
 * Rules that a write with an unknown result turns out to have added: the state has them without an ID, and they exist
 * under the same ref. If such a rule has other content in its first version, this stack never sent it; in a later
 * version, somebody has edited it.
 */
export function findUnconfirmedAdditions(
  declared: KeyedRules,
  ruleIds: Readonly<Record<string, string>>,
  actual: Pick<Ruleset, "rules">,
): { readonly ref: string; readonly rule: DeployedRule }[] {
  const lost = declared.order.filter((ref) => ownValue(ruleIds, ref) === undefined);
  if (lost.length === 0) return [];
  const byRef = new Map(actual.rules.map((rule) => [rule.ref, rule]));
  return lost.flatMap((ref) => {
    const rule = byRef.get(ref);
    if (rule === undefined) return [];
    return rule.version !== "1" || declared.rules[ref]?.meansSameAs(Rule.of(rule)) === true ? [{ ref, rule }] : [];
  });
}

/**
 * The state after a switch between sharing and owning the ruleset, without any write.
 * @param takenOver refs of rules that the resource still manages only because they were equal
 */
export function switchedState(olds: RulesetState, news: RulesetInputs, takenOver: ReadonlySet<string>): RulesetState {
  const { __takenOver, __takenOverRules, __answers, __serviceDescription, ...outputs } = outputsOf(olds);
  const description = recordedDescription(olds);
  const described = news.description === undefined && description !== "" ? { __serviceDescription: description } : {};
  const shared = news.ownership === "shared";
  const mine = new Set(Object.values(olds.ruleIds));
  const answers = Object.entries(__answers ?? {}).filter(([id]) => !shared || mine.has(id));
  return {
    ...outputs,
    ...news,
    ...described,
    ...(answers.length === 0 ? {} : { __answers: mapFrom(answers) }),
    ...(takenOver.size === 0 ? {} : shared ? { __takenOverRules: [...takenOver] } : { __takenOver: true }),
  };
}
