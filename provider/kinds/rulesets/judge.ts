import type { Path } from "../../../core/model/path.js";
import type { Ruleset } from "../../../core/model/ruleset.js";
import type { WantedRule } from "../../../core/rules/match.js";
import type { Request } from "../../engine/request.js";
import type { Reach } from "../../ownership/reach.js";
import { type Findings } from "../../validation/index.js";
import type { Desired, Target } from "./desired.js";
import type { Change } from "./plan/change.js";

/*
 * What only looks at resources with rules, and decides nothing about what is written: plans of zones, lists, what a
 * change does to requests. The resources are made with a list of such judges; nothing below this folder knows which they are.
 */

/** Who asks, and when. */
type Asking = Pick<Request, "session" | "urn" | "preview" | "secretPaths">;

/** Who plans, and when. */
type Planning = Omit<Asking, "secretPaths">;

/** The rules that a program gives a resource. */
export interface DeclaredRules {
  readonly request: Asking;
  readonly target: Target;
  /** The name of the ruleset. */
  readonly name: string | undefined;
  readonly reach: Reach;
  readonly rules: readonly WantedRule[];
  readonly refs: readonly string[];
  /** The paths of secrets in the rule at an index. */
  readonly secretPathsIn: (index: number) => readonly Path[];
  /** What the resource wanted in the last run; undefined if it is new. */
  readonly last: Desired | undefined;
  /** Whether it is known what exists where a new resource will be. */
  readonly isRead: boolean;
  readonly deployed: Ruleset | undefined;
  /** IDs of the existing rules that are the new resource's from then on. */
  readonly own: ReadonlySet<string>;
}

/** A resource that was checked and is not refused so far. */
export interface CheckedResource {
  readonly request: Asking;
  /** Its rules, as far as they are known; they need not be parsed. */
  readonly fields: readonly unknown[];
  readonly desired: Desired;
  /** What it wanted the last time; undefined for a new resource. */
  readonly last: Desired | undefined;
  /** What a new resource does where it will be. */
  readonly change: Change | undefined;
}

/** Something that looks at resources with rules. */
export interface Judge {
  /** What is wrong with the rules that a program gives, beside what the check itself finds. */
  readonly declared?: (rules: DeclaredRules) => Findings | Promise<Findings>;
  /** Called once none of that is refused. */
  readonly accepted?: (rules: DeclaredRules) => void | Promise<void>;
  /** What is wrong with what the resource would make of its ruleset. Not asked once another one refuses it. */
  readonly checked?: (resource: CheckedResource) => Findings | Promise<Findings>;
  /** Called for an update that would undo nothing of somebody else, where its rules are known. */
  readonly changing?: (request: Planning, change: Change) => void | Promise<void>;
  /** Called for an update that nothing refuses. */
  readonly planned?: (request: Planning, change: Change) => void | Promise<void>;
}

/** In this order. */
export type Judges = readonly Judge[];

/** What judges find wrong with the rules that a program gives. */
export async function judgeRules(judges: Judges, rules: DeclaredRules): Promise<Findings> {
  const found: Findings[] = [];
  for (const { declared } of judges) if (declared !== undefined) found.push(await declared(rules));
  return found.flat();
}

/** Tells judges that none of that is refused. */
export async function acceptRules(judges: Judges, rules: DeclaredRules): Promise<void> {
  for (const { accepted } of judges) await accepted?.(rules);
}
