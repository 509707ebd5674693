import { Paged, type ApiResult, type Call } from "../call.js";
import { inside, same, selectItems, type Filters, type Orders } from "../lists.js";
import { ownValue } from "../lookup.js";
import { pageOf } from "../pages.js";

/** One page of what a query selects; the previous APIs return up to a hundred items per page. */
export function paged(
  call: Call,
  all: readonly ApiResult[],
  filters: Filters<ApiResult>,
  options: ListOptions = {},
): Paged {
  const found = selectItems(all, call.query, filters, options.orders);
  return Paged.of(pageOf(found, call.query, { size: options.size ?? 50, most: 100 }));
}

interface ListOptions {
  readonly orders?: Orders<ApiResult>;
  /** Default page size. @default 50 */
  readonly size?: number;
}

type Filter = Filters<ApiResult>[string];

export const field = (name: string): Filter => same((item) => item[name]);
const words = (name: string): Filter => inside((item) => item[name]);
export const by =
  (name: string): Orders<ApiResult>[string] =>
  (item) =>
    String(item[name]);

/** Modes of rules as lists show them. */
const SHORT_MODES: Readonly<Record<string, string>> = {
  DIS: "disable",
  CHL: "challenge",
  BLK: "block",
  SIM: "simulate",
};

export const PACKAGES: Filters<ApiResult> = { name: field("name") };
export const GROUPS: Filters<ApiResult> = {
  mode: field("mode"),
  name: field("name"),
  rules_count: field("rules_count"),
};
export const RULES: Filters<ApiResult> = {
  mode: (rule, value) => rule.mode === (ownValue(SHORT_MODES, value) ?? value),
  group_id: (rule, value) => (rule.group as { id: string }).id === value,
  description: words("description"),
  priority: field("priority"),
};
export const FILTERS: Filters<ApiResult> = {
  id: field("id"),
  ref: field("ref"),
  paused: (filter, value) => String(filter.paused === true) === value,
  expression: words("expression"),
  description: words("description"),
};
export const FIREWALL: Filters<ApiResult> = {
  id: field("id"),
  action: field("action"),
  paused: (rule, value) => String(rule.paused === true) === value,
  description: words("description"),
};
