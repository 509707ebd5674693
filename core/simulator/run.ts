import { applyRule } from "./apply-rule.js";
import type { RuleApplication } from "./rule-application.js";
import { matchRule } from "./match.js";
import type { Program, Rule, Ruleset } from "./program.js";
import { limitRequest } from "./rate-limiting.js";
import { Rewrites } from "./rewrites.js";
import { findSkip, type ActiveSkip } from "./skips.js";
import type { State } from "./state.js";
import { findExecuted, placeOf, type RulesetPlace } from "./trace-log.js";

/** What the rules of a ruleset share while it runs. */
interface Scope {
  readonly ruleset: Ruleset;
  readonly place: RulesetPlace;
  /** A skip rule of this ruleset that skips the rest of it. */
  rest: ActiveSkip | undefined;
}

/** Runs one request through the rulesets, in the order of the phases. */
export class Run {
  private readonly executed = new Set<Ruleset>();

  private readonly entryPoints: ReturnType<typeof entryPointsOf>;

  constructor(readonly state: State) {
    this.entryPoints = entryPointsOf(state.program);
  }

  /** Runs the entry points of a phase: those of the account, then those of the zone. */
  runPhase(phase: string): void {
    const { state } = this;
    const rulesets = this.entryPoints.get(phase);
    if (rulesets === undefined) return;
    state.rewrites = new Rewrites(state.request);
    for (const ruleset of rulesets) {
      this.runRuleset(ruleset, { phase, level: ruleset.kind === "root" ? "account" : "zone", because: [] });
    }
    state.request = state.rewrites.apply();
  }

  /** The rulesets that have not run so far. */
  notRun(): Ruleset[] {
    return this.state.program.rulesets.filter((ruleset) => !this.executed.has(ruleset));
  }

  private runRuleset(ruleset: Ruleset, place: RulesetPlace): void {
    this.executed.add(ruleset);
    const scope: Scope = { ruleset, place, rest: undefined };
    const { state } = this;
    // Rules that do nothing leave a trace only. Within a phase, every rule sees the same request.
    const positions = state.log.isSilent ? ruleset.screened.positionsFor(state.request) : ruleset.rules.keys();
    for (const index of positions) {
      const rule = ruleset.rules[index];
      if (rule === undefined) continue;
      const started = this.runRule(rule, index, scope);
      if (started?.target.restOfRuleset === true && scope.rest?.because.length !== 0) scope.rest = started;
    }
  }

  /** Returns the skip that a skip rule starts. */
  private runRule(rule: Rule, index: number, { ruleset, place, rest }: Readonly<Scope>): ActiveSkip | undefined {
    const { state } = this;
    const at = placeOf(rule, ruleset, index, place);
    if (state.decision !== undefined) {
      const { outcome, rule: by } = state.decision;
      state.log.note(at, "not reached", `the request was ${outcome} by ${by.name}`);
      return undefined;
    }
    if (!rule.enabled) {
      state.log.note(at, "disabled", "the rule is disabled");
      return undefined;
    }
    const skip = rest?.because.length === 0 ? rest : (this.findSkip(ruleset, rule, place) ?? rest);
    if (skip?.because.length === 0) {
      state.log.note(at, "skipped", `skipped by ${skip.by}`);
      return undefined;
    }
    const doubts =
      skip === undefined ? place.because : [...place.because, ...skip.because.map((why) => `${skip.by}: ${why}`)];
    const match = matchRule(rule, at, state, doubts);
    if (rule.rateLimit !== undefined) limitRequest(rule, rule.rateLimit, { at, match, state });
    else if (match.value !== false) return this.act(rule, { at, because: match.because, place, state });
    return undefined;
  }

  /** Applies a rule. A custom ruleset runs in place of its rule; other rulesets are only recorded. */
  private act(rule: Rule, acting: RuleApplication): ActiveSkip | undefined {
    const { effect } = rule;
    const known = effect.kind === "execute" ? findExecuted(this.state.program, effect.id) : undefined;
    if (known === undefined || known.kind === "managed") return applyRule(rule, acting);
    if (!this.executed.has(known)) this.runRuleset(known, { ...acting.place, because: acting.because });
    return undefined;
  }

  private findSkip(ruleset: Ruleset, rule: Rule, { phase, level }: RulesetPlace): ActiveSkip | undefined {
    const { skips } = this.state;
    if (skips.length === 0) return undefined;
    const phaseSkip = findSkip(skips, { kind: "phase", phase, level });
    if (phaseSkip?.because.length === 0 || ruleset.id === undefined) return phaseSkip;
    const own = { kind: "rule", ruleset: ruleset.id, rule: [rule.id, rule.ref] } as const;
    return findSkip(skips, { kind: "ruleset", id: ruleset.id }) ?? findSkip(skips, own) ?? phaseSkip;
  }
}

const entryPoints = new WeakMap<Program, ReadonlyMap<string, readonly Ruleset[]>>();

/** The entry points of each phase: those of the account, then those of the zone. */
function entryPointsOf(program: Program): ReadonlyMap<string, readonly Ruleset[]> {
  const known = entryPoints.get(program);
  if (known !== undefined) return known;
  const inOrder = ["root", "zone"].flatMap((kind) => program.rulesets.filter((one) => one.kind === kind));
  const found = Map.groupBy(inOrder, ({ phase }) => phase);
  entryPoints.set(program, found);
  return found;
}
