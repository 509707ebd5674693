import type { Secrets } from "../../../client/redaction/secrets.js";
import { orderText, scopeArguments } from "../../../core/model/ids.js";
import { mapFrom, omit, ownValue, pick, sameJson } from "../../../core/model/json.js";
import { parseRule } from "../../../core/model/parse-rule.js";
import { valueAt } from "../../../core/model/path.js";
import type { Ruleset } from "../../../core/model/ruleset.js";
import { contentOf } from "../../../core/rules/content.js";
import { keyedEntries, type KeyedRules, ruleEntries, rulesByRef, rulesInForce } from "../../../core/rules/keyed.js";
import { currentPosition } from "../../../core/rules/placing/position.js";
import { currentRule, Rule } from "../../../core/rules/rule.js";
import { isSameText } from "../../../core/rules/spelling.js";
import { keepIncomplete } from "../../engine/incomplete.js";
import { findCopies } from "../../engine/secrets.js";
import type { Session } from "../../engine/session.js";
import { foreignRules } from "../../ownership/conflict.js";
import { reachOf } from "../../ownership/reach.js";
import { addressOf, readAt } from "./find.js";
import type { RulesetDescription, RulesetInputs, RulesetState } from "./description.js";
import {
  coveredIn,
  findUnconfirmedAdditions,
  inputsOf,
  type ParsedState,
  parseState,
  recordedName,
  refsById,
  stateFrom,
} from "./state.js";

/**
 * Reads the ruleset in the form of the program's inputs; undefined if it no longer exists. Sends one list
 * for all rulesets of a scope, and a GET for each that changed. Without inputs where the list shows that nothing changed.
 */
export async function read(
  { type }: RulesetDescription,
  session: Session,
  id: string,
  state: RulesetState | undefined,
  given: Partial<RulesetState>,
): Promise<Refreshed | Pick<Refreshed, "state"> | undefined> {
  const address = addressOf(id, given);
  const complete = state?.__incomplete === undefined ? state : undefined;
  if (
    complete !== undefined &&
    (await session.reads.isUnchanged(address.scope, complete)) &&
    !lacksForeignRules(complete)
  )
    return unchanged(complete);
  const deployed = await readAt(session, address);
  if (deployed === undefined) return undefined;
  session.reads.store(address.scope, deployed);
  if (state !== undefined) return withCopies(refreshState(state, deployed), state, session.secrets);
  const whole = stateOfUnmanaged(type, { ...given, ...scopeArguments(address.scope) }, deployed);
  return withCopies({ inputs: whole, state: whole }, {}, session.secrets);
}

/** Whether a state knows rules of others that no refresh has shown yet, as after a switch from sharing the ruleset. */
function lacksForeignRules(state: RulesetState): boolean {
  const own = new Set(Object.values(state.ruleIds));
  const covers = reachOf(state).covers(own);
  return state.foreignRules === undefined && state.deployedRules.some(({ id }) => covers(id) && !own.has(id));
}

/** The result of a refresh: inputs and outputs with exactly the changes that somebody made. */
interface Refreshed {
  readonly inputs: RulesetInputs;
  readonly state: RulesetState;
}

/**
 * The result for a ruleset that has not changed since the state was written. The engine then has the inputs in the state, except
 * after an update of a shared ruleset that stopped halfway: it has those of the whole update, and the state those of the part.
 */
function unchanged(state: RulesetState): Refreshed | Pick<Refreshed, "state"> {
  return state.ownership === "shared"
    ? { inputs: { ...inputsOf(state), ...pick(state, ["__declared"]) }, state }
    : { state };
}

export function refreshState(state: RulesetState, deployed: Ruleset): Refreshed {
  const recorded = parseState(state);
  const lost =
    state.__incomplete === true ? findUnconfirmedAdditions(recorded.declared, recorded.ruleIds, deployed) : [];
  const refById = new Map([...refsById(recorded.ruleIds), ...lost.map(({ ref, rule }) => [rule.id, ref] as const)]);
  const own = deployed.rules.flatMap((rule) => {
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
  const described = describedNow(state, deployed);
  const renamed = !reachOf(state).isPart && recorded.deployedRules.size > 0 && deployed.name !== recordedName(state);
  const changed = {
    rules: current,
    order: orderText(keyed.order),
    rulesInForce: rulesInForce(current),
    ...(described === undefined ? {} : { description: described }),
    ...(renamed && state.name !== undefined ? { name: deployed.name } : {}),
    ...currentPositions(recorded, deployed),
    ...foreignRulesIn(recorded, deployed),
  };
  const inputs = { ...omit(inputsOf(state), ["foreignRules"]), ...changed };
  const hints = Object.keys(declared).length === 0 ? {} : { __declared: declared };
  const found = stateFrom(inputs, deployed, new Map(own.map(({ ref, rule }) => [ref, rule.ref])), keyed);
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
function describedNow({ description }: RulesetState, deployed: Ruleset): string | undefined {
  return description === undefined || isSameText(description, deployed.description)
    ? description
    : deployed.description;
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
function stateOfUnmanaged(
  type: RulesetDescription["type"],
  given: Partial<RulesetInputs>,
  deployed: Ruleset,
): RulesetState {
  const keyed = keyedEntries(deployed.rules.map((rule) => ({ ref: rule.ref, rule: parseRule(contentOf(rule)) })));
  const inputs: RulesetInputs = {
    ...given,
    name: deployed.name,
    phase: deployed.phase,
    description: deployed.description,
    ...(type === "Ruleset" ? { kind: deployed.kind } : {}),
    rules: rulesByRef(keyed),
    order: orderText(keyed.order),
  };
  return stateFrom(inputs, deployed, undefined, keyed);
}

/**
 * The rules that this stack never wrote, as a refresh shows them, and where each runs: the first rule of a ruleset has
 * index 1. Nothing where there are none.
 */
function foreignRulesIn(recorded: ParsedState, { rules }: Pick<Ruleset, "rules">): Pick<RulesetState, "foreignRules"> {
  const foreign = foreignRules(recorded, coveredIn(recorded, rules).covered);
  if (foreign.length === 0) return {};
  const shown = foreign.map((rule) => {
    return [rule.ref, { ...contentOf(rule), position: { index: rules.indexOf(rule) + 1 } }] as const;
  });
  return { foreignRules: mapFrom(shown) };
}
