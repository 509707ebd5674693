import { findCopies } from "../../engine/secrets.js";
import { isList, isObject, omit, textsIn, type JsonObject } from "../../model/json.js";
import { pathsIn, type Path } from "../../model/path.js";
import type { Secrets } from "../../redaction/secrets.js";

/** The paths of secrets: in the rules by ref, in what the service returned for them by ID, and in other arguments. */
export function secretPaths(props: JsonObject): Path[] {
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
export function copyPaths(props: JsonObject, secrets: Secrets): Path[] {
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
export function withoutSecretWords(props: JsonObject, secrets: Secrets): JsonObject {
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
export function publicTexts({ order }: JsonObject): string[] {
  return typeof order === "string" ? order.split("\n").filter((ref) => ref !== "") : [];
}
