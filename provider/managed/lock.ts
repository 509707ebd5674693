import { isList, isObject, parseJson, textsIn, type JsonObject } from "../model/json.js";
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
interface ManagedLock {
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

/**
 * Reads the content of a lock file.
 * @throws Error that says what is wrong with it; `file` is for the message
 */
export function parseLock(text: string, file: string): ManagedLock {
  const wrong = (why: string): Error =>
    new Error(`${file} ${why}. To continue: write it again with \`npx pulumi-rulesets managed lock\`.`);
  if (/^(<{7}|={7}|>{7})/m.test(text)) throw wrong("contains the markers of a merge conflict");
  const value = parseJson(text);
  if (!isObject(value) || !isList(value.rulesets) || value.version === undefined)
    throw wrong("is not a lock file of managed rulesets");
  if (value.version !== LOCK_VERSION)
    throw wrong(
      `has version ${JSON.stringify(value.version)}, and this version of pulumi-rulesets reads ${String(LOCK_VERSION)}`,
    );
  const rulesets = value.rulesets.map((one, index): LockedRuleset => {
    const at = `rulesets[${String(index)}]`;
    if (!isObject(one) || !isList(one.rules)) throw wrong(`has no rules in ${at}`);
    const rules = one.rules.map((rule, place) =>
      readRule(rule, (name) => wrong(`has no ${name} in ${at}.rules[${String(place)}]`)),
    );
    const { id, name, phase, version } = texts(one, ["id", "name", "phase", "version"], (missing) =>
      wrong(`has no ${missing} in ${at}`),
    );
    return { id, name, phase, version, rules };
  });
  return { version: LOCK_VERSION, rulesets };
}

function readRule(value: unknown, missing: (name: string) => Error): LockedRule {
  if (!isObject(value)) throw missing("rule");
  const { enabled, categories, sensitivity, scoreThreshold } = value;
  if (typeof enabled !== "boolean") throw missing("enabled");
  return {
    ...texts(value, ["id", "name", "version", "action"], missing),
    enabled,
    categories: textsIn(categories),
    ...(typeof sensitivity === "string" ? { sensitivity } : {}),
    ...(typeof scoreThreshold === "number" ? { scoreThreshold } : {}),
  };
}

function texts<K extends string>(
  value: JsonObject,
  names: readonly K[],
  missing: (name: string) => Error,
): Record<K, string> {
  return Object.fromEntries(
    names.map((name) => {
      const text = value[name];
      if (typeof text !== "string") throw missing(name);
      return [name, text];
    }),
  ) as Record<K, string>;
}
