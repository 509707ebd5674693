import { refsIn } from "../../../core/model/ids.js";
import { replacedInputs } from "../../engine/inputs.js";
import { findCopies } from "../../engine/secrets.js";
import { defineKind, type Handlers, type Kind } from "../../engine/kind.js";
import { normaliseRulesetArguments } from "../../../core/rules/normalise.js";
import type { ListIn } from "../../engine/listing.js";
import { diff } from "./diff.js";
import { check } from "./check/check.js";
import { PHASE_ENTRYPOINT, RULESET, type RulesetDescription } from "./description.js";
import { JUDGES } from "../judging/index.js";
import { listEntrypoints, listRulesets, read } from "./read.js";
import { upgrade } from "./package-states.js";
import { validate } from "./check/validate.js";
import { isList, isObject, omit, textsIn, type JsonObject } from "../../../core/model/json.js";
import { pathsIn, type Path } from "../../../core/model/path.js";
import type { Secrets } from "../../../client/redaction/secrets.js";
import { late } from "../../../core/model/late.js";

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
    ...["__serviceName", "__serviceDescription"].filter((name) => secrets.contains(props[name])).map((name) => [name]),
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
function handlersOf(description: RulesetDescription, list: ListIn): Handlers<typeof RULESET> {
  return {
    upgrade,
    normalise: normaliseRulesetArguments,
    validate: (request, olds) => validate(description, request, olds),
    check: (request) => check(request, JUDGES),
    diff: (session, id, olds, news) =>
      diff(session, id, olds, news, { replaces: replacedInputs(description, olds, news), judges: JUDGES }),
    create: (session, inputs) => loadLifecycle().create(session, inputs),
    read: (session, id, state, given) => read(description, session, id, state, given),
    update: (session, id, olds, news) => loadLifecycle().update(session, id, olds, news),
    delete: (session, id, state) => loadLifecycle().deleteRuleset(session, id, state),
    list,
    secretPaths,
    copyPaths,
    publicTexts,
    withoutSecretWords,
  };
}

/** The entry point of a phase, identified by the name of the phase. */
export const phaseEntrypoint: Kind<"PhaseEntrypoint"> = defineKind(
  PHASE_ENTRYPOINT,
  handlersOf(PHASE_ENTRYPOINT, listEntrypoints),
);
/** Any ruleset, identified by its ID. */
export const ruleset: Kind<"Ruleset"> = defineKind(RULESET, handlersOf(RULESET, listRulesets));
