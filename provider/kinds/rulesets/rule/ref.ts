import { createHash } from "node:crypto";
import { slug } from "../../../rules/derive-ref.js";

/** Rules of many stacks share a ruleset, and each stack chooses refs without knowing the others. */
const HASH_LENGTH = 8;

/**
 * The ref of a rule for which the program sets none: the resource's name and a short hash of its URN, which contains
 * the project and the stack. It is therefore known before anything else of the rule is, and no other stack derives the
 * same one.
 */
export function refOf(urn: string): string {
  const name = urn.split("::").at(-1) ?? "";
  const hash = createHash("sha256").update(urn).digest("hex").slice(0, HASH_LENGTH);
  return `${slug(name) || "rule"}-${hash}`;
}
