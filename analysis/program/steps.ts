import { printOperand } from "../../language/print/index.js";
import type { SkipTarget, TextSource } from "../../simulator/effect.js";
import { canStop, readOverrides, type Overrides } from "../../simulator/managed.js";
import { REQUEST_PHASES, RESPONSE_PHASES } from "../../simulator/phases.js";
import type { Level } from "../../simulator/place.js";
import type { SimulatedOutcome } from "../../simulator/result.js";
import { and, numberLiteral, TRUE, withShared, type Formula } from "../formula/formula.js";
import { Translator } from "../formula/translate.js";
import type { Terms } from "../formula/terms.js";
import { fieldsOf, mayBeRewritten, rewrites, rewrittenBefore, type Rewritten } from "./phase-fields.js";
import type { AnalysedRule, AnalysedRuleset } from "./rule.js";
import { SkipList } from "./skip-list.js";
import { stable } from "./stable.js";

/** What a step does to a request. Equal keys mean equal effects. */
export type StepEffect =
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
  /** May do anything, or nothing. */
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
  /** The same whether or not the client has exceeded a rate limit. */
  readonly seen: Formula;
  /** Steps that skip it when they act. */
  readonly skippedBy: SkipList;
  /** Whether it is unclear when its ruleset runs: no rule executes it, or several do. */
  readonly isApart: boolean;
  readonly effect: StepEffect;
}

interface Place {
  readonly isApart: boolean;
  readonly phase: string;
  readonly level: Level;
  /** The condition of the rule that executes this ruleset. */
  readonly when: Formula;
  readonly skippedBy: SkipList;
}

/**
 * All rules that requests of one zone meet, in their order.
 * @param isComplete whether no rule rewrites URLs that is not given
 */
export function stepsOf(
  rulesets: readonly AnalysedRuleset[],
  terms: Terms,
  { isComplete }: { readonly isComplete: boolean },
): readonly Step[] {
  return new Flattener(rulesets, terms, isComplete).run();
}

/** Known phases in execution order; each unknown phase runs on its own. */
export function phasesOf(rulesets: readonly AnalysedRuleset[]): readonly string[] {
  const known = [...REQUEST_PHASES, ...RESPONSE_PHASES];
  const others = new Set(rulesets.map(({ phase }) => phase).filter((phase) => !known.includes(phase)));
  return [...known, ...others];
}

class Flattener {
  private readonly steps: Step[] = [];
  private readonly noSkips = new SkipList();
  private readonly skips: Step[] = [];
  private readonly executed = new Set<AnalysedRuleset>();
  private readonly executions = new Map<string, number>();
  /** How often each rate limit occurs. */
  private readonly limits = new Map<string, number>();
  private rewritten: Rewritten = {};
  private translator: Translator;

  constructor(
    private readonly rulesets: readonly AnalysedRuleset[],
    private readonly terms: Terms,
    private readonly isComplete: boolean,
  ) {
    this.translator = new Translator(terms);
    for (const { effect, isOn } of rulesets.flatMap(({ rules }) => rules)) {
      if (effect.kind === "execute" && isOn) this.executions.set(effect.id, (this.executions.get(effect.id) ?? 0) + 1);
    }
  }

