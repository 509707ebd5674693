import { printOperand } from "../../language/print/index.js";
import { executedBy, type SkipTarget, type TextSource } from "../../simulator/effect.js";
import { canStop, readOverrides, type Overrides } from "../../simulator/managed.js";
import { REQUEST_PHASES, RESPONSE_PHASES } from "../../simulator/phases.js";
import type { Level } from "../../simulator/place.js";
import type { SimulatedOutcome } from "../../simulator/result.js";
import { and, not, numberLiteral, TRUE, withShared, type Formula } from "../formula/formula.js";
import { Translator } from "../formula/translate.js";
import type { Terms } from "../formula/terms.js";
import { canonicalName } from "../formula/facts.js";
import type { Fields } from "../formula/fields.js";
import type { FormulaKeys } from "../formula/key.js";
import {
  type Family,
  fieldsOf,
  mayBeRewritten,
  rewrites,
  type Rewritten,
  rewrittenBefore,
  withUnknownRewrites,
} from "./phase-fields.js";
import { knownRewrites } from "./url-rewrites.js";
import { mayDoAnything, type AnalysedRule, type AnalysedRuleset } from "./rule.js";
import { SkipList } from "./skip-list.js";
import { stable } from "./stable.js";

/** What a step does to a request. Equal keys mean equal effects. */
type StepEffect =
  /** Ends the processing of the request. */
  | { readonly kind: "stop"; readonly outcome: SimulatedOutcome; readonly key: string }
  /** Changes the request, the response or a setting. */
  | { readonly kind: "change"; readonly key: string }
  /** Executes rules that are not known here; `others` is equal where everything but the overrides is. */
  | {
      readonly kind: "managed";
      readonly key: string;
      readonly ruleset: string;
      readonly overrides: Overrides;
      readonly others: string;
    }
  | { readonly kind: "skip"; readonly target: SkipTarget; readonly key: string }
  /** May end the request, or do nothing; a rule whose action is not known may also do anything else. */
  | { readonly kind: "unknown"; readonly key: string }
  | { readonly kind: "nothing"; readonly key: string };

/** A rule that requests pass. */
export interface Step {
  readonly rule: AnalysedRule;
  readonly ruleset: AnalysedRuleset;
  readonly phase: string;
  /** The level of the entry point that runs it. */
  readonly level: Level;
  /** The rule's own condition. */
  readonly condition: Formula;
  /** For a rate limit: that the client has exceeded it. */
  readonly over: Formula | undefined;
  /** Its condition, combined with that of the rule that executes its ruleset. */
  readonly entry: Formula;
  /** When it acts on requests that reach it: its condition holds and nothing skips it. */
  readonly guard: Formula;
  /** When requests that reach it match, whether or not the client has exceeded a rate limit. */
  readonly seen: Formula;
  /** Steps that skip it when they act. */
  readonly skippedBy: SkipList;
  /** Whether it is unclear when its ruleset runs: no rule executes it, or several do. */
  readonly isApart: boolean;
  readonly effect: StepEffect;
  /** That it acts where it matches; set if its effect is not known, so that it may do nothing. */
  readonly acts: Formula | undefined;
  /** That it ends the processing of a request on which it acts. */
  readonly ends: Formula;
  /** The fields as it sees them. */
  readonly fields: Fields;
}

/** How a ruleset is executed. */
interface Execution {
  readonly isApart: boolean;
  readonly phase: string;
  readonly level: Level;
  /** The condition of the rule that executes this ruleset. */
  readonly when: Formula;
  readonly skippedBy: SkipList;
}

/** How much of a zone's rules is given. */
interface Given {
  /** Whether no rule rewrites URLs that is not given. */
  readonly isComplete: boolean;
  /** Whether the rulesets have other rules that are not given. @default false */
  readonly isPart?: boolean;
}

/** What steps are made with. */
interface World {
  readonly terms: Terms;
  readonly keys: FormulaKeys;
}

/** All rules that requests of one zone meet, in their order. */
export function stepsOf(rulesets: readonly AnalysedRuleset[], world: World, given: Given): readonly Step[] {
  return new Flattener(rulesets, world, given).run();
}

/** Known phases in execution order; each unknown phase runs on its own. */
function phasesOf(rulesets: readonly AnalysedRuleset[]): readonly string[] {
  const known = [...REQUEST_PHASES, ...RESPONSE_PHASES];
  const others = new Set(rulesets.map(({ phase }) => phase).filter((phase) => !known.includes(phase)));
  return [...known, ...others];
}

