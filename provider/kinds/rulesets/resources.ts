import type { Secrets } from "../../../client/redaction/secrets.js";
import { orderText, refsIn } from "../../../core/model/ids.js";
import { isList, isObject, type JsonObject, mapFrom, omit, textOf, textsIn } from "../../../core/model/json.js";
import { late } from "../../../core/model/late.js";
import { type Path, pathsIn } from "../../../core/model/path.js";
import { type DeployedRuleInfo, deployedRuleInfo } from "../../../core/model/ruleset.js";
import { assignRefs } from "../../../core/rules/assign-refs.js";
import { contentOf } from "../../../core/rules/content.js";
import { normaliseRulesetArguments } from "../../../core/rules/normalise.js";
import { replacedInputs } from "../../engine/inputs.js";
import { defineKind, type Handlers, type Kind } from "../../engine/kind.js";
import type { Props } from "../../engine/lifecycle.js";
import { findCopies } from "../../engine/secrets.js";
import { LIST_JUDGES } from "../judging/index.js";
import { check } from "./check/check.js";
import { parseCheck } from "./check/inputs.js";
import { settleRefs } from "./check/refs.js";
import { validate } from "./check/validate.js";
import { PHASE_ENTRYPOINT, RULESET, type RulesetDescription } from "./description.js";
import { diff } from "./diff.js";
import { read } from "./read.js";

/** The paths of secrets: in the rules by ref, in what the service returned for them by ID, and in other arguments. */
function secretPaths(props: JsonObject): Path[] {
  const ids = isObject(props.ruleIds) ? props.ruleIds : {};
  const inRules = secretRules(props).flatMap(([ref, paths]) => {
    const id = ids[ref];
    return paths.flatMap((path) => [
      ["rules", ref, ...path],
      ...(typeof id === "string" ? [["__answers", id, ...path]] : []),
    ]);
  });
  const names = textsIn(props.__secretArgs);
  return [...inRules, ...names.map((name) => [name])];
}

function secretRules({ __secretPaths: byRef }: JsonObject): (readonly [string, readonly Path[]])[] {
  return Object.entries(isObject(byRef) ? byRef : {}).map(([ref, list]) => [ref, pathsIn(list)] as const);
}

/**
 * The paths where somebody else may have copied a secret: into a rule or its ref, a name, a description. Responses are
 * internal, so all of them are hidden.
 */
function copyPaths(props: JsonObject, secrets: Secrets): Path[] {
  const answers = props.__answers;
  const all = secretRules(props).length > 0 || secrets.contains(answers);
  return [
    ...(answers !== undefined && all ? [["__answers"]] : []),
    ...findCopies(props.deployedRules, secrets, ["deployedRules"]),
    ...findCopies(props.foreignRules, secrets, ["foreignRules"]),
    ...findCopies(props.__service, secrets, ["__service"]),
  ];
}

const WORDS = ["action", "description", "enabled"] as const;

/**
 * Removes from `deployedRules` whatever would reveal a secret rule or a copy of a secret: a secret inside an output
 * makes the whole output secret.
 */
function withoutSecretWords(props: JsonObject, secrets: Secrets): JsonObject {
  const { deployedRules: infos, ruleIds } = props;
  if (!isList(infos)) return props;
  const ids = isObject(ruleIds) ? ruleIds : {};
  const pathsById = new Map(secretRules(props).map(([ref, paths]) => [ids[ref], paths]));
  const kept = infos.map((info) => {
    if (!isObject(info)) return info;
    const paths = pathsById.get(info.id) ?? [];
    const isSecret = (name: string): boolean =>
      paths.some(([step]) => step === undefined || step === name) || secrets.contains(info[name]);
    const hidden = WORDS.filter(isSecret);
    return hidden.length === 0 ? info : omit(info, hidden);
  });
  return { ...props, deployedRules: kept };
}

/** Refs are in plain text in keys, in the order and in outputs. */
function publicTexts({ order }: JsonObject): string[] {
  return typeof order === "string" ? refsIn(order) : [];
}

