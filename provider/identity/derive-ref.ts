import { createHash } from "node:crypto";
import { stableText, type Json } from "../model/json.js";
import type { RulesetRule } from "../model/generated/rule.js";
import { isUnknown } from "../model/unknown.js";

const SLUG_LENGTH = 40;
const HASH_LENGTH = 4;

/** Lower-case words joined by hyphens. */
export function slug(text: string): string {
  const words = text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return words.length <= SLUG_LENGTH ? words : words.slice(0, SLUG_LENGTH).replace(/-[^-]*$/, "");
}

export interface RefSource {
  readonly rule: RulesetRule;
  /** Top-level fields of the rule that hold a secret: they leave no trace in the ref. */
  readonly secretFields: readonly string[];
}

/**
 * A ref that reads like its rule: a slug of the description, else of the action, and a short hash of both and the
 * expression. The same rule gets the same ref in every run; a taken one gets another hash.
 */
export function deriveRef(source: RefSource, isTaken: (ref: string) => boolean): string {
  const open = (field: "action" | "description" | "expression"): string | undefined => {
    const value: Json | undefined = source.rule[field];
    return value === undefined || isUnknown(value) || source.secretFields.includes(field) ? undefined : value;
  };
  const words = slug(open("description") ?? "") || slug(open("action") ?? "") || "rule";
  const material = stableText([open("action"), open("description"), open("expression")]);
  for (let attempt = 0; ; attempt += 1) {
    const hash = createHash("sha256")
      .update(`${material}${attempt === 0 ? "" : String(attempt)}`)
      .digest("hex");
    const ref = `${words}-${hash.slice(0, attempt < 8 ? HASH_LENGTH : HASH_LENGTH * 2)}`;
    if (!isTaken(ref)) return ref;
  }
}
