import type { Position } from "../../../client/index.js";
import { shownTo, type SecretPlaces } from "../../../engine/shown.js";
import type { Session } from "../../../engine/session.js";
import { ApiError } from "../../../model/errors.js";
import type { DeployedRule, Ruleset } from "../../../model/ruleset.js";
import { ownConflict, type Conflict } from "../../../ownership/conflict.js";
import { conflictError } from "../../../ownership/messages.js";
import { overwrittenText } from "../../../ownership/overwritten-words.js";
import type { Overwritten } from "../../../ownership/overwritten.js";
import { meanwhileText } from "../../../ownership/shared-words.js";
import { changedFields, sameContent, sameForm } from "../../../rules/rule.js";
import type { Desired } from "../desired.js";
import { StepQueue } from "../plan/step-queue.js";
import type { Place, Step } from "../plan/steps.js";
import { isClaimedElsewhere } from "./claims.js";
import { isPlaced, writeRule, type NamedRule, type RuleOp } from "../rule-writes.js";

/** How far the writes of single rules have come. */
export interface Progress {
  /** The ruleset as the service last answered it. */
  readonly now: Ruleset;
  /** By ref, the ids of the program's rules that stand there. */
  readonly ids: ReadonlyMap<string, string>;
  /** Steps that have landed, by ref. */
  readonly done: ReadonlyMap<string, Step>;
  /** By id, what the service answered for rules that were written. */
  readonly written: ReadonlyMap<string, DeployedRule>;
  /** The step of which nobody knows whether it landed. */
  readonly lost?: Step;
  /** What ended the writes before all were done. */
  readonly error?: Error;
  /** What somebody changed right before a write, which undid it. */
  readonly overwrote: readonly string[];
}

/** Error codes of the service that another write of the same change may clear: too many rules, a ruleset executed twice. */
const TOO_MANY_RULES = 50001;
const EXECUTED_TWICE = 20014;
/** How often a write is tried anew after the ruleset turned out to be another than it was. */
const TRIES = 3;

export interface StepsToWrite {
  readonly desired: Desired;
  /** What the steps were planned with. */
  readonly actual: Ruleset;
  readonly ids: ReadonlyMap<string, string>;
  readonly steps: readonly Step[];
  readonly doing?: "change" | "delete";
  /** The state so far. */
  readonly state: SecretPlaces;
}

/** Writes rule by rule, each against the last answer; to be called in turn. Never throws: what has landed must be kept. */
export async function writeSteps(session: Session, work: StepsToWrite): Promise<Progress> {
  const writer = new StepWriter(session, work);
  return writer.run();
}

class StepWriter {
  private now: Ruleset;
  private readonly ids: Map<string, string>;
  private readonly done = new Map<string, Step>();
  private readonly written = new Map<string, DeployedRule>();
  private readonly overwrote: string[] = [];
  private readonly planned: ReadonlyMap<string, DeployedRule>;
  /** By the id of a rule that this run deleted, the one that stood above it; none for the first. */
  private readonly above = new Map<string, string | undefined>();

  constructor(
    private readonly session: Session,
    private readonly work: StepsToWrite,
  ) {
    this.now = work.actual;
    this.ids = new Map(work.ids);
    this.planned = new Map(work.actual.rules.map((rule) => [rule.id, rule]));
  }

  async run(): Promise<Progress> {
    const queue = new StepQueue(this.work.steps);
    for (let step = queue.next(); step !== undefined; step = queue.next()) {
      const taken = step;
      try {
        await this.writeFresh(taken);
        queue.finished();
      } catch (error) {
        if (isCleared(error) && this.makeRoom(queue, taken, error)) continue;
        const ended = error instanceof Error ? error : new Error(String(error));
        return { ...this.progress(), error: ended, ...(isLost(error) ? { lost: taken } : {}) };
      }
    }
    return this.progress();
  }