/** Modules that write are loaded for the first write: most rulesets are unchanged in most runs. */
const loadLifecycle = late<typeof import("./lifecycle.js")>(() => require("./lifecycle.js"));

/** The handlers of both resources. An entry point is a ruleset without a kind argument. */
function handlersOf(description: RulesetDescription): Handlers<typeof RULESET> {
  return {
    upgrade,
    normalise: normaliseRulesetArguments,
    validate: (request, olds) => validate(description, request, olds),
    check: (request) => check(parseCheck(request, settleRefs), LIST_JUDGES),
    diff: (session, id, olds, news) =>
      diff(session, id, olds, news, { replaces: replacedInputs(description, olds, news), judges: LIST_JUDGES }),
    create: (session, inputs) => loadLifecycle().create(session, inputs),
    read: (session, id, state, given) => read(description, session, id, state, given),
    update: (session, id, olds, news) => loadLifecycle().update(session, id, olds, news),
    delete: (session, id, state) => loadLifecycle().deleteRuleset(session, id, state),
    secretPaths,
    copyPaths,
    publicTexts,
    withoutSecretWords,
  };
}

/** The entry point of a phase, identified by the name of the phase. */
export const phaseEntrypoint: Kind<"PhaseEntrypoint"> = defineKind(PHASE_ENTRYPOINT, handlersOf(PHASE_ENTRYPOINT));
/** Any ruleset, identified by its ID. */
export const ruleset: Kind<"Ruleset"> = defineKind(RULESET, handlersOf(RULESET));

/* States and inputs that `@pulumi/cloudflare` wrote: only here is it known how they differ. */

/** Only the first run after a move from that package reads such a state. */
const loadReader = late<typeof import("../../../client/cloudflare-package.js")>(() =>
  require("../../../client/cloudflare-package.js"),
);

/**
 * Converts inputs or a state of `@pulumi/cloudflare`, which have their rules as a list, to today's form: rules by
 * ref, and what the service returned for each.
 */
export function upgrade(props: Props): Props {
  const { rules: list } = props;
  if (!isList(list)) return props;
  const { ruleFromPackage } = loadReader();
  const rules = list.map((rule): JsonObject => (isObject(rule) ? { ...ruleFromPackage(rule) } : {}));
  const { refs } = assignRefs([], rules.map(asWritten));
  const entries = rules.map((rule, index) => ({ ref: refs[index] ?? "", rule }));
  const inputs = {
    ...props,
    rules: mapFrom(entries.map(({ ref, rule }) => [ref, rule] as const)),
    order: orderText(refs),
  };
  return { ...inputs, ...answersIn(props, entries) };
}

/**
 * The rule as a program would have written it. If a rule has no ref, the service uses its ID as the ref, which no
 * program does: it gets the ref that a program's rule would get.
 */
function asWritten(rule: JsonObject): JsonObject {
  const { ref, id } = rule;
  return { ...contentOf(rule), ...(ref === undefined || ref === id ? {} : { ref }) };
}

function answersIn(props: Props, entries: readonly { readonly ref: string; readonly rule: JsonObject }[]): object {
  const deployed = entries.flatMap(({ ref, rule }) => {
    const info = infoOf(rule, ref);
    return info === undefined ? [] : [{ ref, info, rule }];
  });
  return {
    version: textOf(props.version),
    lastUpdated: textOf(props.lastUpdated),
    rulesetId: textOf(props.rulesetId),
    deployedRules: deployed.map(({ info }) => info),
    ruleIds: mapFrom(deployed.map(({ ref, info }) => [ref, info.id] as const)),
    __answers: mapFrom(deployed.map(({ info, rule }) => [info.id, contentOf(rule)] as const)),
  };
}

function infoOf(
  { id, ref, version, lastUpdated, ...rule }: JsonObject,
  assigned: string,
): DeployedRuleInfo | undefined {
  if (typeof id !== "string") return undefined;
  return deployedRuleInfo({
    action: "",
    ...contentOf(rule),
    id,
    ref: typeof ref === "string" ? ref : assigned,
    version: textOf(version),
    ...(typeof lastUpdated === "string" ? { lastUpdated } : {}),
  });
}
