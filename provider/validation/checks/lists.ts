import { findNearest, type ArgumentFinding } from "../../../core/model/failure.js";
import { isUnknown } from "../../../core/model/unknown.js";
import type { ListUse } from "../list-uses.js";

/** As many lists as a message names. */
const SHOWN = 8;

/** The phase of bulk redirects. */
const REDIRECTS = "http_request_redirect";

/** That a list of this kind cannot be used in this place; undefined if it can. */
export function wrongListKind(
  { name, path, kinds, what, character }: ListUse,
  kind: string,
  phase: unknown,
): ArgumentFinding | undefined {
  if (kind === "redirect" && typeof phase === "string" && !isUnknown(phase) && phase !== REDIRECTS)
    return {
      code: "unknown-list",
      severity: "error",
      path,
      character,
      message: `$${name} is a list of redirects, which only rules of the phase ${REDIRECTS} can use`,
    };
  if (kinds.length === 0 || kinds.includes(kind)) return undefined;
  const wanted = kinds.join(" or ");
  return {
    code: "unknown-list",
    severity: "error",
    path,
    character,
    message: `${what} needs a list of the kind ${wanted}, but $${name} is a list of the kind ${kind}`,
  };
}

/**
 * That a list does not exist, with what to do.
 * @param names of the lists that exist or are declared
 */
export function missingList({ name, path, character }: ListUse, names: readonly string[]): ArgumentFinding {
  const near = findNearest(name, names);
  const others =
    near === undefined
      ? names.length === 0
        ? "The service lists none: there is none, or the credentials may not read any"
        : `The account has ${names.slice(0, SHOWN).map(dollar).join(", ")}${names.length > SHOWN ? " and others" : ""}`
      : `Did you mean $${near}?`;
  return {
    code: "unknown-list",
    severity: "error",
    path,
    character,
    message:
      `there is no list $${name} in the account, and the program has not declared one. ${others}` +
      `${near === undefined ? "." : ""} To continue: correct the name, or declare the list as a RulesList. ` +
      "If this program declares it, let the rules wait for it: use the output of the list in place of the text (`in ${list}` in an " +
      "`expression` template, otherwise `in $${list.name}`), or add `dependsOn: [list]`",
  };
}

function dollar(name: string): string {
  return `$${name}`;
}
