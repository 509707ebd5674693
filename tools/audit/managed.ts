import type { Reach } from "../../core/analysis/index.js";
import type { DeployedRule, Ruleset } from "../../client/index.js";
import { coreLevel } from "../../core/previous-waf/readiness/words.js";
import { shortRulesetId } from "../../core/model/ids.js";
import { managedRulesetName, managedRulesets, SCORING_RULE } from "../../core/managed/rulesets.js";
import { applyOverrides, type EffectiveRule } from "../../core/managed/apply-overrides.js";
import { canStop, readOverrides } from "../../core/simulator/managed.js";
import { LOGGING_BY_DEFAULT } from "./phases.js";
import type { ManagedRun } from "./report.js";

/** A managed ruleset as a rule executes it, and what overrides disable in it. */
export interface ManagedEffect {
  readonly run: ManagedRun;
  /** Rules that stop requests, or, in a phase whose rules only log by default, rules that log. */
  readonly stopping: number;
  readonly logging: number;
  /** Names of rules that overrides disable, reduce to logging, or run with a lower sensitivity. */
  readonly off: readonly string[];
  readonly logged: readonly string[];
  readonly lowered: readonly string[];
}

interface ManagedInput {
  readonly phase: string;
  /** As the report shows it. */
  readonly expression: string;
  readonly reach: Reach;
  /** The executed ruleset, if it could be read. */
  readonly ruleset: Ruleset | undefined;
}

/** What a rule with action `execute` runs of a managed ruleset. */
export function managedEffect(rule: DeployedRule, { phase, expression, reach, ruleset }: ManagedInput): ManagedEffect {
  const { ref, description = "", enabled = true, actionParameters } = rule;
  const id = shortRulesetId(actionParameters?.id ?? "");
  const overrides = actionParameters?.overrides ?? {};
  const run: ManagedRun = {
    id,
    name: ruleset?.name ?? managedRulesetName(id) ?? id,
    ...(ruleset === undefined ? {} : { version: ruleset.version }),
    rule: { ref, description, enabled },
    expression,
    reach,
    overrides: { tags: overrides.categories?.length ?? 0, rules: overrides.rules?.length ?? 0 },
    ...(overrides.enabled === undefined ? {} : { enabled: overrides.enabled }),
    ...(overrides.action === undefined ? {} : { action: overrides.action }),
    ...(overrides.sensitivityLevel === undefined ? {} : { sensitivityLevel: overrides.sensitivityLevel }),
  };
  if (ruleset === undefined) return effectFromOverrides(run, rule);
  const rules = applyOverrides(ruleset.rules, overrides);
  const level = levelOf(id, rules);
  const on = rules.filter((one) => one.enabled);
  const working = on.filter(({ action }) => action !== "log" || LOGGING_BY_DEFAULT.has(phase));
  const scores = level === undefined || (level.stops && level.paranoiaLevel > 0);
  return {
    run: {
      ...run,
      rules: { total: rules.length, on: on.length, actions: countBy(on.map(({ action }) => action)) },
      ...(level === undefined ? {} : level.shown),
    },
    stopping: scores ? working.length : 0,
    logging: scores ? on.length - working.length : on.length,
    ...weakened(ruleset, rules, level?.paranoiaLevel),
  };
}

/** When the rules are not known, the overrides still show whether any rule can stop a request. */
function effectFromOverrides(run: ManagedRun, rule: DeployedRule): ManagedEffect {
  const overrides = readOverrides(rule.actionParameters?.overrides);
  const stops = canStop(overrides);
  const isOff = overrides.enabled === false && !overrides.rules.some(({ enabled }) => enabled === true);
  return {
    run: { ...run, ...coreLevel({ ...rule, expression: rule.expression ?? "" }) },
    stopping: stops && !isOff ? 1 : 0,
    logging: !stops && !isOff ? 1 : 0,
    off: overrides.rules.flatMap(({ enabled, id }) => (enabled === false ? [id] : [])),
    logged: overrides.rules.flatMap(({ action, id }) => (action === "log" ? [id] : [])),
    lowered: [],
  };
}

/** How strict the OWASP core ruleset runs; undefined for any other. */
function levelOf(id: string, rules: readonly EffectiveRule[]) {
  if (id !== managedRulesets.owaspCore) return undefined;
  const levels = rules.filter(({ enabled }) => enabled).flatMap(({ categories }) => categories.map(paranoiaOf));
  const paranoiaLevel = Math.max(0, ...levels);
  const scoring = rules.find((rule) => rule.id === SCORING_RULE);
  return {
    paranoiaLevel,
    stops: scoring?.enabled === true && scoring.action !== "log",
    shown: {
      paranoiaLevel,
      ...(scoring?.scoreThreshold === undefined ? {} : { scoreThreshold: scoring.scoreThreshold }),
      ...(scoring === undefined ? {} : { action: scoring.enabled ? scoring.action : "off" }),
    },
  };
}

function paranoiaOf(tag: string): number {
  return Number(/^paranoia-level-(\d)$/.exec(tag)?.[1] ?? 0);
}

function weakened(
  ruleset: Ruleset,
  rules: readonly EffectiveRule[],
  paranoiaLevel: number | undefined,
): Pick<ManagedEffect, "off" | "logged" | "lowered"> {
  const byId = new Map(ruleset.rules.map((rule) => [rule.id, rule]));
  const named = (is: (now: EffectiveRule, own: DeployedRule) => boolean): string[] =>
    rules.flatMap((rule) => {
      const own = byId.get(rule.id);
      return own !== undefined && is(rule, own) ? [rule.description === "" ? rule.id : rule.description] : [];
    });
  // Rules above the paranoia level are off because of it; the report shows the level instead.
  const isAbove = ({ overriddenBy }: EffectiveRule): boolean =>
    paranoiaLevel !== undefined && paranoiaOf((overriddenBy.enabled ?? "").replace(/^tag /, "")) > paranoiaLevel;
  return {
    off: named((now, own) => (own.enabled ?? true) && !now.enabled && !isAbove(now)),
    logged: named((now, own) => now.enabled && now.action === "log" && own.action !== "log"),
    lowered: named((now) => now.enabled && (now.sensitivityLevel ?? "default") !== "default"),
  };
}

function countBy(names: readonly string[]): Record<string, number> {
  return Object.fromEntries(Array.from(Map.groupBy(names, String), ([name, same]) => [name, same.length]));
}
