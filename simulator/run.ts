import { HttpRequest, type Reason } from "../language/index.js";
import type { Effect, SentResponse } from "./effect.js";
import { explain } from "./explain.js";
import { bucketOf, currentCounter, findCounter, standing, stopped, withCounter, type Limits } from "./limits.js";
import { canStop, readOverrides, type ManagedRun } from "./managed.js";
import { CONFIGURATION_PHASES, NORMALISING_PHASES } from "./phases.js";
import type { Program, RateLimit, Rule, Ruleset } from "./program.js";
import type { Level, RulePlace } from "./place.js";
import type { SimulatedOutcome, TraceEntry, Undecided } from "./result.js";
import { Rewrites, textOf } from "./rewrites.js";
import { findSkip, type ActiveSkip } from "./skips.js";

type Stop = Exclude<SimulatedOutcome, "allowed" | "unknown">;

interface Decision {
  readonly outcome: Stop;
  readonly rule: RulePlace;
  readonly response: SentResponse | undefined;
}

/** Where a ruleset runs, and what it depends on that it runs at all (empty: it does). */
interface Place {
  readonly phase: string;
  readonly level: Level;
  readonly because: readonly string[];
}

/** Whether a rule matches; `because` is empty unless that is unknown. */
interface Match {
  readonly value: boolean | "unknown";
  readonly because: readonly string[];
}

/** A counter that goes on when the origin has answered. */
interface Pending {
  readonly key: string;
  readonly bucket: string;
  readonly limit: RateLimit;
  readonly rule: Rule;
}

/** One request on its way through the rulesets. */
export class Run {
  readonly trace: TraceEntry[] = [];
  readonly managed: ManagedRun[] = [];
  readonly undecided: Undecided[] = [];
  readonly settings: Record<string, object> = {};
  readonly products = new Set<string>();
  score = 0;
  decision: Decision | undefined;
  response: SentResponse | undefined;
  private readonly skips: ActiveSkip[] = [];
  private readonly executed = new Set<Ruleset>();
  private readonly pending: Pending[] = [];
  private rewrites: Rewrites;

  constructor(
    private readonly program: Program,
    public request: HttpRequest,
    public limits: Limits,
    private readonly now: number,
  ) {
    this.rewrites = new Rewrites(request);
  }

  /** Runs the entry points of a phase: those of the account, then those of the zone. */
  runPhase(phase: string): void {
    this.rewrites = new Rewrites(this.request);
    for (const level of ["account", "zone"] as const) {
      const kind = level === "account" ? "root" : "zone";
      for (const ruleset of this.program.rulesets) {
        if (ruleset.kind === kind && ruleset.phase === phase) this.runRuleset(ruleset, { phase, level, because: [] });
      }
    }
    this.request = this.rewrites.apply();
  }

  /** Counts what depends on the answer of the origin. */
  countResponse(): void {
    for (const { key, bucket, limit, rule } of this.pending) {
      const counter = currentCounter(findCounter(this.limits, key, bucket), limit, this.now);
      const counted = (limit.counting ?? rule.expression)?.evaluate(this.request).value;
      const weight = this.weightOf(limit);
      const uncertain = counted === "unknown" || weight === undefined;
      const next = uncertain
        ? { ...counter, uncertain: counter.uncertain + 1 }
        : { ...counter, count: counter.count + (counted === true ? weight : 0) };
      this.limits = withCounter(this.limits, key, bucket, next);
    }
  }

  /** Notes rules that nothing runs. */
  leaveOut(ruleset: Ruleset, why: string): void {
    if (this.executed.has(ruleset)) return;
    const level = ruleset.kind === "root" || ruleset.accountId !== undefined ? "account" : "zone";
    ruleset.rules.forEach((rule, index) => {
      this.note(placeOf(rule, ruleset, index, { phase: ruleset.phase, level, because: [] }), "not reached", why);
    });
  }

