import { makeRequest, type HttpRequest, type RequestInput } from "../../language/index.js";
import { managedRulesetWords } from "../../simulator/managed-rulesets.js";
import type { Skipped } from "../order/skips.js";
import type { Budget } from "../solve/budget.js";
import type { Model } from "../solve/model.js";
import { buildRequest, type RequestUses } from "../witness/build-request.js";
import { describeRequest } from "../witness/describe-request.js";
import { difference, differenceOverTime, shows, type Difference, type Treatment } from "./treatment.js";
import type { LimitTests } from "./rate-limits.js";
import type { Assumptions, PossiblePrograms, Programs } from "./compile.js";
import type { Change, CompareWitness } from "./result.js";

/** What one rule costs that a request is run through, in steps of the search. */
const STEPS_PER_RULE = 8;

/** What requests are run with. */
interface Surroundings {
  readonly limits: LimitTests;
  /** Whether something that a skip rule skips may still act, because its rules are not given. */
  readonly isElsewhere: (skipped: Skipped) => boolean;
  /** The host of requests, where rules leave it open. */
  readonly host: string | undefined;
  /** The time that goes without saying, in seconds since 1970. */
  readonly now: number | undefined;
  readonly budget: Budget;
}

/** How a request is sent. */
interface HowToSend {
  /** Whether it may exceed a rate limit. */
  readonly isLimited: boolean;
  readonly wanted: readonly Change[];
}

/** A request whose outcome changes, or why there is none. */
interface Confirmation {
  readonly witness?: CompareWitness;
  readonly why?: string;
}

/** With more rules that are not fully known, it is not determined which of them matter. */
const MOST_OPAQUE = 16;

/** Builds requests from models, and runs them through both versions. */
export class Confirmer {
  constructor(
    private readonly programs: PossiblePrograms,
    private readonly zone: string | undefined,
    /** What the rules read. */
    private readonly uses: RequestUses,
    private readonly surroundings: Surroundings,
  ) {}

  /** The request of a model, if its outcome really changes, preferably in one of the wanted directions. */
  confirm(model: Model, how: HowToSend): Confirmation {
    const { host } = this.surroundings;
    const first = this.confirmFor(model, host, how);
    // The model may rely on the usual host.
    return first.witness === undefined && host !== undefined ? this.confirmFor(model, undefined, how) : first;
  }

  private confirmFor(model: Model, host: string | undefined, how: HowToSend): Confirmation {
    const input = this.realise(model, host);
    if (input === undefined) return { why: "no request has the values that would show it" };
    const request = makeRequest(input);
    const assumptions = this.programs.assumptionsIn(model);
    const found = this.run(request, assumptions, how);
    if (found === undefined) return {};
    const shown = found.also !== undefined && how.wanted.includes(found.also) ? found.also : found.direction;
    const needed = this.neededFor(shown, request, assumptions, how);
    const needs = new Set(needed.map(({ key }) => key));
    // What is not known of a rule, and changes, decides nothing where the rule acts alike in both versions.
    const changed = needed.filter(({ isKept, key, other }) => {
      return !isKept && (other === undefined || (needs.has(other) && assumptions.get(other) !== assumptions.get(key)));
    });
    if (changed.length > 0) return { why: `it depends on what is not known here of ${namesOf(changed)}` };
    const given = new Set(
      needed.map(({ key, name }) => `${name} ${assumptions.get(key) === true ? "matches" : "does not match"}`),
    );
    const text = `${describeRequest(input, { now: this.surroundings.now })}: ${describeTreatments(found.before, found.after)}${found.how}`;
    return {
      witness: {
        request,
        input,
        zone: this.zone,
        before: found.before,
        after: found.after,
        direction: found.direction,
        ...(found.also === undefined ? {} : { also: found.also }),
        text: given.size === 0 ? text : `${text}, if ${Array.from(given).join(" and ")}`,
      },
    };
  }

