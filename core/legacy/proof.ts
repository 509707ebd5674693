import { printCondition, type Condition } from "../language/index.js";
import { AnalysisContext } from "../analysis/analysis-context.js";
import { filterOf } from "../analysis/filter.js";
import { and, FALSE, not, numberLiteral, or, TRUE, type Formula } from "../analysis/formula/formula.js";
import { lockdownOrder } from "./security.js";
import type { Conversion, NewRule } from "./new-rules.js";
import type { Lockdown, OldRule, OldRules, PageRule } from "./old-rules.js";
import { redirectsAll, unordered } from "./page-rules.js";
import { PatternProver } from "./pattern-proof.js";
import { anyMatches, canMeet, conditionOf, quoted, type UrlPattern } from "./pattern.js";
import { findSetting, REDIRECT } from "./settings.js";

/** Limit of each search, in single steps. */
const STEPS = 50_000_000;

const OPEN = "it is not proved that its new rules apply to the same requests";
const TIED = "which of two page rules applies, one of which turns security off, is not known";
const URL_OPEN = "it is not proved that the condition of its new rules is its URL pattern";

/**
 * Proves that the conditions of new rules are those of the old ones, for every request: the old rules as formulas, in which a rule
 * applies where its pattern matches and no stronger one does, against the new rules as they run. Patterns are single facts here;
 * that their conditions mean the patterns, and which of them no URL can match together, is proved of the texts.
 *
 * What the rules do is not part of it: example requests compare that, and which clients access rules name.
 *
 * @returns why the conversion of an old rule is not proved, by its ID
 */
export function unprovedRules(old: OldRules, conversion: Conversion): ReadonlyMap<string, string> {
  return new ConversionProof(old, conversion).unproved();
}

const ANY_OF = "http.request.full_uri matches ";

class ConversionProof {
  private readonly context = new AnalysisContext(STEPS);
  private readonly patterns = new PatternProver(STEPS);
  private readonly atoms = new Map<string, Formula>();
  private readonly converted: ReadonlySet<string>;
  private readonly found = new Map<string, string>();
  /** That the patterns of rules that never applied are within stronger ones. */
  private readonly hidden: Formula[] = [];

  constructor(
    private readonly old: OldRules,
    private readonly conversion: Conversion,
  ) {
    const left = new Set(conversion.notes.flatMap(({ kind, rule }) => (kind === "left" ? [rule.id] : [])));
    this.converted = new Set(
      [...old.pageRules, ...old.lockdowns, ...old.userAgents, ...old.rateLimits].flatMap(({ id }) =>
        left.has(id) ? [] : [id],
      ),
    );
    const own = [
      ...old.pageRules.map((rule) => [rule, [rule.pattern]] as const),
      ...old.lockdowns.map((rule) => [rule, rule.patterns] as const),
      ...old.rateLimits.map((rule) => [rule, [rule.pattern, ...rule.bypass]] as const),
    ];
    for (const [rule, patterns] of own)
      for (const pattern of patterns) {
        this.atomOf(pattern);
        if (!this.patterns.isMeant(pattern)) this.leaveOpen(rule, URL_OPEN);
      }
  }

  unproved(): ReadonlyMap<string, string> {
    this.noteAlternatives();
    this.checkPageRules();
    this.checkLockdowns();
    this.checkRateLimits();
    return this.found;
  }

