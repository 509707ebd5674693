import { and, FALSE, not, TRUE, type Formula } from "../formula/formula.js";
import { isAtLeastAsStrict } from "../order/order.js";
import { orderOfOverrides } from "../order/overrides.js";
import { isSkippedWith, listSkipped, type Skipped } from "../order/skips.js";
import { rewrites } from "../program/phase-fields.js";
import { mayDoAnything } from "../program/rule.js";
import type { Step } from "../program/steps.js";
import { stable, wireName } from "../program/stable.js";
import type { AnalysisContext } from "../analysis-context.js";
import type { ChangedSteps } from "./align.js";
import type { Confirmer } from "./confirm.js";
import { flippedOrders } from "./managed-order.js";
import { DECIDES_RAW, rawChange } from "./raw-changes.js";
import {
  coverLimits,
  exceedsBoth,
  findLaterLimit,
  OTHER_MOMENTS,
  type Counting,
  type LimitPair,
} from "./rate-limits.js";
import { findReaching, type Destination } from "./reaching.js";
import { settingLosses } from "./settings-changes.js";
import { byRank, rankOf } from "./treatment.js";
import { urlChanges } from "./url-changes.js";
import type { Change, Evidence } from "./result.js";
import type { RulesVersion } from "./rules-version.js";

const DIRECTIONS: readonly Change[] = ["stricter", "looser", "other"];

interface Tools {
  readonly world: AnalysisContext;
  readonly confirmer: Confirmer;
  readonly evidence: Evidence;
  /** Whether something that a skip rule skips may still act, because its rules are not given. */
  readonly isElsewhere: (skipped: Skipped) => boolean;
  /** Whether the rulesets have other rules that are not given. */
  readonly isPart: boolean;
  /** Whether rules are given that see what a step makes of a request. */
  readonly hasLaterRules: (step: Step) => boolean;
  /** The managed rulesets that rules execute. */
  readonly managed: ReadonlySet<string>;
}

/**
 * Judges the changed rules of one zone. A request that reaches none of them, in either version, meets the same rules in the
 * same order and so has the same outcome: only requests that reach a changed rule need checking.
 */
export class ZoneComparison {
  /** Where one of the versions has several changed steps that change something. */
  private readonly crowdedSlots: ReadonlySet<number | undefined>;
  /** Changed rate limits for which the other version has one that is at least as strict. */
  private readonly coveredLimits: ReadonlyMap<Step, LimitPair>;
  /** What is known about changed rate limits of both versions. */
  private readonly limits: readonly Formula[];

  constructor(
    private readonly changed: ChangedSteps,
    private readonly versions: Readonly<Record<RulesVersion["name"], RulesVersion>>,
    private readonly tools: Tools,
  ) {
    this.crowdedSlots = new Set([...crowdedSlots(changed.before, changed), ...crowdedSlots(changed.after, changed)]);
    const [before, after] = (["before", "after"] as const).map((name) =>
      changed[name].filter(isLimit).map((step) => ({ step, version: versions[name] })),
    ) as [Counting[], Counting[]];
    const pairs = [...coverLimits(before, after, tools.world), ...coverLimits(after, before, tools.world)];
    this.coveredLimits = new Map(pairs.map((pair) => [pair.limit.step, pair]));
    this.limits = pairs.map(exceedsBoth);
  }

  judgeAll(): void {
    const { before, after } = this.versions;
    for (const step of this.changed.before) this.judge(step, before, after);
    for (const step of this.changed.after) this.judge(step, after, before);
  }

  private judge(step: Step, own: RulesVersion, other: RulesVersion): void {
    const { effect } = step;
    if (step.isApart || mayBeExecuted(step, own) || mayBeExecuted(step, other)) {
      // It is not known which requests its ruleset sees.
      const why = "which requests its ruleset sees is not known";
      for (const direction of DIRECTIONS) this.tools.evidence.leaveOpen(direction, step.rule.place, { why });
      return;
    }
    const raw = rawChange(step, this.changed, other);
    if (raw !== undefined) {
      for (const direction of DIRECTIONS)
        this.tools.evidence.leaveOpen(direction, step.rule.place, { why: raw, decidedBy: DECIDES_RAW });
    }
    const passed = passedUnknown(step, own, other);
    if (passed !== undefined) {
      const open = mayDoAnything(passed.rule)
        ? { why: `it no longer runs in the same order as ${passed.rule.place.name}, whose action is not known here` }
        : { why: PASSES, decidedBy: DECIDES_SKIPS };
      for (const direction of ["looser", "stricter"] as const)
        this.tools.evidence.leaveOpen(direction, step.rule.place, open);
    }
    switch (effect.kind) {
      case "nothing":
        return;
      case "skip":
        this.judgeSkip(step, own, other);
        return;
      case "managed":
        this.judgeManaged(step, own, other);
        return;
      case "change":
        this.judgeEffect(step, own, other);
        return;
      case "stop":
      case "unknown":
        this.judgeStop(step, own, other);
    }
  }

