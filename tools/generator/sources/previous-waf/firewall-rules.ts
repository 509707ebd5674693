import { textsIn, type JsonObject, textOf } from "../../../../core/model/json.js";
import type { FoundRule } from "../../inventory.js";
import type { ForeignResource } from "../foreign.js";

import { refusalOf, convertedRule, skipRule, type NotConverted } from "./outcome.js";
import { MANAGED_PHASE } from "../../../../core/model/migration.js";
import { CUSTOM_PHASE } from "./phases.js";

/** The rules converted from a zone's firewall rules. */
interface ConvertedFirewallRules {
  /** Rules for the phase of the managed rules: bypasses of the managed rules alone. */
  readonly managed: readonly FoundRule[];
  readonly custom: readonly FoundRule[];
  readonly notConverted: readonly NotConverted[];
}

/** Converts firewall rules and their filters, in the order in which they ran. */
export function convertFirewallRules(
  rules: readonly ForeignResource[],
  filters: readonly ForeignResource[],
): ConvertedFirewallRules {
  const byId = new Map(filters.map(({ id, values }) => [id, values]));
  const converted = inOrder(rules).map((resource) => withoutRejected(convert(resource, byId), resource));
  const of = (kind: Converted["kind"]): FoundRule[] =>
    converted.flatMap((one) => (one.kind === kind && one.kind !== "none" ? [one.rule] : []));
  const used = new Set(rules.map(({ values }) => textOf(values.filter_id)));
  return {
    managed: of("managed"),
    custom: of("custom"),
    notConverted: [
      ...converted.flatMap((one) => (one.kind === "none" ? [{ what: one.what, reason: one.reason }] : [])),
      ...filters
        .filter(({ id }) => !used.has(id))
        .map(({ address }) => ({ what: address, reason: "no firewall rule in the files uses this filter" })),
    ],
  };
}

const ORDER = ["log", "bypass", "allow", "challenge", "managed_challenge", "js_challenge", "block"];

/** By priority, then in Cloudflare's order of actions. */
function inOrder(rules: readonly ForeignResource[]): ForeignResource[] {
  const priority = ({ values }: ForeignResource): number =>
    typeof values.priority === "number" && values.priority > 0 ? values.priority : Number.MAX_SAFE_INTEGER;
  const rank = ({ values }: ForeignResource): number => ORDER.indexOf(textOf(values.action));
  return [...rules].sort((a, b) => priority(a) - priority(b) || rank(a) - rank(b) || (a.address < b.address ? -1 : 1));
}

type Converted =
  | { readonly kind: "managed" | "custom"; readonly rule: FoundRule }
  | ({ readonly kind: "none" } & NotConverted);

/** Leaves out a rule that a preview would reject. */
function withoutRejected(converted: Converted, { address }: ForeignResource): Converted {
  if (converted.kind === "none") return converted;
  const reason = refusalOf(converted.rule, converted.kind === "managed" ? MANAGED_PHASE : CUSTOM_PHASE);
  return reason === undefined ? converted : { kind: "none", what: address, reason };
}

function convert({ values, address }: ForeignResource, filters: ReadonlyMap<string, JsonObject>): Converted {
  const filter = filters.get(textOf(values.filter_id));
  const none = (reason: string): Converted => ({ kind: "none", what: address, reason });
  if (filter === undefined) return none("none of the files contains its filter");
  if (textOf(filter.expression) === "") return none("the state does not contain the expression of its filter");
  const action = textOf(values.action);
  const paused = values.paused === true || filter.paused === true;
  const base = {
    ...(textOf(values.description) === "" ? {} : { description: textOf(values.description) }),
    expression: textOf(filter.expression),
    ...(paused ? { enabled: false } : {}),
  };
  switch (action) {
    case "block":
    case "challenge":
    case "js_challenge":
    case "managed_challenge":
    case "log":
      return { kind: "custom", rule: convertedRule({ ...base, action }) };
    case "allow":
      return { kind: "custom", rule: skipRule(base) };
    case "bypass":
      return bypass(base, textsIn(values.products));
    default:
      return none(`the action ${JSON.stringify(action)} has no equivalent`);
  }
}

/**
 * A bypass of the managed rules alone becomes a rule next to them; one that includes other products becomes a custom rule that
 * skips both.
 */
function bypass(base: object, products: readonly string[]): Converted {
  const others = products.filter((product) => product !== "waf");
  if (others.length === 0) return { kind: "managed", rule: skipRule(base) };
  const phases = products.includes("waf") ? { phases: [MANAGED_PHASE] } : {};
  return {
    kind: "custom",
    rule: convertedRule({ ...base, action: "skip", actionParameters: { ...phases, products: others } }),
  };
}