  /** Conditions that name many patterns in one regular expression stand for any of them. */
  private noteAlternatives(): void {
    const written = this.conversion.rules.filter(({ expression }) => expression.includes(ANY_OF));
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
        const condition = filterOf(text);
        if (isProved && condition !== undefined)
          this.atoms.set(keyOf(condition), or(some.map(({ pattern }) => this.atomOf(pattern))));
      }
    });
  }

  private leaveOpen({ id }: OldRule, why = OPEN): void {
    if (this.converted.has(id) && !this.found.has(id)) this.found.set(id, why);
  }

  private rulesOf({ id }: OldRule, phase?: string): readonly NewRule[] {
    return this.conversion.rules.filter(
      (rule) => rule.from.includes(id) && (phase === undefined || rule.phase === phase),
    );
  }

  private checkPageRules(): void {
    const { pageRules } = this.old;
    // Of redirects, the first one ends a request, so they have to be in the order of strength.
    const place = new Map(pageRules.map(({ id }, index) => [id, index]));
    let last = 0;
    for (const { from, phase } of this.conversion.rules) {
      const own = Math.min(...from.map((id) => place.get(id) ?? Infinity));
      if (phase === REDIRECT && own < last) for (const rule of pageRules.slice(own, last + 1)) this.leaveOpen(rule);
      if (phase === REDIRECT) last = Math.max(last, own);
    }
    const redirecting = new Set<PageRule>();
    pageRules.forEach((rule, index) => {
      if (!this.converted.has(rule.id)) return;
      const hiding = this.rulesOf(rule).length === 0 ? this.hiding(index) : undefined;
      if (hiding !== undefined) {
        this.hidden.push(or([not(this.atomOf(rule.pattern)), this.atomOf(hiding.pattern)]));
        // It never applies, so whoever leaves out what hides it leaves it out too.
        if (redirectsAll(rule)) redirecting.add(rule);
        return;
      }
      // A request that a stronger rule redirects ends there: as all others are left out, some of these is the first to match.
      const applies = this.first(index, (one) => !redirecting.has(one));
      const isRedirect = redirectsAll(rule);
      const isSecure = rule.settings.some(({ id }) => id === "always_use_https");
      const redirects = isRedirect ? applies : isSecure ? and([applies, this.formulaOf("not ssl")]) : FALSE;
      const apart = this.apartFrom(index);
      const own = this.rulesOf(rule, REDIRECT).map(({ expression }) => this.formulaOf(expression));
      if (!this.areEqual(or(own), redirects, apart)) this.leaveOpen(rule);
      else if (isRedirect && !this.found.has(rule.id)) redirecting.add(rule);
      if (!this.areSettingsEqual(rule, applies, apart)) this.leaveOpen(rule);
    });
  }

  /** Whether each setting has a rule that applies when it did, and each rule a setting. */
  private areSettingsEqual(rule: PageRule, applies: Formula, known: readonly Formula[]): boolean {
    const settings = rule.settings.flatMap(({ id, value }) => {
      const { phase, parameters, when } = findSetting(id) ?? {};
      if (phase === undefined || phase === REDIRECT || Object.keys(parameters?.(value) ?? {}).length === 0) return [];
      const extra = when?.(value) ?? "";
      return [{ phase, applies: extra === "" ? applies : and([applies, this.formulaOf(extra)]) }];
    });
    const rules = this.rulesOf(rule).filter(({ phase }) => phase !== REDIRECT);
    const isSame = (one: NewRule, setting: (typeof settings)[number]): boolean =>
      one.phase === setting.phase && this.areEqual(this.formulaOf(one.expression), setting.applies, known);
    return (
      settings.every((setting) => rules.some((one) => isSame(one, setting))) &&
      rules.every((one) => settings.some((setting) => isSame(one, setting)))
    );
  }

  /** Where a page rule applies: its pattern, and none of a stronger rule. Patterns that no URL matches together may be left out. */
  private first(index: number, isLeftOut: (stronger: PageRule) => boolean = () => true): Formula {
    const { pageRules } = this.old;
    const pattern = pageRules[index]?.pattern;
    if (pattern === undefined) return FALSE;
    const some = pageRules.slice(0, index).filter(isLeftOut);
    const stronger = some.flatMap((one) => this.exclusionOf(one.pattern, pattern));
    return and([this.atomOf(pattern), ...stronger]);
  }

  private exclusionOf(stronger: UrlPattern, pattern: UrlPattern): readonly Formula[] {
    return canMeet(stronger, pattern) || !this.patterns.areApart(stronger, pattern) ? [not(this.atomOf(stronger))] : [];
  }

  /** That no URL matches a page rule and a stronger one whose patterns are apart. */
  private apartFrom(index: number): readonly Formula[] {
    const { pageRules } = this.old;
    const pattern = pageRules[index]?.pattern;
    if (pattern === undefined) return [];
    const apart = pageRules.slice(0, index).filter((one) => this.exclusionOf(one.pattern, pattern).length === 0);
    return [or([not(this.atomOf(pattern)), and(apart.map((one) => not(this.atomOf(one.pattern))))])];
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
      const applies = and([or(lockdown.patterns.map((one) => this.atomOf(one))), ...others, isProtected]);
      const isListed = this.formulaOf(`ip.src in {${lockdown.addresses.join(" ")}}`);
      allowed.push(and([applies, isListed]));
      const own = this.rulesOf(lockdown).map(({ expression }) => this.formulaOf(expression));
      if (!this.areEqual(or(own), and([applies, not(isListed)]), [])) this.leaveOpen(lockdown);
      if (isTied) this.leaveOpen(lockdown, TIED);
    });
    for (const agent of userAgents) {
      const isOfAgent = this.formulaOf(`http.user_agent eq ${quoted(agent.agent)}`);
      const wanted = and([isOfAgent, ...allowed.map(not)]);
      const own = this.rulesOf(agent).map(({ expression }) =>
        and([isOfAgent, this.agentFormula(expression, agent.agent)]),
      );
      if (!this.areEqual(or(own), wanted, [])) this.leaveOpen(agent);
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
    return condition === undefined ? FALSE : this.translate(condition, (one) => (isNamed(one) ? TRUE : undefined));
  }

  private outsideOf(stronger: Lockdown, lockdown: Lockdown): readonly Formula[] {
    const isApart = stronger.patterns.every((one) =>
      lockdown.patterns.every((other) => !canMeet(one, other) && this.patterns.areApart(one, other)),
    );
    return isApart ? [] : [not(or(stronger.patterns.map((one) => this.atomOf(one))))];
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
        this.atomOf(limit.pattern),
        ...(methods === undefined ? [] : [this.formulaOf(`http.request.method in {${methods}}`)]),
        ...limit.bypass.map((one) => not(this.atomOf(one))),
        isProtected,
      ]);
      const own = this.rulesOf(limit).map(({ expression }) => this.formulaOf(expression));
      if (!this.areEqual(or(own), wanted, [])) this.leaveOpen(limit);
      if (isTied) this.leaveOpen(limit, TIED);
    }
  }

  private areEqual(one: Formula, other: Formula, known: readonly Formula[]): boolean {
    const { context } = this;
    if (context.keys.of(one) === context.keys.of(other)) return true;
    const facts = [...this.hidden, ...known];
    return context.isImpossible(one, not(other), ...facts) && context.isImpossible(other, not(one), ...facts);
  }

  private atomOf(pattern: UrlPattern): Formula {
    const condition = filterOf(conditionOf(pattern));
    const key = condition === undefined ? conditionOf(pattern) : keyOf(condition);
    const known = this.atoms.get(key) ?? this.fact(key);
    this.atoms.set(key, known);
    return known;
  }

  private fact(key: string): Formula {
    return numberLiteral(this.context.terms.opaque(key), [[1n, 1n]]);
  }

  private formulaOf(expression: string): Formula {
    const condition = filterOf(expression);
    return condition === undefined ? this.fact(expression) : this.translate(condition);
  }

  /** A condition in which patterns, and all that is no `and`, `or` or `not`, are single facts. */
  private translate(condition: Condition, known: (one: Condition) => Formula | undefined = () => undefined): Formula {
    const own = known(condition) ?? this.atoms.get(keyOf(condition));
    if (own !== undefined) return own;
    if (condition.kind === "group") return this.translate(condition.of, known);
    if (condition.kind === "not") return not(this.translate(condition.of, known));
    if (condition.kind === "combination" && condition.op !== "xor") {
      const items = condition.items.map((item) => this.translate(item, known));
      return condition.op === "and" ? and(items) : or(items);
    }
    return this.fact(keyOf(condition));
  }
}

/** The text of a condition without the parentheses around it. */
function keyOf(condition: Condition): string {
  return condition.kind === "group" ? keyOf(condition.of) : printCondition(condition);
}
