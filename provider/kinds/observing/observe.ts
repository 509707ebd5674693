import { displayFor } from "../../engine/display.js";
import { replacedInputs, sameInputs, inputsIn } from "../../engine/inputs.js";
import type { Description, InputsOf, StateOf } from "../../engine/description.js";
import type { Checked, CheckRequest, Handlers } from "../../engine/kind.js";
import type { Change } from "../../engine/lifecycle.js";
import { planUp } from "../../engine/published-plans.js";
import type { Session } from "../../engine/session.js";
import { isObject, type Json } from "../../model/json.js";
import { quotedRuleName } from "../../model/names.js";
import { isObserved, type DeployedRule, type Ruleset } from "../../model/ruleset.js";
import { isUnknown, type Pending, NOT_KNOWN, valueIfKnown } from "../../model/unknown.js";
import { plural } from "../../model/words.js";
import { diffRules } from "../../rules/diff.js";
import { keyedDeployedRules, NO_RULES } from "../../rules/keyed.js";
import { failure, NO_FINDINGS } from "../../validation/index.js";
import { type Desired, desiredFrom, targetOf } from "../rulesets/desired.js";
import { inspect } from "../rulesets/check/existing.js";
import { phaseResourceId } from "../../model/ids.js";
import { knownRules } from "../../ownership/takeover.js";
import { assignRefs } from "../../rules/assign-refs.js";
import { PHASE_ENTRYPOINT, type RULESET, type RulesetInputs } from "../rulesets/description.js";
import { lastWanted } from "../rulesets/this-run.js";
import { checkedInputs, keyRules, knownFromOlds, parseCheck, unlistedInputs } from "../rulesets/check/inputs.js";
import { listOfProgram } from "../rulesets/check/rule-list.js";

/*
 * With `manage: false`, a resource only observes: it reads what is at the service, compares it with what the program declares, and
 * writes nothing. Its state owns nothing, so that nothing is deleted with it, and any other resource may have what it observes.
 */

/** What a kind does for a resource that only observes. */
export interface Observer<D extends Description> {
  /** The inputs, with how the service differs. */
  readonly check: (request: CheckRequest<D>) => Promise<Checked<D>>;
  /** What is at the service now, as a state that owns nothing. */
  readonly observe: (
    session: Session,
    inputs: InputsOf<D>,
  ) => Promise<{ readonly id: string; readonly state: StateOf<D> }>;
  readonly inputsOf: (state: StateOf<D>) => InputsOf<D>;
  /** The inputs with how the service differs now. */
  readonly again: (session: Session, inputs: InputsOf<D>) => Promise<InputsOf<D>>;
}

/** Handlers that leave to an observer what only observes. A resource that begins to manage is created; one that stops owns nothing. */
export function withObserver<D extends Description>(
  description: Description,
  handlers: Handlers<D>,
  { check, observe, inputsOf, again }: Observer<D>,
): Handlers<D> {
  return {
    ...handlers,
    validate: (request, olds) =>
      isUnknown((request.args as { readonly manage?: Json }).manage)
        ? failure(["manage"], "must be known in the preview: it decides whether anything is written")
        : (handlers.validate?.(request, olds) ?? NO_FINDINGS),
    check: (request) => {
      if (isObserved(request.wanted)) return check(request);
      return handlers.check(isObserved(request.olds ?? {}) ? { ...request, olds: undefined } : request);
    },
    diff: (session, id, olds, news) =>
      isObserved(olds) || isObserved(news)
        ? diffObserved(description, inputsOf(olds), news)
        : handlers.diff(session, id, olds, news),
    create: (session, inputs) => (isObserved(inputs) ? observe(session, inputs) : handlers.create(session, inputs)),
    read: async (session, id, state, given) => {
      if (state === undefined || !isObserved(state)) return handlers.read(session, id, state, given);
      const inputs = await again(session, inputsOf(state));
      return { inputs, state: { ...state, ...inputs } };
    },
    update: async (session, id, olds, news) => {
      if (isObserved(news)) return (await observe(session, news)).state;
      return isObserved(olds) ? (await handlers.create(session, news)).state : handlers.update(session, id, olds, news);
    },
    delete: (session, id, state) => (isObserved(state) ? Promise.resolve() : handlers.delete(session, id, state)),
  };
}

type Values = Readonly<Record<string, unknown>>;

function diffObserved<D extends Description>(
  description: Description,
  olds: InputsOf<D>,
  news: Pending<InputsOf<D>>,
): Change {
  const [before, after] = [olds as Values, news as Values];
  const replaces = replacedInputs<Description>(description, before, after);
  const isSame = sameInputs<Description>(description, before, after);
  return { kind: replaces.length > 0 ? "replace" : isSame ? "none" : "update", replaces, shownByInputs: true };
}

/** How the service differs, as inputs record it. */
export function differencesIn(inputs: object | undefined): { readonly differences?: readonly string[] } {
  const { differences } = (inputs ?? {}) as { readonly differences?: unknown };
  return Array.isArray(differences) ? { differences: differences as readonly string[] } : {};
}

/** More would not be read; the first ones show where to look. */
const MOST = 50;

