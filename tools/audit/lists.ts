import type { FindingCode, Severity } from "../../core/language/index.js";
import { bitsOf, networkOf, parseIp, type IpRange } from "../../core/language/ip.js";
import type { Details, Items } from "../../core/lists/item.js";
import { isObject } from "../../core/model/json.js";
import { joinNames, plural } from "../../core/model/words.js";
import { listResourceId } from "../../core/model/ids.js";
import type { FoundAccount, FoundList, FoundZone } from "./facts.js";
import type { Hide } from "./hide.js";
import type { AuditFinding } from "./report.js";
import { whereOf } from "./scope.js";

/** In place of a phase, where a finding is about a list. */
const LISTS = "lists";

/** Findings on the lists of an account: those that nobody uses, and items that are too wide or that should be gone. */
export function listFindings(
  account: FoundAccount,
  zones: readonly FoundZone[],
  { today, hide }: { readonly today: string; readonly hide: Hide },
): AuditFinding[] {
  const lists = account.lists ?? [];
  if (lists.length === 0) return [];
  const named = namedLists([account, ...zones.filter(({ accountId }) => accountId === account.id)]);
  return lists.flatMap((list): AuditFinding[] => {
    const finding = (code: FindingCode, severity: Severity, message: string, amount?: number): AuditFinding => ({
      key: `${listResourceId(account.id, list.id)}/${code}`,
      code,
      severity,
      where: whereOf(account),
      phase: LISTS,
      list: { id: list.id, name: list.name },
      message: hide(message),
      amount,
    });
    const wide = wideItems(list);
    const everything = coveredWhole(list);
    const expired = expiredItems(list.items ?? {}, today);
    return [
      ...(list.references === 0 && !named.has(list.name)
        ? [finding("unused-list", "info", `no rule uses the list, which has ${plural(list.size, "item")}`)]
        : []),
      ...(everything === undefined ? [] : [finding("list-of-everything", "error", `its items cover ${everything}`)]),
      ...(everything !== undefined || wide.length === 0
        ? []
        : [finding("wide-item", "warning", wideText(wide), wide.length)]),
      ...(expired.length === 0 ? [] : [finding("expired-item", "warning", expiredText(expired), expired.length)]),
    ];
  });
}

/** The lists that rules name, in whatever part of a rule. */
function namedLists(found: readonly (FoundAccount | FoundZone)[]): ReadonlySet<string> {
  const names = found.flatMap(({ rulesets }) =>
    rulesets.flatMap(({ rules }) =>
      rules.flatMap((rule) => namesIn([rule.expression, rule.ratelimit, rule.actionParameters])),
    ),
  );
  return new Set(names);
}

/** Names after a dollar sign in any text, and of the lists that redirects come from. */
function namesIn(value: unknown): string[] {
  if (typeof value === "string") return [...value.matchAll(/\$([A-Za-z0-9_]+)/g)].map(([, name = ""]) => name);
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (!isObject(value)) return [];
  const { fromList } = value;
  const own = isObject(fromList) && typeof fromList.name === "string" ? [fromList.name] : [];
  return [...own, ...Object.values(value).flatMap(namesIn)];
}

/** Ranges that are larger than any that one network has: IPv4 beyond /8, IPv6 beyond /12. */
const LARGEST = { 4: 8, 6: 12 };

function wideItems({ kind, items = {} }: FoundList): string[] {
  if (kind !== "ip") return [];
  return Object.keys(items).filter((key) => {
    const [address = "", prefix] = key.split("/");
    const parsed = parseIp(address);
    return parsed !== undefined && prefix !== undefined && Number(prefix) < LARGEST[parsed.version];
  });
}

function wideText(keys: readonly string[]): string {
  return `${plural(keys.length, "item")} ${keys.length === 1 ? "covers" : "cover"} more addresses than any one network has: ${joinNames(keys, 3)}`;
}

/** The networks that hold everybody. In lists, no single item can: the service limits the prefixes. */
const WHOLES = [
  ["every IPv4 address (0.0.0.0/0)", 4, "0.0.0.0", 0],
  ["every public IPv6 address (2000::/3)", 6, "2000::", 3],
] as const;

function coveredWhole({ kind, items = {} }: FoundList): string | undefined {
  if (kind !== "ip") return undefined;
  const ranges = Object.keys(items).flatMap((key) => rangeOf(key) ?? []);
  const found = WHOLES.filter(([, version, address, bits]) => {
    const whole = rangeOf(`${address}/${String(bits)}`);
    return (
      whole !== undefined &&
      isCovered(
        whole,
        ranges.filter(({ first }) => first.version === version),
      )
    );
  });
  return found.length === 0 ? undefined : found.map(([words]) => words).join(" and ");
}

function rangeOf(key: string): IpRange | undefined {
  const [text = "", prefix] = key.split("/");
  const address = parseIp(text);
  return address === undefined
    ? undefined
    : networkOf(address, prefix === undefined ? bitsOf(address) : Number(prefix));
}

/** Whether some ranges together contain every address of another one. */
function isCovered(whole: IpRange, ranges: readonly IpRange[]): boolean {
  let next = BigInt(whole.first.value);
  const sorted = ranges
    .map(({ first, last }) => ({ first: BigInt(first.value), last: BigInt(last.value) }))
    .sort((one, other) => (one.first < other.first ? -1 : one.first > other.first ? 1 : 0));
  for (const { first, last } of sorted) {
    if (first > next) return false;
    if (last >= next) next = last + 1n;
  }
  return next > BigInt(whole.last.value);
}

interface ExpiredItem {
  readonly key: string;
  readonly day: string;
}

function expiredItems(items: Items, today: string): ExpiredItem[] {
  return Object.entries<Details>(items).flatMap(([key, details]) => {
    const day = endIn(typeof details === "string" ? details : (details.comment ?? ""));
    return day !== undefined && day < today ? [{ key, day }] : [];
  });
}

function expiredText(expired: readonly ExpiredItem[]): string {
  const first = expired.toSorted((one, other) => (one.day < other.day ? -1 : 1));
  const named = joinNames(
    first.map(({ key, day }) => `${key} (${day})`),
    3,
  );
  return `the comment of ${plural(expired.length, "item")} says that ${expired.length === 1 ? "it has" : "they have"} expired: ${named}`;
}

const END =
  /\b(?:until|till|thru|through|expir(?:es?|ed|y|ation|ing)|ends?|valid to|remove (?:after|on|by)|delete (?:after|on|by)|ttl)\b/;
const DAY = /(?:(\d{4})[-/.](\d{2})[-/.](\d{2})|(\d{1,2})\.(\d{1,2})\.(\d{4}))(?!\d)/;
const END_DAY = new RegExp(`${END.source}\\s*(?:date)?\\s*(?:[:=]|on|by|at|the)?\\s*${DAY.source}`, "i");

/**
 * The last day of which a comment says that its item ends, as `2026-01-31`: `until 2026-01-31`, `expires: 31.1.2026`. A day without
 * such a word may be when the item was added, and `01/02/2026` may be one of two days.
 */
export function endIn(comment: string): string | undefined {
  const [, year, month, day, otherDay, otherMonth, otherYear] = END_DAY.exec(comment) ?? [];
  const text = [year ?? otherYear, month ?? otherMonth?.padStart(2, "0"), day ?? otherDay?.padStart(2, "0")].join("-");
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? undefined : text;
}
