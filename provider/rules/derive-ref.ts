import { createHash } from "node:crypto";
import { stableText, type JsonObject } from "../model/json.js";
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
  readonly rule: JsonObject;
  /** Top-level fields of the rule that hold a secret: they leave no trace in the ref. */
  readonly secretFields: readonly string[];
}

/**
 * A ref that reads like its rule: a slug of the description, else of the action, and a short hash of both and the
 * expression. The same rule gets the same ref in every run; a taken one gets another hash.
 */
export function deriveRef(source: RefSource, isTaken: (ref: string) => boolean): string {
  return new RefDeriver(isTaken).derive(source);
}

/** Derives refs for many rules. Of twins, each goes on from where the one before it found its ref. */
export class RefDeriver {
  private readonly attempts = new Map<string, number>();

  /** A ref that is taken must stay so. With an owner, the same rule gets another ref than that of any other owner. */
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
    const said = [open("action"), open("description"), open("expression")];
    const material = stableText(this.owner === undefined ? said : [...said, this.owner]);
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
