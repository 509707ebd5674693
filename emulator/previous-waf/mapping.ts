import { text } from "../body.js";
import type { Plan } from "../zones/model.js";
import type { PreviousWaf, WafSettings } from "./model.js";
import { CLOUDFLARE_PACKAGE, CORE_PACKAGE } from "./packages.js";
import type { Stored } from "../stored.js";

/** A rule of a generated configuration: fields that only saved rules have are empty. */
interface ConfigRule {
  readonly id: "";
  readonly version: "";
  readonly ref: "";
  readonly action: string;
  readonly action_parameters: Readonly<Record<string, unknown>>;
  readonly expression: string;
  readonly description: string;
  readonly enabled: boolean;
}

const MANAGED_RULESET = "efb7b8c949ac4650a09736fc376e9aee";
const CORE_RULESET = "4814384a9e5d4991b9815dcfc25d2f1f";
const FREE_RULESET = "77454fe2d30c4220b5701f6fdfb893ba";
const SCORING_RULE = "6179ae15870a4bb7b2d480d4843b323c";

/**
 * The previous sensitivity as paranoia level and score threshold. The description says below its table that the migration
 * always sets level 2, but the table has other values for medium and low; the table is used here.
 */
const SENSITIVITY: Readonly<Record<string, { readonly level: number; readonly threshold: number }>> = {
  high: { level: 2, threshold: 40 },
  medium: { level: 1, threshold: 25 },
  low: { level: 1, threshold: 40 },
  default: { level: 2, threshold: 40 },
};

/** "Almost direct": only simulate has another name. */
const ACTIONS: Readonly<Record<string, string>> = { simulate: "log" };

/** Converts a zone's previous WAF to rulesets: exceptions first, then the executions. */
export function mapConfiguration(waf: PreviousWaf, plan: Plan): ConfigRule[] {
  return [...bypasses(waf), ...pageRuleSkips(waf), ...executes(waf, plan)];
}

function rule(action: string, expression: string, rest: Partial<ConfigRule>): ConfigRule {
  return {
    id: "",
    version: "",
    ref: "",
    action,
    action_parameters: {},
    expression,
    description: "",
    enabled: true,
    ...rest,
  };
}

function skip(expression: string, description: string, enabled = true): ConfigRule {
  return rule("skip", expression, { action_parameters: { ruleset: "current" }, description, enabled });
}

/** The firewall rules that take part: those that let requests bypass the managed rules. */
export function bypassRules(waf: PreviousWaf): Stored[] {
  return waf.firewallRules.filter(
    ({ action, products }) => action === "bypass" && (products === undefined || (products as string[]).includes("waf")),
  );
}

export function expressionOf(waf: PreviousWaf, firewallRule: Stored): string {
  return text(waf.filters.find(({ id }) => id === firewallRule.filter)?.expression);
}

function bypasses(waf: PreviousWaf): ConfigRule[] {
  const filters = new Map(waf.filters.map((filter) => [filter.id, filter]));
  return bypassRules(waf).map((firewallRule) => {
    const filter = filters.get(text(firewallRule.filter));
    const enabled = firewallRule.paused !== true && filter?.paused !== true;
    return skip(text(filter?.expression), text(firewallRule.description), enabled);
  });
}

interface Switch {
  readonly url: string;
  readonly turns: "on" | "off";
}

/** Active page rules that turn the WAF on or off, the highest priority first. */
export function switchingPageRules(waf: PreviousWaf): Switch[] {
  return [...waf.pageRules]
    .filter(({ status }) => status === "active")
    .sort((a, b) => Number(b.priority) - Number(a.priority))
    .flatMap(({ targets, actions }): Switch[] => {
      const url = text((targets as { constraint?: { value?: unknown } }[])[0]?.constraint?.value);
      const list = actions as { id: string; value?: unknown }[];
      if (list.some(({ id, value }) => id === "disable_security" || (id === "waf" && value === "off")))
        return [{ url, turns: "off" }];
      return list.some(({ id, value }) => id === "waf" && value === "on") ? [{ url, turns: "on" }] : [];
    });
}

