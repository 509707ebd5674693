import type { Plan } from "../../core/language/index.js";

/** A fleet: many zones that one program serves, rolled out shard by shard. `fleet.yaml` describes it. */
export interface FleetDefinition {
  /** Folder of the Pulumi project, relative to the file. @default "." */
  readonly program: string;
  readonly stacks: StackNames;
  readonly zones: ZoneSelection;
  /** The most zones that a new shard has. @default 100 */
  readonly shardSize: number;
  readonly tokens: readonly Token[];
  readonly waves: readonly Wave[];
  readonly failures: AllowedFailures;
}

export interface StackNames {
  /** A stack is named by it and its shard. @default "fleet-" */
  readonly prefix: string;
  /** A settings file in the program's folder with which every stack starts. */
  readonly settings?: string;
}

/** Which zones belong to the fleet: all that the tokens can access, as far as nothing else is said. */
export interface ZoneSelection {
  readonly accounts?: readonly string[];
  /** Patterns of names, or IDs. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly plans?: readonly Plan[];
  /** A command that prints names or IDs of zones, one a line. */
  readonly command?: string;
  /** After how many seconds the command is ended, so that there is no plan. @default 600 */
  readonly timeout?: number;
}

/** A token, by the environment variable that contains it. */
export interface Token {
  /** Missing: what every command takes. */
  readonly variable?: string;
  /** Accounts whose zones it is for. @default those that no other token names */
  readonly accounts?: readonly string[];
}

/** Shards that are rolled out together, in the order of the file, and what must hold afterwards before the next ones start. */
export interface Wave {
  readonly name: string;
  readonly share: WaveShare;
  readonly gates: readonly Gate[];
}

export type WaveShare =
  | { readonly kind: "zones"; readonly patterns: readonly string[] }
  | { readonly kind: "percent"; readonly percent: number }
  | { readonly kind: "rest" };

/** What must hold before the next wave starts. */
export type Gate =
  | { readonly kind: "prove"; readonly files: readonly string[] }
  | { readonly kind: "test"; readonly files: readonly string[] }
  | { readonly kind: "summarize"; readonly failOn: "weakened" | "removed" | "drift" }
  | {
      readonly kind: "run";
      readonly command: string;
      /** After how many seconds it is ended, without an answer. @default 600 */
      readonly timeout?: number;
    }
  | { readonly kind: "wait"; readonly seconds: number }
  | { readonly kind: "approval"; readonly of: string };

/** How many shards may fail, or be stopped because a zone moved, before no further one starts. */
export interface AllowedFailures {
  /** @default 0 */
  readonly failed: Amount;
  /** @default 100 % */
  readonly moved: Amount;
}

export type Amount = { readonly shards: number } | { readonly percent: number };

/** The variable of a token that names none, where a rollout is exported. */
export const DEFAULT_VARIABLE = "CLOUDFLARE_API_TOKEN";
export const DEFAULT_SHARD_SIZE = 100;
export const DEFAULT_TIMEOUT = 600;
