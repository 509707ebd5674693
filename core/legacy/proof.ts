import { printCondition, type Condition } from "../language/index.js";
import { textOf } from "../model/json.js";
import { filterOf } from "../analysis/filter.js";
import { and, FALSE, not, or, TRUE, type Formula } from "../analysis/formula/formula.js";
import { lockdownOrder } from "./security.js";
import { withoutLists, type Conversion, type NewRule } from "./new-rules.js";
import { rulesOf, type Lockdown, type OldRule, type OldRules, type PageRule, type RateLimit } from "./old-rules.js";
import { redirectsAll, unordered } from "./page-rules.js";
import { PatternProver } from "./pattern-proof.js";
import { anyMatches, canMeet, conditionOf, quoted, type UrlPattern } from "./pattern.js";
import { Formulas } from "./formulas.js";
import { unprovedAccess } from "./access-proof.js";
import { ACTIONS, REDIRECT } from "./settings.js";
import { contradictions, differingValues, isLimitOf, isRedirectOf, stepsOf, type Step } from "./value-proof.js";

/** Limit of each search, in single steps. */
const STEPS = 50_000_000;

const OPEN = "it is not proved that its new rules apply to the same requests";
const TIED = "which of two page rules applies, one of which turns security off, is not known";
const CLIENTS_OPEN = "it is not proved that its new rules act on the same clients in the same way";
const VALUE_OPEN = "it is not proved that its new rules do the same";
const CONTRADICTION = "two of its settings contradict each other, and which of them applied is not documented";
const URL_OPEN = "it is not proved that the condition of its new rules is its URL pattern";

/**
 * Proves that the conditions of new rules are those of the old ones, for every request: the old rules as formulas, in which a rule
 * applies where its pattern matches and no stronger one does, against the new rules as they run. Patterns are single facts here;
 * that their conditions mean the patterns, and which of them no URL can match together, is proved of the texts.
 *
 * What new rules do is read back from them, and compared with what the old ones say.
 *
 * @returns why the conversion of an old rule is not proved, by its ID
 */
export function unprovedRules(old: OldRules, conversion: Conversion): ReadonlyMap<string, string> {
  return new ConversionProof(old, conversion).unproved();
}

const ANY_OF = "http.request.full_uri matches ";

class ConversionProof {
  private readonly formulas = new Formulas(STEPS);
  private readonly patterns = new PatternProver(STEPS);
  private readonly rules: readonly NewRule[];
  private readonly converted: ReadonlySet<string>;
  private readonly found = new Map<string, string>();
  /** Page rules whose new rules may redirect requests that they did not. */
  private readonly early: PageRule[] = [];

  constructor(
    private readonly old: OldRules,
    private readonly conversion: Conversion,
  ) {
    this.rules = withoutLists(conversion);
    const left = new Set(conversion.notes.flatMap(({ kind, rule }) => (kind === "left" ? [rule.id] : [])));
    this.converted = new Set(rulesOf(old).flatMap(({ id }) => (left.has(id) ? [] : [id])));
    const own = [
      ...old.pageRules.map((rule) => [rule, [rule.pattern]] as const),
      ...old.lockdowns.map((rule) => [rule, rule.patterns] as const),
      ...old.rateLimits.map((rule) => [rule, [rule.pattern, ...rule.bypass]] as const),
    ];
    for (const [rule, patterns] of own)
      for (const pattern of patterns) {
        this.formulas.atomOf(pattern);
        if (!this.patterns.isMeant(pattern)) this.leaveOpen(rule, URL_OPEN);
      }
  }

  unproved(): ReadonlyMap<string, string> {
    this.noteAlternatives();
    this.checkPageRules();
    this.checkLockdowns();
    this.checkRateLimits();
    const access = this.old.accessRules.filter(({ id }) => this.converted.has(id));
    for (const rule of unprovedAccess(access, this.rules)) this.leaveOpen(rule, CLIENTS_OPEN);
    this.noteEarly();
    return this.found;
  }

