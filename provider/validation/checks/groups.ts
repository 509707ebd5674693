import { failure, NO_FINDINGS, type Findings } from "../failure.js";

type Given = Readonly<Record<string, unknown>>;

/** Checks that one of the named values is given. */
export function checkExactlyOne(given: Given, names: readonly string[]): Findings {
  if (names.some((name) => given[name] !== undefined)) return checkAtMostOne(given, names, "exactly one");
  return failure([], `${names.join(" or ")} is required; specify exactly one`);
}

/** Checks that no two of the named values are given. */
export function checkAtMostOne(given: Given, names: readonly string[], howMany = "at most one"): Findings {
  if (names.filter((name) => given[name] !== undefined).length < 2) return NO_FINDINGS;
  return failure([], `${names.join(" and ")} are mutually exclusive; specify ${howMany}`);
}
