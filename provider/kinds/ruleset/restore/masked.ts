import { copiesIn } from "../../../engine/secrets.js";
import { sameJson, type JsonObject } from "../../../model/json.js";
import type { Path } from "../../../model/path.js";
import type { Secrets } from "../../../redaction/secrets.js";

/** A rule of today under the ref of a restored one, and where secrets stand in it. */
export interface RuleToday {
  readonly rule: JsonObject;
  readonly paths: readonly Path[];
}

/** Fields whose values are words that anybody knows. */
const PLAIN = new Set(["action", "enabled"]);

/**
 * Where a rule of an earlier version may hold a secret. The service answers it in clear, and its secrets may be older than
 * those that the program knows: so a field is a secret as a whole when secrets stand in fields of that name in any rule of
 * today, unless it says what a rule of today says there in clear.
 */
export function maskedPaths(
  rule: JsonObject,
  today: readonly RuleToday[],
  secretFields: ReadonlySet<string>,
  secrets: Secrets,
): Path[] {
  const inClear = (field: string): boolean =>
    today.some(
      (one) =>
        sameJson(one.rule[field], rule[field]) && one.paths.every(([head]) => head !== undefined && head !== field),
    );
  const suspect = Object.keys(rule).filter((field) => secretFields.has(field) && !PLAIN.has(field) && !inClear(field));
  const fields = new Set(suspect);
  const copies = copiesIn(rule, secrets).filter(([head]) => !fields.has(String(head)));
  return [...suspect.map((field) => [field]), ...copies];
}

/** The names of fields in which secrets stand; a rule that is a secret as a whole has them in every field. */
export function fieldsWithSecrets(paths: readonly Path[], rules: readonly JsonObject[]): Set<string> {
  if (paths.some((path) => path.length === 0)) return new Set(rules.flatMap((rule) => Object.keys(rule)));
  return new Set(paths.map(([head]) => String(head)));
}
