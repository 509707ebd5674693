import { isObject, type JsonObject } from "../../model/json.js";
import type { Path } from "../../model/path.js";
import type { Lifecycle } from "../lifecycle.js";
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
  };
}

/** Where secrets stand in a state: in the rules by ref, and in what the service answered, by id. */
function secretPaths(props: JsonObject): Path[] {
  const byRef = isObject(props.__secretPaths) ? props.__secretPaths : {};
  const ids = isObject(props.ruleIds) ? props.ruleIds : {};
  return Object.entries(byRef).flatMap(([ref, list]) => {
    const paths = (Array.isArray(list) ? list : []) as unknown as Path[];
    const id = ids[ref];
    return paths.flatMap((path) => [
      ["rules", ref, ...path],
      ...(typeof id === "string" ? [["__answers", id, ...path]] : []),
    ]);
  });
}
