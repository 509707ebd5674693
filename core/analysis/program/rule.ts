import type { Condition } from "../../language/ast.js";
import { parseExpression } from "../../language/index.js";
import { customIdsOf, knownEffect } from "../../simulator/custom-overrides.js";
import { readEffect, type Effect } from "../../simulator/effect.js";
import { ruleNames, namedIn } from "../../simulator/rule-names.js";
import { levelOf, type RulePlace } from "../../simulator/place.js";
import type { RuleInput, RulesetInput } from "../../simulator/ruleset-input.js";
import { readProperty, readText, lastSegment } from "../../simulator/read-property.js";
import { ListResolver, versionsIn } from "../formula/known-lists.js";
import { rawFieldsOf, type RawFields } from "./raw-fields.js";
import { stable } from "./stable.js";

/** A rule as the analysis sees it. */
export interface AnalysedRule {
  readonly place: RulePlace;
  readonly input: RuleInput;
  /** Undefined if there is no expression, or it cannot be parsed. */
  readonly condition: Condition | undefined;
  /** Why the expression cannot be parsed. */
  readonly fault: string | undefined;
  readonly effect: Effect;
  /** The version of the list that it redirects by, if its items are known. */
  readonly redirects: string | undefined;
  readonly isOn: boolean;
  /** Where it looks for credentials that must have been exposed, as a text that is equal for equal places. */
  readonly credentials: string | undefined;
  readonly ratelimit: object | undefined;
  /** Fields of the service whose meaning is not known. */
  readonly raw: RawFields | undefined;
}

/**
 * Whether it is not known what a rule does: its action may be hidden, or newer than this version, or it executes a custom ruleset with
 * overrides. Such a rule may end a request in any way, skip later rules, change what later phases see, set any setting, or do nothing.
 */
export function mayDoAnything({ effect }: Pick<AnalysedRule, "effect">): boolean {
  return effect.kind === "unknown";
}

export interface AnalysedRuleset {
  readonly id: string | undefined;
  readonly kind: string;
  readonly phase: string;
  readonly zoneId: string | undefined;
  readonly rules: readonly AnalysedRule[];
}

/** Parsed expressions by their text: equal texts share one tree. */
export type KnownExpressions = Map<string, Read>;

/**
 * Reads rulesets. What cannot be read is no error here: other checks report it, and its effect is unknown.
 * @param beside another version of the rulesets, so that messages name rules in the same way in both
 */
export function readRulesets(
  rulesets: readonly RulesetInput[],
  { known = new Map(), beside }: { readonly known?: KnownExpressions; readonly beside?: readonly RulesetInput[] } = {},
): readonly AnalysedRuleset[] {
  const readOnce = (text: string): Read => {
    const found = known.get(text) ?? parse(text);
    known.set(text, found);
    return found;
  };
  const names = ruleNames(rulesets, beside);
  const customIds = customIdsOf(rulesets);
  return rulesets.map((ruleset, position): AnalysedRuleset => {
    const resolver = ruleset.lists === undefined ? undefined : new ListResolver(ruleset.lists);
    const readWithLists = (text: string): Read => {
      const read = readOnce(text);
      return resolver === undefined || read.condition === undefined
        ? read
        : { ...read, condition: resolver.resolve(read.condition) };
    };
    const accountId = readText(ruleset, "accountId");
    const kind = ruleset.kind ?? (accountId === undefined ? "zone" : "root");
    const zoneId = readText(ruleset, "zoneId");
    const level = levelOf({ kind, accountId, zoneId });
    const place = { phase: ruleset.phase, level, ruleset: ruleset.id ?? ruleset.name } as const;
    return {
      id: ruleset.id === undefined ? undefined : lastSegment(ruleset.id),
      kind,
      phase: ruleset.phase,
      zoneId,
      rules: ruleset.rules.map((rule, index) => {
        const effect = knownEffect(effectOf(rule), ruleset.phase, customIds);
        return {
          place: {
            ...place,
            index,
            name: names[position]?.[index] ?? "",
            ...namedIn(rule),
            action: rule.action,
            expression: rule.expression,
          },
          input: rule,
          ...(rule.expression === undefined ? NOTHING : readWithLists(rule.expression)),
          effect,
          redirects: effect.kind === "redirect-list" ? resolver?.versionOf(effect.list) : undefined,
          isOn: rule.enabled ?? true,
          credentials: credentialsOf(rule),
          ratelimit: limitOf(rule, (text) => versionsOf(readWithLists(text))),
          raw: rawFieldsOf(rule),
        };
      }),
    };
  });
}

/**
 * A rate limit without what it also does if that is left out. In which order it names what it counts by does not matter, and which
 * items the lists have by which it counts does.
 */
function limitOf({ ratelimit, expression }: RuleInput, listsOf: (expression: string) => string): object | undefined {
  if (ratelimit === undefined) return undefined;
  const isDefault = (name: string, value: unknown): boolean => {
    switch (name) {
      case "countingExpression":
      case "counting_expression":
        return value === "" || value === expression;
      case "requestsToOrigin":
      case "requests_to_origin":
        return value === false;
      case "mitigationTimeout":
      case "mitigation_timeout":
        return value === 0;
      default:
        return false;
    }
  };
  return Object.fromEntries(
    Object.entries(ratelimit).flatMap(([name, value]: [string, unknown]) => {
      if (isDefault(name, value)) return [];
      if (/^counting_?expression$/i.test(name) && typeof value === "string")
        return [[name, [value, listsOf(value)].join(" ").trim()]];
      return [[name, name === "characteristics" && Array.isArray(value) ? [...(value as unknown[])].sort() : value]];
    }),
  );
}

function versionsOf({ condition }: Read): string {
  return condition === undefined ? "" : versionsIn(condition);
}

function credentialsOf(rule: RuleInput): string | undefined {
  const check = readProperty(rule, "exposedCredentialCheck");
  return check === undefined ? undefined : stable(check);
}

type Read = Pick<AnalysedRule, "condition" | "fault">;

const NOTHING: Read = { condition: undefined, fault: undefined };

function parse(text: string): Read {
  const parsed = parseExpression(text);
  if ("fault" in parsed) return { condition: undefined, fault: parsed.fault.message };
  const { expression } = parsed;
  return expression.kind === "filter" ? { condition: expression.condition, fault: undefined } : NOTHING;
}

function effectOf(rule: RuleInput): Effect {
  try {
    return readEffect(rule.action, rule.actionParameters ?? rule.action_parameters ?? {});
  } catch {
    // An invalid value expression.
    return { kind: "unknown" };
  }
}
