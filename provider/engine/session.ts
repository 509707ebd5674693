import type { Client } from "../../client/index.js";
import type { ResolveCaa } from "../../core/certificates/authorities.js";
import { systemClock, type Clock } from "../../client/http/clock.js";
import { ManagedNames } from "../../core/managed/names.js";
import { Secrets } from "../../client/redaction/secrets.js";
import type { DryRun, OnConflict, PreviewChecks, RuleAnalysis, SessionSettings } from "../../core/model/options.js";
import { AccountListReads } from "./reads/lists.js";
import { RulesetReads } from "./reads/rulesets.js";
import { ZoneReads } from "./reads/zones.js";
import type { Reporter } from "./reporter.js";
import { WriteQueue } from "./write-queue.js";
import { EXPIRY_WARNING_DAYS } from "../../core/model/numbers.js";

/** What `check` records for the calls that follow it in the same run. */
export interface CheckRecord {
  readonly preview: boolean;
  /** Whether it is not known yet if this is a preview: what only a preview does is left out, and what a preview tolerates is not refused yet. */
  readonly provisional?: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface SessionOptions extends SessionSettings {
  /** Throws CONFIG_CREDENTIALS_MISSING without credentials. */
  readonly client: () => Client;
  readonly reporter: Reporter;
  /** Looks up CAA records. @default finds none */
  readonly resolveCaa?: ResolveCaa;
  readonly clock?: Clock;
  /** Values that no output may show. @default none */
  readonly secrets?: Secrets;
  /** Names of Cloudflare's managed rules that the client learns. @default none */
  readonly names?: ManagedNames;
}

/**
 * What one run of the provider process shares: the client, what it has read, which resource manages what, and the write
 * queue.
 */
export class Session {
  readonly queue = new WriteQueue();
  readonly reads: RulesetReads;
  readonly zones: ZoneReads;
  readonly lists: AccountListReads;
  readonly reporter: Reporter;
  readonly previewChecks: PreviewChecks;
  readonly ruleAnalysis: RuleAnalysis;
  readonly dryRun: DryRun;
  readonly clock: Clock;
  readonly resolveCaa: ResolveCaa;
  readonly secrets: Secrets;
  /** The names of managed rulesets and their rules that this run knows. */
  readonly names: ManagedNames;
  /** By URN, the resources checked in this run: `diff` may query the service about them. */
  readonly checked = new Map<string, CheckRecord>();
  /** URNs of resources of which a provisional check could not ask the service, so that a write needs another check. */
  readonly toCheckAgain = new Set<string>();

  private readonly parts = new Map<object, unknown>();

  constructor(private readonly options: SessionOptions) {
    this.clock = options.clock ?? systemClock;
    this.secrets = options.secrets ?? new Secrets();
    this.names = options.names ?? new ManagedNames();
    this.reads = new RulesetReads(() => this.client.rulesets, this.clock);
    this.zones = new ZoneReads(() => this.client.zones);
    this.lists = new AccountListReads(() => this.client.lists);
    this.reporter = options.reporter;
    this.resolveCaa = options.resolveCaa ?? (() => Promise.resolve([]));
    this.previewChecks = options.previewChecks ?? "auto";
    this.ruleAnalysis = options.ruleAnalysis ?? "on";
    this.dryRun = options.dryRun ?? "off";
  }

  /** The value for a key, created on first use. For {@link perRun}. */
  part<T>(key: object, make: (session: Session) => T): T {
    const known = this.parts.get(key) as T | undefined;
    if (known !== undefined) return known;
    const part = make(this);
    this.parts.set(key, part);
    return part;
  }

  get client(): Client {
    return this.options.client();
  }

  /**
   * What to do about other people's changes: from the environment variable, the argument, or the configuration, in this
   * order; otherwise "fail".
   */
  onConflict(argument: OnConflict | undefined): OnConflict {
    return this.options.onConflictOverride ?? argument ?? this.options.onConflictDefault ?? "fail";
  }

  /** Whether a resource is checked in a preview, or it is not known yet whether this is one. */
  mayBePreview(urn: string): boolean {
    const { preview = false, provisional = false } = this.checked.get(urn) ?? {};
    return preview || provisional;
  }

  /** A text with the names of zones; see {@link ZoneReads.named}. `previewChecks: "off"` is to send no request for a message either. */
  namedZones(text: string, isWorthRequest: boolean): string | Promise<string> {
    return this.zones.named(text, isWorthRequest && this.previewChecks !== "off");
  }

  /** For how many days before its end a preview warns about a rule. */
  get expiryWarningDays(): number {
    return this.options.expiryWarningDays ?? EXPIRY_WARNING_DAYS;
  }

  /** The percentage of a ruleset's rules that a run may remove; undefined for no limit. */
  maxRemovedPercent(argument: number | undefined): number | undefined {
    return this.options.maxRemovedPercentOverride ?? argument ?? this.options.maxRemovedPercentDefault;
  }
}

/** A value that each run has of its own. */
export type PerRun<T> = (session: Session) => T;

/** Declares a value that a kind or a feature keeps for a run: what it has read, or what resources of the program declare. */
export function perRun<T>(make: (session: Session) => T): PerRun<T> {
  const ofRun: PerRun<T> = (session) => session.part(ofRun, make);
  return ofRun;
}
