import { ApiError, errorOf, isAboutTheRequest } from "../../../../core/model/errors.js";
import type { RulesetRuleActionParameters } from "../../../../core/model/generated/rule.js";
import type { Position } from "../../../../core/model/position.js";
import type { DeployedRule, Ruleset } from "../../../../core/model/ruleset.js";
import { isComplete } from "../../../../core/model/unknown.js";
import { fieldsOf, type PendingRule } from "../../../../core/rules/keyed.js";
import { placeFor } from "../../../../core/rules/placing/position.js";
import { type Placing, type Step, StepQueue } from "../../../../core/rules/placing/steps.js";
import { changedFields, isSameForm, isSameMeaning } from "../../../../core/rules/rule.js";
import { displayFor, type SecretPlaces } from "../../../engine/display.js";
import type { Session } from "../../../engine/session.js";
import { type Conflict, ownConflict } from "../../../ownership/conflict.js";
import type { OverwrittenChange } from "../../../ownership/overwritten-change.js";
import { overwrittenText } from "../../../ownership/overwritten-messages.js";
import { conflictError } from "../../../ownership/ruleset-messages.js";
import { concurrentChangeText } from "../../../ownership/shared-messages.js";
import type { Desired } from "../desired.js";
import { type Owners, ownersOf } from "../run.js";
import { isPlaced, type RuleOp, type RuleToSend, writeRule } from "./rule-writes.js";
import { reportDeletion } from "./ruleset-writes.js";
import { unplacedError } from "./stops.js";

/** The progress of the writes of single rules. */
export interface Progress {
  /** The ruleset as the service last returned it. */
  readonly current: Ruleset;
  /** By ref, the IDs of the program's existing rules. */
  readonly ids: ReadonlyMap<string, string>;
  /** Steps that were applied, by ref. */
  readonly done: ReadonlyMap<string, Step>;
  /** By ID, the rules that were written, as the service returned them. */
  readonly written: ReadonlyMap<string, DeployedRule>;
  /** The step with an unknown result. */
  readonly lost?: Step;
  /** The error that ended the writes early. */
  readonly error?: Error;
  /** Messages about changes that somebody made right before a write, which undid them. */
  readonly overwrote: readonly string[];
}

/**
 * Error codes of refusals that another write of the same change may resolve: too many rules, a ruleset executed twice.
 */
const TOO_MANY_RULES = 50001;
const EXECUTED_TWICE = 20014;
/** How often a write is attempted if the ruleset has changed in the meantime. */
const MAX_ATTEMPTS = 3;

interface StepsToWrite {
  readonly desired: Desired;
  /** The ruleset that the steps were planned from. */
  readonly deployed: Ruleset;
  readonly ids: ReadonlyMap<string, string>;
  readonly steps: readonly Step[];
  readonly operation?: "change" | "delete";
  /** The current state; undefined for a resource that is new. */
  readonly state: SecretPlaces | undefined;
}

/**
 * Writes rule by rule, each against the last response; call it while holding the ruleset's queue. Never throws: what was applied must be
 * recorded.
 */
export async function writeSteps(session: Session, work: StepsToWrite): Promise<Progress> {
  const writer = new StepWriter(session, work);
  return writer.run();
}

class StepWriter {
  private current: Ruleset;
  private readonly ids: Map<string, string>;
  private readonly done = new Map<string, Step>();
  private readonly written = new Map<string, DeployedRule>();
  private readonly overwrote: string[] = [];
  private readonly owners: Owners;
  private readonly planned: ReadonlyMap<string, DeployedRule>;
  /** By the ID of a rule that this run deleted, the rule that was above it; undefined for the first. */
  private readonly above = new Map<string, string | undefined>();

  constructor(
    private readonly session: Session,
    private readonly work: StepsToWrite,
  ) {
    this.current = work.deployed;
    this.ids = new Map(work.ids);
    this.owners = ownersOf(session, work.desired, work.deployed.id);
    this.planned = new Map(work.deployed.rules.map((rule) => [rule.id, rule]));
  }

  async run(): Promise<Progress> {
    const queue = new StepQueue(this.work.steps);
    for (let step = queue.next(); step !== undefined; step = queue.next()) {
      const current = step;
      try {
        await this.writeFresh(current);
        queue.finished();
      } catch (error) {
        if (mayBeResolved(error) && this.makeRoom(queue, current, error)) continue;
        return { ...this.progress(), error: errorOf(error), ...(isLost(error) ? { lost: current } : {}) };
      }
    }
    return this.progress();
  }