  /**
   * Finds what happens in the other version to requests that a changed rule stops: another rule stops them, or they reach the
   * origin.
   */
  private judgeStop(step: Step, own: RulesVersion, other: RulesVersion): void {
    const { evidence } = this.tools;
    const difference = this.differenceOf(step);
    if (step.over !== undefined) this.judgeCounting(step, own, other);
    const pair = this.coveredLimits.get(step);
    const cover = pair?.cover;
    const reaching = (target: Step | undefined): readonly Destination[] => [
      [own, step],
      [other, target],
    ];
    if (pair !== undefined && cover === "always" && !isAnsweredAlike(step, pair.other.step))
      this.search(step, reaching(pair.other.step), [difference], ["other"]);
    if (cover === "by-order" || cover === "where-seen")
      evidence.leaveOpen(lossIn(own), step.rule.place, { why: OTHER_MOMENTS, isByOrder: true });
    if (difference === FALSE || cover === "always" || cover === "by-order") return;
    const rank = rankOfStep(step);
    const wantedAt = (target: Step | undefined): readonly Change[] => {
      if (target?.effect.key === step.effect.key) return [];
      const targetRank = rankOfStep(target);
      const known = rank !== undefined && targetRank !== undefined;
      const possible = !known
        ? DIRECTIONS
        : [own.name === "before" ? byRank(rank, targetRank) : byRank(targetRank, rank)];
      return possible.filter((one) => !evidence.has(one) || (target === undefined && !evidence.isFull));
    };
    const searchAt = (target: Step | undefined): void => {
      const wanted = wantedAt(target);
      // Limits that answer alike only differ in when they do.
      const isAlike = target?.over !== undefined && step.over !== undefined && isAnsweredAlike(step, target);
      const possible = isAlike ? wanted.filter((one) => one !== "other") : wanted;
      if (wanted.length > 0) this.search(step, reaching(target), [difference], wanted, possible);
    };
    searchAt(undefined);
    // Mostly nothing is left to be shown after that, which one rule of each kind tells.
    if (other.kindsOfStops.every((some) => wantedAt(some).length === 0)) return;
    const { budget } = this.tools.world;
    for (const target of other.stops) {
      if (budget.isSpent) break;
      searchAt(target);
    }
    // What was not searched for stays open.
    if (budget.isSpent) for (const target of other.kindsOfStops) searchAt(target);
  }

  /** What a changed rate limit lets through is what later ones count. */
  private judgeCounting(step: Step, own: RulesVersion, other: RulesVersion): void {
    const later = findLaterLimit(step, own, other, this.tools.world);
    if (later === undefined) return;
    const why = `${later.rule.place.name} counts what it lets through, and so counts other requests than before`;
    for (const direction of ["stricter", "looser"] as const)
      this.tools.evidence.leaveOpen(direction, step.rule.place, { why });
  }

  /**
   * When a changed rule acts only in its own version. If the other one has the same rule, with other exceptions, both stop the
   * same requests unless one of those exceptions applies: no rule that differs comes between the same neighbours.
   */
  private differenceOf(step: Step): Formula {
    const counterpart = this.changed.counterparts.get(step);
    return counterpart?.skippedBy.someActs([step.skippedBy], this.tools.world.keys) ?? TRUE;
  }

  /**
   * A skip rule matters to requests that reach the origin, for what it skips elsewhere. The rules here that it skips have changed
   * with it.
   */
  private judgeSkip(step: Step, own: RulesVersion, other: RulesVersion): void {
    const direction = own.name === "before" ? "stricter" : "looser";
    for (const skipped of this.skippedElsewhere(step)) {
      if (this.tools.evidence.has(direction)) return;
      const covering = other.skips.filter(
        (one) => one.rule.input.opaque === step.rule.input.opaque && isSkippedWith(skipped, this.skippedElsewhere(one)),
      );
      this.judgeLoss(step, covering, direction, [own, other]);
    }
  }

  private skippedElsewhere({ effect }: Step): readonly Skipped[] {
    if (effect.kind !== "skip") return [];
    const { isElsewhere, managed } = this.tools;
    const isManaged = (one: Skipped): boolean => one.kind === "rule" && managed.has(one.ruleset);
    return listSkipped(effect.target).filter((one) => isElsewhere(one) || isManaged(one));
  }