  private runRuleset(ruleset: Ruleset, place: Place): void {
    this.executed.add(ruleset);
    let rest: ActiveSkip | undefined;
    ruleset.rules.forEach((rule, index) => {
      const at = placeOf(rule, ruleset, index, place);
      if (this.decision !== undefined) {
        this.note(at, "not reached", `the request was ${this.decision.outcome} by ${nameOf(this.decision.rule)}`);
        return;
      }
      if (!rule.enabled) {
        this.note(at, "disabled", "the rule is switched off");
        return;
      }
      const skip = rest?.because.length === 0 ? rest : (this.findSkip(ruleset, rule, place) ?? rest);
      if (skip?.because.length === 0) {
        this.note(at, "skipped", `skipped by ${skip.by}`);
        return;
      }
      const doubts = [...place.because, ...(skip === undefined ? [] : skip.because.map((why) => `${skip.by}: ${why}`))];
      const match = this.match(rule, at, doubts);
      if (rule.rateLimit !== undefined) this.limit(rule, rule.rateLimit, at, match);
      else if (match.value !== false) {
        const active = this.act(rule, at, match.because, place);
        if (active?.target.restOfRuleset === true && rest?.because.length !== 0) rest = active;
      }
    });
  }

  private findSkip(ruleset: Ruleset, rule: Rule, { phase, level }: Place): ActiveSkip | undefined {
    const phaseSkip = findSkip(this.skips, { kind: "phase", phase, level });
    if (phaseSkip?.because.length === 0 || ruleset.id === undefined) return phaseSkip;
    const own = { kind: "rule", ruleset: ruleset.id, rule: [rule.id, rule.ref] } as const;
    return findSkip(this.skips, { kind: "ruleset", id: ruleset.id }) ?? findSkip(this.skips, own) ?? phaseSkip;
  }

  private match(rule: Rule, at: RulePlace, doubts: readonly string[]): Match {
    const { expression } = rule;
    const { request } = this;
    if (expression === undefined) return this.noteUnknown(at, ["the rule has no expression here"]);
    const outcome = expression.evaluate(request);
    const why = (): string => explain(expression.trace(request));
    if (outcome.value === false) {
      this.note(at, "not matched", why, false);
      return { value: false, because: [] };
    }
    const because = [
      ...(outcome.value === "unknown" ? reasonsOf(outcome.because) : []),
      ...(rule.checksCredentials ? ["whether the credentials have been exposed is not known here"] : []),
      ...doubts,
    ];
    if (because.length > 0) return this.noteUnknown(at, because);
    this.note(at, "matched", why, true);
    return { value: true, because: [] };
  }

  private noteUnknown(at: RulePlace, because: readonly string[]): Match {
    this.note(at, "unknown", because.join("; "), "unknown");
    return { value: "unknown", because };
  }

  /** Does what a rule says; hands back the skip that a skip rule starts. */
  private act(rule: Rule, at: RulePlace, because: readonly string[], place: Place): ActiveSkip | undefined {
    const { effect } = rule;
    switch (effect.kind) {
      case "block":
        this.stop("blocked", at, effect.response, because);
        return undefined;
      case "challenge":
        this.stop("challenged", at, effect.response, because);
        return undefined;
      case "redirect":
        this.redirect(effect, at, because);
        return undefined;
      case "redirect-list":
        this.doubt(at, "redirected", [...because, `the redirects of the list "${effect.list}" are not known here`]);
        return undefined;
      case "execute":
        this.execute(effect, at, because, place);
        return undefined;
      case "skip":
        return this.skip(effect, at, because, place);
      case "rewrite":
        if (because.length > 0) this.doubt(at, undefined, because);
        this.rewrite(effect, at, because);
        return undefined;
      case "settings":
        if (because.length > 0) this.doubt(at, undefined, because);
        else this.settings[at.phase] = { ...this.settings[at.phase], ...effect.settings };
        return undefined;
      case "score":
        if (because.length > 0) this.doubt(at, undefined, because);
        else this.score += effect.increment;
        return undefined;
      case "error-page":
        if (because.length > 0) this.doubt(at, undefined, because);
        else this.response = effect.response;
        return undefined;
      case "log":
        return undefined;
      case "unknown":
        this.doubt(at, "blocked", [...because, `what the action "${at.action}" does is not known here`]);
        return undefined;
    }
  }

