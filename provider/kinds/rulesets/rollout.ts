import { createRequire } from "node:module";
import type { Session } from "../../engine/session.js";
import { isObject, textOf } from "../../model/json.js";
import type { Path } from "../../model/path.js";
import type { Rule } from "../../rules/rule.js";
import { joinFindings, NO_FINDINGS, type Findings } from "../../validation/index.js";

const load = createRequire(__filename);
/** Only for rules that name a time or a share. */
const loadRollout = () => load("../../rules/written/rollout.js") as typeof import("../../rules/written/rollout.js");
const loadExpiry = () => load("../../rules/written/expiry.js") as typeof import("../../rules/written/expiry.js");
const loadNames = () => load("../../model/names.js") as typeof import("../../model/names.js");

/** A rule before and after a change. */
export interface RuleChange {
  readonly ref: string;
  /** Undefined for a new rule. */
  readonly before: unknown;
  readonly after: unknown;
  readonly isSecret: boolean;
}

/** Says in a preview what becomes of the stage and the time of rules. */
export function reportRollout(session: Session, urn: string, changes: readonly RuleChange[]): void {
  for (const { ref, before, after, isSecret } of changes) {
    if (isSecret || before === after || !isObject(after)) continue;
    const old = isObject(before) ? before : undefined;
    const words =
      namesRollout(after) || namesRollout(old) || old?.action === "log"
        ? loadRollout().rolloutWords(old, after)
        : undefined;
    if (words === undefined) continue;
    const name = loadNames().quotedRuleName({ description: textOf(after.description), ref });
    session.reporter.info(urn, `rule ${name}: ${words}`);
  }
}

function namesRollout(rule: Readonly<Record<string, unknown>> | undefined): boolean {
  return /hash_in_range|timestamp\.sec/.test(textOf(rule?.expression));
}

/** The rules without those whose time is over: they do nothing to requests. */
export function withoutExpired<R extends { readonly rule: Rule }>(session: Session, rules: readonly R[]): readonly R[] {
  const now = session.clock.now() / 1000;
  return rules.filter(
    ({ rule: { fields } }) => !isObject(fields) || !namesTime(fields) || loadExpiry().endOf(fields, now) === undefined,
  );
}

function namesTime({ expression }: Readonly<Record<string, unknown>>): boolean {
  return textOf(expression).includes("timestamp.sec");
}

/**
 * Warnings about rules whose time is over, or soon will be.
 * @param pathOf the path of the rule at an index
 */
export function findExpiries(session: Session, rules: readonly unknown[], pathOf: (index: number) => Path): Findings {
  return joinFindings(
    rules.map((rule, index) => {
      if (!isObject(rule) || !namesTime(rule)) return NO_FINDINGS;
      const found = loadExpiry().expiryOf(rule, session.clock.now() / 1000, session.expiryWarningDays);
      if (found === undefined) return NO_FINDINGS;
      const path = [...pathOf(index), "expression"];
      return { failures: [], warnings: [{ check: found.kind, path, reason: found.text }] };
    }),
  );
}