  /** The rules of a managed ruleset are not known; those that run in the other version may be as strict or stricter. */
  private judgeManaged(step: Step, own: RulesVersion, other: RulesVersion): void {
    const direction = lossIn(own);
    if (mayHaveSkips(step))
      this.tools.evidence.leaveOpen(lossIn(other), step.rule.place, { why: MAY_SKIP, decidedBy: DECIDES_SKIPS });
    const covering = other.steps.filter((one) => isAtLeastAsStrictAs(one, step));
    this.judgeLoss(step, covering, direction, [own, other]);
    for (const { step: by, directions } of flippedOrders(step, own, other, this.tools.world)) {
      const why = `it no longer runs in the same order as ${by.rule.place.name}, and both may stop the same request`;
      for (const one of directions) this.tools.evidence.leaveOpen(one, step.rule.place, { why });
    }
  }

  /** Searches for a request on which a step acts in its version, and none that does as much in the other one. */
  private judgeLoss(
    step: Step,
    covering: readonly Step[],
    direction: Change,
    [own, other]: readonly [RulesVersion, RulesVersion],
  ): void {
    const more = [step.guard, ...covering.map(({ guard }) => not(guard))];
    this.search(step, atOrigin(own, other), more, [direction]);
  }

  /** A rule that changes something and stops nothing only matters to requests that reach the origin. */
  private judgeEffect(step: Step, own: RulesVersion, other: RulesVersion): void {
    const { evidence, isPart, world } = this.tools;
    this.judgeSettings(step, own, other);
    const changes = isPart ? undefined : urlChanges(step, own, other, world);
    if (changes !== undefined) {
      for (const change of changes) {
        if (evidence.has("other")) break;
        this.search(step, atOrigin(own, other), [change], ["other"]);
      }
      this.judgeUnseen(step, changes);
      return;
    }
    const same = other.withEffectOf(step);
    const [only] = same;
    const isKept = only !== undefined && same.length === 1 && this.isInPlace(step, only);
    const more = [step.guard, ...(isKept ? [not(only.guard)] : [])];
    this.search(step, atOrigin(own, other), more, ["other"]);
    if (rewritesUrl(step)) this.judgeUnseen(step, [and(more)]);
  }

  /** What rules that are not given do to a rewritten URL is not known. */
  private judgeUnseen(step: Step, changes: readonly Formula[]): void {
    const { evidence, hasLaterRules, world } = this.tools;
    if (hasLaterRules(step) || changes.every((change) => world.solve(change).kind === "unsat")) return;
    for (const direction of ["looser", "stricter"] as const)
      evidence.leaveOpen(direction, step.rule.place, { why: UNSEEN, decidedBy: DECIDES_UNSEEN });
  }

  private judgeSettings(step: Step, own: RulesVersion, other: RulesVersion): void {
    const { evidence, world } = this.tools;
    for (const direction of ["looser", "stricter"] as const) {
      for (const { setting, when } of settingLosses(step, own, other, direction)) {
        if (world.solve(...when).kind === "unsat") continue;
        const why = `it changes the setting ${wireName(setting)} of the zone, which stops requests`;
        evidence.leaveOpen(direction, step.rule.place, { why, decidedBy: DECIDES_SETTING });
      }
    }
  }

  /** Whether both steps are between the same unchanged steps, so that the same changes overwrite each other. */
  private isInPlace(step: Step, other: Step): boolean {
    const slot = this.changed.slots.get(step);
    return slot === this.changed.slots.get(other) && !this.crowdedSlots.has(slot);
  }

  /** Whether a part of a rule, in one of the versions, is not known here. */
  private isHidden({ rule: { place, input } }: Step): boolean {
    const { before, after } = this.changed;
    const isSame = (one: Step): boolean => place.ref !== undefined && one.rule.place.ref === place.ref;
    return (
      input.opaque !== undefined ||
      [...before, ...after].some((one) => isSame(one) && one.rule.input.opaque !== undefined)
    );
  }

  /**
   * Searches for a request, and runs it through both versions. What is neither shown nor ruled out stays open.
   * @param possible the directions that it may show, if others are only searched for what they also show
   */
  private search(
    step: Step,
    destinations: readonly Destination[],
    more: readonly Formula[],
    wanted: readonly Change[],
    possible = wanted,
  ): void {
    const { world, confirmer, evidence } = this.tools;
    const isLimited = step.over !== undefined || destinations.some(([, target]) => target?.over !== undefined);
    const answer = findReaching(destinations, isLimited ? [...more, ...this.limits] : more, world);
    if (answer.kind === "unsat") return;
    const found = answer.kind === "sat" ? confirmer.confirm(answer.model, { isLimited, wanted }) : {};
    if (found.witness !== undefined) evidence.add(found.witness);
    const isHidden = this.isHidden(step) ? ({ isHidden: true } as const) : {};
    for (const direction of possible) evidence.leaveOpen(direction, step.rule.place, { why: found.why, ...isHidden });
  }
}

