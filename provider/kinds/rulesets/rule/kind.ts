import type { Secrets } from "../../../../client/redaction/secrets.js";
import { RulesetsError } from "../../../../core/model/errors.js";
import { parseRuleId, scopeArguments } from "../../../../core/model/ids.js";
import { isObject, type JsonObject } from "../../../../core/model/json.js";
import { late } from "../../../../core/model/late.js";
import { parseRule } from "../../../../core/model/parse-rule.js";
import { type Path, pathsIn } from "../../../../core/model/path.js";
import type { DeployedRule, Ruleset } from "../../../../core/model/ruleset.js";
import { contentOf } from "../../../../core/rules/content.js";
import { findAnchor } from "../../../../core/rules/placing/position.js";
import { replacedInputs } from "../../../engine/inputs.js";
import { defineKind, type Handlers, type Kind } from "../../../engine/kind.js";
import { findCopies } from "../../../engine/secrets.js";
import type { Session } from "../../../engine/session.js";
import { RULE_JUDGES } from "../../judging/index.js";
import { check } from "../check/check.js";
import { diff } from "../diff.js";
import { type Address, currentAt } from "../find.js";
import { refreshState, withCopies } from "../read.js";
import { stateFrom } from "../state.js";
import { asList, asRule, inputsOf, listId, listState, ruleState, writeAsList } from "./as-list.js";
import { asListCheck, normaliseArguments, validate } from "./check.js";
import { type RuleInputs, RULESET_RULE, type RuleState } from "./description.js";

/** Modules that write are loaded for the first write: most rules are unchanged in most runs. */
const loadLifecycle = late<typeof import("../lifecycle.js")>(() => require("../lifecycle.js"));

const managed: Handlers<typeof RULESET_RULE> = {
  normalise: normaliseArguments,
  validate,
  check: async (request) => {
    const { inputs, findings } = await check(asListCheck(request), RULE_JUDGES);
    return { inputs: asRule(inputs), findings };
  },
  diff: (session, id, olds, news) => {
    const replaces = replacedInputs(RULESET_RULE, inputsOf(olds), news);
    return diff(session, listId(id), listState(olds), asList(news), { replaces, judges: RULE_JUDGES });
  },
  create: (session, inputs) => writeAsList(inputs, undefined, () => loadLifecycle().create(session, asList(inputs))),
  read,
  update: async (session, id, olds, news) => {
    const list = listId(id);
    const write = () => loadLifecycle().update(session, list, listState(olds), asList(news));
    return (await writeAsList(news, olds, async () => ({ id: list, state: await write() }))).state;
  },
  delete: (session, id, state) => loadLifecycle().deleteRuleset(session, listId(id), listState(state)),
  secretPaths,
  copyPaths,
  publicTexts: ({ ref }) => (typeof ref === "string" ? [ref] : []),
};

/** One rule of a ruleset that also has rules of others. */
export const rulesetRule: Kind<"RulesetRule"> = defineKind(RULESET_RULE, managed);

/** The paths of secrets: in the rule, and in what the service returned for it. */
function secretPaths(props: JsonObject): Path[] {
  const { __secretPaths: paths, ruleId } = props;
  return pathsIn(paths).flatMap((path) => [
    path,
    ...(typeof ruleId === "string" ? [["__answers", ruleId, ...path]] : []),
  ]);
}

/** Somebody else may have copied a secret into the rule. A response is internal, so all of it is hidden. */
function copyPaths(props: JsonObject, secrets: Secrets): Path[] {
  const { __answers: response, __secretPaths: paths } = props;
  return isObject(response) && (pathsIn(paths).length > 0 || secrets.contains(response)) ? [["__answers"]] : [];
}

/** The result of a refresh: inputs and outputs with exactly the changes that somebody made. */
interface RefreshedRule {
  readonly inputs: RuleInputs;
  readonly state: RuleState;
}

/**
 * Reads the rule in the form of the program's inputs; undefined if it no longer exists. Sends one GET for all rules of
 * a ruleset.
 */
async function read(
  session: Session,
  id: string,
  state: RuleState | undefined,
  given: Partial<RuleState>,
): Promise<RefreshedRule | undefined> {
  const { ruleset: address, ref } = ruleAddressOf(id);
  const ruleset = await currentAt(session, address);
  if (ruleset === undefined) return undefined;
  if (state === undefined) {
    const rule = findAnchor(ruleset.rules, ref);
    if (rule === undefined) return undefined;
    const whole = stateOfUnmanaged({ ...given, ...placeIn(address) }, ruleset, rule, session.secrets);
    return whole === undefined ? undefined : { inputs: whole, state: whole };
  }
  const rule =
    ruleset.rules.find((each) => each.id === state.ruleId) ?? ruleset.rules.find((each) => each.ref === state.ref);
  return rule === undefined ? undefined : refresh(state, ruleset, rule, session.secrets);
}

/** The rule as it is now. Somebody may have recreated it under its ref. */
function refresh(state: RuleState, ruleset: Ruleset, { id, version }: DeployedRule, secrets: Secrets): RefreshedRule {
  const isUnchanged = id === state.ruleId && version === state.version && state.__incomplete !== true;
  if (isUnchanged && state.position === undefined) return { inputs: inputsOf(state), state };
  const before = listState({ ...state, ruleId: id });
  const { state: list } = withCopies(refreshState(before, ruleset), before, secrets);
  // Others write the ruleset as well: its version here is that of the last write of this rule.
  const found = ruleState({ ...list, version: before.version }) ?? state;
  return { inputs: inputsOf(found), state: found };
}

/** The state of a rule that no program declares: for `get`. */
function stateOfUnmanaged(
  given: Partial<RuleInputs>,
  ruleset: Ruleset,
  rule: DeployedRule,
  secrets: Secrets,
): RuleState | undefined {
  const content = parseRule(contentOf(rule));
  const copied = findCopies(content, secrets);
  const inputs: RuleInputs = {
    ...given,
    ...content,
    ...{ ref: rule.ref, phase: ruleset.phase },
    ...(copied.length === 0 ? {} : { __secretPaths: copied }),
  };
  return ruleState(stateFrom(asList(inputs), { ...ruleset, rules: [rule] }));
}

function ruleAddressOf(id: string): { readonly ruleset: Address; readonly ref: string } {
  const parsed = parseRuleId(id);
  if (parsed === undefined)
    throw new RulesetsError(
      `${JSON.stringify(id)} is not a valid ID of this resource: write zones/<zoneId>/phases/<phase>/rules/<ref> or ` +
        "zones/<zoneId>/rulesets/<rulesetId>/rules/<ref>, or the same with accounts/….",
      { code: "CONFIG_INVALID" },
    );
  return parsed;
}

/** The inputs that identify the ruleset of a rule. */
function placeIn({ scope, rulesetId }: Address): Partial<RuleState> {
  return {
    ...scopeArguments(scope),
    ...(rulesetId === undefined ? {} : { rulesetId, __kind: "" }),
  };
}
