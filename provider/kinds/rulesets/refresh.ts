import { orderText } from "../../../core/model/ids.js";
import { keepIncomplete } from "../../engine/incomplete.js";
import { findCopies } from "../../engine/secrets.js";
import { mapFrom, omit, ownValue, pick, sameJson } from "../../../core/model/json.js";
import { parseRule } from "../../../core/model/parse-rule.js";
import { valueAt } from "../../../core/model/path.js";
import type { Ruleset } from "../../../core/model/ruleset.js";
import { type RecordedRuleset, foreignRules } from "../../ownership/conflict.js";
import type { Secrets } from "../../../client/redaction/secrets.js";
import { contentOf } from "../../../core/rules/content.js";
import { isSameText } from "../../../core/rules/spelling.js";
import { keyedEntries, type KeyedRules, ruleEntries, rulesByRef, rulesInForce } from "../../../core/rules/keyed.js";
import { currentPosition } from "../../../core/rules/placing/position.js";
import { currentRule, Rule } from "../../../core/rules/rule.js";
import type { RulesetDescription, RulesetInputs, RulesetState } from "./description.js";
import { findUnconfirmedAdditions, inputsOf, parseState, refsById, stateFrom, type ParsedState } from "./state.js";

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
  const described = describedNow(state, actual);
  const renamed = !shared && recorded.deployedRules.size > 0 && actual.name !== (state.__serviceName ?? state.name);
  const changed = {
    rules: current,
    order: orderText(keyed.order),
    rulesInForce: rulesInForce(current),
    ...(described === undefined ? {} : { description: described }),
    ...(renamed && state.name !== undefined ? { name: actual.name } : {}),
    ...(shared ? currentPositions(recorded, actual) : foreignRulesIn(recorded, actual)),
  };
  // After drift, the rules are no longer those of the version that was restored: it is read again.
  const drifted = !sameJson(current, rules) || changed.order !== orderText(recorded.declared.order);
  const before = omit(inputsOf(state), drifted ? ["foreignRules", "restoreVersion"] : ["foreignRules"]);
  const inputs = { ...before, ...changed };
  const hints = Object.keys(declared).length === 0 ? {} : { __declared: declared };
  const found = stateFrom(inputs, actual, new Map(own.map(({ ref, rule }) => [ref, rule.ref])), keyed);
  return {
    inputs: { ...inputs, ...hints },
    state: {
      ...keepIncomplete(found, state),
      ...(state.__incomplete === true ? { __lostOver: state.__lostOver ?? state.version } : {}),
      ...(state.previousVersion === undefined ? {} : { previousVersion: state.previousVersion }),
      ...takenOver(state, current),
      ...hints,
    },
  };
}

/** The declared description, or the one that somebody gave the ruleset since. */
function describedNow({ description }: RulesetState, actual: Ruleset): string | undefined {
  return description === undefined || isSameText(description, actual.description) ? description : actual.description;
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

function takenOver(
  { __takenOver: refs }: RulesetState,
  current: RulesetInputs["rules"],
): Pick<RulesetState, "__takenOver"> {
  return refs === undefined ? {} : { __takenOver: refs.filter((ref) => current[ref] !== undefined) };
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