/** That a request reaches the origin in both versions. */
function atOrigin(...versions: readonly RulesVersion[]): readonly Destination[] {
  return versions.map((version) => [version, undefined]);
}

const UNSEEN = "what rules of later phases, which are not given, do to the URL that it makes is not known here";
const DECIDES_UNSEEN = "`npx pulumi-rulesets rules diff` with the rules of all phases";
const DECIDES_SETTING = "the setting that the zone has where no rule changes it";

const MAY_SKIP =
  "the rules of the custom ruleset that it executes are not given, and skip rules among them may exempt requests";
const DECIDES_SKIPS = "`npx pulumi-rulesets rules diff` with that ruleset";

/** Whether a step executes a ruleset that may contain skip rules: those of these phases are not managed by Cloudflare. */
function mayHaveSkips({ phase }: Step): boolean {
  return phase === "http_request_firewall_custom" || phase === "http_ratelimit";
}

const PASSES = "it no longer runs in the same order as the rules of a custom ruleset, which are not given";

/**
 * A step that may skip others, as far as is known here, and that a rule comes before in one version and after in the other one. It may be
 * a rule whose action is not known, or run a custom ruleset that is not given.
 */
function passedUnknown(step: Step, own: RulesVersion, other: RulesVersion): Step | undefined {
  if (step.effect.kind === "nothing") return undefined;
  const maySkip = (one: Step): boolean =>
    one !== step && (mayDoAnything(one.rule) || (one.effect.kind === "managed" && mayHaveSkips(one)));
  const twins = other.withEffectOf(step);
  const isPassed = (one: Step): boolean =>
    other
      .withEffectOf(one)
      .some((same) => twins.some((twin) => own.isBefore(step, one) !== other.isBefore(twin, same)));
  return own.steps.filter(maySkip).find(isPassed);
}

/** Whether a step is in a custom ruleset that a rule of its phase may execute whose action is not known here. */
function mayBeExecuted({ ruleset, phase }: Step, { steps }: RulesVersion): boolean {
  if (ruleset.kind === "zone" || ruleset.kind === "root") return false;
  return steps.some((one) => one.phase === phase && mayDoAnything(one.rule));
}

function rewritesUrl({ rule }: Step): boolean {
  return rewrites(rule, "path") || rewrites(rule, "query");
}

function crowdedSlots(steps: readonly Step[], { slots }: ChangedSteps): readonly (number | undefined)[] {
  const seen = new Set<number | undefined>();
  return steps.flatMap((step) => {
    if (step.effect.kind !== "change") return [];
    const slot = slots.get(step);
    if (seen.has(slot)) return [slot];
    seen.add(slot);
    return [];
  });
}

/** How requests are treated that only one version stops. */
function lossIn({ name }: RulesVersion): "looser" | "stricter" {
  return name === "before" ? "looser" : "stricter";
}

function isLimit({ over, rule }: Step): boolean {
  return over !== undefined && !mayDoAnything(rule);
}

/** Whether two rate limits answer the requests that they stop in the same way. */
function isAnsweredAlike(...steps: readonly [Step, Step]): boolean {
  const [one, other] = steps.map(({ rule: { input } }) =>
    stable([input.action, input.actionParameters ?? input.action_parameters, input.opaque]),
  );
  return one === other;
}

/** Whether a step executes the same managed ruleset as another one, with overrides that are at least as strict. */
function isAtLeastAsStrictAs(one: Step, step: Step): boolean {
  return (
    one.effect.kind === "managed" &&
    step.effect.kind === "managed" &&
    one.phase === step.phase &&
    one.effect.ruleset === step.effect.ruleset &&
    one.effect.others === step.effect.others &&
    isAtLeastAsStrict(orderOfOverrides(step.effect.overrides, one.effect.overrides))
  );
}

/** Undefined if the effect of a rule is not known; the origin has the rank of "allowed". */
function rankOfStep(step: Step | undefined): number | undefined {
  if (step === undefined) return rankOf("allowed");
  return step.effect.kind === "stop" ? rankOf(step.effect.outcome, step.rule.place.action) : undefined;
}
