import { isList, isObject, type JsonObject, textOf } from "../../../../core/model/json.js";
import { overlaps, urlCondition } from "../../../../core/previous-waf/mapping/url-pattern.js";
import type { ForeignResource } from "../foreign.js";

import { skipRule, type NotConverted, type Outcome } from "./outcome.js";

/** The conversion of a zone's page rules: exceptions, and where the managed rules run if the zone's WAF setting is off. */
interface ConvertedPageRules extends Outcome {
  /** Conditions under which page rules turn the managed rules on. */
  readonly switchedOn: readonly string[];
}

interface Switch {
  readonly address: string;
  readonly url: string;
  readonly turns: "on" | "off";
  readonly priority: number;
  readonly isActive: boolean;
}

/** Converts page rules that turn security or the WAF on or off. If their URLs overlap, the higher priority applies. */
export function convertPageRules(resources: readonly ForeignResource[], isOff: boolean): ConvertedPageRules {
  const switches = resources.flatMap(switchOf).sort((a, b) => b.priority - a.priority || compare(a, b));
  const active = switches.filter(({ isActive }) => isActive);
  const reachOf = (one: Switch): string => {
    const place = active.indexOf(one);
    const stronger = active
      .slice(0, Math.max(place, 0))
      .filter(({ turns, url }) => turns !== one.turns && overlaps(url, one.url));
    return [urlCondition(one.url), ...stronger.map(({ url }) => `not ${urlCondition(url)}`)].join(" and ");
  };
  const skips = switches.filter(({ turns }) => turns === "off" && !isOff);
  return {
    rules: skips.map((one) =>
      skipRule({
        description: `Page rule ${one.url}`,
        expression: reachOf(one),
        ...(one.isActive ? {} : { enabled: false }),
      }),
    ),
    switchedOn: active.filter(({ turns }) => turns === "on").map(reachOf),
    notConverted: [
      ...switches.filter(({ turns, isActive }) => turns === "on" && !isActive).map(disabledWords),
      ...resources.flatMap(unreadWords),
    ],
  };
}

function compare(a: Switch, b: Switch): number {
  return a.address < b.address ? -1 : 1;
}

function switchOf({ address, values }: ForeignResource): Switch[] {
  const turns = turnOf(values);
  const url = textOf(values.target);
  if (turns === undefined || url === "") return [];
  const priority = typeof values.priority === "number" ? values.priority : 1;
  return [{ address, url, turns, priority, isActive: textOf(values.status) !== "disabled" }];
}

/** Whether a page rule turns security or the WAF on or off. */
export function isSwitching(values: JsonObject): boolean {
  return turnOf(values) !== undefined;
}

/** Only page rules that turn security or the WAF on or off take part in a migration. */
function turnOf({ actions }: JsonObject): Switch["turns"] | undefined {
  const inside = isList(actions) ? actions[0] : actions;
  if (!isObject(inside)) return undefined;
  if (inside.disable_security === true || inside.disableSecurity === true || inside.waf === "off") return "off";
  return inside.waf === "on" ? "on" : undefined;
}

function disabledWords({ address }: Switch): NotConverted {
  return { what: address, reason: "it is disabled, and would only turn the managed rules on" };
}

function unreadWords({ address, values }: ForeignResource): NotConverted[] {
  if (turnOf(values) === undefined || textOf(values.target) !== "") return [];
  return [{ what: address, reason: "the state does not contain its URL" }];
}
