import { WHOLE } from "../../ownership/reach.js";
import { MANAGED_PHASE } from "../../../core/model/migration.js";
import { typedRules } from "../../../core/previous-waf/adjust.js";
import { configDigest } from "../../../core/previous-waf/digest.js";
import { isDecided, phaseOf } from "../../../core/previous-waf/phase.js";
import {
  decideStep,
  hasRules,
  READS_BEFORE_SENDING,
  pollSeconds,
  type Decision,
  type Observation,
} from "./transition.js";
import { ApiError, RulesetsError } from "../../../core/model/errors.js";
import { phaseResourceId } from "../../../core/model/ids.js";
import type { RulesetRule } from "../../../core/model/generated/rule.js";
import type { MigrationPhase, MigrationStatus, RetrievedConfig } from "../../../core/model/migration.js";
import type { Ruleset } from "../../../core/model/ruleset.js";
import { occupiedError } from "../../ownership/ruleset-messages.js";
import type { Session } from "../../engine/session.js";
import { checkOverwrittenChange } from "../../engine/overwritten-changes.js";
import { displayFor } from "../../engine/display.js";
import { FRESH_MS } from "../../engine/reads/responses.js";
import { ZONE_WAF_MIGRATION, type MigrationInputs } from "./description.js";
import { readEntrypoint, readStatus } from "./observe.js";
import { droppedRulesText, mayDrop, adjustedConfig, findDroppedForeignRules } from "./plan.js";

/** Where a run left a zone, and whether this run brought it there. */
export interface RunResult {
  readonly status: MigrationStatus;
  readonly phase: MigrationPhase;
  readonly entrypoint?: Ruleset;
  /** Whether this run sent a step that was, or may have been, applied. */
  readonly sent: boolean;
  /** Why it ended before reaching its goal. */
  readonly failure?: Error;
}

/** What a run starts from: empty for the first one. */
interface StartingPoint {
  /** The phase of the zone when this stack last read it. */
  readonly phase?: MigrationPhase;
  /** Version of the entry point when this stack last read it. */
  readonly rulesetVersion?: string;
  /** The rules that this stack wrote itself. */
  readonly own?: readonly RulesetRule[];
}

const { default: DEFAULT_TIMEOUT_SECONDS } = ZONE_WAF_MIGRATION.arguments.waitTimeoutSeconds;

/**
 * Observes, decides, acts and waits until the zone reached the requested mode. It has no state that the service does
 * not have too, so it can be killed at any point and run again, and it checks before it sends anything twice.
 */
export function runMigration(session: Session, inputs: MigrationInputs, start: StartingPoint): Promise<RunResult> {
  return session.queue.run(phaseResourceId(scopeOf(inputs), MANAGED_PHASE), () =>
    new MigrationRun(session, inputs, start).run(),
  );
}

function scopeOf({ zoneId }: MigrationInputs) {
  return { level: "zones", id: zoneId } as const;
}

class MigrationRun {
  /** Undefined if there was no configuration to retrieve, because the zone was already finishing or finished. */
  private readonly body: RetrievedConfig | undefined;
  private readonly wanted: readonly RulesetRule[];
  private readonly startedAt: number;
  private attempt: Observation["attempt"];
  private looks = 0;
  private polls = 0;
  private sends = 0;
  /** Set if the step that was applied undid what somebody changed after this run had read it. */
  private overwrote: RulesetsError | undefined;
  /** Version of the entry point before the step was sent. */
  private before: string | undefined;
  private status: MigrationStatus = { migrationState: "", previousWaf: "", newWaf: "" };
  private phase: MigrationPhase = "notStarted";
  private entrypoint: Ruleset | undefined;

  constructor(
    private readonly session: Session,
    private readonly inputs: MigrationInputs,
    private readonly start: StartingPoint,
  ) {
    const { retrievedConfig } = inputs;
    this.body = retrievedConfig === undefined ? undefined : adjustedConfig(inputs, retrievedConfig).config;
    this.wanted = this.body === undefined ? [] : typedRules(this.body);
    this.startedAt = session.clock.now();
    // If an earlier run saw that the finish was applied, it is never sent again, whatever the status says.
    if (inputs.mode === "pending" && start.phase === "finishing") this.attempt = "applied";
  }

