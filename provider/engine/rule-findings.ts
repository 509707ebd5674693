import { isList, isObject, type Json } from "../../core/model/json.js";
import { isUnknown } from "../../core/model/unknown.js";
import type { Secrets } from "../../client/redaction/secrets.js";
import type { ArgumentFinding, Findings } from "../../core/model/failure.js";
import type { Request } from "./request.js";
import { late } from "../../core/model/late.js";

/** Loaded for the first finding on a rule. */
const loadNames = late<typeof import("../../core/model/names.js")>(() => require("../../core/model/names.js"));
const loadAge = late<typeof import("../../core/language/catalogue/age.js")>(() =>
  require("../../core/language/catalogue/age.js"),
);

/**
 * Adds to findings on rules which rule it is.
 * @param isRule whether the resource is a rule, and not a list of them
 */
export function withRuleNames(
  findings: Findings,
  { args, session }: Pick<Request, "args" | "session">,
  isRule: boolean,
): Findings {
  const rules = isList(args.rules) ? args.rules : [];
  return findings.map((found) => {
    const rule = isRule ? args : ruleAt(rules, found);
    const name = rule === undefined ? undefined : nameOf(rule, session.secrets);
    return name === undefined ? found : { ...found, rule: name };
  });
}

/** Warns once in a run, if names or values are unknown, that they may be newer than the catalogue. */
export function warnOfOldCatalogue({ session }: Pick<Request, "session">, findings: Findings): void {
  if (!findings.some(({ code }) => code?.startsWith("unknown-") === true)) return;
  const text = loadAge().oldCatalogueText(findings, session.clock.now());
  if (text !== undefined) session.reporter.warn(undefined, text);
}

function ruleAt(rules: readonly Json[], { path: [list, index] }: ArgumentFinding): Json | undefined {
  return list === "rules" && typeof index === "number" ? rules[index] : undefined;
}

function nameOf(rule: Json, secrets: Secrets): string | undefined {
  const text = (name: string): string => {
    const value = isObject(rule) ? rule[name] : undefined;
    return typeof value === "string" && !isUnknown(value) && !secrets.contains(value) ? value : "";
  };
  const { quotedRuleName, ruleName } = loadNames();
  const named = { description: text("description"), ref: text("ref") };
  return ruleName(named) === undefined ? undefined : quotedRuleName(named);
}
