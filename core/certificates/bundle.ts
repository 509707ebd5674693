import { ownValue } from "../model/json.js";

/**
 * Bundle methods by every name for them: the API's own and those of the dashboard
 * (developers.cloudflare.com/ssl/edge-certificates/custom-certificates/bundling-methodologies).
 */
const METHODS: Readonly<Record<string, BundleMethod>> = {
  ubiquitous: "ubiquitous",
  compatible: "ubiquitous",
  optimal: "optimal",
  modern: "optimal",
  force: "force",
  "user-defined": "force",
  user_defined: "force",
};
const WORDS: Readonly<Record<BundleMethod, string>> = {
  ubiquitous: "compatible",
  optimal: "modern",
  force: "user-defined",
};

export type BundleMethod = "ubiquitous" | "optimal" | "force";

/** The API's name of a bundle method; undefined for any other word. */
export function bundleMethodOf(word: string): BundleMethod | undefined {
  return ownValue(METHODS, word.trim().toLowerCase());
}

/** The dashboard's name of a bundle method. */
export function describeBundleMethod(word: string): string {
  const method = bundleMethodOf(word);
  return method === undefined ? word : WORDS[method];
}