  async run(): Promise<RunResult> {
    try {
      await this.observe();
      for (let next = this.decide(); next.kind !== "done"; next = this.decide()) {
        if (!(await this.applyStep(next))) break;
        await this.observe();
        if (this.overwrote !== undefined) throw this.overwrote;
      }
      this.entrypoint ??= await this.readEntrypoint();
      return this.result();
    } catch (error) {
      if (this.attempt === undefined || this.sends === 0) throw error;
      return { ...this.result(), failure: error as Error };
    }
  }

  private result(): RunResult {
    const { status, entrypoint, sends } = this;
    const finishRequested = this.inputs.mode === "pending" && this.attempt === "applied" && this.phase !== "finished";
    const phase = finishRequested ? "finishing" : this.phase;
    return { status, phase, sent: sends > 0, ...(entrypoint === undefined ? {} : { entrypoint }) };
  }

  private decide(): Decision {
    const { phase, attempt, looks } = this;
    return decideStep({ phase, attempt, reads: looks, isApplied: this.isApplied() }, this.inputs.mode);
  }

  /** Reads the status, and the entry point as long as something may have to be written there. */
  private async observe(): Promise<void> {
    this.status = await readStatus(this.session.client, this.inputs.zoneId);
    this.phase = phaseOf(this.status);
    if (isDecided(this.phase)) return;
    if (this.attempt === "applied") return;
    this.entrypoint = await this.readEntrypoint();
    const version = this.entrypoint?.version;
    if (this.sends > 0) {
      // Whoever changed it: a step that may have been applied is waited for, not sent again.
      if (version !== this.before) this.attempt = "applied";
    } else if (this.isApplied() && version !== this.start.rulesetVersion && this.entrypoint?.rules.length !== 0) {
      this.attempt = "unsure";
    }
  }

  private readEntrypoint(): Promise<Ruleset | undefined> {
    return readEntrypoint(this.session.client, this.inputs.zoneId);
  }

  private isApplied(): boolean {
    const { entrypoint, body, wanted } = this;
    return hasRules(entrypoint, body === undefined ? undefined : wanted);
  }

  /** Applies a decision. Returns false if the run should stop for now. */
  private async applyStep(next: Decision): Promise<boolean> {
    switch (next.kind) {
      case "advance":
        await this.send((body) => this.session.client.wafMigration.advance(this.inputs.zoneId, next.mode, body));
        return true;
      case "save":
        await this.send((body) => this.session.client.wafMigration.save(this.inputs.zoneId, body));
        return true;
      case "look":
        this.looks += 1;
        await this.pause(
          `checking whether an earlier step is under way, ${String(this.looks)} of ${String(READS_BEFORE_SENDING)}`,
          this.looks - 1,
        );
        return true;
      case "wait":
        if (this.inputs.wait === false) return false;
        this.refuseLate();
        await this.pause(this.progressText(), this.polls);
        this.polls += 1;
        return true;
      case "done":
        return false;
    }
  }

  /** Sends a step, after a last check of what it would drop. After a lost response, the attempt is unsure. */
  private async send(step: (body: RetrievedConfig) => Promise<Ruleset>): Promise<void> {
    const body = await this.checkedBody();
    if (this.sends >= 2) throw this.unanswered();
    const before = this.entrypoint;
    this.before = before?.version;
    this.sends += 1;
    try {
      this.entrypoint = await step(body);
      this.attempt = "applied";
      this.session.reads.store(scopeOf(this.inputs), this.entrypoint);
      this.overwrote = await this.judge(before, this.entrypoint);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.session.reads.forget(scopeOf(this.inputs), MANAGED_PHASE, this.entrypoint?.id);
      if (!error.ambiguous) return this.refused(error);
      this.attempt = "unsure";
      this.looks = 0;
    }
  }

