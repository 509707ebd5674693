import { isObject } from "../../../core/model/json.js";
import { warning, type Findings } from "../../../core/model/failure.js";
import type { Path } from "../../../core/model/path.js";
import { isUnknown } from "../../../core/model/unknown.js";
import { late } from "../../../core/model/late.js";

/** Only for rules that redirect by a list. */
const loadSyntax = late<typeof import("../../../core/language/syntax/index.js")>(() =>
  require("../../../core/language/syntax/index.js"),
);
const loadUses = late<typeof import("../../../core/language/uses.js")>(() => require("../../../core/language/uses.js"));

/**
 * Checks that a bulk redirect tests what it redirects by: the field of its `key`, and its list.
 * https://developers.cloudflare.com/rules/url-forwarding/bulk-redirects/reference/json-objects/
 */
export function checkRedirect(
  { expression, actionParameters }: Readonly<Record<string, unknown>>,
  path: Path,
): Findings {
  const list = isObject(actionParameters) ? actionParameters.fromList : undefined;
  if (!isObject(list)) return [];
  const [filter, key] = [parsed(expression, "filter"), parsed(list.key, "value")];
  if (filter === undefined || key === undefined) return [];
  const { usesOf, listTestsOf } = loadUses();
  const [used, keys] = [usesOf(filter).fields, usesOf(key).fields];
  const name = typeof list.name === "string" && !isUnknown(list.name) ? list.name : undefined;
  const tests = listTestsOf(filter).filter(({ left }) => left.kind === "field" && keys.has(left.name));
  const [other] = tests.some((test) => test.list.name === name) || name === undefined ? [] : tests;
  const [field] = [...keys].filter((one) => !used.has(one));
  const at = [...path, "expression"];
  if (field !== undefined)
    return warning(
      at,
      `does not use \`${field}\`, by which \`key\` finds the redirect, as Cloudflare requires: \`${field} in $${name ?? "<list>"}\``,
    );
  return other === undefined
    ? []
    : warning(at, `tests $${other.list.name}, but the redirects are those of the list ${name ?? ""}`);
}

function parsed(text: unknown, slot: "filter" | "value") {
  if (typeof text !== "string" || isUnknown(text)) return undefined;
  const result = loadSyntax().parseExpression(text, slot);
  return "fault" in result ? undefined : result.expression;
}
