import { printCondition, type Condition } from "../language/index.js";
import { filterOf } from "../analysis/filter.js";
import type { NewRule } from "./new-rules.js";
import { ALLOWED, MODES } from "./security.js";
import type { AccessRule } from "./old-rules.js";
import { quoted } from "./pattern.js";

const FIELDS = { address: "ip.src", asn: "ip.src.asnum", country: "ip.src.country" } as const;

/**
 * The access rules of which it is not proved that new rules act on the same clients in the same way, in the order of precedence.
 * @param rules with the addresses of their lists written out
 */
export function unprovedAccess(old: readonly AccessRule[], rules: readonly NewRule[]): readonly AccessRule[] {
  const ids = new Set(old.map(({ id }) => id));
  const own = rules.filter(({ from }) => from.some((id) => ids.has(id)));
  const ranks = own.map(({ action }) => ["skip", ...MODES].indexOf(action));
  if (ranks.some((rank, at) => rank < (ranks[at - 1] ?? 0))) return old;
  const proved = new Set(own.flatMap((rule) => provedBy(rule, old)));
  return old.filter((rule) => !proved.has(rule));
}

/** The access rules that a rule replaces; none if its condition names other clients, or it does something else to them. */
function provedBy(rule: NewRule, old: readonly AccessRule[]): readonly AccessRule[] {
  const replaced = old.filter(({ id }) => rule.from.includes(id));
  const written = clientsOf(rule.expression);
  const wanted = new Set(
    replaced.flatMap(({ target, value }) =>
      clientsOf(`${FIELDS[target]} in {${target === "country" ? quoted(value) : value}}`),
    ),
  );
  const isSame = new Set(written).size === wanted.size && written.every((one) => wanted.has(one));
  return isSame ? replaced.filter((one) => isActionOf(rule, one)) : [];
}

function isActionOf({ action, actionParameters }: NewRule, { mode, target }: AccessRule): boolean {
  if (mode !== "allow") return action === mode;
  return action === "skip" && actionParameters === (target === "country" ? ALLOWED.country : ALLOWED.most);
}

/** Each member of the sets that a condition joins with `or`, as a condition of its own; the whole condition if it is something else. */
function clientsOf(expression: string): readonly string[] {
  const condition = filterOf(expression);
  return condition === undefined ? [expression] : membersOf(condition);
}

function membersOf(condition: Condition): readonly string[] {
  if (condition.kind === "group") return membersOf(condition.of);
  if (condition.kind === "combination" && condition.op === "or") return condition.items.flatMap(membersOf);
  const text = printCondition(condition);
  const [, field, members] = /^(\S+) in \{(.*)\}$/s.exec(text) ?? [];
  return field === undefined || members === undefined
    ? [text]
    : members.split(" ").map((member) => `${field} in {${member}}`);
}