  /** Conditions that name many patterns in one regular expression stand for any of them. */
  private noteAlternatives(): void {
    const written = this.rules.filter(({ expression }) => expression.includes(ANY_OF));
    if (written.length === 0) return;
    const isMatched = new Map<PageRule, boolean>();
    const { pageRules } = this.old;
    pageRules.forEach((rule, index) => {
      const stronger = pageRules.slice(0, index).filter((one) => canMeet(one.pattern, rule.pattern));
      const running = stronger.filter((one) => !this.converted.has(one.id) || !redirectsAll(one));
      for (const some of [stronger, running]) {
        const text = anyMatches(some.map(({ pattern }) => pattern));
        if (some.length === 0 || written.every(({ expression }) => !expression.includes(text))) continue;
        const isProved = some.every((one) => {
          const found = isMatched.get(one) ?? this.patterns.isMatched(one.pattern);
          isMatched.set(one, found);
          return found;
        });
        if (isProved) this.formulas.define(text, or(some.map(({ pattern }) => this.formulas.atomOf(pattern))));
      }
    });
  }

  private leaveOpen({ id }: OldRule, why = OPEN): void {
    if (this.converted.has(id) && !this.found.has(id)) this.found.set(id, why);
  }

  private rulesOf({ id }: OldRule, phase?: string): readonly NewRule[] {
    return this.rules.filter((rule) => rule.from.includes(id) && (phase === undefined || rule.phase === phase));
  }

  private checkPageRules(): void {
    const { pageRules } = this.old;
    // Of redirects, the first one ends a request, so they have to be in the order of strength.
    const place = new Map(pageRules.map(({ id }, index) => [id, index]));
    let last = 0;
    for (const { from, phase } of this.rules) {
      const own = Math.min(...from.map((id) => place.get(id) ?? Infinity));
      if (phase === REDIRECT && own < last) for (const rule of pageRules.slice(own, last + 1)) this.leaveOpen(rule);
      if (phase === REDIRECT) last = Math.max(last, own);
    }
    const redirecting = new Set<PageRule>();
    pageRules.forEach((rule, index) => {
      if (!this.converted.has(rule.id)) return;
      const hiding = this.rulesOf(rule).length === 0 ? this.hiding(index) : undefined;
      if (hiding !== undefined) {
        this.formulas.assume(or([not(this.formulas.atomOf(rule.pattern)), this.formulas.atomOf(hiding.pattern)]));
        // It never applies, so whoever leaves out what hides it leaves it out too.
        if (redirectsAll(rule)) redirecting.add(rule);
        return;
      }
      // A request that a stronger rule redirects ends there: as all others are left out, some of these is the first to match.
      const applies = this.first(index, (one) => !redirecting.has(one));
      const isRedirect = redirectsAll(rule);
      const isSecure = rule.settings.some(({ id }) => id === "always_use_https");
      const redirects = isRedirect ? applies : isSecure ? and([applies, this.formulas.formulaOf("not ssl")]) : FALSE;
      const apart = this.apartFrom(index);
      const own = or(this.rulesOf(rule, REDIRECT).map(({ expression }) => this.formulas.formulaOf(expression)));
      if (!this.formulas.isWithin(own, redirects, apart)) this.early.push(rule);
      if (!this.formulas.areEqual(own, redirects, apart)) this.leaveOpen(rule);
      else if (!this.areTargetsEqual(rule, redirects, apart)) this.leaveOpen(rule, VALUE_OPEN);
      else if (isRedirect && !this.found.has(rule.id)) redirecting.add(rule);
      const steps = stepsOf(rule);
      for (const phase of Object.keys(ACTIONS))
        this.checkSettings(
          rule,
          steps.filter((step) => step.phase === phase),
          this.rulesOf(rule, phase),
          { applies, known: apart },
        );
    });
  }

  /** A redirect of too many requests takes them from all others. */
  private noteEarly(): void {
    for (const early of this.early)
      for (const rule of rulesOf(this.old))
        this.leaveOpen(rule, `the new rules of ${early.label}, which are not proved, may redirect its requests`);
  }

