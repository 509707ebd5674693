import { own } from "../model/json.js";

/** Bundle methods of the API by every word for them: the API's own and those of the dashboard (developers.cloudflare.com/ssl/edge-certificates/custom-certificates/bundling-methodologies). */
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

/** The API's name of a bundle method; undefined for a word that names none. */
export function bundleMethodOf(word: string): BundleMethod | undefined {
  return own(METHODS, word.trim().toLowerCase());
}

/** A bundle method as the dashboard and the service's description call it. */
export function bundleWords(word: string): string {
  const method = bundleMethodOf(word);
  return method === undefined ? word : WORDS[method];
}