  private progress(): Progress {
    return { now: this.now, ids: this.ids, done: this.done, written: this.written, overwrote: this.overwrote };
  }

  /** Rather the rule goes whose place the new one takes: then it stands there still. */
  private makeRoom(queue: StepQueue, step: Step, error: unknown): boolean {
    const frees = (deletion: Step): boolean => this.frees(deletion, step, error);
    return (
      queue.letFirst(step, (deletion) => replaces(step, deletion) && frees(deletion)) || queue.postpone(step, frees)
    );
  }

  /** Whether a deletion makes room for a step that the service refused. */
  private frees(deletion: Step, step: Step, error: unknown): boolean {
    if (!(error instanceof ApiError) || deletion.kind !== "delete") return false;
    if (error.hasCode(TOO_MANY_RULES)) return true;
    const executed = step.kind === "delete" ? undefined : step.rule?.actionParameters?.id;
    return error.hasCode(EXECUTED_TWICE) && this.planned.get(deletion.id)?.actionParameters?.id === executed;
  }

  /** Writes, and looks again where the service refuses what was true a moment ago: a neighbour is gone. */
  private async writeFresh(step: Step): Promise<void> {
    const { scope } = this.work.desired.target;
    for (let tries = 1; ; tries += 1) {
      try {
        await this.write(step);
        return;
      } catch (error) {
        if (!isRefusal(error) || tries === TRIES) throw error;
        const fresh = await this.session.client.rulesets.find(scope, this.now.id).catch(() => undefined);
        if (fresh === undefined || fresh.version === this.now.version) throw error;
        this.learn(fresh);
      }
    }
  }

  private learn(fresh: Ruleset): void {
    this.now = fresh;
    this.session.reads.learn(this.work.desired.target.scope, fresh);
  }

  private async write(step: Step): Promise<void> {
    const op = this.operation(step);
    if (op === undefined) return;
    const { scope } = this.work.desired.target;
    const place = { scope, where: this.work.desired.where };
    const before = this.now;
    const { ruleset, overwritten } = await writeRule(this.session, place, before, op);
    this.now = ruleset;
    this.note(step, op, before);
    if (overwritten !== undefined) this.judge(overwritten);
  }

  private note(step: Step, op: RuleOp, before: Ruleset): void {
    this.done.set(step.ref, step);
    if (step.kind !== "delete") {
      const isWritten = ({ id, ref }: DeployedRule): boolean =>
        step.kind === "add" ? ref === (step.rule.ref ?? step.ref) : id === step.id;
      const rule = this.now.rules.find(isWritten);
      if (rule === undefined) return;
      this.ids.set(step.ref, rule.id);
      // What is only moved may say what somebody else made of it.
      if (op.kind !== "move") this.written.set(rule.id, rule);
    } else {
      const index = before.rules.findIndex(({ id }) => id === step.id);
      this.above.set(step.id, before.rules[index - 1]?.id);
    }
  }

  /** What to send for a step; undefined where the ruleset shows that nothing is left to do. */
  private operation(step: Step): RuleOp | undefined {
    if (step.kind === "add")
      return withPosition({ kind: "add", rule: named(step.rule, step.ref) }, this.positionOf(step.places));
    const rule = this.now.rules.find(({ id }) => id === step.id);
    if (step.kind === "delete") {
      // A rule that another resource of the program takes over stays. It may have said so only now.
      if (rule === undefined || isClaimedElsewhere(this.session, this.work.desired, this.now.id, rule)) {
        this.done.set(step.ref, step);
        return undefined;
      }
      this.requireUnchanged(step, rule);
      return { kind: "delete", id: step.id };
    }
    if (rule === undefined) {
      this.refuse({ foreign: [], edited: [], removed: [step.ref], moved: [] });
      throw conflictError(
        `${this.work.desired.where}: rule ${step.ref} was deleted by somebody else. Run \`pulumi refresh\`.`,
      );
    }
    return this.change(step, rule);
  }

