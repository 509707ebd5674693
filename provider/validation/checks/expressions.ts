import type { LocatedFinding } from "../../../language/index.js";
import { expressionsOf } from "../../model/expressions.js";
import type { Path } from "../../model/path.js";
import { isUnknown } from "../../model/unknown.js";
import type { Failure, Findings } from "../failure.js";
import { late } from "../../model/late.js";

type Rule = Readonly<Record<string, unknown>>;

/** Not from the language's index, which loads the evaluator; and on demand, as refresh and destroy check nothing. */
const loadCheck = late<typeof import("../../../language/check/index.js")>(() =>
  require("../../../language/check/index.js"),
);
const loadListUses = late<typeof import("../list-uses.js")>(() => require("../list-uses.js"));

/** Checks that all expressions of a rule can be parsed, have the right type, and stay within the limits. */
export function checkExpressions(rule: Rule, phase: unknown, path: Path): Findings {
  const known = typeof phase === "string" && !isUnknown(phase) ? phase : undefined;
  const { analyse } = loadCheck();
  const found = expressionsOf(rule, path).map(({ text, path: at, options }) => {
    const { errors, warnings } = analyse(text, known === undefined ? options : { ...options, phase: known });
    return {
      failures: errors.map((error) => withRemedy(toFailure(error, text, at), path, text)),
      warnings: warnings.map((note) => toFailure(note, text, at)),
    };
  });
  return {
    failures: found.flatMap(({ failures }) => failures),
    warnings: found.flatMap(({ warnings }) => warnings),
  };
}

/** Says what can be done about a filter that is too long. */
function withRemedy(found: Failure, rule: Path, text: string): Failure {
  if (found.check !== "length" || found.path.length !== rule.length + 1) return found;
  const list = loadListUses().listForSet(text);
  const move =
    list === undefined
      ? ", or keep hosts, addresses or ASNs that it compares in a RulesList, and write `in $name`"
      : `, or keep the members of its set in a RulesList of the kind ${list.kind}, and write \`${list.what} in $name\``;
  const divide = "write several rules, as inParts(rule) does in TypeScript where it has an `or` or a set";
  return { ...found, reason: `${found.reason}. To continue: ${divide}${move}` };
}

/** A finding about the whole text, such as its length or that it is empty, has no position. */
function toFailure(finding: LocatedFinding, text: string, path: Path): Failure {
  const { check, offset, end, message, instead, excerpt } = finding;
  if (check === "length" || text.trim() === "") return { check, path, reason: message };
  const place = { character: offset + 1, length: end - offset };
  return { check, path, ...place, reason: message, ...(instead === undefined ? {} : { instead }), excerpt };
}
