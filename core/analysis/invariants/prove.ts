import type { Condition } from "../../language/index.js";
import { usesOf } from "../../language/uses.js";
import type { ZoneInput } from "../../simulator/input.js";
import type { RulesetInput } from "../../simulator/ruleset-input.js";
import { AnalysisContext } from "../analysis-context.js";
import { filterOf } from "../filter.js";
import { askFrom } from "../from-now.js";
import { findReaching } from "../compare/reaching.js";
import { RulesVersion } from "../compare/rules-version.js";
import type { Formula } from "../formula/formula.js";
import { ListResolver, listsIn } from "../formula/known-lists.js";
import { Translator } from "../formula/translate.js";
import { withOwnExecutions } from "../program/executions.js";
import { fieldsOf } from "../program/phase-fields.js";
import { readRulesets } from "../program/rule.js";
import { stepsOf, type Step } from "../program/steps.js";
import { factsOfZone, hostsOfZone, isHostOf, rulesetsOfZone } from "../zones.js";
import { escapesFrom, type Escape } from "./escapes.js";
import { Experiment, hostOf, missingRuleset, SCOPE_PHASE, type Shown } from "./experiment.js";
import { isMissing } from "./requirement.js";
import type { Invariant, Open } from "./invariant.js";

export interface ProveInput {
  /** All rulesets that requests of the zone meet: entry points of the account and the zone, and custom rulesets. */
  readonly rulesets: readonly RulesetInput[];
  readonly zone?: ZoneInput;
  readonly invariants: readonly Invariant[];
  /** The host of example requests, where nothing decides it. @default the name of the zone, or "www.example.com" */
  readonly host?: string;
  /**
   * In seconds since 1970: only requests from then on count, so that a rule that applies since a time is not violated by what was
   * before. @default any time
   */
  readonly now?: number;
  /** Limit of the search for each invariant, in single steps; what is not decided by then is unknown. @default 5,000,000 */
  readonly steps?: number;
}

/**
 * `proved`: no request misses what is required. `violated`: the given request does, as the simulator confirms. `unknown`: neither
 * is certain.
 */
export type Proof =
  | {
      readonly verdict: "proved";
      /** Set if there are no such requests, so that nothing is said about any. */
      readonly isVacuous?: true;
    }
  | ({ readonly verdict: "violated" } & Shown)
  | { readonly verdict: "unknown"; readonly open: readonly Open[] };

/**
 * Proves what must hold for all requests of a zone, or finds a request that shows that it does not hold. Makes no requests. What
 * managed rulesets stop is not known here: it neither counts as stopped nor as allowed.
 *
 * @returns one proof for each invariant
 * @throws TypeError if `requests` of an invariant is not a valid filter
 *
 * @example
 * prove({
 *   rulesets,
 *   invariants: [{ requests: 'starts_with(http.request.uri.path, "/admin")', must: { kind: "be-stopped" } }],
 * }); // [{ verdict: "violated", text: "GET https://www.example.com/admin…: allowed", … }]
 */
export function prove({ rulesets, zone = {}, invariants, host, now, steps = 5_000_000 }: ProveInput): readonly Proof[] {
  const context = new AnalysisContext(steps * Math.max(1, invariants.length));
  askFrom(
    now,
    context,
    rulesets,
    invariants.map(({ requests }) => requests),
  );
  const read = rulesetsOfZone(withOwnExecutions(readRulesets(rulesets)), zone.id);
  const all = stepsOf(read, context, { isComplete: true });
  const version = new RulesVersion("after", all);
  const translator = new Translator(context.terms, fieldsOf(SCOPE_PHASE, {}));
  const known = factsOfZone(zone).flatMap((fact) => {
    const condition = filterOf(fact);
    return condition === undefined ? [] : [translator.translate(condition)];
  });
  const filters: Filters = {
    isNormalised: translator.translate(NORMALISED),
    ...(zone.name === undefined ? {} : { ownHost: ownHost(zone.name, translator) }),
  };
  const lists = listsIn(rulesets);
  const resolver = new ListResolver(lists);
  return invariants.map((invariant) => {
    const written = filterOf(invariant.requests);
    if (written === undefined) throw new TypeError(`requests must be a filter: ${invariant.requests}`);
    const condition = resolver.resolve(written);
    const fields = [...all.flatMap(({ rule }) => rule.condition ?? []), condition].map((one) =>
      usesOf({ kind: "filter", condition: one }),
    );
    const experiment = new Experiment(invariant, {
      ...{ rulesets, zone, host, now, lists },
      uses: new Set(fields.flatMap((uses) => Array.from(uses.fields))),
    });
    const requests = [...known, translator.translate(condition)];
    const search = new Search(context, version, experiment, requests, filters);
    return search.run(invariant, all, rulesets, steps);
  });
}

