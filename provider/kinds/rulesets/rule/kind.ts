import { defineKind, type Kind } from "../../../engine/kind.js";
import { isObject, type JsonObject } from "../../../model/json.js";
import { pathsIn, type Path } from "../../../model/path.js";
import type { Secrets } from "../../../redaction/secrets.js";
import { normaliseArguments } from "./arguments.js";
import { diff } from "./change.js";
import { check, validate } from "./check.js";
import { create } from "./create.js";
import { deleteRule } from "./delete.js";
import { RULESET_RULE } from "./description.js";
import { listRules } from "./list.js";
import { read } from "./read.js";
import { update } from "./update.js";

/** One rule of a ruleset that also has rules of others. */
export const rulesetRule: Kind<"RulesetRule"> = defineKind(RULESET_RULE, {
  normalise: normaliseArguments,
  validate,
  check,
  diff,
  create,
  read,
  update,
  delete: deleteRule,
  list: listRules,
  secretPaths,
  copyPaths,
  publicTexts: ({ ref }) => (typeof ref === "string" ? [ref] : []),
});

/** The paths of secrets: in the rule, and in what the service returned for it. */
function secretPaths(props: JsonObject): Path[] {
  return pathsIn(props.__secretPaths).flatMap((path) => [path, ["__answer", ...path]]);
}

/** Somebody else may have copied a secret into the rule. A response is internal, so all of it is hidden. */
function copyPaths(props: JsonObject, secrets: Secrets): Path[] {
  const { __answer: response, __secretPaths: paths } = props;
  return isObject(response) && (pathsIn(paths).length > 0 || secrets.contains(response)) ? [["__answer"]] : [];
}
