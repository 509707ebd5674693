import type { DeployedRule, Ruleset } from "../model/ruleset.js";

/** The name of the file that keeps what managed rulesets were, beside the program. */
export const LOCK_FILE = "managed.lock.json";

/** The version of the format, incremented by every breaking change. */
const LOCK_VERSION = 1;

/** A rule of a managed ruleset, as Cloudflare released it. */
export interface LockedRule {
  readonly id: string;
  /** Its description. */
  readonly name: string;
  readonly version: string;
  /** The action and whether it is enabled, if no override says otherwise. */
  readonly action: string;
  readonly enabled: boolean;
  /** Its tags. */
  readonly categories: readonly string[];
  /** Only if the service returns them. */
  readonly sensitivity?: string;
  readonly scoreThreshold?: number;
}

export interface LockedRuleset {
  readonly id: string;
  readonly name: string;
  readonly phase: string;
  readonly version: string;
  readonly rules: readonly LockedRule[];
}

/** What managed rulesets were when somebody looked at them. */
export interface ManagedLock {
  readonly version: typeof LOCK_VERSION;
  readonly rulesets: readonly LockedRuleset[];
}

/** The lock of managed rulesets, in an order that does not depend on that of the service. */
export function lockOf(rulesets: readonly Ruleset[]): ManagedLock {
  return { version: LOCK_VERSION, rulesets: rulesets.map(lockedRuleset).toSorted(byId) };
}

export function lockedRuleset({ id, name, phase, version, rules }: Ruleset): LockedRuleset {
  return { id, name, phase, version, rules: rules.map(lockedRule).toSorted(byId) };
}

function lockedRule({
  id,
  description = "",
  version,
  action,
  enabled,
  categories = [],
  wire,
}: DeployedRule): LockedRule {
  const { sensitivity_level: sensitivity, score_threshold: scoreThreshold } = wire ?? {};
  return {
    ...{ id, name: description, version, action, enabled: enabled ?? true, categories: categories.toSorted() },
    ...(typeof sensitivity === "string" ? { sensitivity } : {}),
    ...(typeof scoreThreshold === "number" ? { scoreThreshold } : {}),
  };
}

/** A locked rule in the form of the service, to apply overrides to it. */
export function ruleOfLock({
  id,
  name,
  version,
  action,
  enabled,
  categories,
  scoreThreshold,
}: LockedRule): DeployedRule {
  return {
    ...{ id, ref: id, version, action, description: name, enabled, categories },
    ...(scoreThreshold === undefined ? {} : { wire: { score_threshold: scoreThreshold } }),
  };
}

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** The content of the file: a line for each rule, so that a review of a change shows what changed. */
export function lockText({ version, rulesets }: ManagedLock): string {
  const lines = rulesets.map(({ rules, ...ruleset }) => {
    const head = JSON.stringify(ruleset).slice(0, -1);
    const body = rules.map((rule) => `      ${JSON.stringify(rule)}`).join(",\n");
    return `    ${head},"rules":[${body === "" ? "" : `\n${body}\n    `}]}`;
  });
  const content = lines.length === 0 ? "" : `\n${lines.join(",\n")}\n  `;
  return `{\n  "version": ${String(version)},\n  "rulesets": [${content}]\n}`;
}
