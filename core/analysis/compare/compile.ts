import { compileProgram, compileVersions, compilingOnce, type ProgramVersions } from "../../simulator/index.js";
import type { RulePlace } from "../../simulator/place.js";
import type { RuleInput, RulesetInput } from "../../simulator/ruleset-input.js";
import type { AnalysedRule } from "../program/rule.js";
import type { Step } from "../program/steps.js";
import type { Model } from "../solve/model.js";

/** Both versions, ready to run requests through. */
export type Programs = ProgramVersions;

/** A rule with a part that is not known here, in one of the versions or, unchanged, in both. */
interface OpaqueRule {
  readonly key: string;
  readonly name: string;
  /** Whether its unknown part is the same in both versions. */
  readonly isKept: boolean;
  /** The key of the same rule in the other version, where its unknown part differs. */
  readonly other?: string;
}

/** Which of the rules that are not fully known act on a request. */
export type Assumptions = ReadonlyMap<string, boolean>;

/** Compiles both versions, under assumptions about the rules that are not fully known. */
export class Compiler {
  private readonly compiled = new Map<string, Programs | undefined>();
  private readonly compileFilter = compilingOnce();

  constructor(
    private readonly before: readonly RulesetInput[],
    private readonly after: readonly RulesetInput[],
  ) {}

  /** The programs of a zone, whose steps tell which rules are not fully known. */
  forSteps(before: readonly Step[], after: readonly Step[]): PossiblePrograms {
    return new PossiblePrograms(
      [...before, ...after],
      { before: opaqueKeys(before), after: opaqueKeys(after) },
      (given) => this.compile(given),
    );
  }

  /** Undefined if an expression is invalid, so that no request can be run. */
  private compile(assumptions: Assumptions): Programs | undefined {
    const key = JSON.stringify(Array.from(assumptions).sort());
    if (this.compiled.has(key)) return this.compiled.get(key);
    const programs = this.tryCompile(assumptions);
    this.compiled.set(key, programs);
    return programs;
  }

  private tryCompile(assumptions: Assumptions): Programs | undefined {
    // A rule that acts on the request in question, or does not.
    const assumed = (rule: RuleInput): RuleInput => {
      if (rule.opaque === undefined) return rule;
      const known = isCompilable(rule) ? rule : { ...rule, actionParameters: {}, action_parameters: undefined };
      const acts = assumptions.get(rule.opaque);
      if (acts === undefined) return known;
      return acts ? { ...known, expression: known.expression ?? "true" } : { ...known, enabled: false };
    };
    const assume = (rulesets: readonly RulesetInput[]): readonly RulesetInput[] =>
      rulesets.map((ruleset) => ({ ...ruleset, rules: ruleset.rules.map(assumed) }));
    try {
      return compileVersions(assume(this.before), assume(this.after), this.compileFilter);
    } catch {
      return undefined;
    }
  }
}

/** Whether it is not known when a rule acts, or what it does. */
function isGuessed({ condition, effect }: AnalysedRule): boolean {
  return condition === undefined || effect.kind === "unknown";
}

function opaqueKeys(steps: readonly Step[]): ReadonlySet<string> {
  return new Set(steps.flatMap(({ rule }) => (isGuessed(rule) ? (rule.input.opaque ?? []) : [])));
}

function isCompilable(rule: RuleInput): boolean {
  try {
    compileProgram([{ kind: "zone", phase: "", rules: [{ ...rule, expression: "true" }] }]);
    return true;
  } catch {
    return false;
  }
}

/** The programs of both versions for every assumption about their rules. */
export class PossiblePrograms {
  readonly opaque: readonly OpaqueRule[];

  constructor(
    private readonly steps: readonly Step[],
    keys: { readonly before: ReadonlySet<string>; readonly after: ReadonlySet<string> },
    private readonly compile: (assumptions: Assumptions) => Programs | undefined,
  ) {
    const all = Array.from(new Set([...keys.before, ...keys.after]));
    const places = new Map(all.map((key) => [key, this.placeOf(key)]));
    this.opaque = all.map((key) => {
      const { name, ref } = places.get(key) as RulePlace;
      const other = all.find((one) => one !== key && ref !== undefined && places.get(one)?.ref === ref);
      const isKept = keys.before.has(key) && keys.after.has(key);
      return { key, name, isKept, ...(other === undefined ? {} : { other }) };
    });
  }

  private placeOf(key: string): RulePlace {
    return (this.steps.find(({ rule }) => rule.input.opaque === key) as Step).rule.place;
  }

  under(assumptions: Assumptions): Programs | undefined {
    return this.compile(assumptions);
  }

  /** Which rules act on the request of a model. */
  assumptionsIn(model: Model): Assumptions {
    return new Map(
      this.opaque.map(({ key }) => [
        key,
        this.steps.some(({ rule, condition }) => rule.input.opaque === key && model.satisfies(condition)),
      ]),
    );
  }
}
