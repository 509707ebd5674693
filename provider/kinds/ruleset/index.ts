import { isObject, type JsonObject } from "../../model/json.js";
import type { Path } from "../../model/path.js";
import type { Secrets } from "../../redaction/secrets.js";
import type { Lifecycle } from "../../engine/lifecycle.js";
import { copiesIn } from "../../engine/secrets.js";
import { attend } from "./attend.js";
import type { RawInputs } from "./check-request.js";
import { check } from "./check.js";
import { create } from "./create.js";
import { deleteRuleset } from "./delete.js";
import { diff } from "./diff.js";
import type { CheckedInputs, ResourceKind, RulesetState } from "./model.js";
import { read } from "./read.js";
import { update } from "./update.js";

/** A ruleset, by either of its faces. */
export function rulesetLifecycle(kind: ResourceKind): Lifecycle {
  return {
    check: (session, olds, news) => check(kind, session, olds as RawInputs, news as RawInputs),
    diff: async (session, id, olds, news) => {
      const state = olds as unknown as RulesetState;
      const wanted = news as unknown as CheckedInputs;
      const change = diff(kind, state, wanted);
      await attend(session, id, state, wanted, change);
      return change;
    },
    create: (session, inputs) => create(kind, session, inputs as unknown as CheckedInputs),
    read: (session, id, state) => read(kind, session, id, state as unknown as RulesetState),
    update: (session, id, olds, news) =>
      update(kind, session, id, olds as unknown as RulesetState, news as unknown as CheckedInputs),
    delete: (session, id, state) => deleteRuleset(session, id, state as unknown as RulesetState),
    secretPaths,
    copyPaths,
    publicTexts: ({ order }) => (typeof order === "string" ? order.split("\n").filter((ref) => ref !== "") : []),
  };
}

/** Where secrets stand: in the rules by ref, in what the service answered for them, by id, and in other arguments. */
function secretPaths(props: JsonObject): Path[] {
  const ids = isObject(props.ruleIds) ? props.ruleIds : {};
  const inRules = secretRules(props).flatMap(([ref, paths]) => {
    const id = ids[ref];
    return paths.flatMap((path) => [
      ["rules", ref, ...path],
      ...(typeof id === "string" ? [["__answers", id, ...path]] : []),
    ]);
  });
  const names = Array.isArray(props.__secretArgs) ? (props.__secretArgs as string[]) : [];
  return [...inRules, ...names.map((name) => [name])];
}

function secretRules({ __secretPaths: byRef }: JsonObject): (readonly [string, readonly Path[]])[] {
  return Object.entries(isObject(byRef) ? byRef : {}).map(
    ([ref, list]) => [ref, Array.isArray(list) ? (list as unknown as Path[]) : []] as const,
  );
}

/** Somebody else may have copied a secret: into a rule or its ref, a name, a description. Answers are internal, so all of them go. */
function copyPaths(props: JsonObject, secrets: Secrets): Path[] {
  const answers = props.__answers;
  const all = secretRules(props).length > 0 || secrets.holds(answers);
  return [
    ...(answers !== undefined && all ? [["__answers"]] : []),
    ...copiesIn(props.deployedRules, secrets, ["deployedRules"]),
    ...["__serviceName", "__serviceDescription"].filter((name) => secrets.holds(props[name])).map((name) => [name]),
  ];
}