  private progress(): Progress {
    return { current: this.current, ids: this.ids, done: this.done, written: this.written, overwrote: this.overwrote };
  }

  /**
   * Deletes a rule first to make room, preferably the one that the new rule replaces, whose place is then still known.
   */
  private makeRoom(queue: StepQueue, step: Step, error: unknown): boolean {
    const frees = (deletion: Step): boolean => this.frees(deletion, step, error);
    return (
      queue.letFirst(step, (deletion) => replaces(step, deletion) && frees(deletion)) || queue.postpone(step, frees)
    );
  }

  /** Whether a deletion makes room for a step that the service rejected. */
  private frees(deletion: Step, step: Step, error: unknown): boolean {
    if (!(error instanceof ApiError) || deletion.kind !== "delete") return false;
    if (error.hasCode(TOO_MANY_RULES)) return true;
    const parameters = step.kind === "delete" ? undefined : step.rule?.actionParameters;
    const executed =
      parameters === undefined || !isComplete<RulesetRuleActionParameters>(parameters) ? undefined : parameters.id;
    return error.hasCode(EXECUTED_TWICE) && this.planned.get(deletion.id)?.actionParameters?.id === executed;
  }

  /**
   * Writes a step. If the service rejects it because the ruleset has changed, for example because a neighbour was
   * deleted, reads again and retries.
   */
  private async writeFresh(step: Step): Promise<void> {
    const { scope } = this.work.desired.target;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.write(step);
        return;
      } catch (error) {
        if (!(error instanceof ApiError) || !isAboutTheRequest(error) || attempt === MAX_ATTEMPTS) throw error;
        const fresh = await this.session.client.rulesets.find(scope, this.current.id).catch(() => undefined);
        if (fresh === undefined || fresh.version === this.current.version) throw error;
        this.learn(fresh);
      }
    }
  }

  private learn(fresh: Ruleset): void {
    this.current = fresh;
    this.session.reads.store(this.work.desired.target.scope, fresh);
  }

  private async write(step: Step): Promise<void> {
    const op = this.operation(step);
    if (op === undefined) return;
    const { scope } = this.work.desired.target;
    const place = { scope, where: this.work.desired.where };
    const before = this.current;
    const { ruleset, made, overwritten } = await writeRule(this.session, place, before, op);
    this.current = ruleset;
    if (made && this.work.operation === "delete") await reportDeletion(this.session, this.work.desired.urn, ruleset);
    this.note(step, op, before);
    if (overwritten !== undefined) this.judge(overwritten);
  }

  private note(step: Step, op: RuleOp, before: Ruleset): void {
    this.done.set(step.ref, step);
    if (step.kind !== "delete") {
      const isWritten = ({ id, ref }: DeployedRule): boolean =>
        step.kind === "add" ? ref === (step.rule.ref ?? step.ref) : id === step.id;
      const rule = this.current.rules.find(isWritten);
      if (rule === undefined) return;
      this.ids.set(step.ref, rule.id);
      // A rule that is only moved may contain somebody else's edit.
      if (op.kind !== "move") this.written.set(rule.id, rule);
    } else {
      const index = before.rules.findIndex(({ id }) => id === step.id);
      this.above.set(step.id, before.rules[index - 1]?.id);
    }
  }

  /** What to send for a step; undefined if the ruleset shows that nothing is left to do. */
  private operation(step: Step): RuleOp | undefined {
    if (step.kind === "add")
      return withPosition({ kind: "add", rule: named(step.rule, step.ref) }, this.positionOf(step.ref, step.places));
    const rule = this.current.rules.find(({ id }) => id === step.id);
    if (step.kind === "delete") {
      // A rule that another resource of the program takes over stays. That resource may have claimed it only now.
      if (rule === undefined || this.owners.claimantOf(rule) !== undefined) {
        this.done.set(step.ref, step);
        return undefined;
      }
      this.requireUnchanged(step, rule);
      return { kind: "delete", id: step.id };
    }
    if (rule === undefined) {
      this.refuse({ foreign: [], edited: [], removed: [step.ref], moved: [] });
      throw conflictError(
        `${this.work.desired.where}: rule ${step.ref} was deleted by somebody else. To continue: run \`pulumi refresh\`, then \`pulumi up\`.`,
      );
    }
    return this.change(step, rule);
  }

  private change(step: Step & { readonly kind: "change" }, rule: DeployedRule): RuleOp | undefined {
    const { ref, id, places } = step;
    const position = places === undefined ? undefined : (this.positionOf(ref, places, id) ?? { after: "" });
    const moves = position !== undefined && !isPlaced(this.current.rules, step.id, position);
    if (step.rule === undefined || isSameForm(rule, step.rule)) {
      if (moves) return { kind: "move", id: step.id, position };
      this.done.set(step.ref, step);
      return undefined;
    }
    this.requireUnchanged(step, rule);
    const op = { kind: "change" as const, id: step.id, rule: named(step.rule, rule.ref) };
    return withPosition(op, moves ? position : undefined);
  }

  /** @param moved the ID of the rule that moves there */
  private positionOf(ref: string, places: readonly Placing[], moved?: string): Position | undefined {
    const { desired } = this.work;
    const requested = desired.positions.get(ref);
    // The order of a list says where else a rule goes if somebody deleted the rule beside it meanwhile.
    if (
      desired.reach.needsPosition &&
      requested !== undefined &&
      placeFor(this.current.rules, requested, moved) === undefined
    )
      throw unplacedError(desired, { kind: "unanchored", ref, position: requested }, this.current.rules);
    const existingIds = new Set(this.current.rules.map(({ id }) => id));
    for (const place of places) {
      if ("exact" in place) return placeFor(this.current.rules, place.exact, moved);
      const { side, of } = place;
      let id = "ref" in of ? this.ids.get(of.ref) : of.id;
      while (id !== undefined && !existingIds.has(id) && this.above.has(id)) {
        id = this.above.get(id);
        if (id === undefined) return { before: "" };
      }
      if (id !== undefined && existingIds.has(id)) return side === "after" ? { after: id } : { before: id };
    }
    return undefined;
  }

  /** Refuses to undo what somebody changed in a rule of this program since the steps were planned. */
  private requireUnchanged({ ref, id }: Step & { readonly id: string }, rule: DeployedRule): void {
    const before = this.planned.get(id);
    if (before === undefined || isSameMeaning(before, rule)) return;
    this.refuse({ foreign: [], edited: [{ ref, rule, fields: changedFields(before, rule) }], removed: [], moved: [] });
  }

  private refuse(conflict: Conflict): void {
    const { session, work, current } = this;
    const { policy, urn, words } = work.desired;
    const display = displayFor(session, work.state);
    const text = concurrentChangeText(words, current.version, conflict, { written: this.done.size, display });
    if (session.onConflict(policy.onConflict) === "fail") throw conflictError(text);
    session.reporter.warn(urn, `overwriting, as requested.\n${text}`);
  }

  /** Handles what somebody changed between the last response and a write that was applied. */
  private judge(overwritten: OverwrittenChange): void {
    const { session, work, current } = this;
    const { desired, operation = "change" } = work;
    const onConflict = session.onConflict(desired.policy.onConflict);
    const own =
      overwritten.kind === "undone" ? { ...overwritten, conflict: ownConflict(overwritten.conflict) } : overwritten;
    const text = overwrittenText(
      {
        words: desired.words,
        scope: desired.target.scope,
        rulesetId: current.id,
        version: current.version,
        operation,
        onConflict,
        display: displayFor(session, work.state),
      },
      own,
    );
    if (onConflict === "fail") this.overwrote.push(text);
    else session.reporter.warn(desired.urn, `overwriting, as requested.\n${text}`);
  }
}

function replaces(step: Step, deletion: Step): boolean {
  const [place] = step.kind === "add" ? step.places : [];
  if (deletion.kind !== "delete" || place === undefined || "exact" in place) return false;
  return "id" in place.of && place.of.id === deletion.id;
}

function withPosition<T extends RuleOp>(op: T, position: Position | undefined): T {
  return position === undefined ? op : { ...op, position };
}

function named(rule: PendingRule, ref: string): RuleToSend {
  return { ...fieldsOf(rule), ref };
}

/** Whether another write of the same change may resolve a refusal. */
function mayBeResolved(error: unknown): boolean {
  return error instanceof ApiError && error.hasCode(TOO_MANY_RULES, EXECUTED_TWICE);
}

/** Whether the result of a write is unknown, or was changed by somebody else before it could be read. */
function isLost(error: unknown): boolean {
  return error instanceof Error && [error, error.cause].some((each) => each instanceof ApiError && each.ambiguous);
}