class Flattener {
  private readonly steps: Step[] = [];
  private readonly noSkips = new SkipList();
  private readonly skips: Step[] = [];
  /** Rules that may do anything. */
  private readonly mayBeSkips: Step[] = [];
  private readonly executed = new Set<AnalysedRuleset>();
  private readonly executions = new Map<string, number>();
  /** How often each rate limit occurs. */
  private readonly limits = new Map<string, number>();
  private rewritten: Rewritten = {};
  private translator: Translator;

  private readonly terms: Terms;

  constructor(
    private readonly rulesets: readonly AnalysedRuleset[],
    private readonly world: World,
    private readonly given: Given,
  ) {
    this.terms = world.terms;
    this.translator = new Translator(world.terms);
    for (const { effect, isOn } of rulesets.flatMap(({ rules }) => rules)) {
      if (effect.kind === "execute" && isOn) this.executions.set(effect.id, (this.executions.get(effect.id) ?? 0) + 1);
    }
  }

  run(): readonly Step[] {
    for (const phase of phasesOf(this.rulesets)) this.runPhase(phase);
    for (const ruleset of this.rulesets) {
      // No rule here executes it, but one elsewhere may.
      if (this.executed.has(ruleset)) continue;
      const may = rewrittenBefore(ruleset.phase, this.rulesets);
      const { path, query, headers } = this.rewritten;
      this.translator = this.translatorOf(ruleset.phase, {
        path: may.path === undefined ? undefined : path,
        query: may.query === undefined ? undefined : query,
        headers: may.headers === undefined ? undefined : headers,
      });
      this.runRuleset(ruleset, {
        phase: ruleset.phase,
        level: "account",
        when: TRUE,
        skippedBy: this.noSkips,
        isApart: true,
      });
    }
    return this.steps;
  }

  private runPhase(phase: string): void {
    this.translator = this.translatorOf(phase, this.rewritten);
    const { translator } = this;
    const begin = this.steps.length;
    for (const level of ["account", "zone"] as const) {
      for (const ruleset of this.rulesets) {
        const isEntry = ruleset.kind === (level === "account" ? "root" : "zone") && ruleset.phase === phase;
        if (isEntry) this.runRuleset(ruleset, { phase, level, when: TRUE, skippedBy: this.noSkips, isApart: false });
      }
    }
    this.noteRewrites(this.steps.slice(begin), translator);
  }

  private translatorOf(phase: string, rewritten: Rewritten): Translator {
    const isOpen = !this.given.isComplete && mayBeRewritten(phase, this.rulesets);
    return new Translator(this.terms, fieldsOf(phase, isOpen ? withUnknownRewrites(rewritten) : rewritten));
  }

  /** Later phases see the rewrites of a phase. */
  private noteRewrites(steps: readonly Step[], before: Translator): void {
    const { rewritten } = this;
    const keyOf = (family: Family): string | undefined => {
      const own = steps
        .filter(({ rule }) => rewrites(rule, family))
        .map((step) => `${this.world.keys.of(step.guard)}>${step.effect.key}`);
      const last = rewritten[family];
      return own.length === 0 ? last : `${last ?? ""}@${this.numberOf(own.join(";"))}`;
    };
    const [path, query, headers] = [keyOf("path"), keyOf("query"), keyOf("headers")];
    const isNew = path !== rewritten.path || query !== rewritten.query;
    const url = isNew && rewritten.url === undefined && !this.given.isPart ? knownRewrites(steps, before) : undefined;
    this.rewritten = { path, query, headers, url: isNew ? url : rewritten.url };
  }

  private numberOf(key: string): string {
    return String(this.terms.opaque(`rewrites ${key}`).id);
  }

  private runRuleset(ruleset: AnalysedRuleset, place: Execution): void {
    if (this.executed.has(ruleset)) return;
    this.executed.add(ruleset);
    for (const rule of ruleset.rules) if (rule.isOn) this.runRule(rule, ruleset, place);
  }

