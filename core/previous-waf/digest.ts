import { createHash } from "node:crypto";
import { stableText } from "../model/json.js";
import type { RetrievedConfig } from "../model/migration.js";

const PREFIX = "c1";

function short(value: unknown, digits: number): string {
  return createHash("sha256").update(stableText(value)).digest("hex").slice(0, digits);
}

/**
 * The digest of a configuration: `c1.<whole>.<rule>.<rule>…`. The parts for single rules let a later run report which
 * rule of a reviewed configuration has changed.
 */
export function configDigest(config: RetrievedConfig): string {
  return [PREFIX, short(config, 16), ...config.rules.map((rule) => short(rule, 8))].join(".");
}

export function isDigest(text: string): boolean {
  return /^c1\.[0-9a-f]{16}(\.[0-9a-f]{8})*$/.test(text);
}

export const MALFORMED_DIGEST =
  "is not a valid digest: it must be `c1`, 16 hexadecimal digits, and 8 more for each rule, in lower case, joined by dots. " +
  "Copy the whole digest from the preview or from `npx pulumi-rulesets migration plan`";

/** Whether a digest matches a configuration as a whole but not its rules: parts of it were cut off or changed. */
export function isMutilated(reviewed: string, config: RetrievedConfig): boolean {
  const now = configDigest(config);
  return now !== reviewed && now.split(".")[1] === reviewed.split(".")[1];
}

/** How a configuration differs from a reviewed one. */
interface DigestDifference {
  /** Indexes of rules that were not in the review. */
  readonly added: readonly number[];
  /** Positions, from 1, of reviewed rules that no longer exist. */
  readonly gone: readonly number[];
  readonly reordered: boolean;
}

/** Compares a configuration with a reviewed digest; undefined when they agree. */
export function compareDigest(reviewed: string, config: RetrievedConfig): DigestDifference | undefined {
  const now = configDigest(config);
  if (now === reviewed) return undefined;
  const before = reviewed.split(".").slice(2);
  const after = now.split(".").slice(2);
  const added = after.flatMap((part, index) => (removeOne(before, part) ? [] : [index]));
  const rest = now.split(".").slice(2);
  const gone = reviewed
    .split(".")
    .slice(2)
    .flatMap((part, index) => (removeOne(rest, part) ? [] : [index + 1]));
  return { added, gone, reordered: added.length === 0 && gone.length === 0 };
}

/** Removes one occurrence from a list. Returns false if there is none. */
function removeOne(list: string[], item: string): boolean {
  const index = list.indexOf(item);
  if (index >= 0) list.splice(index, 1);
  return index >= 0;
}
