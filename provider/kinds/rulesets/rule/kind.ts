import { scopeArguments, parseRuleId, ruleResourceId } from "../../../model/ids.js";
import { defineKind, type Handlers, type Kind } from "../../../engine/kind.js";
import { isObject, type JsonObject } from "../../../model/json.js";
import { pathsIn, type Path } from "../../../model/path.js";
import type { Secrets } from "../../../redaction/secrets.js";
import { normaliseArguments } from "./arguments.js";
import { changingOf, diff } from "./change.js";
import { plannedUpdate } from "../change.js";
import { check, validate } from "./check.js";
import { RULESET_RULE, type RuleState } from "./description.js";
import { withDryRuns } from "../../judging/dry-run/judge.js";
import { JUDGES } from "../../judging/index.js";
import { refreshRule, stateOfUnmanagedRule, type RefreshedRule } from "../single-rule.js";
import type { Session } from "../../../engine/session.js";
import { RulesetsError } from "../../../model/errors.js";
import { findAnchor } from "../../../rules/placing/position.js";
import { currentAt, listByResource, type Address } from "../read.js";
import type { ListIn } from "../../../engine/listing.js";
import { late } from "../../../model/late.js";

/** Modules that write are loaded for the first write: most rules are unchanged in most runs. */
const loadLifecycle = late<typeof import("./lifecycle.js")>(() => require("./lifecycle.js"));

const managed: Handlers<typeof RULESET_RULE> = {
  normalise: normaliseArguments,
  validate,
  check: (request) => check(request, JUDGES),
  diff: (session, _id, olds, news) => diff(session, olds, news, JUDGES),
  create: (session, inputs) => loadLifecycle().create(session, inputs),
  read,
  update: (session, id, olds, news) => loadLifecycle().update(session, id, olds, news),
  delete: (session, id, state) => loadLifecycle().deleteRule(session, id, state),
  list: listRules,
  secretPaths,
  copyPaths,
  publicTexts: ({ ref }) => (typeof ref === "string" ? [ref] : []),
};

/** One rule of a ruleset that also has rules of others. */
export const rulesetRule: Kind<"RulesetRule"> = defineKind(
  RULESET_RULE,
  withDryRuns(managed, (session, _id, olds, news) => plannedUpdate(changingOf(session, olds, news))),
);

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
    const whole = stateOfUnmanagedRule({ ...given, ...placeIn(address) }, ruleset, rule, session.secrets);
    return whole === undefined ? undefined : { inputs: whole, state: whole };
  }
  const rule =
    ruleset.rules.find((each) => each.id === state.ruleId) ?? ruleset.rules.find((each) => each.ref === state.ref);
  return rule === undefined ? undefined : refreshRule(state, ruleset, rule, session.secrets);
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

/** Every rule of every ruleset. Sends one request for each ruleset. */
async function* listRules(...[session, place]: Parameters<ListIn>): ReturnType<ListIn> {
  for await (const { id, name, rulesetId } of listByResource(session, place)) {
    const { rules } = await session.client.rulesets.get(place, rulesetId);
    for (const rule of rules)
      yield { id: ruleResourceId(id, rule.ref), name: `${name} ${rule.description ?? rule.ref}` };
  }
}