  private judge(before: Ruleset | undefined, response: Ruleset): Promise<RulesetsError | undefined> {
    const { session, inputs } = this;
    return checkOverwrittenChange(session, {
      words: { ...WHOLE.texts, subject: `${MANAGED_PHASE} of zone ${inputs.zoneId}` },
      scope: scopeOf(inputs),
      before,
      response,
      operation: "migrate",
      urn: inputs.__urn,
      onConflict: inputs.existingRules === "replace" ? "overwrite" : session.onConflict(undefined),
      display: displayFor(session, undefined),
    });
  }

  /**
   * Handles a refused step: if the phase has changed, Cloudflare advanced the zone itself; otherwise the refusal is
   * final.
   */
  private async refused(error: ApiError): Promise<void> {
    this.sends -= 1;
    const before = this.phase;
    await this.observe();
    if (this.phase === before) throw error;
  }

  private async checkedBody(): Promise<RetrievedConfig> {
    const { inputs, session, body, entrypoint, start } = this;
    if (body === undefined) {
      throw new RulesetsError(
        `zone ${inputs.zoneId}: there is no configuration to write yet; run \`pulumi up\` again, with previewChecks other than "off".`,
        { code: "MIGRATION_CHANGED" },
      );
    }
    const checkedAt = session.checked.get(inputs.__urn ?? "")?.at;
    if (checkedAt === undefined || session.clock.now() - checkedAt > FRESH_MS) await this.refuseChanged();
    const own = start.own ?? [];
    const lost = findDroppedForeignRules(entrypoint?.rules ?? [], this.wanted, own);
    if (lost.length > 0 && !mayDrop(inputs, this.wanted)) {
      const { zoneId } = inputs;
      throw occupiedError(droppedRulesText({ zoneId, name: zoneId, entrypoint }, lost, this.wanted));
    }
    return body;
  }

  /** Compares the zone with the plan once more, if the plan is no longer fresh. */
  private async refuseChanged(): Promise<void> {
    const { session, inputs } = this;
    const now = configDigest(await session.client.wafMigration.config(inputs.zoneId));
    if (now === inputs.configDigest) return;
    throw new RulesetsError(
      `zone ${inputs.zoneId}: its previous WAF has changed since the preview of this run; nothing was sent. Run \`pulumi up\` again.`,
      { code: "MIGRATION_CHANGED" },
    );
  }

  private unanswered(): RulesetsError {
    return new RulesetsError(
      `zone ${this.inputs.zoneId}: the step was sent twice without a response, and the zone shows no trace of it ` +
        `(${JSON.stringify(this.status.migrationState)}). Nothing more is sent in this run; run \`pulumi up\` again later.`,
      { code: "API_UNAVAILABLE" },
    );
  }

  private refuseLate(): void {
    const limit = this.inputs.waitTimeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
    if (this.elapsedSeconds() < limit) return;
    throw new RulesetsError(
      `zone ${this.inputs.zoneId}: the switch is still under way after ${duration(this.elapsedSeconds())} (the service says ` +
        `${JSON.stringify(this.status.migrationState)}). Nothing is lost and nothing will be sent again: run \`pulumi up\`, which checks and ` +
        "continues. To not wait at all, set wait: false.",
      { code: "MIGRATION_TIMED_OUT" },
    );
  }

  private progressText(): string {
    return `the switch has been under way for ${duration(this.elapsedSeconds())} (the service says ${JSON.stringify(this.status.migrationState)})`;
  }

  private elapsedSeconds(): number {
    return Math.round((this.session.clock.now() - this.startedAt) / 1000);
  }

  private async pause(text: string, polls: number): Promise<void> {
    const limit = this.inputs.waitTimeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
    const seconds = Math.min(pollSeconds(polls), Math.max(1, limit - this.elapsedSeconds()));
    this.session.reporter.status(this.inputs.__urn, `${text}; next check in ${String(seconds)} s`);
    await this.session.clock.sleep(seconds * 1000);
  }
}

/** `45 s`, `2 min 5 s`. */
function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${String(seconds)} s` : `${String(minutes)} min ${String(seconds % 60)} s`;
}
