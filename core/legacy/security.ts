import { parseItem } from "../lists/item.js";
import {
  MAX_EXPRESSION,
  REF_PREFIX,
  type Conversion,
  type ConvertOptions,
  type NewList,
  type NewRule,
  type Note,
} from "./new-rules.js";
import { unprotectedBy } from "./page-rules.js";
import type { AccessRule, Lockdown, Mode, OldRules, UserAgentRule } from "./old-rules.js";
import { anyOf, canMeet, conditionOf, quoted, type UrlPattern } from "./pattern.js";

const CUSTOM = "http_request_firewall_custom";
/** Characters of a set that a rule may write out; more become a list. */
const MAX_SET = 3000;
/** The strictest first: which of several that match applies is not documented. */
export const MODES: readonly Mode[] = ["block", "challenge", "managed_challenge", "js_challenge"];

/**
 * Access rules, then lockdowns, then user agent rules: an allowed client passes all of them, and one that a lockdown allows
 * passes the user agent rules. https://developers.cloudflare.com/waf/tools/user-agent-blocking/
 */
export function convertSecurity(old: OldRules, options: ConvertOptions): Conversion {
  const access = convertAccessRules(old.accessRules, options.listSuffix);
  const lockdowns = convertLockdowns(old, options);
  return {
    rules: [...access.rules, ...lockdowns.rules, ...convertUserAgents(old, options)],
    lists: [...access.lists, ...lockdowns.lists],
    notes: [...access.notes, ...lockdowns.notes],
  };
}

/** Items in as few groups as fit into a condition, in their order. One that fits into none has its own. */
function groupsOf<T>(items: readonly T[], expressionOf: (some: readonly T[]) => string): readonly (readonly T[])[] {
  const groups: T[][] = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last !== undefined && expressionOf([...last, item]).length <= MAX_EXPRESSION) last.push(item);
    else groups.push([item]);
  }
  return groups;
}

/** What tells the rules apart that replace the same old ones. */
const numbered = (name: string, index: number): string => (index === 0 ? name : `${name}-${String(index + 1)}`);

const rule = (
  name: string,
  description: string,
  more: Pick<NewRule, "action" | "expression" | "from" | "actionParameters">,
): NewRule => ({
  phase: CUSTOM,
  ref: `${REF_PREFIX}${name}`,
  description,
  ...more,
});

const FIELDS = { address: "ip.src", asn: "ip.src.asnum", country: "ip.src.country" } as const;

/** Addresses that are too many for a rule, as far as a list can have them. */
function longSet(values: readonly string[]): readonly string[] {
  return values.join(" ").length <= MAX_SET ? [] : values.filter((value) => parseItem("ip", value).kind === "item");
}

/** A part of a condition, and the access rules that it stands for. */
interface Clients {
  readonly condition: string;
  readonly rules: readonly AccessRule[];
}

function clientsOf(target: AccessRule["target"], rules: readonly AccessRule[]): readonly Clients[] {
  const condition = (some: readonly AccessRule[]): string => {
    const values = some.map(({ value }) => (target === "country" ? quoted(value) : value));
    return `${FIELDS[target]} in {${values.join(" ")}}`;
  };
  return groupsOf(rules, condition).map((some) => ({ condition: condition(some), rules: some }));
}

/** https://developers.cloudflare.com/waf/tools/ip-access-rules/actions/: allowing a country does not bypass managed rules. */
const PRODUCTS = ["zoneLockdown", "uaBlock", "bic", "hot", "securityLevel", "rateLimit"];
export const ALLOWED = {
  most: {
    ruleset: "current",
    phases: ["http_ratelimit", "http_request_firewall_managed", "http_request_sbfm"],
    products: [...PRODUCTS, "waf"],
  },
  country: { ruleset: "current", phases: ["http_ratelimit"], products: PRODUCTS },
};

