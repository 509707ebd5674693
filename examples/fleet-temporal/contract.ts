/* What the commands of a fleet write with `--json`, as far as a rollout reads it. A test of this package compares the two. */

/** Which token a shard uses; missing for the one that every command takes. */
export interface PlannedShard {
  readonly id: string;
  readonly token?: string;
}

export interface WaveState {
  readonly wave: string;
  readonly state: string;
  readonly zones: number;
}

export type NextStep =
  | { readonly kind: "run"; readonly wave: string; readonly shards: readonly string[] }
  | { readonly kind: "gate"; readonly wave: string }
  | { readonly kind: "stopped"; readonly why: string }
  | { readonly kind: "finished" };

export interface Plan {
  readonly shards: readonly PlannedShard[];
}

export interface Status {
  readonly waves: readonly WaveState[];
  readonly next: NextStep;
  readonly results: Readonly<Record<string, { readonly state: string }>>;
  readonly gates: Readonly<Record<string, { readonly verdict: string }>>;
}

/** What became of a shard: 0 it is done, 2 a zone moved, 3 it was not run, or not to its end. */
export interface ShardAnswer {
  readonly code: 0 | 2 | 3;
  /** `running` if another process runs it; missing if nothing has run it yet. */
  readonly state?: string;
  readonly words: string;
}

export interface GateAnswer {
  readonly verdict: "passed" | "no" | "waiting" | "unknown";
  readonly words: string;
  /** When asking again can help, in UTC. */
  readonly retryAt?: string;
}

export interface Gates {
  readonly verdict: GateAnswer["verdict"];
  readonly gates: readonly (GateAnswer & { readonly gate: string })[];
}

export interface Rollback {
  readonly shards: readonly { readonly left?: readonly { readonly zoneId: string; readonly why: string }[] }[];
}