  /** The rules that are not fully known and without which the request would not show the direction. */
  private neededFor(direction: Change, request: HttpRequest, assumptions: Assumptions, how: HowToSend) {
    const { opaque } = this.programs;
    if (opaque.length > MOST_OPAQUE) return opaque;
    return opaque.filter(({ key }) => {
      const others = new Map(assumptions).set(key, assumptions.get(key) !== true);
      const found = this.run(request, others, { ...how, wanted: [direction] });
      return found === undefined || !shows(found, [direction]);
    });
  }

  private run(request: HttpRequest, assumptions: Assumptions, { isLimited, wanted }: HowToSend) {
    const { limits, isElsewhere, budget } = this.surroundings;
    const programs = this.programs.under(assumptions);
    if (programs === undefined) return undefined;
    const options = { zone: this.zone, isElsewhere, repeats: isLimited ? limits.repeats : 0 };
    const tries = [
      () => ({ ...difference(request, programs, options), how: "" }),
      ...(isLimited ? limits.schedules : []).map(({ words, times }) => () => {
        return { ...differenceOverTime(request, programs, { ...options, times, wanted }), how: ` (${words})` };
      }),
    ];
    let first: (Omit<Difference, "sent" | "direction"> & { direction: Change; how: string }) | undefined;
    for (const attempt of tries) {
      const { sent, direction, ...found } = attempt();
      budget.spend(sent * rulesIn(programs) * STEPS_PER_RULE);
      if (direction === "same" || direction === "unknown") continue;
      first ??= { ...found, direction };
      if (shows({ ...found, direction }, wanted)) return { ...found, direction };
    }
    return first;
  }

  private realise(model: Model, host: string | undefined): RequestInput | undefined {
    try {
      return buildRequest(model, this.uses, host);
    } catch {
      // No request can have such values.
      return undefined;
    }
  }
}

function namesOf(rules: readonly { readonly name: string }[]): string {
  return Array.from(new Set(rules.map(({ name }) => name))).join(", ");
}

/** The average number of rules in both versions. */
function rulesIn({ before, after }: Programs): number {
  return [...before.rulesets, ...after.rulesets].reduce((sum, { rules }) => sum + rules.length, 0) / 2;
}

/** What happens to a request in both versions, in words. */
function describeTreatments(before: Treatment, after: Treatment): string {
  const [from, to] = [showTreatment(before), showTreatment(after)];
  if (from !== to) return `${from} → ${to}`;
  const [was, is] = [before.rule?.action, after.rule?.action];
  if (was !== undefined && is !== undefined && was !== is) return `${from} (${was}) → ${to} (${is})`;
  const lost = before.managed.filter((one) => !after.managed.includes(one)).map(idOf);
  const won = after.managed.filter((one) => !before.managed.includes(one)).map(idOf);
  const changes = [
    ["without", ...[...minus(lost, won).map(managedRulesetWords), ...minus(after.skipped, before.skipped)]],
    ["with", ...[...minus(won, lost).map(managedRulesetWords), ...minus(before.skipped, after.skipped)]],
    ["with other overrides of", ...won.filter((id) => lost.includes(id)).map(managedRulesetWords)],
  ].flatMap(([how = "", ...what]) => (what.length === 0 ? [] : [`${how} ${inList(what)}`]));
  return `${from} as before, ${changes.length === 0 ? "but in another way" : `now ${changes.join(", ")}`}`;
}

function minus(all: readonly string[], others: readonly string[]): readonly string[] {
  return all.filter((one) => !others.includes(one));
}

/** `a, b and c`. */
function inList(words: readonly string[]): string {
  return [words.slice(0, -1).join(", "), ...words.slice(-1)].filter((part) => part !== "").join(" and ");
}

function idOf(managed: string): string {
  return managed.slice(0, managed.indexOf(" "));
}

function showTreatment({ outcome, rule, passes }: Treatment): string {
  const by = rule === undefined ? "" : ` by ${rule.name}`;
  return passes === undefined
    ? `${outcome}${by}`
    : `${outcome}${by} after ${String(passes)} ${passes === 1 ? "request" : "requests"}`;
}
