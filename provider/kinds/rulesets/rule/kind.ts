import { createRequire } from "node:module";
import { defineKind, type Kind } from "../../../engine/kind.js";
import { isObject, type JsonObject } from "../../../model/json.js";
import { pathsIn, type Path } from "../../../model/path.js";
import type { Secrets } from "../../../redaction/secrets.js";
import { normaliseArguments } from "./arguments.js";
import { diff, planFor } from "./change.js";
import { check, validate } from "./check.js";
import { RULESET_RULE } from "./description.js";
import { listRules } from "./list.js";
import { isDryRunOn, withRefusals } from "../write/dry-runs.js";
import { listId } from "../single-rule.js";
import { read } from "./read.js";

const load = createRequire(__filename);
/** Modules that write are loaded for the first write: most rules are unchanged in most runs. */
const loadCreate = () => load("./create.js") as typeof import("./create.js");
const loadUpdate = () => load("./update.js") as typeof import("./update.js");
const loadDelete = () => load("./delete.js") as typeof import("./delete.js");
const loadDryRun = () => load("../check/dry-run.js") as typeof import("../check/dry-run.js");

/** One rule of a ruleset that also has rules of others. */
export const rulesetRule: Kind<"RulesetRule"> = defineKind(RULESET_RULE, {
  normalise: normaliseArguments,
  validate,
  check: async (request) => {
    const checked = await check(request);
    const { inputs, findings, creation } = checked;
    if (creation === undefined || !isDryRunOn(request.session)) return checked;
    const planned = { existing: creation.existing, part: creation.found.comparison.part };
    const refused = await loadDryRun().dryRunFirstWrite(request.session, creation.desired, planned);
    return { inputs, findings: withRefusals(request.session, findings, refused) };
  },
  diff: async (session, id, olds, news) => {
    const change = await diff(session, id, olds, news);
    if (change.kind === "update" && isDryRunOn(session))
      await loadDryRun().dryRunPlan(session, listId(olds), planFor(session, olds, news));
    return change;
  },
  create: (session, inputs) => loadCreate().create(session, inputs),
  read,
  update: (session, id, olds, news) => loadUpdate().update(session, id, olds, news),
  delete: (session, id, state) => loadDelete().deleteRule(session, id, state),
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