  /** Whether the redirects of a page rule lead where it did: with a query string, its second pattern tells where. */
  private areTargetsEqual(rule: PageRule, redirects: Formula, known: readonly Formula[]): boolean {
    const { pattern } = rule;
    const own = this.rulesOf(rule, REDIRECT);
    if (!redirectsAll(rule)) return own.every((one) => isRedirectOf(one, rule, undefined));
    const [first] = own;
    const only = (glob: string): Formula => this.formulas.formulaOf(conditionOf({ ...pattern, globs: [glob] }));
    return (
      own.every((one, at) => isRedirectOf(one, rule, pattern.globs[at] ?? "")) &&
      (first === undefined ||
        own.length === 1 ||
        this.formulas.areEqual(
          this.formulas.formulaOf(first.expression),
          and([redirects, only(pattern.globs[0] ?? "")]),
          known,
        ))
    );
  }

  /** Whether the rules of a phase apply when the settings did, in the same order, and set the same. */
  private checkSettings(
    rule: PageRule,
    steps: readonly Step[],
    rules: readonly NewRule[],
    { applies, known }: { readonly applies: Formula; readonly known: readonly Formula[] },
  ): void {
    if (steps.length !== rules.length) this.leaveOpen(rule);
    steps.forEach((step, at) => {
      const own = rules[at];
      if (own === undefined) return;
      const wanted = step.when === "" ? applies : and([applies, this.formulas.formulaOf(step.when)]);
      if (!this.formulas.areEqual(this.formulas.formulaOf(own.expression), wanted, known)) this.leaveOpen(rule);
      const unclear = contradictions(step);
      if (unclear.length > 0) this.leaveOpen(rule, `${CONTRADICTION}: ${unclear.join(", ")}`);
      const names = own.action === ACTIONS[step.phase] ? differingValues(step, own) : [own.action];
      if (names.length > 0) this.leaveOpen(rule, `${VALUE_OPEN}: ${names.join(", ")}`);
    });
  }

  /** Where a page rule applies: its pattern, and none of a stronger rule. Patterns that no URL matches together may be left out. */
  private first(index: number, isLeftOut: (stronger: PageRule) => boolean = () => true): Formula {
    const { pageRules } = this.old;
    const pattern = pageRules[index]?.pattern;
    if (pattern === undefined) return FALSE;
    const some = pageRules.slice(0, index).filter(isLeftOut);
    const stronger = some.flatMap((one) => this.exclusionOf(one.pattern, pattern));
    return and([this.formulas.atomOf(pattern), ...stronger]);
  }

  private exclusionOf(stronger: UrlPattern, pattern: UrlPattern): readonly Formula[] {
    return canMeet(stronger, pattern) || !this.patterns.areApart(stronger, pattern)
      ? [not(this.formulas.atomOf(stronger))]
      : [];
  }

  /** That no URL matches a page rule and a stronger one whose patterns are apart. */
  private apartFrom(index: number): readonly Formula[] {
    const { pageRules } = this.old;
    const pattern = pageRules[index]?.pattern;
    if (pattern === undefined) return [];
    const apart = pageRules.slice(0, index).filter((one) => this.exclusionOf(one.pattern, pattern).length === 0);
    return [or([not(this.formulas.atomOf(pattern)), and(apart.map((one) => not(this.formulas.atomOf(one.pattern))))])];
  }

  /** The stronger rule that matches all that a rule matches. */
  private hiding(index: number): PageRule | undefined {
    const { pageRules } = this.old;
    const rule = pageRules[index];
    return rule && pageRules.slice(0, index).find((one) => this.patterns.isWithin(rule.pattern, one.pattern));
  }

  /** When no page rule turns security off. */
  private isProtected(): Formula {
    const off = this.old.pageRules.map((rule, index) =>
      rule.settings.some(({ id }) => id === "disable_security") ? not(this.first(index)) : TRUE,
    );
    return and(off);
  }