/** A page rule's URL pattern as an expression; one without a scheme matches both. */
function matching(url: string): string {
  const pattern = url.includes("://") ? url : `http*://${url}`;
  return `(http.request.full_uri wildcard ${JSON.stringify(pattern)})`;
}

/** Where a page rule applies: its pattern, except the patterns of higher-priority page rules with the opposite setting. */
function reach(switches: readonly Switch[], index: number): string {
  const own = switches[index];
  if (own === undefined) return "false";
  const stronger = switches.slice(0, index).filter(({ turns }) => turns !== own.turns);
  return [matching(own.url), ...stronger.map(({ url }) => `not ${matching(url)}`)].join(" and ");
}

function pageRuleSkips(waf: PreviousWaf): ConfigRule[] {
  if (waf.setting === "off") return [];
  const switches = switchingPageRules(waf);
  return switches.flatMap(({ url, turns }, index) =>
    turns === "off" ? [skip(reach(switches, index), `Page rule ${url}`)] : [],
  );
}

/** Everywhere, or, if the zone's WAF setting is off, where page rules turn it on. */
function executedWhere(waf: PreviousWaf): { readonly expression: string; readonly enabled: boolean } {
  if (waf.setting === "on") return { expression: "true", enabled: true };
  const switches = switchingPageRules(waf);
  const on = switches.flatMap(({ turns }, index) => (turns === "on" ? [reach(switches, index)] : []));
  if (on.length === 0) return { expression: "true", enabled: false };
  return { expression: on.length === 1 ? on.join("") : on.map((part) => `(${part})`).join(" or "), enabled: true };
}

function executes(waf: PreviousWaf, plan: Plan): ConfigRule[] {
  const where = executedWhere(waf);
  const execute = (id: string, overrides?: object): ConfigRule =>
    rule("execute", where.expression, {
      action_parameters: { id, ...(overrides === undefined ? {} : { overrides }) },
      enabled: where.enabled,
    });
  if (plan === "free") return [execute(FREE_RULESET)];
  const core = waf.packages.find(({ id }) => id === CORE_PACKAGE);
  const sensitivity = core?.sensitivity ?? "default";
  return [
    ...(isManagedOn(waf) ? [execute(MANAGED_RULESET, waf.managedOverrides)] : []),
    ...(sensitivity === "off" ? [] : [execute(CORE_RULESET, coreOverrides(sensitivity, core?.action_mode))]),
  ];
}

/** Whether Cloudflare's managed rules run at all. */
export function isManagedOn(waf: PreviousWaf): boolean {
  return waf.groups.some(({ package_id, mode }) => package_id === CLOUDFLARE_PACKAGE && mode === "on");
}

/** Sensitivity and action of the core rule set; overrides of its groups and rules are not carried over. */
function coreOverrides(sensitivity: string, actionMode: string | undefined): object {
  const { level, threshold } = SENSITIVITY[sensitivity] ?? { level: 2, threshold: 40 };
  const above = [1, 2, 3, 4].filter((number) => number > level);
  const action = ACTIONS[actionMode ?? ""] ?? actionMode ?? "challenge";
  return {
    categories: above.map((number) => ({ category: `paranoia-level-${String(number)}`, enabled: false })),
    rules: [{ id: SCORING_RULE, score_threshold: threshold, action }],
  };
}

/**
 * Settings that a generated configuration loses: those of groups and rules of the core rule set, as documented, and those of
 * Cloudflare's own, unless the configuration is given overrides for them.
 */
export function lostSettings({ groups, rules, managedOverrides }: WafSettings): string[] {
  const isLost = (item: {
    readonly package_id: string;
    readonly mode: string;
    readonly default_mode: string;
  }): boolean =>
    (item.package_id === CORE_PACKAGE || managedOverrides === undefined) &&
    item.mode !== item.default_mode &&
    item.mode !== "default";
  return [
    ...groups.filter(isLost).map(({ name, mode }) => `group ${name}: ${mode}`),
    ...rules.filter(isLost).map(({ id, mode }) => `rule ${id}: ${mode}`),
  ];
}