  private runRule(rule: AnalysedRule, ruleset: AnalysedRuleset, place: Execution): void {
    const { phase, level, when, skippedBy, isApart } = place;
    const { fields } = this.translator;
    const own = rule.effect.kind === "execute" ? this.findOwn(rule.effect.id) : undefined;
    const effect =
      own === undefined ? effectOf(rule, fields) : ({ kind: "nothing", key: `execute ${rule.place.action}` } as const);
    const acts = effect.kind === "unknown" ? this.unknown(`acts ${effect.key}`) : undefined;
    const matches = and([this.conditionOf(rule), acts ?? TRUE, ...this.notSkippedBy(rule, effect)]);
    const what = { rule, ruleset, phase, level };
    const skips = this.skips
      .filter((step) => !skippedBy.has(step) && isSkipping(step, what))
      .reduce((list, step) => list.with(step), skippedBy);
    const seen = withShared(and([when, matches]), skips.noneActs);
    const over = rule.ratelimit === undefined ? undefined : this.overLimit(seen, effect);
    const condition = and([matches, over ?? TRUE]);
    const entry = and([when, condition]);
    const guard = over === undefined ? seen : withShared(entry, skips.noneActs);
    const step: Step = {
      ...what,
      condition,
      over,
      entry,
      guard,
      seen,
      skippedBy: skips,
      isApart,
      effect,
      acts,
      ends: mayDoAnything(rule) ? this.unknown(`ends ${effect.key}`) : TRUE,
      fields,
    };
    this.steps.push(step);
    if (effect.kind === "skip") this.skips.push(step);
    if (mayDoAnything(rule)) this.mayBeSkips.push(step);
    if (own === undefined) return;
    const several = (this.executions.get(own.id ?? "") ?? 0) > 1;
    this.runRuleset(own, {
      phase,
      level,
      when: several ? TRUE : entry,
      skippedBy: several ? this.noSkips : skips,
      isApart: isApart || several,
    });
  }

  /** A rule that may do anything may skip any later one. */
  private notSkippedBy({ place }: AnalysedRule, { key }: StepEffect): readonly Formula[] {
    return this.mayBeSkips.map((step) =>
      not(and([step.seen, this.unknown(`${step.effect.key} skips ${place.ref ?? key}`)])),
    );
  }

  /** A ruleset whose rules are given. */
  private findOwn(id: string): AnalysedRuleset | undefined {
    const own = this.rulesets.find((one) => one.id === id && one.kind !== "root" && one.kind !== "zone");
    return own === undefined || own.kind === "managed" || this.executed.has(own) ? undefined : own;
  }

  /**
   * If a rule is not fully known, it matches when its condition holds and an unknown term is true. Raw fields may keep a rule
   * from acting, in the same way wherever they are the same and the rule sees the same request.
   */
  private conditionOf(rule: AnalysedRule): Formula {
    const { condition, place, credentials, raw } = rule;
    const { fields } = this.translator;
    const own =
      condition === undefined
        ? this.unknown(`expression ${String(place.expression)} ${rule.input.opaque ?? place.id ?? ""} ${fields.key}`)
        : this.translator.translate(condition);
    return and([
      own,
      credentials === undefined ? TRUE : this.unknown(`credentials ${credentials}`),
      raw === undefined ? TRUE : this.unknown(`raw ${raw.key} ${fields.key}`),
    ]);
  }

  /**
   * That a client has exceeded a limit, which depends on the requests that the limit sees. Each of two equal limits counts only
   * what the other one lets through.
   */
  private overLimit(seen: Formula, { key }: StepEffect): Formula {
    const limit = `over ${this.world.keys.of(seen)} ${key}`;
    const count = (this.limits.get(limit) ?? 0) + 1;
    this.limits.set(limit, count);
    return this.unknown(count === 1 ? limit : `${limit} ${String(count)}`);
  }

  private unknown(key: string): Formula {
    return numberLiteral(this.terms.opaque(key), [[1n, 1n]]);
  }
}

type Skippable = Pick<Step, "rule" | "ruleset" | "phase" | "level">;

/** Whether an earlier step skips a rule when it acts. */
export function isSkipping(by: Step, what: Skippable): boolean {
  if (by.effect.kind !== "skip") return false;
  const { target } = by.effect;
  const { place } = what.rule;
  const id = what.ruleset.id ?? "";
  const executes = executedBy(what.rule.effect);
  return (
    target.phases.includes(what.phase) ||
    (target.restOfPhase && by.phase === what.phase && by.level === what.level) ||
    (target.restOfRuleset && by.ruleset === what.ruleset) ||
    target.rulesets.includes(id) ||
    (executes !== undefined && target.rulesets.includes(executes)) ||
    [place.id, place.ref].some((name) => name !== undefined && target.rules.get(id)?.includes(name) === true)
  );
}

