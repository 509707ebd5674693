import { parseItem } from "../lists/item.js";
import {
  REF_PREFIX,
  type Conversion,
  type ConvertOptions,
  type NewList,
  type NewRule,
  type Note,
} from "./new-rules.js";
import { unprotectedBy } from "./page-rules.js";
import type { AccessRule, Lockdown, Mode, OldRules } from "./old-rules.js";
import { anyOf, canMeet, conditionOf, quoted } from "./pattern.js";

const CUSTOM = "http_request_firewall_custom";
/** Characters of a set that a rule may write out; more become a list. */
const MAX_SET = 3000;
/** The strictest first: which of several that match applies is not documented. */
export const MODES: readonly Mode[] = ["block", "challenge", "managed_challenge", "js_challenge"];

/**
 * Access rules, then lockdowns, then user agent rules: an allowed client passes all of them, and one that a lockdown allows
 * passes the user agent rules. https://developers.cloudflare.com/waf/tools/user-agent-blocking/
 */
export function convertSecurity(old: OldRules, { listSuffix, plan }: ConvertOptions): Conversion {
  const access = convertAccessRules(old.accessRules, listSuffix);
  const lockdowns = convertLockdowns(old, plan);
  return {
    rules: [...access.rules, ...lockdowns.rules, ...convertUserAgents(old, plan)],
    lists: access.lists,
    notes: [...access.notes, ...lockdowns.notes],
  };
}

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

function setsOf(target: AccessRule["target"], values: readonly string[], listed: readonly string[], list: string) {
  const isListed = new Set(listed);
  const others = values.filter((value) => !isListed.has(value));
  const set = (target === "country" ? others.map(quoted) : others).join(" ");
  return [
    ...(listed.length === 0 ? [] : [`ip.src in $${list}`]),
    ...(others.length === 0 ? [] : [`${FIELDS[target]} in {${set}}`]),
  ];
}

/** https://developers.cloudflare.com/waf/tools/ip-access-rules/actions/: allowing a country does not bypass managed rules. */
const PRODUCTS = ["zoneLockdown", "uaBlock", "bic", "hot", "securityLevel", "rateLimit"];
const ALLOWED = {
  most: {
    ruleset: "current",
    phases: ["http_ratelimit", "http_request_firewall_managed", "http_request_sbfm"],
    products: [...PRODUCTS, "waf"],
  },
  country: { ruleset: "current", phases: ["http_ratelimit"], products: PRODUCTS },
};

function convertAccessRules(rules: readonly AccessRule[], listSuffix: string | undefined): Conversion {
  const lists: NewList[] = [];
  const conditions = (some: readonly AccessRule[], name: string): string[] =>
    (["address", "asn", "country"] as const).flatMap((target) => {
      const values = some.filter((one) => one.target === target).map(({ value }) => value);
      const listed = target === "address" && listSuffix !== undefined ? longSet(values) : [];
      if (listed.length > 0) lists.push({ name: `legacy_${name}_${listSuffix ?? ""}`, addresses: listed });
      return setsOf(target, values, listed, lists.at(-1)?.name ?? "");
    });
  const idsOf = (some: readonly AccessRule[]): string[] => some.map(({ id }) => id);
  const make = (
    some: readonly AccessRule[],
    name: string,
    description: string,
    does: Pick<NewRule, "action" | "actionParameters">,
  ): NewRule[] => {
    const found = conditions(some, name);
    return found.length === 0
      ? []
      : [
          rule(`access-${name.replaceAll("_", "-")}`, description, {
            ...does,
            expression: found.join(" or "),
            from: idsOf(some),
          }),
        ];
  };
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

function lockdownsMeet(one: Lockdown, other: Lockdown): boolean {
  return one.patterns.some((pattern) => other.patterns.some((against) => canMeet(pattern, against)));
}

const urlsOf = ({ patterns }: Lockdown): string => anyOf(patterns.map(conditionOf));
const addressesOf = ({ addresses }: Lockdown): string => `ip.src in {${addresses.join(" ")}}`;

function convertLockdowns(old: OldRules, plan: string | undefined): Pick<Conversion, "rules" | "notes"> {
  const { sorted, tied } = lockdownOrder(old.lockdowns);
  const off = unprotectedBy(old.pageRules, plan).map((reach) => `not ${reach}`);
  const notes = [...tied].map(([one, other]): Note => ({
    rule: one,
    text: `it has the priority of ${other.label}, and both match some URLs: which one applies is not known`,
    kind: "left",
  }));
  const rules = sorted.flatMap((one, index): NewRule[] => {
    if (tied.has(one)) return [];
    const stronger = sorted.slice(0, index).filter((other) => lockdownsMeet(one, other));
    const expression = [
      urlsOf(one),
      ...stronger.map((other) => `not ${urlsOf(other)}`),
      ...off,
      `not ${addressesOf(one)}`,
    ].join(" and ");
    return [
      rule(
        `lockdown-${one.id.slice(0, 12)}`,
        `From the lockdown of ${one.patterns.map(({ text }) => text).join(" ")}`.slice(0, 500),
        { action: "block", expression, from: [one.id] },
      ),
    ];
  });
  return { rules, notes };
}

function convertUserAgents(old: OldRules, plan: string | undefined): NewRule[] {
  const { sorted } = lockdownOrder(old.lockdowns);
  const off = unprotectedBy(old.pageRules, plan).map((reach) => `not ${reach}`);
  const passes = sorted.map((one, index) => {
    const stronger = sorted.slice(0, index).filter((other) => lockdownsMeet(one, other));
    return `not (${[urlsOf(one), ...stronger.map((other) => `not ${urlsOf(other)}`), ...off, addressesOf(one)].join(" and ")})`;
  });
  return MODES.flatMap((mode) => {
    const own = old.userAgents.filter((one) => one.mode === mode);
    if (own.length === 0) return [];
    const agents = own.map(({ agent }) => quoted(agent));
    const test =
      agents.length === 1 ? `http.user_agent eq ${agents.join("")}` : `http.user_agent in {${agents.join(" ")}}`;
    return [
      rule(`user-agent-${mode.replaceAll("_", "-")}`, `From user agent rules: ${mode}`, {
        action: mode,
        expression: [test, ...passes].join(" and "),
        from: own.map(({ id }) => id),
      }),
    ];
  });
}
