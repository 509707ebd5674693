import { isObject } from "../../../core/model/json.js";
import type { Path } from "../../../core/model/path.js";
import { isUnknown } from "../../../core/model/unknown.js";
import { failure, type Findings } from "../../../core/model/failure.js";

type Rule = Readonly<Record<string, unknown>>;

const ID = /^[0-9a-f]{32}$/;
const WANTED = "must be an ID of 32 hexadecimal digits";

/** Checks the ID of a zone, an account, a ruleset or a rule. The value is not shown: it may be a token in the wrong place. */
export function checkId(path: Path, id: unknown): Findings {
  if (isUnknown(id) || (typeof id === "string" && ID.test(id))) return [];
  if (typeof id !== "string" || id === "") return failure(path, WANTED);
  if (ID.test(id.toLowerCase())) return inLowerCase(path, id);
  if (ID.test(id.trim())) return failure(path, `IDs have no surrounding spaces; write ${JSON.stringify(id.trim())}`);
  const characters = id.length === 1 ? "1 character" : `${String(id.length)} characters`;
  return failure(path, `${WANTED}; this ${id.length === 32 ? "contains other characters" : `has ${characters}`}`);
}

const HOSTNAME_ID = /^[0-9a-zA-Z_-]+$/;
const HEXADECIMAL = /^[0-9a-fA-F]{8}-?([0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}$/;

/**
 * Checks the ID of a custom hostname: in practice a UUID, in the API reference 32 hexadecimal digits. The service checks its
 * length.
 */
export function checkHostnameId(path: Path, id: unknown): Findings {
  if (isUnknown(id)) return [];
  if (typeof id !== "string" || !HOSTNAME_ID.test(id))
    return failure(path, "must be the ID of a custom hostname: hexadecimal digits and dashes");
  return HEXADECIMAL.test(id) && id !== id.toLowerCase() ? inLowerCase(path, id) : [];
}

function inLowerCase(path: Path, id: string): Findings {
  return failure(path, `IDs are in lower case; write ${JSON.stringify(id.toLowerCase())}`);
}

/** Checks the IDs in a rule: of rulesets that it executes or skips, and of their rules. */
export function checkIds(rule: Rule, path: Path): Findings {
  const parameters = isObject(rule.actionParameters) ? rule.actionParameters : {};
  const at = [...path, "actionParameters"];
  const { id, rulesets, rules, overrides } = parameters;
  const overridden = isObject(overrides) && Array.isArray(overrides.rules) ? (overrides.rules as unknown[]) : [];
  return [
    rule.action === "execute" && typeof id === "string" ? checkId([...at, "id"], id) : [],
    checkEach(rulesets, [...at, "rulesets"]),
    ...(isObject(rules)
      ? Object.entries(rules).map(([ruleset, list]) =>
          [checkId([...at, "rules", ruleset], ruleset), checkEach(list, [...at, "rules", ruleset])].flat(),
        )
      : []),
    ...overridden.map((item, index) =>
      isObject(item) ? checkEach([item.id], [...at, "overrides", "rules"], () => [index, "id"]) : [],
    ),
  ].flat();
}

/** Checks the strings of a list; the shape check reports other values. */
function checkEach(list: unknown, path: Path, steps: (index: number) => Path = (index) => [index]): Findings {
  if (!Array.isArray(list)) return [];
  return (list as unknown[])
    .map((id, index) => (typeof id === "string" ? checkId([...path, ...steps(index)], id) : []))
    .flat();
}
