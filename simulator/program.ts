import { compileExpression, compileValueExpression, ExpressionError } from "../language/index.js";
import type { CompiledExpression, CompiledValue } from "../language/index.js";
import { ruleNames } from "./rule-names.js";
import { withPartsTogether } from "./parts.js";
import { readEffect, type Effect } from "./effect.js";
import type { RuleInput, RulesetInput } from "./ruleset-input.js";
import { readProperty, readNumber, readText, readTexts, lastSegment } from "./read-property.js";

/** A compiled rule. */
export interface Rule {
  /** As messages name it. */
  readonly name: string;
  readonly ref?: string;
  readonly id?: string;
  readonly description?: string;
  readonly action: string;
  readonly enabled: boolean;
  /** As written; undefined in a rule of a managed ruleset. */
  readonly text?: string;
  readonly expression?: CompiledExpression;
  readonly checksCredentials: boolean;
  readonly effect: Effect;
  readonly rateLimit?: RateLimit;
}

export interface RateLimit {
  readonly characteristics: readonly Characteristic[];
  readonly periodSeconds: number;
  readonly requests?: number;
  readonly score?: number;
  readonly scoreHeader?: string;
  readonly timeoutSeconds: number;
  /** Undefined if the rule counts what it matches. */
  readonly counting?: CompiledExpression;
}

/** Distinguishes clients; `value` is undefined if no expression computes it. */
export interface Characteristic {
  readonly name: string;
  readonly value?: CompiledValue;
}

export interface Ruleset {
  readonly id?: string;
  readonly name?: string;
  readonly kind: string;
  readonly phase: string;
  readonly zoneId?: string;
  readonly accountId?: string;
  readonly owner?: string;
  readonly rules: readonly Rule[];
}

/** Rulesets with compiled expressions. */
export interface Program {
  readonly rulesets: readonly Ruleset[];
}

/**
 * Compiles rulesets, to run many requests.
 * @param beside another version of the rulesets, so that messages name rules in the same way in both
 * @throws TypeError that names the rule, when an expression is invalid
 */
export function compileProgram(rulesets: readonly RulesetInput[], beside: readonly RulesetInput[] = []): Program {
  const names = ruleNames(rulesets, beside);
  const compiled = rulesets.map((ruleset, index) =>
    compileRuleset(ruleset, names[index] ?? [], `rulesets[${String(index)}]`),
  );
  return { rulesets: withPartsTogether(compiled, rulesets) };
}

function compileRuleset(input: RulesetInput, names: readonly string[], path: string): Ruleset {
  return {
    id: input.id === undefined ? undefined : lastSegment(input.id),
    name: input.name,
    kind: input.kind ?? (readText(input, "accountId") === undefined ? "zone" : "root"),
    phase: input.phase,
    zoneId: readText(input, "zoneId"),
    accountId: readText(input, "accountId"),
    owner: input.owner,
    rules: input.rules.map((rule, index) => compileRule(rule, names[index] ?? "", `${path}.rules[${String(index)}]`)),
  };
}

function compileRule(rule: RuleInput, name: string, path: string): Rule {
  const parameters = rule.actionParameters ?? rule.action_parameters ?? {};
  return naming(path, () => ({
    name,
    ref: readText(rule, "ref"),
    id: readText(rule, "id"),
    description: readText(rule, "description"),
    action: rule.action,
    enabled: rule.enabled ?? true,
    text: rule.expression,
    expression: rule.expression === undefined ? undefined : compileExpression(rule.expression),
    checksCredentials: readProperty(rule, "exposedCredentialCheck") !== undefined,
    effect: readEffect(rule.action, parameters),
    rateLimit: readRateLimit(rule.ratelimit),
  }));
}

function readRateLimit(from: object | undefined): RateLimit | undefined {
  if (from === undefined) return undefined;
  const counting = readText(from, "countingExpression") ?? "";
  return {
    characteristics: readTexts(from, "characteristics").map(readCharacteristic),
    periodSeconds: readNumber(from, "period") ?? 0,
    requests: readNumber(from, "requestsPerPeriod"),
    score: readNumber(from, "scorePerPeriod"),
    scoreHeader: readText(from, "scoreResponseHeaderName"),
    timeoutSeconds: readNumber(from, "mitigationTimeout") ?? 0,
    counting: counting === "" ? undefined : compileExpression(counting, { slot: "counting" }),
  };
}

/** Some characteristics look like fields but are not: they have no value here. */
function readCharacteristic(name: string): Characteristic {
  try {
    return { name, value: compileValueExpression(name) };
  } catch (error) {
    if (error instanceof ExpressionError) return { name };
    throw error;
  }
}

function naming<T>(path: string, compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw new TypeError(`${path}: ${error.message}`, { cause: error });
  }
}
