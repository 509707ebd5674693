import { makeRequest, type RequestInput } from "../../language/index.js";
import { compileProgram, type Program } from "../../simulator/index.js";
import { managedRulesetWords } from "../../simulator/managed-rulesets.js";
import type { RulesetInput } from "../../simulator/ruleset-input.js";
import type { Budget } from "../solve/budget.js";
import type { Model } from "../solve/model.js";
import { buildRequest } from "../witness/build-request.js";
import { describeRequest } from "../witness/describe-request.js";
import { difference, type Treatment } from "./treatment.js";
import type { CompareWitness } from "./result.js";

export interface Programs {
  readonly before: Program;
  readonly after: Program;
}

/** Compiles both versions; undefined if an expression is invalid, so that no request can be run. */
export function compileBoth(before: readonly RulesetInput[], after: readonly RulesetInput[]): Programs | undefined {
  try {
    return { before: compileProgram(before, after), after: compileProgram(after, before) };
  } catch {
    return undefined;
  }
}

/** What one rule costs that a request is run through, in steps of the search. */
const STEPS_PER_RULE = 8;

/** Builds requests from models, and runs them through both versions. */
export class Confirmer {
  constructor(
    private readonly programs: () => Programs | undefined,
    private readonly zone: string | undefined,
    /** Fields that the rules read. */
    private readonly readFields: ReadonlySet<string>,
    /** How often a request is sent to exceed a rate limit. */
    private readonly repeats: number,
    private readonly budget: Budget,
  ) {}

  /** The request of a model, if its outcome really changes. */
  confirm(model: Model, isLimited: boolean): CompareWitness | undefined {
    const { zone } = this;
    const programs = this.programs();
    const input = this.realise(model);
    if (programs === undefined || input === undefined) return undefined;
    const request = makeRequest(input);
    const found = difference(request, programs, { zone, repeats: isLimited ? this.repeats : 0 });
    const { before, after, direction, sent } = found;
    this.budget.spend(sent * rulesIn(programs) * STEPS_PER_RULE);
    if (direction === "same" || direction === "unknown") return undefined;
    return {
      request,
      input,
      zone,
      before,
      after,
      direction,
      text: `${describeRequest(input)}: ${describeTreatments(before, after)}`,
    };
  }

  private realise(model: Model): RequestInput | undefined {
    try {
      return buildRequest(model, this.readFields);
    } catch {
      // No request can have such values.
      return undefined;
    }
  }
}

/** The average number of rules in both versions. */
function rulesIn({ before, after }: Programs): number {
  return [...before.rulesets, ...after.rulesets].reduce((sum, { rules }) => sum + rules.length, 0) / 2;
}

/** What happens to a request in both versions, in words. */
export function describeTreatments(before: Treatment, after: Treatment): string {
  const [from, to] = [showTreatment(before), showTreatment(after)];
  if (from !== to) return `${from} → ${to}`;
  const lost = before.managed.filter((one) => !after.managed.includes(one)).map(idOf);
  const won = after.managed.filter((one) => !before.managed.includes(one)).map(idOf);
  const changes = [
    ...won.filter((id) => lost.includes(id)).map((id) => `${managedRulesetWords(id)} with other overrides`),
    ...lost.filter((id) => !won.includes(id)).map((id) => `no longer seen by ${managedRulesetWords(id)}`),
    ...won.filter((id) => !lost.includes(id)).map((id) => `seen by ${managedRulesetWords(id)}`),
    ...after.skipped.filter((one) => !before.skipped.includes(one)).map((one) => `without ${one}`),
    ...before.skipped.filter((one) => !after.skipped.includes(one)).map((one) => `with ${one}`),
  ];
  return `${from} → ${to}, ${changes.length === 0 ? "but not in the same way" : changes.join(", ")}`;
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
