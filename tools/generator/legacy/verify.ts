import { quoted } from "../../../core/legacy/pattern.js";
import { convert } from "../../../core/legacy/convert.js";
import type { NewList } from "../../../core/legacy/new-rules.js";
import { parseOldRules, type WireRules } from "../../../core/legacy/old-rules.js";
import type { Migration } from "../../../core/legacy/report.js";
import { sameJson, textOf, type JsonObject } from "../../../core/model/json.js";
import type { FoundRule } from "../inventory.js";
import { inputsOf, join, judge, proofOf } from "./migrate.js";
import { enabled, type WithRulesets } from "./zone.js";
import { isOurs } from "./ours.js";

type Deployed = ReadonlyMap<string, FoundRule>;

/**
 * Compares the previous rules of a zone with the rules that are deployed. Previous rules that were turned off since count as if
 * they were on, so that the answer stays the same while they are turned off one by one.
 * @param lists those that its rules use, as they are deployed
 */
export function verifyZone(zone: WithRulesets, lists: readonly NewList[]): Migration {
  const rules = [...zone.rulesets, ...(zone.account?.rulesets ?? [])].flatMap((one) => one.rules);
  const deployed: Deployed = new Map(rules.filter(isEnabled).map((rule) => [rule.ref ?? "", rule]));
  const switched = switchedOff(zone, deployed);
  const { migration } = judge({ ...zone, wire: turnedOn(zone.wire, switched) }, []);
  const { conversion, bulk } = migration;
  const listed = bulk === undefined ? [] : conversion.rules.filter(({ ref }) => bulk.replaced.has(ref));
  const inList = bulk === undefined ? [] : redirectsMissing(zone, bulk, deployed);
  const absent = conversion.rules
    .filter((rule) => !listed.includes(rule) && !deployed.has(rule.ref))
    .map(({ ref }) => `${ref} is not deployed, or disabled`);
  const converted = new Set(conversion.rules.map(({ ref }) => ref));
  // The new rules of a previous rule that was deleted since stay.
  const others = zone.rulesets.map((one) => ({
    ...one,
    rules: one.rules.filter((rule) => !isOurs(rule) || !converted.has(rule.ref ?? "")),
  }));
  const before = inputsOf(join(others, conversion.rules, enabled), conversion.lists);
  const { isEqual, why } = proofOf(before, inputsOf(join(zone.rulesets, listed, enabled), lists));
  const missing = [...absent, ...inList];
  return {
    ...migration,
    switchedOff: switched,
    beyond: [],
    proof: { isEqual: isEqual && missing.length === 0, why: [...missing, ...why] },
  };
}

function isEnabled(rule: FoundRule): boolean {
  return !("enabled" in rule) || rule.enabled !== false;
}

/** What the redirect list of the account, and the rule that puts it in force, lack. */
function redirectsMissing(
  { account }: WithRulesets,
  { list, items, rule }: NonNullable<Migration["bulk"]>,
  deployed: Deployed,
): readonly string[] {
  if (!deployed.has(rule.ref)) return [`${rule.ref} is not deployed, or disabled`];
  const there = account?.lists?.find(({ name }) => name === list)?.items ?? {};
  return Object.entries(items).flatMap(([source, details]) =>
    sameJson(there[source], details) ? [] : [`the list ${list} does not redirect ${source} as the page rule does`],
  );
}

/** Previous rules that are off, and whose new rules are deployed. */
function switchedOff({ id, plan, wire }: WithRulesets, deployed: Deployed): ReadonlySet<string> {
  const all = [...wire.pageRules, ...wire.userAgents, ...wire.lockdowns, ...wire.rateLimits];
  const off = all.filter(isOff).map((rule) => textOf(rule.id));
  if (off.length === 0) return new Set();
  const old = parseOldRules(turnedOn(wire, new Set(off)));
  const { rules } = convert(old, { ...(plan === "" ? {} : { plan }), listSuffix: id.slice(0, 8) });
  const isReplaced = (rule: string): boolean => {
    const agent = old.userAgents.find((one) => one.id === rule)?.agent;
    const own = rules.filter(({ from }) => from.includes(rule));
    const has = (ref: string): boolean => {
      const found: object | undefined = deployed.get(ref);
      const expression = found !== undefined && "expression" in found ? textOf(found.expression) : "";
      return found !== undefined && (agent === undefined || expression.includes(quoted(agent)));
    };
    return own.length > 0 && own.every(({ ref }) => has(ref));
  };
  return new Set(off.filter(isReplaced));
}

function isOff({ paused, disabled, status }: JsonObject): boolean {
  return paused === true || disabled === true || status === "disabled";
}

function turnedOn(wire: WireRules, ids: ReadonlySet<string>): WireRules {
  const on = (rules: readonly JsonObject[]): readonly JsonObject[] =>
    rules.map((rule) =>
      ids.has(textOf(rule.id)) ? { ...rule, paused: false, disabled: false, status: "active" } : rule,
    );
  const { pageRules, userAgents, lockdowns, accessRules, rateLimits } = wire;
  return {
    pageRules: on(pageRules),
    userAgents: on(userAgents),
    lockdowns: on(lockdowns),
    accessRules,
    rateLimits: on(rateLimits),
  };
}
