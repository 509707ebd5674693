import { createHash } from "node:crypto";
import type { RulesetRule } from "../../../core/model/generated/rule.js";
import { isList, isObject, type Json, type JsonObject } from "../../../core/model/json.js";
import { judgedRule, undecided } from "../../../core/model/judged-rule.js";
import { parsePendingFields } from "../../../core/model/parse-rule.js";
import { type Path, valueAt } from "../../../core/model/path.js";
import { inOurNames, pathInOurNames } from "../../../core/model/spelling.js";
import { hasUnknown, isUnknown, knownText, type PendingParts, UNKNOWN } from "../../../core/model/unknown.js";
import { withRefs } from "../../../core/rules/assign-refs.js";
import type { RulesetInput } from "../../../core/simulator/ruleset-input.js";
import { unknownPlace } from "../../../core/simulator/unknown-zone.js";
import type { DeclaredResource, DeclaredSoFar, DeclareRules } from "../../engine/declare-rules.js";
import { restoreSecrets } from "../../engine/secrets.js";
import { reachOf } from "../../ownership/reach.js";
import { RULE_FIELDS, RULESET_RULE } from "./rule/description.js";

/** Records the rules of a ruleset, and returns what the provider would. */
export const declareRuleset: DeclareRules = (resource, program) => declare(resource, program, resource.inputs);

/** Records a rule as a ruleset with this one rule. */
export const declareRule: DeclareRules = (resource, program) =>
  declare(resource, program, asList(resource, program.rulesets));

const CURE = "To continue: pass mocks (--mocks in commands) that return what it is made of";

function declare(
  { type, name, id, inputs, secrets }: DeclaredResource,
  program: DeclaredSoFar,
  given: JsonObject,
): ReturnType<DeclareRules> {
  const isSingle = type === RULESET_RULE.type;
  const own = createHash("md5").update(`${type} ${name}`).digest("hex");
  const rulesetId = knownText(given.rulesetId) || own;
  const state = { ...inputs, ...(isSingle ? { ref: inputs.ref ?? name } : {}), rulesetId, version: "1" };
  if (id !== undefined) return { id, state };
  const { accountId, kind, phase } = given as Readonly<Record<string, string | undefined>>;
  if (isUnknown(phase)) throw new TypeError(`${type} ${name}: the phase is not known without the engine. ${CURE}`);
  // Without mocks, an ID that another provider returns is not known: more often that of a zone.
  const zoneId = isUnknown(given.zoneId) ? undefined : (given.zoneId as string | undefined);
  const container = zoneId === undefined ? `accounts/${accountId ?? ""}` : `zones/${zoneId}`;
  program.types.push(type);
  const { value, paths } = restoreSecrets(given.rules, secrets);
  const rules = isList(value) ? value : [];
  if (!isList(value)) program.unknown.push(program.rulesets.length);
  program.secrets.push(
    ...paths.map((path) => ({ path: ["rules", ...pathIn(rules, path)], value: valueAt(value, path) })),
  );
  const pending = withRefs(rules.flatMap((rule) => rulesFor(rule)));
  program.pending.push(hasUnknown(pending) ? pending : undefined);
  program.rulesets.push({
    id: rulesetId,
    name,
    kind: kind ?? (accountId === undefined ? "zone" : "root"),
    phase: phase ?? "",
    accountId: isUnknown(accountId) ? unknownPlace(name, false) : accountId,
    zoneId,
    rules: pending.map((rule, index) => undecided(judgedRule(rule, `${name} ${String(index)}`))),
    ...(reachOf(state).isPart ? { isPart: true } : {}),
    ...(isObject(given.position) ? { position: given.position } : {}),
  });
  return { id: `${container}/rulesets/${rulesetId}`, state };
}

/** The rules that the service would get for one of the program, with the engine's marker in place of what is not known. */
function rulesFor(rule: Json): readonly (JsonObject & PendingParts<RulesetRule>)[] {
  if (isUnknown(rule)) return [{ action: UNKNOWN, expression: UNKNOWN }];
  return isObject(rule) ? [parsePendingFields(inOurNames(rule))] : [];
}

/** Arguments of a rule's resource that are not a part of the rule. */
const BESIDE_RULE: ReadonlySet<string> = new Set(
  Object.keys(RULESET_RULE.arguments).filter((name) => name !== "ref" && !Object.hasOwn(RULE_FIELDS, name)),
);

/** The arguments of a rule's resource as those of a list with this one rule. */
function asList({ name, inputs }: DeclaredResource, declared: readonly RulesetInput[]): JsonObject {
  const isOfRule = ([key]: readonly [string, unknown]): boolean => !BESIDE_RULE.has(key) && !key.startsWith("__");
  const rule = { ref: name, ...Object.fromEntries(Object.entries(inputs).filter(isOfRule)) };
  if (knownText(inputs.rulesetId) === "") return { ...inputs, rules: [rule] };
  const { kind = "custom", phase } = declared.find(({ id }) => id === inputs.rulesetId) ?? {};
  return { ...inputs, kind, ...(phase === undefined ? {} : { phase }), rules: [rule] };
}

/** The path of a value in rules, with the names of this package. */
function pathIn(rules: readonly Json[], [index, ...rest]: Path): Path {
  if (index === undefined) return [];
  const rule = rules[Number(index)];
  return [index, ...(isObject(rule) ? pathInOurNames(rule, rest) : rest)];
}