  private checkLockdowns(): void {
    const { lockdowns, userAgents } = this.old;
    const { sorted } = lockdownOrder(lockdowns);
    const isProtected = this.isProtected();
    const isTied = this.isProtectionTied();
    const allowed: Formula[] = [];
    sorted.forEach((lockdown, index) => {
      const others = sorted.slice(0, index).flatMap((one) => this.outsideOf(one, lockdown));
      const applies = and([or(lockdown.patterns.map((one) => this.formulas.atomOf(one))), ...others, isProtected]);
      const isListed = this.formulas.formulaOf(`ip.src in {${lockdown.addresses.join(" ")}}`);
      allowed.push(and([applies, isListed]));
      const own = this.rulesOf(lockdown).map(({ expression }) => this.formulas.formulaOf(expression));
      if (!this.formulas.areEqual(or(own), and([applies, not(isListed)]))) this.leaveOpen(lockdown);
      if (this.rulesOf(lockdown).some(({ action }) => action !== "block")) this.leaveOpen(lockdown, VALUE_OPEN);
      if (isTied) this.leaveOpen(lockdown, TIED);
    });
    for (const agent of userAgents) {
      const isOfAgent = this.formulas.formulaOf(`http.user_agent eq ${quoted(agent.agent)}`);
      const wanted = and([isOfAgent, ...allowed.map(not)]);
      const own = this.rulesOf(agent).map(({ expression }) =>
        and([isOfAgent, this.agentFormula(expression, agent.agent)]),
      );
      if (!this.formulas.areEqual(or(own), wanted)) this.leaveOpen(agent);
      if (this.rulesOf(agent).some(({ action }) => action !== agent.mode)) this.leaveOpen(agent, VALUE_OPEN);
      if (isTied && lockdowns.length > 0) this.leaveOpen(agent, TIED);
    }
  }

  /** The condition of a rule for several user agents, for one of them. */
  private agentFormula(expression: string, agent: string): Formula {
    const condition = filterOf(expression);
    const isNamed = (one: Condition): boolean => {
      const set =
        one.kind === "comparison" && one.test.kind === "in" && one.test.right.kind === "set" ? one : undefined;
      return (
        set !== undefined &&
        printCondition(set).startsWith("http.user_agent in {") &&
        printCondition(set).includes(quoted(agent))
      );
    };
    return condition === undefined
      ? FALSE
      : this.formulas.translate(condition, (one) => (isNamed(one) ? TRUE : undefined));
  }

  private outsideOf(stronger: Lockdown, lockdown: Lockdown): readonly Formula[] {
    const isApart = stronger.patterns.every((one) =>
      lockdown.patterns.every((other) => !canMeet(one, other) && this.patterns.areApart(one, other)),
    );
    return isApart ? [] : [not(or(stronger.patterns.map((one) => this.formulas.atomOf(one))))];
  }

  /** Whether it is not known which page rule decides whether security is off. */
  private isProtectionTied(): boolean {
    const turnsOff = ({ settings }: PageRule): boolean => settings.some(({ id }) => id === "disable_security");
    return Array.from(unordered(this.old.pageRules)).some(([one, other]) => turnsOff(one) || turnsOff(other));
  }

  private checkRateLimits(): void {
    const isProtected = this.isProtected();
    const isTied = this.isProtectionTied();
    for (const limit of this.old.rateLimits) {
      const methods = limit.methods?.map(quoted).join(" ");
      const wanted = and([
        this.formulas.atomOf(limit.pattern),
        ...(methods === undefined ? [] : [this.formulas.formulaOf(`http.request.method in {${methods}}`)]),
        ...limit.bypass.map((one) => not(this.formulas.atomOf(one))),
        isProtected,
      ]);
      const own = this.rulesOf(limit);
      if (!this.formulas.areEqual(or(own.map(({ expression }) => this.formulas.formulaOf(expression))), wanted))
        this.leaveOpen(limit);
      const notes = this.conversion.notes.filter(({ rule }) => rule.id === limit.id).map(({ text }) => text);
      if (!own.every((rule) => isLimitOf(rule, limit, notes) && this.isCountOf(rule, limit, wanted)))
        this.leaveOpen(limit, VALUE_OPEN);
      if (isTied) this.leaveOpen(limit, TIED);
    }
  }

  /** Whether a rule counts the requests that it matches, or those of them whose answers have the statuses of a limit. */
  private isCountOf({ ratelimit }: NewRule, { statuses }: RateLimit, wanted: Formula): boolean {
    const counting = ratelimit?.countingExpression;
    if (statuses.length === 0) return counting === undefined;
    const answers = this.formulas.formulaOf(`http.response.code in {${statuses.join(" ")}}`);
    return this.formulas.areEqual(this.formulas.formulaOf(textOf(counting)), and([wanted, answers]));
  }
}