/** The clients of access rules; addresses that are too many for a condition go into a list. */
function clientsIn(
  some: readonly AccessRule[],
  name: string,
  { lists, listSuffix }: { readonly lists: NewList[]; readonly listSuffix: string | undefined },
): readonly Clients[] {
  return (["address", "asn", "country"] as const).flatMap((target) => {
    const own = some.filter((one) => one.target === target);
    const long = target === "address" && listSuffix !== undefined ? longSet(own.map(({ value }) => value)) : [];
    if (long.length === 0) return clientsOf(target, own);
    const list = `legacy_${name}_${listSuffix ?? ""}`;
    lists.push({ name: list, addresses: long });
    const listed = new Set(long);
    const isListed = ({ value }: AccessRule): boolean => listed.has(value);
    return [
      { condition: `ip.src in $${list}`, rules: own.filter(isListed) },
      ...clientsOf(
        target,
        own.filter((one) => !isListed(one)),
      ),
    ];
  });
}

function convertAccessRules(rules: readonly AccessRule[], listSuffix: string | undefined): Conversion {
  const lists: NewList[] = [];
  const joined = (some: readonly Clients[]): string => some.map(({ condition }) => condition).join(" or ");
  const make = (
    some: readonly AccessRule[],
    name: string,
    description: string,
    does: Pick<NewRule, "action" | "actionParameters">,
  ): NewRule[] =>
    groupsOf(clientsIn(some, name, { lists, listSuffix }), joined).map((group, index) =>
      rule(numbered(`access-${name.replaceAll("_", "-")}`, index), description, {
        ...does,
        expression: joined(group),
        from: group.flatMap((one) => one.rules.map(({ id }) => id)),
      }),
    );
  const allowed = rules.filter(({ mode }) => mode === "allow");
  const isCountry = ({ target }: AccessRule): boolean => target === "country";
  const notes = [
    ...allowed.map((one): Note => ({ rule: one, text: SKIP, kind: "lacks" })),
    ...mixed(rules).map((one): Note => ({ rule: one, text: STRICTEST, kind: "lacks" })),
  ];
  return {
    rules: [
      ...make(
        allowed.filter((one) => !isCountry(one)),
        "allow",
        "From IP access rules: allowed addresses and networks",
        { action: "skip", actionParameters: ALLOWED.most },
      ),
      ...make(allowed.filter(isCountry), "allow_country", "From IP access rules: allowed countries", {
        action: "skip",
        actionParameters: ALLOWED.country,
      }),
      ...MODES.flatMap((mode) =>
        make(
          rules.filter((one) => one.mode === mode),
          mode,
          `From IP access rules: ${mode}`,
          { action: mode },
        ),
      ),
    ],
    lists,
    notes,
  };
}

const SKIP = "the vendor says that `skip` does not bypass all security features that an allowed client bypassed";
const STRICTEST =
  "a client may match access rules of several modes; only that allowing comes first is documented, so the strictest applies now";

/** Rules that may match the clients of one with another mode: everything but two different addresses can. */
function mixed(rules: readonly AccessRule[]): readonly AccessRule[] {
  const stopping = rules.filter(({ mode }) => mode !== "allow");
  if (new Set(stopping.map(({ mode }) => mode)).size < 2) return [];
  const isAddress = ({ target, value }: AccessRule): boolean => target === "address" && !value.includes("/");
  return stopping.filter((one) => !isAddress(one));
}

/** The lowest number applies where several match; those that can meet without an order are left alone. */
export function lockdownOrder(lockdowns: readonly Lockdown[]): {
  readonly sorted: readonly Lockdown[];
  readonly tied: ReadonlyMap<Lockdown, Lockdown>;
} {
  const rank = ({ priority }: Lockdown): number => priority ?? Infinity;
  const sorted = lockdowns.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
  const tied = new Map<Lockdown, Lockdown>();
  for (const one of sorted)
    for (const other of sorted)
      if (one !== other && rank(one) === rank(other) && lockdownsMeet(one, other)) tied.set(one, other);
  return { sorted, tied };
}

