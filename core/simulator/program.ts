import { compileExpression, compileValueExpression, ExpressionError } from "../language/index.js";
import type { CompiledExpression, CompiledValue, Context } from "../language/index.js";
import { ruleNames } from "./rule-names.js";
import { withPartsTogether } from "./parts.js";
import { customIdsOf, knownEffect } from "./custom-overrides.js";
import { readEffect, type Effect } from "./effect.js";
import { withMoreLists } from "../language/compile/context.js";
import { KnownLists } from "./lists.js";
import type { Redirect } from "./redirect-list.js";
import type { RuleInput, RulesetInput } from "./ruleset-input.js";
import { Screen, ScreenedRules } from "./screen.js";
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
  /** Whether a value is not known that decides what it does. */
  readonly lacksValue: boolean;
  readonly effect: Effect;
  /** The redirects of the list that it redirects by, if they are known. */
  readonly redirects?: readonly Redirect[];
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
  /** The client solves the challenge of the rule, which sets its counter to zero. */
  readonly solved?: boolean;
}

/** Distinguishes clients; `value` is undefined if no expression computes it. */
interface Characteristic {
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
  /** The rules by what may match a request. */
  readonly screened: ScreenedRules;
}

/** Rulesets with compiled expressions. */
export interface Program {
  readonly rulesets: readonly Ruleset[];
}

/**
 * Compiles rulesets, to run many requests.
 * @throws TypeError that names the rule, when an expression is invalid
 */
export function compileProgram(rulesets: readonly RulesetInput[]): Program {
  return compile(rulesets, ruleNames(rulesets), { compileFilter: compilingOnce(), screens: new Map() });
}

/** Two versions of a program. */
export interface ProgramVersions {
  readonly before: Program;
  readonly after: Program;
}

/**
 * Compiles two versions of rulesets, so that messages name rules in the same way in both.
 * @param compileFilter keeps what it has compiled: most rules are in both versions
 * @throws TypeError that names the rule, when an expression is invalid
 */
export function compileVersions(
  before: readonly RulesetInput[],
  after: readonly RulesetInput[],
  compileFilter: CompileFilter = compilingOnce(),
): ProgramVersions {
  const shared = { compileFilter, screens: new Map<string, Screen>() };
  return {
    before: compile(before, ruleNames(before, after), shared),
    after: compile(after, ruleNames(after, before), shared),
  };
}

export type CompileFilter = (text: string) => CompiledExpression;

/** Compiles each text once. What is compiled evaluates each request once in a row, for all rules and versions that have it. */
export function compilingOnce(): CompileFilter {
  const known = new Map<string, CompiledExpression>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const compiled = evaluatingOnce(compileExpression(text));
    known.set(text, compiled);
    return compiled;
  };
}

function evaluatingOnce(compiled: CompiledExpression): CompiledExpression {
  let last: Context | undefined;
  let outcome: ReturnType<CompiledExpression["evaluate"]>;
  const evaluate = (request: Context): typeof outcome => {
    if (request === last) return outcome;
    outcome = compiled.evaluate(request);
    last = request;
    return outcome;
  };
  return { ...compiled, evaluate };
}

/** What versions of a program share. */
interface Shared {
  readonly compileFilter: CompileFilter;
  /** For the rulesets that see the same requests. */
  readonly screens: Map<string, Screen>;
}

function compile(
  rulesets: readonly RulesetInput[],
  names: ReturnType<typeof ruleNames>,
  { compileFilter, screens }: Shared,
): Program {
  const customIds = customIdsOf(rulesets);
  const compiled = rulesets.map((ruleset, index) => {
    const lists = ruleset.lists === undefined ? undefined : new KnownLists(ruleset.lists);
    const how = (at: number): HowToCompile => ({
      name: names[index]?.[at] ?? "",
      path: `rulesets[${String(index)}].rules[${String(at)}]`,
      ...{ compileFilter, lists, phase: ruleset.phase, customIds },
    });
    return { ...headOf(ruleset), rules: ruleset.rules.map((rule, at) => compileRule(rule, how(at))) };
  });
  const screenOf = ({ kind, phase, id, zoneId, accountId }: Omit<Ruleset, "screened">): Screen => {
    const key = JSON.stringify([phase, zoneId, accountId, kind === "zone" || kind === "root" ? kind : id]);
    const screen = screens.get(key) ?? new Screen();
    screens.set(key, screen);
    return screen;
  };
  return {
    rulesets: withPartsTogether(compiled, rulesets).map((ruleset) => {
      return { ...ruleset, screened: new ScreenedRules(ruleset.rules, screenOf(ruleset)) };
    }),
  };
}

