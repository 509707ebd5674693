import type { CheckName } from "../../language/index.js";
import { normaliseRule } from "../../provider/rules/normalise.js";
import { checkPhaseName, checkRules, type Failure, type Findings } from "../../provider/validation/index.js";
import { withCheckName } from "../../provider/validation/failure.js";
import type { RulesetInput } from "../../simulator/index.js";
import type { Check, CheckFinding, Level } from "./finding.js";

/** Findings on a single expression. */
const OF_EXPRESSIONS: Readonly<Record<CheckName, string>> = {
  argument: "A function gets the wrong number, type or kind of arguments",
  "bytes-or-text": "A literal without quotes means bytes",
  constant: "A condition has the same value for every request",
  deprecated: "A field has a newer name",
  "empty-set": "An empty set matches nothing",
  "function-use": "A function is used where it is not available, or too often",
  "glued-keyword": "A keyword and the next word are written together",
  "ip-order": "IP addresses are compared by order, which Cloudflare does not document",
  length: "An expression is empty or too long",
  nesting: "An expression is nested too deeply",
  phase: "The phase does not exist, or does not have a field or a function",
  plan: "The plan of the zone does not include something",
  regex: "A regular expression is invalid, or not portable",
  "regex-count": "A rule has too many regular expressions",
  slot: "The wrong kind of expression is used",
  syntax: "An expression cannot be parsed",
  type: "Types do not match",
  undocumented: "Cloudflare does not document this",
  "unknown-field": "A field is unknown",
  "unknown-function": "A function is unknown",
  "unknown-list": "The account has no such list",
  "unknown-value": "A field never has a value, or may have it no longer",
  wildcard: "A wildcard pattern is invalid",
};

/** Findings on a rule or a list of rules. */
const OF_RULES = {
  "account-expression": "An account rule does not end with the Enterprise zones condition",
  action: "An action does not exist, does not fit the phase, or has wrong parameters",
  "cache-directives": "A cache header directive lacks its value, or has one it does not take",
  "cache-times": "A TTL has no default",
  "custom-overrides": "A rule executes a custom ruleset with overrides",
  headers: "A header change has no value, or two",
  "hidden-value": "A value was copied from a message that hides secrets",
  ids: "An ID is not valid",
  logging: "Logging is set for an action that does not support it",
  numbers: "A number is out of range",
  ratelimit: "A rate limit is incomplete or wrong",
  refs: "Two rules have the same ref or ID",
  sensitivity: "A sensitivity level is set outside the DDoS phases",
  shape: "A property is missing, misspelled, or of the wrong type",
  "skip-order": "A skip rule comes after everything it could skip",
} as const;

/** The checks of a preview that need no service. */
export const ruleChecks: Check = {
  names: { ...OF_EXPRESSIONS, ...OF_RULES },
  run: ({ rulesets }) =>
    rulesets.flatMap(({ input, pending = input.rules }, ruleset) => {
      const kind = input.kind ?? (input.accountId === undefined ? "zone" : "root");
      const rules = checkRules(pending.map(normaliseRule), { phase: input.phase, kind });
      return [...checkPhase(input, ruleset), ...toFindings(rules, ruleset)];
    }),
};

/** What is wrong with the name of a phase. */
export function checkPhase({ phase }: RulesetInput, ruleset: number): readonly CheckFinding[] {
  return toFindings(withCheckName("phase", checkPhaseName(phase)), ruleset);
}

function toFindings({ failures, warnings }: Findings, ruleset: number): readonly CheckFinding[] {
  return [
    ...failures.map((failure) => toFinding(failure, "error", ruleset)),
    ...warnings.map((warning) => toFinding(warning, "warning", ruleset)),
  ];
}

export function toFinding(failure: Failure, level: Level, ruleset: number): CheckFinding {
  return { check: "shape", ...failure, level, ruleset };
}