/** @param fields as the rule sees them: the same parameters do something else when its fields have been rewritten */
function effectOf({ effect, redirects, input, ratelimit, raw }: AnalysedRule, fields: Fields): StepEffect {
  const parameters = input.actionParameters ?? input.action_parameters ?? {};
  // If the expression is known, it is something else that is not.
  const secret = input.opaque === undefined || input.expression === undefined ? "" : ` ${input.opaque}`;
  const rewritten = rewrittenFieldsIn([parameters, ratelimit], fields);
  const list = redirects === undefined ? "" : ` list ${redirects}`;
  const hidden = secret + rewritten + list + (raw === undefined ? "" : ` raw ${raw.key}`);
  const key = (): string => `${input.action} ${stable(parameters)} ${stable(ratelimit)}${hidden}`;
  if (ratelimit !== undefined && effect.kind !== "unknown") {
    return effect.kind === "log" ? { kind: "nothing", key: key() } : { kind: "stop", outcome: "limited", key: key() };
  }
  switch (effect.kind) {
    case "block":
      return { kind: "stop", outcome: "blocked", key: `${input.action} ${stable(effect.response)}${hidden}` };
    case "challenge":
      return { kind: "stop", outcome: "challenged", key: key() };
    case "redirect":
      return {
        kind: "stop",
        outcome: "redirected",
        key: `redirect ${sourceKey(effect.target)} ${String(effect.status)} ${String(effect.preserveQueryString)}${hidden}`,
      };
    case "execute": {
      const overrides = readOverrides(effect.overrides);
      if (!canStop(overrides)) return { kind: "nothing", key: key() };
      const others = stable(withoutOverrides(parameters)) + hidden;
      return {
        kind: "managed",
        key: `execute ${effect.id} ${stable(overrides)} ${others}`,
        ruleset: effect.id,
        overrides,
        others,
      };
    }
    case "skip":
      return { kind: "skip", target: effect.target, key: key() };
    case "log":
      return { kind: "nothing", key: key() };
    case "rewrite":
    case "settings":
    case "error-page":
    case "score":
      return { kind: "change", key: key() };
    case "redirect-list":
    case "unknown":
      return { kind: "unknown", key: key() };
  }
}

const FIELD = /\b(?:raw\.)?http\.[a-z_.]+/g;

/** The names of the fields that expressions in parameters read and rules have rewritten, as different rewrites name them. */
function rewrittenFieldsIn(parameters: unknown, fields: Fields): string {
  const names = new Set(Array.from(JSON.stringify(parameters).matchAll(FIELD), ([name]) => canonicalName(name)));
  return Array.from(names, (name) => (fields.isAsSent(name) ? "" : ` ${fields.name(name)}`)).join("");
}

/**
 * What the overrides that are known here leave of the parameters. Where matches are logged does not affect requests, and the
 * effect names raw fields by itself.
 */
function withoutOverrides(parameters: object): unknown {
  return Object.entries(parameters).flatMap(([name, value]: [string, unknown]) => {
    if (name === "overrides") return unknownSettings(value);
    return OTHER_PARAMETERS.has(name) ? [] : [[name, value]];
  });
}

const OTHER_PARAMETERS: ReadonlySet<string> = new Set(["id", "matchedData", "matched_data", "wire", "version"]);

const SETTINGS: ReadonlySet<string> = new Set([
  "action",
  "enabled",
  "sensitivityLevel",
  "sensitivity_level",
  "scoreThreshold",
  "score_threshold",
  "category",
  "id",
]);

function unknownSettings(overrides: unknown): readonly unknown[] {
  if (typeof overrides !== "object" || overrides === null) return [];
  return Object.entries(overrides).flatMap(([name, value]: [string, unknown]) => {
    if (SETTINGS.has(name)) return [];
    if (name !== "categories" && name !== "rules") return [[name, value]];
    const inside = (Array.isArray(value) ? value : []).map(unknownSettings);
    return inside.some((one) => one.length > 0) ? [[name, inside]] : [];
  });
}

function sourceKey(source: TextSource): string {
  return typeof source === "string" ? JSON.stringify(source) : printOperand(source.operand);
}
