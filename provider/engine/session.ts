import type { ResolveCaa } from "../certificates/authorities.js";
import type { Client } from "../client/index.js";
import { systemClock, type Clock } from "../http/clock.js";
import { Secrets } from "../redaction/secrets.js";
import type { OnConflict } from "../model/options.js";
import { HostnameReads } from "./hostname-reads.js";
import { Owners } from "./owners.js";
import { Predecessors, type ReadStack } from "./predecessors.js";
import { Reads } from "./reads.js";
import type { Reporter } from "./reporter.js";
import { ZoneReads } from "./zone-reads.js";
import { WriteQueue } from "./write-queue.js";

/** Whether a preview asks the service: when it can, always, or never. */
export type PreviewChecks = "auto" | "require" | "off";
export type RuleAnalysis = "on" | "off";

/** What `check` leaves for the calls that follow it in the same run. */
export interface Checked {
  readonly preview: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface SessionOptions {
  /** Throws CONFIG_CREDENTIALS_MISSING without credentials. */
  readonly client: () => Client;
  readonly reporter: Reporter;
  readonly previewChecks?: PreviewChecks;
  /** Whether a preview warns about what rules mean. @default "on" */
  readonly ruleAnalysis?: RuleAnalysis;
  /** From RULESETS_ON_CONFLICT: stronger than the argument. */
  readonly onConflictOverride?: OnConflict;
  /** From the configuration: weaker than the argument. */
  readonly onConflictDefault?: OnConflict;
  readonly clock?: Clock;
  /** What nothing may show. @default none */
  readonly secrets?: Secrets;
  /** Looks up CAA records. @default finds none */
  readonly resolveCaa?: ResolveCaa;
  /** Reads the state of the stack. @default it cannot be read */
  readonly readStack?: ReadStack;
}

/** What one run of the provider process shares: the client, what it has read, who holds what, and the queue of writes. */
export class Session {
  readonly owners = new Owners();
  readonly queue = new WriteQueue();
  readonly reads: Reads;
  readonly hostnames: HostnameReads;
  readonly zones: ZoneReads;
  readonly predecessors: Predecessors;
  readonly reporter: Reporter;
  readonly previewChecks: PreviewChecks;
  readonly ruleAnalysis: RuleAnalysis;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly resolveCaa: ResolveCaa;
  /** Ids of hostnames whose certificate this run asks for anew: who waits for it must wait again. */
  readonly reissued = new Set<string>();
  /** By URN, the resources that were checked in this run: `diff` may ask the service about these. */
  readonly checked = new Map<string, Checked>();

  private readonly parts = new Map<unknown, unknown>();

  constructor(private readonly options: SessionOptions) {
    this.clock = options.clock ?? systemClock;
    this.secrets = options.secrets ?? new Secrets();
    this.reads = new Reads(() => this.client.rulesets, this.clock);
    this.resolveCaa = options.resolveCaa ?? (() => Promise.resolve([]));
    this.hostnames = new HostnameReads(() => this.client.customHostnames, this.clock);
    this.zones = new ZoneReads(() => this.client.zones);
    this.predecessors = new Predecessors(options.readStack);
    this.reporter = options.reporter;
    this.previewChecks = options.previewChecks ?? "auto";
    this.ruleAnalysis = options.ruleAnalysis ?? "on";
  }

  /** What one kind alone keeps for this run, made when it is first asked for: `session.part(plans)`. */
  part<T>(make: (session: Session) => T): T {
    const known = this.parts.get(make) as T | undefined;
    if (known !== undefined) return known;
    const part = make(this);
    this.parts.set(make, part);
    return part;
  }

  get client(): Client {
    return this.options.client();
  }

  /** What to do about other people's changes: the variable of this run, the argument, the configuration, else fail. */
  onConflict(argument: OnConflict | undefined): OnConflict {
    return this.options.onConflictOverride ?? argument ?? this.options.onConflictDefault ?? "fail";
  }
}