  private stop(
    outcome: Stop,
    rule: RulePlace,
    response: SentResponse | undefined,
    because: readonly string[] = [],
  ): void {
    if (because.length > 0) this.doubt(rule, outcome, because);
    else this.decision = { outcome, rule, response };
  }

  private doubt(rule: RulePlace, outcome: Stop | undefined, because: readonly string[]): void {
    this.undecided.push({ rule, outcome, because });
  }

  private redirect(effect: Extract<Effect, { kind: "redirect" }>, at: RulePlace, because: readonly string[]): void {
    const target = textOf(effect.target, this.request);
    if (typeof target !== "string") {
      const reasons = reasonsOf(target.because);
      if (because.length > 0) {
        this.doubt(at, "redirected", because);
        return;
      }
      this.doubt(at, undefined, reasons);
      this.decision = { outcome: "redirected", rule: at, response: { status: effect.status, headers: {} } };
      return;
    }
    const query = /\?(.*)$/s.exec(this.request.url)?.[1] ?? "";
    const location = effect.preserveQueryString ? withQuery(target, query) : target;
    this.stop("redirected", at, { status: effect.status, headers: { location } }, because);
  }

  private rewrite(effect: Extract<Effect, { kind: "rewrite" }>, at: RulePlace, because: readonly string[]): void {
    if (!at.phase.startsWith("http_response_")) {
      this.rewrites.add(effect, because);
      return;
    }
    if (because.length > 0 || this.response === undefined) return;
    const headers = new Map(Object.entries(this.response.headers));
    for (const { name, operation, value } of effect.headers) {
      const key = name.toLowerCase();
      const text = textOf(value, this.request);
      const before = headers.get(key);
      if (operation === "remove") headers.delete(key);
      else if (typeof text !== "string") this.doubt(at, undefined, reasonsOf(text.because));
      else headers.set(key, operation === "add" && before !== undefined ? `${before}, ${text}` : text);
    }
    this.response = { ...this.response, headers: Object.fromEntries(headers) };
  }

  private skip(
    { target }: Extract<Effect, { kind: "skip" }>,
    at: RulePlace,
    because: readonly string[],
    { phase, level }: Place,
  ): ActiveSkip {
    const skip: ActiveSkip = { by: nameOf(at), target, phase, level, because };
    this.skips.push(skip);
    if (because.length === 0) for (const product of target.products) this.products.add(product);
    return skip;
  }

  private execute(
    effect: Extract<Effect, { kind: "execute" }>,
    at: RulePlace,
    because: readonly string[],
    place: Place,
  ): void {
    const known = this.program.rulesets.find(({ id, kind }) => id === effect.id && kind !== "root" && kind !== "zone");
    if (known !== undefined && known.kind !== "managed") {
      if (!this.executed.has(known)) this.runRuleset(known, { ...place, because });
      return;
    }
    const skip = findSkip(this.skips, { kind: "ruleset", id: effect.id });
    if (skip?.because.length === 0) {
      this.renote(at, "skipped", `its ruleset ${effect.id} is skipped by ${skip.by}`);
      return;
    }
    const doubts = [...because, ...(skip === undefined ? [] : skip.because.map((why) => `${skip.by}: ${why}`))];
    const overrides = readOverrides(effect.overrides);
    const skippedRules = this.skips.flatMap(({ target, because: open }) =>
      open.length === 0 ? (target.rules.get(effect.id) ?? []) : [],
    );
    const stops = !CONFIGURATION_PHASES.has(at.phase) && !NORMALISING_PHASES.has(at.phase) && canStop(overrides);
    this.managed.push({ ruleset: effect.id, rule: at, ...overrides, skippedRules, canStop: stops, because: doubts });
  }