function headOf(input: RulesetInput): Omit<Ruleset, "rules" | "screened"> {
  return {
    id: input.id === undefined ? undefined : lastSegment(input.id),
    name: input.name,
    kind: input.kind ?? (readText(input, "accountId") === undefined ? "zone" : "root"),
    phase: input.phase,
    zoneId: readText(input, "zoneId"),
    accountId: readText(input, "accountId"),
    owner: input.owner,
  };
}

interface HowToCompile {
  readonly name: string;
  readonly path: string;
  readonly phase: string;
  readonly customIds: ReadonlySet<string>;
  readonly compileFilter: CompileFilter;
  readonly lists: KnownLists | undefined;
}

/** Effects whose parameters do not decide what becomes of a request. */
const STOPPING: ReadonlySet<Effect["kind"]> = new Set(["block", "challenge", "log", "unknown"]);

/** What marks a value in parameters that is not known is no expression. */
function readOpaque(action: string, parameters: object): Effect {
  try {
    return readEffect(action, parameters);
  } catch (error) {
    if (error instanceof ExpressionError) return { kind: "unknown" };
    throw error;
  }
}

function compileRule(rule: RuleInput, how: HowToCompile): Rule {
  const { name, path, compileFilter, lists } = how;
  const parameters = rule.actionParameters ?? rule.action_parameters ?? {};
  return naming(path, () => {
    const read = rule.opaque === undefined ? readEffect : readOpaque;
    const effect = knownEffect(read(rule.action, parameters), how.phase, how.customIds);
    const redirects = effect.kind === "redirect-list" ? lists?.redirects(effect.list) : undefined;
    return {
      name,
      ref: readText(rule, "ref"),
      id: readText(rule, "id"),
      description: readText(rule, "description"),
      action: rule.action,
      enabled: rule.enabled ?? true,
      text: rule.expression,
      expression: rule.expression === undefined ? undefined : withLists(compileFilter(rule.expression), lists),
      checksCredentials: readProperty(rule, "exposedCredentialCheck") !== undefined,
      lacksValue: rule.opaque !== undefined && !STOPPING.has(effect.kind),
      effect,
      ...(redirects === undefined ? {} : { redirects }),
      rateLimit: readRateLimit(rule.ratelimit, lists),
    };
  });
}

/** An expression that knows the items of lists, apart from those that a request is tried with. */
function withLists(compiled: CompiledExpression, lists: KnownLists | undefined): CompiledExpression {
  if (lists === undefined) return compiled;
  const known = (request: Context): Context => withMoreLists(request, (name) => lists.list(name));
  return {
    expression: compiled.expression,
    matches: (request) => compiled.matches(known(request)),
    evaluate: (request) => compiled.evaluate(known(request)),
    trace: (request) => compiled.trace(known(request)),
  };
}

function readRateLimit(from: object | undefined, lists: KnownLists | undefined): RateLimit | undefined {
  if (from === undefined) return undefined;
  const counting = readText(from, "countingExpression") ?? "";
  return {
    characteristics: readTexts(from, "characteristics").map(readCharacteristic),
    periodSeconds: readNumber(from, "period") ?? 0,
    requests: readNumber(from, "requestsPerPeriod"),
    score: readNumber(from, "scorePerPeriod"),
    scoreHeader: readText(from, "scoreResponseHeaderName"),
    timeoutSeconds: readNumber(from, "mitigationTimeout") ?? 0,
    counting: counting === "" ? undefined : withLists(compileExpression(counting, { slot: "counting" }), lists),
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