  private change(step: Step & { readonly kind: "change" }, rule: DeployedRule): RuleOp | undefined {
    const position = step.places === undefined ? undefined : (this.positionOf(step.places) ?? { after: "" });
    const moves = position !== undefined && !isPlaced(this.now.rules, step.id, position);
    if (step.rule === undefined || sameForm(rule, step.rule)) {
      if (moves) return { kind: "move", id: step.id, position };
      this.done.set(step.ref, step);
      return undefined;
    }
    this.requireUnchanged(step, rule);
    const op = { kind: "change" as const, id: step.id, rule: named(step.rule, rule.ref) };
    return withPosition(op, moves ? position : undefined);
  }

  private positionOf(places: readonly Place[]): Position | undefined {
    const there = new Set(this.now.rules.map(({ id }) => id));
    for (const { side, of } of places) {
      let id = "ref" in of ? this.ids.get(of.ref) : of.id;
      while (id !== undefined && !there.has(id) && this.above.has(id)) {
        id = this.above.get(id);
        if (id === undefined) return { before: "" };
      }
      if (id !== undefined && there.has(id)) return side === "after" ? { after: id } : { before: id };
    }
    return undefined;
  }

  /** Refuses to undo what somebody made of a rule of this program since the steps were planned. */
  private requireUnchanged({ ref, id }: Step & { readonly id: string }, rule: DeployedRule): void {
    const before = this.planned.get(id);
    if (before === undefined || sameContent(before, rule)) return;
    this.refuse({ foreign: [], edited: [{ ref, rule, fields: changedFields(before, rule) }], removed: [], moved: [] });
  }

  private refuse(conflict: Conflict): void {
    const { session, work, now } = this;
    const { where, policy, urn } = work.desired;
    const shown = shownTo(session, work.state);
    const text = meanwhileText(where, now.version, conflict, { written: this.done.size, shown });
    if (session.onConflict(policy.onConflict) === "fail") throw conflictError(text);
    session.reporter.warn(urn, `overwriting, as requested.\n${text}`);
  }

  /** What somebody changed between the last answer and a write that has landed. */
  private judge(overwritten: Overwritten): void {
    const { session, work, now } = this;
    const { desired, doing = "change" } = work;
    const onConflict = session.onConflict(desired.policy.onConflict);
    const own =
      overwritten.kind === "undone" ? { ...overwritten, conflict: ownConflict(overwritten.conflict) } : overwritten;
    const text = overwrittenText(
      {
        where: desired.where,
        scope: desired.target.scope,
        rulesetId: now.id,
        version: now.version,
        doing,
        onConflict,
        shown: shownTo(session, work.state),
      },
      own,
    );
    if (onConflict === "fail") this.overwrote.push(text);
    else session.reporter.warn(desired.urn, `overwriting, as requested.\n${text}`);
  }
}

function replaces(step: Step, deletion: Step): boolean {
  const [place] = step.kind === "add" ? step.places : [];
  return deletion.kind === "delete" && place !== undefined && "id" in place.of && place.of.id === deletion.id;
}

function withPosition<T extends RuleOp>(op: T, position: Position | undefined): T {
  return position === undefined ? op : { ...op, position };
}

function named(rule: object, ref: string): NamedRule {
  return { ...(rule as NamedRule), ref };
}

/** Whether the service said no, and would say so again unless something changes there. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    !error.ambiguous &&
    (error.status === 400 || error.status === 404 || error.status === 409)
  );
}

/** Whether another write of the same change may clear the reason of a refusal. */
function isCleared(error: unknown): boolean {
  return error instanceof ApiError && error.hasCode(TOO_MANY_RULES, EXECUTED_TWICE);
}

/** Whether nobody knows what became of a write. */
function isLost(error: unknown): boolean {
  return error instanceof ApiError && error.ambiguous;
}