/** How what is at the service differs from what a program declares, one text for each rule. Values that are secret are left out. */
export function differencesOf(session: Session, desired: Desired, actual: Ruleset | undefined): readonly string[] {
  const { rules: declared = NO_RULES, policy, secrets, where } = desired;
  if (actual === undefined) return declared.order.length === 0 ? [] : [`${where} does not exist`];
  const isPart = policy.ownership === "shared";
  const there = keyedDeployedRules(actual.rules);
  const { added, removed, changed, moved } = diffRules(there, declared);
  const byRef = new Map(actual.rules.map((rule) => [rule.ref, rule]));
  const ruleIds = Object.fromEntries(actual.rules.map(({ ref, id }) => [ref, id]));
  const display = displayFor(session, { ...secrets, ruleIds });
  const shown = (ref: string): DeployedRule | undefined => {
    const rule = byRef.get(ref);
    return rule === undefined ? undefined : display.rule(rule);
  };
  const nameOf = (ref: string): string => {
    const { description } = shown(ref) ?? {};
    return `rule ${quotedRuleName({ ...(description === undefined ? {} : { description }), ref })}`;
  };
  const found = [
    ...added.map((ref) => `rule ${JSON.stringify(ref)} does not exist`),
    ...changed.flatMap(({ ref, fields }) => {
      const rule = shown(ref);
      return fields.length === 0 || !isObject(rule)
        ? []
        : [`${nameOf(ref)} has ${fields.map((name) => valueWords(rule, name)).join(", ")}`];
    }),
    ...(isPart ? [] : removed.map((ref) => `${nameOf(ref)} is not in the program`)),
    ...moved.map((ref) => `${nameOf(ref)} is in another place`),
  ].map((text) => session.secrets.hide(text));
  const more = found.length - MOST;
  return more > 0 ? [...found.slice(0, MOST), `and ${plural(more, "more difference")}`] : found;
}

const LONGEST = 200;

/** A field of a rule at the service: `action "log"`; of a long value, only the name. */
function valueWords(rule: object, name: string): string {
  const value = (rule as Readonly<Record<string, unknown>>)[name];
  const text = value === undefined ? "not set" : JSON.stringify(value);
  return text.length > LONGEST ? `another ${name}` : `${name} ${text}`;
}

/**
 * Says how the service differs, and that nothing is written.
 * @param isRead whether the differences are those of now; otherwise they are those that the stack knows
 */
export function reportObserved(
  session: Session,
  urn: string,
  where: string,
  { isRead, differences }: { readonly isRead: boolean; readonly differences?: readonly string[] },
): void {
  planUp(session, urn, { writes: [] });
  if (differences === undefined) return;
  const head = `${where} is only observed (manage: false), so nothing is written; the service`;
  const when = isRead ? "" : " could not be read now; when it last was, it";
  const [has, differs] = isRead ? ["has", "differs"] : ["had", "differed"];
  if (differences.length === 0) session.reporter.info(urn, `${head}${when} ${has} what the program declares`);
  else session.reporter.warn(urn, [`${head}${when} ${differs}:`, ...differences].join("\n  "));
}

/** An entry point that is only observed. */
export const entrypointObserver: Observer<typeof RULESET> = {
  check: checkObserved,
  observe: async (session, inputs) => {
    const actual = await readNow(session, inputs);
    const { scope, phase } = targetOf(inputs);
    const { id: rulesetId = "", version = "", lastUpdated = "" } = actual ?? {};
    const state = { ...inputs, rulesetId, version, lastUpdated, deployedRules: [], ruleIds: {} };
    return { id: phaseResourceId(scope, phase), state };
  },
  inputsOf: (state) => inputsIn(PHASE_ENTRYPOINT, state),
  again: async (session, inputs) => withDifferences(session, inputs, await readNow(session, inputs)),
};

function readNow({ reads }: Session, inputs: RulesetInputs): Promise<Ruleset | undefined> {
  const { scope, phase } = targetOf(inputs);
  return reads.entrypoint(scope, phase);
}

function withDifferences<I extends Pending<RulesetInputs>>(
  session: Session,
  inputs: I,
  actual: Ruleset | undefined,
): I & { readonly differences: readonly string[] } {
  return { ...inputs, differences: differencesOf(session, desiredFrom(inputs), actual) };
}

/** Compares what is declared with what is there: rules without a ref are those at the service that they match. */
async function checkObserved(request: CheckRequest<typeof RULESET>): Promise<Checked<typeof RULESET>> {
  const { session, urn, wanted, olds } = request;
  const checking = parseCheck(request, lastWanted(request, desiredFrom));
  const { last } = checking;
  const unlisted = unlistedInputs(checking, "unknown");
  if (wanted.restoreVersion !== undefined)
    return {
      inputs: unlisted,
      findings: failure(["restoreVersion"], "cannot be combined with manage: false, which writes nothing"),
    };
  const { isRead, ruleset, findings } = await inspect(checking, checking.target, checking.where);
  if (wanted.rules === NOT_KNOWN || wanted.rules === undefined) return { inputs: unlisted, findings };
  const { wanted: rules, secretPathsIn } = listOfProgram(checking);
  const before = last?.rules ?? NO_RULES;
  const known = isRead ? knownRules(ruleset?.rules ?? []) : knownFromOlds(before, {});
  const owner = checking.isShared ? urn : undefined;
  const { refs } = assignRefs(known, rules, { secretPathsIn, owner });
  const secretsBefore = valueIfKnown(olds?.__secretPaths) ?? {};
  const options = { before, ignored: [], keepsOrder: false, secretPathsIn, secretsBefore };
  const plain = checkedInputs(checking, keyRules({ wanted: rules, refs, ...options }));
  const inputs = isRead ? withDifferences(session, plain, ruleset) : { ...plain, ...differencesIn(olds) };
  reportObserved(session, urn, checking.where, { isRead, ...differencesIn(inputs) });
  return { inputs, findings };
}
