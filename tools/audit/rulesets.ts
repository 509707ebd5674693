import type { Ruleset } from "../../client/index.js";
import { quotaState } from "../../core/model/quota.js";
import { rulesIncluded } from "../../provider/validation/index.js";
import { isObject, pick, type Json } from "../../core/model/json.js";
import type { Hide } from "./hide.js";
import type { AuditFinding, RuleLine, RulesetLine, Where } from "./report.js";
import { descriptionOf, findingKey, type Context } from "./scope.js";
import { managedOf, type RuleSubject } from "./rule-findings.js";

/** A ruleset as the report lists it. */
export function rulesetLine(
  ruleset: Ruleset,
  subjects: readonly RuleSubject[],
  plan: string | undefined,
  context: Context,
): RulesetLine {
  const { id, name, kind, phase, version, lastUpdated, rules } = ruleset;
  const included = kind === "zone" && plan !== undefined ? rulesIncluded(phase, plan) : undefined;
  const executing = subjects.filter(({ rule, executesOwn }) => rule.action === "execute" && !executesOwn);
  return {
    ...{ id, name, kind, phase, version },
    ...(lastUpdated === undefined ? {} : { lastUpdated }),
    ...(included === undefined ? {} : { quota: { used: rules.length, included } }),
    managed: executing.map((subject) => {
      const { run } = managedOf(subject, context);
      return { ...run, rule: { ...run.rule, description: context.hide(run.rule.description) } };
    }),
    rules: rules.map((rule) => ({
      ref: rule.ref,
      action: rule.action,
      enabled: rule.enabled ?? true,
      description: context.hide(descriptionOf(rule)),
      expression: context.hide(rule.expression ?? ""),
      version: rule.version,
      lastUpdated: rule.lastUpdated,
      ...(hidden(pick(rule, JUDGED), context.hide) as Partial<RuleLine>),
    })),
  };
}

/** What a later run needs to judge a change, besides what a line shows. */
const JUDGED = ["actionParameters", "ratelimit", "exposedCredentialCheck", "wire"] as const;

function hidden(value: unknown, hide: Hide): Json {
  if (typeof value === "string") return hide(value);
  if (Array.isArray(value)) return value.map((item) => hidden(item, hide));
  if (!isObject(value)) return (value ?? null) as Json;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => (item === undefined ? [] : [[hide(name), hidden(item, hide)]])),
  );
}

/** Findings on a ruleset as a whole. */
export function rulesetFindings(
  where: Where,
  ruleset: Ruleset,
  { quota }: RulesetLine,
  isExecuted: boolean | undefined,
): AuditFinding[] {
  const { id, name, phase, rules } = ruleset;
  const about = { where, phase, ruleset: { id, name } };
  const idle: AuditFinding = {
    key: findingKey(where, ruleset, "not-executed"),
    code: "not-executed",
    severity: "warning",
    ...about,
    message: `no rule executes the custom ruleset "${name}", so ${rules.length === 1 ? "its rule never runs" : `its ${String(rules.length)} rules never run`}`,
  };
  return [
    ...(isExecuted === false && rules.length > 0 ? [idle] : []),
    ...(quota === undefined || quotaState({ count: quota.used, included: quota.included }) === "fits"
      ? []
      : [
          {
            key: findingKey(where, ruleset, "quota"),
            code: "quota",
            severity: "info",
            ...about,
            message: `${String(quota.used)} of the ${String(quota.included)} rules in the zone's plan are used`,
            amount: quota.used,
          } as const,
        ]),
  ];
}
