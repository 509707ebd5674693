import equal from "fast-deep-equal";
import type { Body } from "../call.js";
import { refuse } from "../failure.js";
import type { StoredRule } from "./model.js";
import { CHALLENGES } from "./phases.js";

export interface RuleDefaults {
  readonly nextId: () => string;
  readonly timestamp: string;
  /** Whether the plan allows any timeout of a rate limit. */
  readonly allowsThrottling: boolean;
}

const ADDED = new Set(["id", "version", "ref", "last_updated", "position"]);

/** The definition of a rule, without what the service adds. */
function definition(rule: Body): Record<string, unknown> {
  return Object.fromEntries(Object.entries(rule).filter(([key]) => !ADDED.has(key)));
}

/** Adds the defaults that the real service adds, and leaves out what it does not return. */
function withDefaults(sent: Body, { allowsThrottling }: RuleDefaults): Record<string, unknown> {
  const rule: Record<string, unknown> = { enabled: true, ...definition(sent) };
  if (rule.action === "skip" && rule.logging === undefined) rule.logging = { enabled: true };
  if (rule.action === "execute") rule.action_parameters = { version: "latest", ...(rule.action_parameters as object) };
  if (rule.ratelimit !== undefined) {
    // https://github.com/cloudflare/terraform-provider-cloudflare/issues/2914
    const throttled = allowsThrottling || CHALLENGES.includes(String(rule.action)) ? { mitigation_timeout: 0 } : {};
    rule.ratelimit = { ...throttled, ...(rule.ratelimit as object) };
  }
  return withoutZeroValues(rule);
}

function sameDefinition(a: Body, b: Body): boolean {
  return equal(definition(a), definition(b));
}

/** Creates a rule from a write. If it has the ref of an existing rule, it is a new version of that rule if it differs. */
export function makeRule(sent: Body, old: StoredRule | undefined, maker: RuleDefaults): StoredRule {
  const content = withDefaults(sent, maker);
  if (old !== undefined && sameDefinition(content, old)) return old;
  const id = old?.id ?? maker.nextId();
  const ref = old?.ref ?? (typeof sent.ref === "string" && sent.ref !== "" ? sent.ref : id);
  const version = old === undefined ? "1" : String(Number(old.version) + 1);
  return { id, version, ...content, ref, last_updated: maker.timestamp };
}

/** The rules of a whole update: identified by ref, or by ID if no ref is sent. */
export function makeRules(sent: readonly Body[], old: readonly StoredRule[], maker: RuleDefaults): StoredRule[] {
  const byRef = new Map(old.map((rule) => [rule.ref, rule]));
  const byId = new Map(old.map((rule) => [rule.id, rule]));
  return sent.map((rule) => {
    const { ref, id } = rule;
    const named = typeof ref === "string" && ref !== "";
    const found = named ? byRef.get(ref) : typeof id === "string" ? byId.get(id) : undefined;
    return makeRule(rule, found, maker);
  });
}

/** Moves a rule to a position: before or after another rule, or at an index that starts at 1. */
export function placeRule(rules: readonly StoredRule[], rule: StoredRule, position: unknown): StoredRule[] {
  const others = rules.filter(({ id }) => id !== rule.id);
  if (position === undefined) {
    const index = rules.findIndex(({ id }) => id === rule.id);
    return index < 0 ? [...others, rule] : rules.map((old) => (old.id === rule.id ? rule : old));
  }
  return others.toSpliced(indexOf(others, position), 0, rule);
}

function indexOf(rules: readonly StoredRule[], position: unknown): number {
  const given = (typeof position === "object" && position !== null ? position : {}) as Record<string, unknown>;
  const keys = ["before", "after", "index"].filter((key) => given[key] !== undefined);
  if (keys.length !== 1)
    throw refuse(400, undefined, "position needs exactly one of before, after and index", "/position");
  if (keys[0] === "index") {
    const index = Number(given.index);
    if (!Number.isInteger(index) || index < 1 || index > rules.length + 1) {
      throw refuse(400, undefined, `index ${String(given.index)} is out of range`, "/position/index");
    }
    return index - 1;
  }
  const after = keys[0] === "after";
  const id = after ? given.after : given.before;
  if (id === "") return after ? rules.length : 0;
  const found = rules.findIndex((rule) => rule.id === id);
  if (found < 0) throw refuse(400, undefined, `could not find rule ${String(id)}`, `/position/${keys[0] ?? ""}`);
  return after ? found + 1 : found;
}

/** Left out if they are false. */
const FLAGS: readonly string[] = ["cloudflare_only", "preserve_duplicates", "requests_to_origin"];
/** Left out if they are empty; `rules` are those of overrides. */
const LISTS: readonly string[] = ["categories", "rules"];

/**
 * A rule without the values that the service leaves out of its answers, because they mean the same as none. Cloudflare's Terraform
 * provider reads what is missing as these values:
 * https://github.com/cloudflare/terraform-provider-cloudflare/commit/71538e50970a1fd7a27bdba5ed1e285eaefcefcc
 */
function withoutZeroValues(rule: Body): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(rule, (name, value: unknown) => (isLeftOut(name, value) ? undefined : value)),
  ) as Record<string, unknown>;
}

function isLeftOut(name: string, value: unknown): boolean {
  if (value === false) return FLAGS.includes(name);
  if (value === "") return name === "description";
  if (Array.isArray(value)) return value.length === 0 && LISTS.includes(name);
  return name === "action_parameters" && typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
