import type { Path } from "../../../core/model/path.js";
import { failure, type Findings } from "../../../core/model/failure.js";

type Given = Readonly<Record<string, unknown>>;

/** Checks that one of the named values is given. */
export function checkExactlyOne(given: Given, names: readonly string[], path: Path = []): Findings {
  if (names.some((name) => given[name] !== undefined)) return checkAtMostOne(given, names, "exactly one", path);
  return failure(path, `${listed(names, "or")} is required; specify exactly one`);
}

/** Checks that no two of the named values are given. */
export function checkAtMostOne(
  given: Given,
  names: readonly string[],
  howMany = "at most one",
  path: Path = [],
): Findings {
  if (names.filter((name) => given[name] !== undefined).length < 2) return [];
  return failure(path, `${listed(names, "and")} are mutually exclusive; specify ${howMany}`);
}

function listed(names: readonly string[], word: string): string {
  return `${names.slice(0, -1).join(", ")} ${word} ${names.at(-1) ?? ""}`;
}
