import {
  compileFilter,
  printCondition,
  printOperand,
  Unknown,
  usesOf,
  type Condition,
  type Context,
  type Evaluated,
  type HttpRequest,
  type List,
  type Outcome,
} from "../language/index.js";
import { ofZone } from "./of-zone.js";
import { REQUEST_PHASES } from "./phases.js";
import { knowingLists, type ProgramVersions, type Rule, type Ruleset } from "./program.js";
import { normaliseUrl } from "./url-normalization.js";

/** Something that rules ask about a request. */
export interface Question {
  /** The condition, or the value that has to be known, as it is printed. */
  readonly text: string;
  /** What the answer depends on, apart from lists. A share of the requests depends on `cf.random_seed`. */
  readonly fields: ReadonlySet<string>;
  readonly answer: (request: Context) => Outcome;
}

/**
 * What both versions of a program ask about a request until the origin responds. Requests for which all answers are the same, both as
 * sent and with a normalised URL, are treated the same, unless the treatment depends on more.
 */
export interface Questions {
  readonly all: readonly Question[];
  /** Whether a rule that may match a request does something that depends on more than the answers. */
  readonly dependsOnMore: (request: HttpRequest) => boolean;
}

/**
 * What two versions ask about requests to a zone that are simulated without redirect lists.
 * @param zone its ID
 */
export function questionsOf({ before, after }: ProgramVersions, zone: string | undefined): Questions {
  const rulesets = [before, after].flatMap((program) => ofZone(program, zone).rulesets).filter(runsForRequests);
  const rules = rulesets.flatMap((ruleset) => ruleset.rules.filter(({ enabled }) => enabled));
  const special = rules.filter(({ effect, redirects, rateLimit }) => {
    return effect.kind === "rewrite" || redirects !== undefined || rateLimit !== undefined;
  });
  const lists: List[] = [];
  const numberOf = (list: List | undefined): number => {
    if (list === undefined) return 0;
    return lists.includes(list) ? lists.indexOf(list) + 1 : lists.push(list);
  };
  return {
    all: Array.from(new Map(rules.flatMap((rule) => askedBy(rule, numberOf))).values()),
    dependsOnMore: (request) => seenByRules(request).some((seen) => special.some((rule) => mayApply(rule, seen))),
  };
}

/** A request as rules see it before and after its URL is normalised. */
export function seenByRules(request: HttpRequest): readonly HttpRequest[] {
  const normal = normaliseUrl(request, {});
  return normal === request ? [request] : [request, normal];
}

/** Custom rulesets run in the phases of the rules that execute them. */
export function runsForRequests({ kind, phase }: Pick<Ruleset, "kind" | "phase">): boolean {
  return (kind !== "zone" && kind !== "root") || REQUEST_PHASES.includes(phase);
}

/** Whether a rule may match a request, or counts it. */
function mayApply({ expression, rateLimit }: Rule, request: HttpRequest): boolean {
  if (expression === undefined || expression.evaluate(request).value !== false) return true;
  if (rateLimit === undefined) return false;
  const { counting, scoreHeader } = rateLimit;
  return scoreHeader !== undefined || (counting !== undefined && counting.evaluate(request).value !== false);
}

/**
 * What a rule asks, by a key that is equal for equal questions.
 * @param numberOf tells lists apart
 */
function askedBy(
  { expression, rateLimit, effect, lists }: Rule,
  numberOf: (list: List | undefined) => number,
): readonly (readonly [string, Question])[] {
  const conditions = [expression, rateLimit?.counting].flatMap((one) =>
    one === undefined ? [] : partsOf(one.expression.condition),
  );
  const asked = conditions.map((condition): readonly [string, Question] => {
    const { evaluate } = compileFilter({ kind: "filter", condition });
    const { fields, lists: names } = usesOf({ kind: "filter", condition });
    const text = printCondition(condition);
    if (names.size === 0 || lists === undefined) return [text, { text, fields, answer: evaluate }];
    const known = knowingLists(lists);
    const numbers = Array.from(names, (name) => numberOf(lists.list(name)));
    return [`${text} ${numbers.join(" ")}`, { text, fields, answer: (request) => evaluate(known(request)) }];
  });
  if (effect.kind !== "redirect" || typeof effect.target === "string") return asked;
  const { operand, value } = effect.target;
  const { fields } = usesOf({ kind: "value", operand });
  const text = `value ${printOperand(operand)}`;
  return [...asked, [text, { text, fields, answer: (request) => isKnown(value(request)) }]];
}

/** The smallest conditions that a condition joins. */
function partsOf(condition: Condition): readonly Condition[] {
  if (condition.kind === "group" || condition.kind === "not") return partsOf(condition.of);
  return condition.kind === "combination" ? condition.items.flatMap(partsOf) : [condition];
}

const KNOWN: Outcome = { value: true, because: [] };

function isKnown(value: Evaluated): Outcome {
  return value instanceof Unknown ? { value: "unknown", because: value.because } : KNOWN;
}