  /** Counts a request, and stops it when its client is over the limit. */
  private limit(rule: Rule, limit: RateLimit, at: RulePlace, match: Match): void {
    const key = [at.level, at.ruleset ?? at.phase, at.id ?? at.ref ?? String(at.index)].join("/");
    const bucket = bucketOf(limit, this.request);
    const before = currentCounter(findCounter(this.limits, key, bucket), limit, this.now);
    const counts = limit.counting?.evaluate(this.request).value ?? match.value;
    const later = limit.scoreHeader !== undefined || (limit.counting !== undefined && counts === "unknown");
    if (later) this.pending.push({ key, bucket, limit, rule });
    const add = later || before.until > 0 ? 0 : 1;
    const counter =
      counts === "unknown"
        ? { ...before, uncertain: before.uncertain + add }
        : { ...before, count: before.count + (counts ? add : 0) };
    const where = standing(counter, limit);
    const over = match.value === true && where === "over";
    this.limits = withCounter(this.limits, key, bucket, over ? stopped(counter, limit, this.now) : counter);
    if (match.value === false) return;
    this.renoteCount(at, `${String(counter.count)} of ${String(limit.requests ?? limit.score)}`, where);
    if (where === "within" || rule.effect.kind === "log") return;
    const because = [
      ...match.because,
      ...(where === "unknown" ? ["whether requests before counted is not known here"] : []),
    ];
    this.stop("limited", at, limitedResponse(rule.effect), because);
  }

  /** How much a request adds; undefined when the answer of the origin is needed to know. */
  private weightOf({ scoreHeader }: RateLimit): number | undefined {
    if (scoreHeader === undefined) return 1;
    const { response } = this;
    if (response === undefined) return undefined;
    const score = Number(response.headers[scoreHeader.toLowerCase()]);
    return Number.isInteger(score) && score >= 1 && score <= 1_000_000 ? score : 0;
  }

  private renoteCount(at: RulePlace, count: string, where: string): void {
    const last = this.trace.at(-1);
    if (last === undefined) return;
    const said = where === "over" ? "over the limit" : where === "within" ? "within the limit" : "limit not known";
    this.trace[this.trace.length - 1] = entry(at, last.status, () => `${last.why}; ${count}: ${said}`, last.matched);
  }

  private renote(at: RulePlace, status: TraceEntry["status"], why: string): void {
    this.trace[this.trace.length - 1] = entry(at, status, () => why, true);
  }

  private note(
    at: RulePlace,
    status: TraceEntry["status"],
    why: string | (() => string),
    matched?: TraceEntry["matched"],
  ): void {
    this.trace.push(entry(at, status, typeof why === "string" ? () => why : why, matched));
  }
}

/** The text is made when somebody reads it: most are never read. */
function entry(
  at: RulePlace,
  status: TraceEntry["status"],
  why: () => string,
  matched: TraceEntry["matched"],
): TraceEntry {
  return {
    ...at,
    status,
    matched,
    get why() {
      return why();
    },
  };
}

function placeOf(rule: Rule, ruleset: Ruleset, index: number, { phase, level }: Place): RulePlace {
  const { ref, id, description, action, text } = rule;
  return { phase, level, index, ruleset: ruleset.id ?? ruleset.name, ref, id, description, action, expression: text };
}

/** A rule's name in messages. */
export function nameOf({ ref, id, description, phase, index }: RulePlace): string {
  const name = ref ?? id ?? description;
  return name === undefined ? `rule ${String(index)} of ${phase}` : `"${name}"`;
}

function reasonsOf(because: readonly Reason[]): readonly string[] {
  return because.map(({ why }) => why);
}

/** A target with the query of the request in place of its own. */
function withQuery(target: string, query: string): string {
  if (query === "") return target;
  const [, base = "", fragment = ""] = /^([^?#]*)(?:\?[^#]*)?(#.*)?$/s.exec(target) ?? [];
  return `${base}?${query}${fragment}`;
}

function limitedResponse(effect: Effect): SentResponse | undefined {
  if (effect.kind === "challenge") return effect.response;
  if (effect.kind !== "block") return undefined;
  const { response } = effect;
  return response.body === undefined && response.status === 403 ? { ...response, status: 429 } : response;
}
