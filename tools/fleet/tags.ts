import { ownValue } from "../../core/model/json.js";

/**
 * What the tags of a zone have to be, as the service writes its own filters: `env`, `env=prod,staging`, `!env`, `env!=prod`.
 * Tags are case-sensitive: https://developers.cloudflare.com/resource-tagging/how-to/filter-resources/.
 */
export interface TagFilter {
  readonly key: string;
  /** Missing: any value. */
  readonly values?: readonly string[];
  /** Whether it holds for zones that do not match. A zone without the tag does not match. */
  readonly negated: boolean;
}

export type Tags = Readonly<Record<string, string>>;

/** Reads a filter; undefined if the text is none. */
export function parseTagFilter(text: string): TagFilter | undefined {
  const [, not = "", key = "", operator = "", values = ""] =
    /^(!?)([\p{L}\p{Nd}_.-]+)(?:(!?=)(.*))?$/u.exec(text) ?? [];
  if (key === "" || (not !== "" && operator !== "")) return undefined;
  return {
    key,
    ...(operator === "" ? {} : { values: values.split(",") }),
    negated: not !== "" || operator === "!=",
  };
}

/** Whether tags match every filter. */
export function matchesTags(tags: Tags, filters: readonly TagFilter[]): boolean {
  return filters.every(({ key, values, negated }) => {
    const value = ownValue(tags, key);
    const matches = value !== undefined && (values === undefined || values.includes(value));
    return matches !== negated;
  });
}