export function lockdownsMeet(one: Lockdown, other: Lockdown): boolean {
  return one.patterns.some((pattern) => other.patterns.some((against) => canMeet(pattern, against)));
}

const urlsOf = ({ patterns }: Pick<Lockdown, "patterns">): string => anyOf(patterns.map(conditionOf));

/** The list of addresses that are too many for the rules of a lockdown. */
function listOf({ id, addresses }: Lockdown, listSuffix: string | undefined): NewList | undefined {
  return listSuffix === undefined || longSet(addresses).length < addresses.length
    ? undefined
    : { name: `legacy_lockdown_${id.slice(0, 12)}_${listSuffix}`, addresses };
}

function addressesOf(lockdown: Lockdown, listSuffix: string | undefined): string {
  const list = listOf(lockdown, listSuffix);
  return list === undefined ? `ip.src in {${lockdown.addresses.join(" ")}}` : `ip.src in $${list.name}`;
}

function convertLockdowns(old: OldRules, { plan, listSuffix }: ConvertOptions): Conversion {
  const { sorted, tied } = lockdownOrder(old.lockdowns);
  const off = unprotectedBy(old.pageRules, plan).map((reach) => `not ${reach}`);
  const notes = [...tied].map(([one, other]): Note => ({
    rule: one,
    text: `it has the priority of ${other.label}, and both match some URLs: which one applies is not known`,
    kind: "left",
  }));
  const rules = sorted.flatMap((one, index): readonly NewRule[] => {
    if (tied.has(one)) return [];
    const stronger = sorted.slice(0, index).filter((other) => lockdownsMeet(one, other));
    const expressionOf = (patterns: readonly UrlPattern[]): string =>
      [
        urlsOf({ patterns }),
        ...stronger.map((other) => `not ${urlsOf(other)}`),
        ...off,
        `not ${addressesOf(one, listSuffix)}`,
      ].join(" and ");
    return groupsOf(one.patterns, expressionOf).map((patterns, at) =>
      rule(
        numbered(`lockdown-${one.id.slice(0, 12)}`, at),
        `From the lockdown of ${patterns.map(({ text }) => text).join(" ")}`.slice(0, 500),
        { action: "block", expression: expressionOf(patterns), from: [one.id] },
      ),
    );
  });
  return { rules, lists: sorted.flatMap((one) => listOf(one, listSuffix) ?? []), notes };
}

function convertUserAgents(old: OldRules, { plan, listSuffix }: ConvertOptions): readonly NewRule[] {
  const { sorted } = lockdownOrder(old.lockdowns);
  const off = unprotectedBy(old.pageRules, plan).map((reach) => `not ${reach}`);
  const passes = sorted.map((one, index) => {
    const stronger = sorted.slice(0, index).filter((other) => lockdownsMeet(one, other));
    return `not (${[urlsOf(one), ...stronger.map((other) => `not ${urlsOf(other)}`), ...off, addressesOf(one, listSuffix)].join(" and ")})`;
  });
  const expressionOf = (rules: readonly UserAgentRule[]): string => {
    const agents = rules.map(({ agent }) => quoted(agent));
    const test =
      agents.length === 1 ? `http.user_agent eq ${agents.join("")}` : `http.user_agent in {${agents.join(" ")}}`;
    return [test, ...passes].join(" and ");
  };
  return MODES.flatMap((mode) =>
    groupsOf(
      old.userAgents.filter((one) => one.mode === mode),
      expressionOf,
    ).map((some, index) =>
      rule(numbered(`user-agent-${mode.replaceAll("_", "-")}`, index), `From user agent rules: ${mode}`, {
        action: mode,
        expression: expressionOf(some),
        from: some.map(({ id }) => id),
      }),
    ),
  );
}
