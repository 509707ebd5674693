import { isObject, textOf } from "../../../../core/model/json.js";
import { warning, withCode, type Findings } from "../../../validation/index.js";
import type { DeclaredRules, Judge } from "../../rulesets/judge.js";
import { late } from "../../../../core/model/late.js";

/** Only for rules that name a time or a share. */
const loadRollout = late<typeof import("../../../../core/rules/written/rollout.js")>(() =>
  require("../../../../core/rules/written/rollout.js"),
);
const loadExpiry = late<typeof import("../../../../core/rules/written/expiry.js")>(() =>
  require("../../../../core/rules/written/expiry.js"),
);
const loadNames = late<typeof import("../../../../core/model/names.js")>(() =>
  require("../../../../core/model/names.js"),
);

/** What becomes of the stage and the time of rules. */
export const rollout: Judge = { declared: findExpiries, accepted: reportRollout };

/** Warnings about rules whose time is over, or soon will be. */
function findExpiries(declared: DeclaredRules): Findings {
  const { session, urn } = declared.request;
  if (!session.mayBePreview(urn)) return [];
  return declared.rules
    .map((rule, index) => {
      if (!isObject(rule) || !namesTime(rule)) return [];
      const found = loadExpiry().expiryOf(rule, session.clock.now() / 1000, session.expiryWarningDays);
      if (found === undefined) return [];
      const path = declared.reach.argumentPath(["rules", index, "expression"]);
      return withCode(found.kind, warning(path, found.text));
    })
    .flat();
}

function reportRollout({ request, rules, refs, secretPathsIn, last, deployed }: DeclaredRules): void {
  const { session, urn, preview } = request;
  if (!preview) return;
  for (const [index, after] of rules.entries()) {
    const ref = refs[index] ?? "";
    const known =
      last === undefined ? deployed?.rules.find((rule) => rule.ref === ref) : last.rules?.rules[ref]?.fields;
    if (secretPathsIn(index).length > 0 || known === after || !isObject(after)) continue;
    const before = isObject(known) ? known : undefined;
    const words =
      namesRollout(after) || namesRollout(before) || before?.action === "log"
        ? loadRollout().rolloutWords(before, after)
        : undefined;
    if (words === undefined) continue;
    const name = loadNames().quotedRuleName({ description: textOf(after.description), ref });
    session.reporter.info(urn, `rule ${name}: ${words}`);
  }
}

function namesRollout(rule: Readonly<Record<string, unknown>> | undefined): boolean {
  return /hash_in_range|timestamp\.sec/.test(textOf(rule?.expression));
}

function namesTime({ expression }: Readonly<Record<string, unknown>>): boolean {
  return textOf(expression).includes("timestamp.sec");
}
