import { findCopies } from "../../../engine/secrets.js";
import { sameJson, type JsonObject } from "../../../model/json.js";
import type { Path } from "../../../model/path.js";
import type { Secrets } from "../../../redaction/secrets.js";

/** A current rule with the ref of a restored one, and the paths of its secrets. */
export interface CurrentRule {
  readonly rule: JsonObject;
  readonly paths: readonly Path[];
}

/** Fields whose values are publicly known words. */
const PLAIN = new Set(["action", "enabled"]);

/**
 * The paths where a rule of an earlier version may contain a secret. The service returns it in plain text, and its
 * secrets may be older than those that the program knows. So a whole field is treated as secret if the field of that
 * name contains secrets in any current rule, unless a current rule has the same value there in plain text.
 */
export function maskedPaths(
  rule: JsonObject,
  today: readonly CurrentRule[],
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
  const copies = findCopies(rule, secrets).filter(([head]) => !fields.has(String(head)));
  return [...suspect.map((field) => [field]), ...copies];
}

/** The names of fields that contain secrets; if a whole rule is secret, all its fields do. */
export function fieldsWithSecrets(paths: readonly Path[], rules: readonly JsonObject[]): Set<string> {
  if (paths.some((path) => path.length === 0)) return new Set(rules.flatMap((rule) => Object.keys(rule)));
  return new Set(paths.map(([head]) => String(head)));
}
