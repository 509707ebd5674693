import { createHash } from "node:crypto";
import { stableText, type JsonObject } from "../model/json.js";
import { isUnknown } from "../model/unknown.js";
import { nameIn } from "../model/urn.js";

const SLUG_LENGTH = 40;
const HASH_LENGTH = 4;

/** Converts a text to lower-case words joined by hyphens. */
export function slug(text: string): string {
  const words = text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return words.length <= SLUG_LENGTH ? words : words.slice(0, SLUG_LENGTH).replace(/-[^-]*$/, "");
}

interface RefSource {
  readonly rule: JsonObject;
  /** Top-level fields of the rule that contain a secret: they do not affect the ref. */
  readonly secretFields: readonly string[];
}

/**
 * Derives a readable ref: a slug of the description, or else of the action, and a short hash of both and the expression. The
 * same rule gets the same ref in every run; if it is taken, the hash is changed.
 */
export function deriveRef(source: RefSource, isTaken: (ref: string) => boolean): string {
  return new RefDeriver(isTaken).derive(source);
}

/**
 * Derives the ref of a resource that is one rule: its name and a short hash of its URN, which contains the project and the stack.
 * It is therefore known before anything else of the rule is, and no other stack derives it.
 */
export function deriveRefOf(urn: string): string {
  return `${slug(nameIn(urn)) || "rule"}-${hashOf(urn, 0, true)}`;
}

/** Derives refs for many rules. For identical rules, each attempt continues where the previous one found a free ref. */
export class RefDeriver {
  private readonly attempts = new Map<string, number>();

  /** A taken ref must remain taken. With an owner, the ref differs from those that other owners' rules get. */
  constructor(
    private readonly isTaken: (ref: string) => boolean,
    private readonly owner?: string,
  ) {}

  derive({ rule, secretFields }: RefSource): string {
    const open = (field: "action" | "description" | "expression"): string | undefined => {
      const value = rule[field];
      return typeof value !== "string" || isUnknown(value) || secretFields.includes(field) ? undefined : value;
    };
    const words = slug(open("description") ?? "") || slug(open("action") ?? "") || "rule";
    const fields = [open("action"), open("description"), open("expression")];
    const material = stableText(this.owner === undefined ? fields : [...fields, this.owner]);
    for (let attempt = this.attempts.get(material) ?? 0; ; attempt += 1) {
      const ref = `${words}-${hashOf(material, attempt, this.owner !== undefined)}`;
      if (this.isTaken(ref)) continue;
      this.attempts.set(material, attempt);
      return ref;
    }
  }
}

function hashOf(material: string, attempt: number, long: boolean): string {
  const hash = createHash("sha256")
    .update(`${material}${attempt === 0 ? "" : String(attempt)}`)
    .digest("hex");
  return hash.slice(0, attempt < 8 && !long ? HASH_LENGTH : HASH_LENGTH * 2);
}