/** A path as normalisation leaves it. */
const NORMALISED = filterOf(
  ["//", "/./", "/../", "%"].map((part) => `not http.request.uri.path contains "${part}"`).join(" and "),
) as Condition;

/** What a request that is shown had better be. */
interface Filters {
  readonly isNormalised: Formula;
  /** That it is for a host of the zone. */
  readonly ownHost?: { readonly formula: Formula; readonly zoneName: string };
}

function ownHost(zoneName: string, translator: Translator): Filters["ownHost"] {
  const condition = filterOf(hostsOfZone(zoneName));
  return condition === undefined ? undefined : { formula: translator.translate(condition), zoneName };
}

/** The search for a request that misses what is required. */
class Search {
  private readonly open = new Map<string, Open>();

  constructor(
    private readonly context: AnalysisContext,
    private readonly version: RulesVersion,
    private readonly experiment: Experiment,
    private readonly requests: readonly Formula[],
    private readonly filters: Filters,
  ) {}

  run({ must }: Invariant, all: readonly Step[], rulesets: readonly RulesetInput[], steps: number): Proof {
    const { version } = this;
    const escapes = escapesFrom(must, version);
    // Rules whose effect is not known had better not matter to the request.
    const certain = all.flatMap(({ acts, ends }) => (acts === undefined ? [] : [acts, ends]));
    for (const escape of certain.length === 0 ? [] : escapes) {
      const shown = this.find({ ...escape, when: [...escape.when, ...certain] }, steps);
      if (shown === "none") continue;
      if (shown !== undefined) return this.violated(shown, rulesets);
    }
    this.open.clear();
    for (const escape of escapes) {
      const shown = this.find(escape, steps);
      if (shown === "none") continue;
      if (shown !== undefined) return this.violated(shown, rulesets);
    }
    for (const one of this.missing()) this.open.set(one.why, one);
    const others = partsOf(rulesets);
    if (this.open.size === 0 && others.length === 0) {
      const isVacuous = this.context.decide(...this.requests) === "unsat";
      return { verdict: "proved", ...(isVacuous ? { isVacuous } : {}) };
    }
    return { verdict: "unknown", open: [...this.open.values(), ...others] };
  }

  /** Rulesets that such requests may meet and that are not given: their rules may skip others. */
  private missing(): readonly Open[] {
    return this.version.steps.flatMap(({ effect, rule, guard }) => {
      if (effect.kind !== "managed" || !isMissing(rule.place.phase)) return [];
      return this.context.isImpossible(...this.requests, guard) ? [] : [missingRuleset(rule.place, effect.ruleset)];
    });
  }

  private violated(shown: Shown, rulesets: readonly RulesetInput[]): Proof {
    const others = partsOf(rulesets);
    return others.length === 0 ? { verdict: "violated", ...shown } : { verdict: "unknown", open: others };
  }

  /** The request that takes a way; "none" if there is none, and undefined if that is not decided. */
  private find({ target, when }: Escape, steps: number): Shown | "none" | undefined {
    const { context, version, experiment, filters } = this;
    const how = { repeats: target?.over !== undefined };
    // The solver knows paths as texts: where the one that it finds is not normalised, there may be another one that is.
    for (const conditions of [when, [...when, filters.isNormalised]]) {
      const answer = findReaching([[version, target]], [...this.requests, ...conditions], context);
      if (answer.kind === "unsat") return conditions === when ? "none" : undefined;
      if (answer.kind !== "sat") break;
      const { shown, open } = experiment.try(answer.model, how);
      if (shown !== undefined) return this.atOwnHost(shown, conditions, target);
      if (conditions !== when) return undefined;
      for (const one of open) this.open.set(one.why, one);
    }
    const why =
      target === undefined
        ? "whether such a request reaches the origin was not decided"
        : `whether such a request reaches ${target.rule.place.name} was not decided`;
    this.open.set(why, {
      why,
      decidedBy: `simpler expressions; the search was given up after ${String(steps)} steps`,
    });
    return undefined;
  }

  /** What is shown, for a host of the zone if there is such a request. */
  private atOwnHost(shown: Shown, conditions: readonly Formula[], target: Escape["target"]): Shown {
    const { ownHost } = this.filters;
    if (ownHost === undefined || isHostOf(ownHost.zoneName, hostOf(shown))) return shown;
    const answer = findReaching(
      [[this.version, target]],
      [...this.requests, ...conditions, ownHost.formula],
      this.context,
    );
    if (answer.kind !== "sat") return shown;
    return this.experiment.try(answer.model, { repeats: target?.over !== undefined }).shown ?? shown;
  }
}

/** Rulesets with rules of others, which are not given. */
function partsOf(rulesets: readonly RulesetInput[]): readonly Open[] {
  return rulesets
    .filter(({ isPart }) => isPart === true)
    .map(({ phase }) => ({
      why: `others have rules in the shared ruleset of ${phase}, and these are not given`,
      decidedBy: "proving it for the zone, with --zone",
    }));
}