  run(): readonly Step[] {
    for (const phase of phasesOf(this.rulesets)) this.runPhase(phase);
    for (const ruleset of this.rulesets) {
      // No rule here executes it, but one elsewhere may.
      if (this.executed.has(ruleset)) continue;
      const { url, headers } = rewrittenBefore(ruleset.phase, this.rulesets);
      const rewritten = {
        url: url === undefined ? undefined : this.rewritten.url,
        headers: headers === undefined ? undefined : this.rewritten.headers,
      };
      this.translator = this.translatorOf(ruleset.phase, rewritten);
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
    const begin = this.steps.length;
    for (const level of ["account", "zone"] as const) {
      for (const ruleset of this.rulesets) {
        const isEntry = ruleset.kind === (level === "account" ? "root" : "zone") && ruleset.phase === phase;
        if (isEntry) this.runRuleset(ruleset, { phase, level, when: TRUE, skippedBy: this.noSkips, isApart: false });
      }
    }
    this.noteRewrites(this.steps.slice(begin));
  }

  private translatorOf(phase: string, rewritten: Rewritten): Translator {
    const isOpen = !this.isComplete && mayBeRewritten(phase, this.rulesets);
    const known = isOpen ? { ...rewritten, url: rewritten.url ?? "@later" } : rewritten;
    return new Translator(this.terms, fieldsOf(phase, known));
  }

  /** Later phases see the rewrites of a phase. */
  private noteRewrites(steps: readonly Step[]): void {
    const key = (family: "url" | "headers"): string =>
      steps
        .filter((step) => step.effect.kind === "change" && rewrites(step.rule.effect, family))
        .map((step) => `${step.rule.place.expression ?? ""}>${step.effect.key}`)
        .join(";");
    const [url, headers] = [key("url"), key("headers")];
    const { rewritten } = this;
    this.rewritten = {
      url: url === "" ? rewritten.url : `${rewritten.url ?? ""}@${this.numberOf(url)}`,
      headers: headers === "" ? rewritten.headers : `${rewritten.headers ?? ""}@${this.numberOf(headers)}`,
    };
  }

  private numberOf(key: string): string {
    return String(this.terms.opaque(`rewrites ${key}`).id);
  }

  private runRuleset(ruleset: AnalysedRuleset, place: Place): void {
    if (this.executed.has(ruleset)) return;
    this.executed.add(ruleset);
    for (const rule of ruleset.rules) if (rule.isOn) this.runRule(rule, ruleset, place);
  }

  private runRule(rule: AnalysedRule, ruleset: AnalysedRuleset, place: Place): void {
    const { phase, level, when, skippedBy, isApart } = place;
    const own = rule.effect.kind === "execute" ? this.findOwn(rule.effect.id) : undefined;
    const effect =
      own === undefined ? effectOf(rule) : ({ kind: "nothing", key: `execute ${rule.place.action}` } as const);
    const over = rule.ratelimit === undefined ? undefined : this.overLimit(rule, effect);
    const acts = effect.kind === "unknown" ? this.unknown(`acts ${effect.key}`) : TRUE;
    const matches = and([this.conditionOf(rule), acts]);
    const condition = and([matches, over ?? TRUE]);
    const entry = and([when, condition]);
    const what = { rule, ruleset, phase, level };
    const skips = this.skips
      .filter((step) => !skippedBy.has(step) && isSkipping(step, what))
      .reduce((list, step) => list.with(step), skippedBy);
    const guard = withShared(entry, skips.noneActs);
    const seen = over === undefined ? guard : withShared(and([when, matches]), skips.noneActs);
    const step: Step = { ...what, condition, over, entry, guard, seen, skippedBy: skips, isApart, effect };
    this.steps.push(step);
    if (effect.kind === "skip") this.skips.push(step);
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

  /** A ruleset whose rules are given. */
  private findOwn(id: string): AnalysedRuleset | undefined {
    const own = this.rulesets.find((one) => one.id === id && one.kind !== "root" && one.kind !== "zone");
    return own === undefined || own.kind === "managed" || this.executed.has(own) ? undefined : own;
  }

  /**
   * If a rule is not fully known, it matches when its condition holds and an unknown term is true. Raw fields may keep a rule
   * from acting, in the same way wherever they are the same.
   */
  private conditionOf(rule: AnalysedRule): Formula {
    const { condition, place, credentials, raw } = rule;
    const own =
      condition === undefined
        ? this.unknown(`expression ${String(place.expression)} ${rule.input.opaque ?? place.id ?? ""}`)
        : this.translator.translate(condition);
    return and([
      own,
      credentials === undefined ? TRUE : this.unknown(`credentials ${credentials}`),
      raw === undefined ? TRUE : this.unknown(`raw ${raw.key}`),
    ]);
  }

  /** That a client has exceeded a limit. Each of two equal limits counts only what the other one lets through. */
  private overLimit({ place }: AnalysedRule, { key }: StepEffect): Formula {
    const limit = `over ${place.expression ?? ""} ${key}`;
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
  const executes = what.rule.effect.kind === "execute" ? what.rule.effect.id : undefined;
  return (
    target.phases.includes(what.phase) ||
    (target.restOfPhase && by.phase === what.phase && by.level === what.level) ||
    (target.restOfRuleset && by.ruleset === what.ruleset) ||
    target.rulesets.includes(id) ||
    (executes !== undefined && target.rulesets.includes(executes)) ||
    [place.id, place.ref].some((name) => name !== undefined && target.rules.get(id)?.includes(name) === true)
  );
}

function effectOf({ effect, input, ratelimit, raw }: AnalysedRule): StepEffect {
  const parameters = input.actionParameters ?? input.action_parameters ?? {};
  // If the expression is known, it is something else that is not.
  const secret = input.opaque === undefined || input.expression === undefined ? "" : ` ${input.opaque}`;
  const hidden = raw === undefined ? secret : `${secret} raw ${raw.key}`;
  const key = (): string => `${input.action} ${stable(parameters)} ${stable(ratelimit)}${hidden}`;
  if (ratelimit !== undefined) {
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
