import type { Client } from "../provider/client/index.js";
import type { Session } from "../provider/engine/session.js";
import type { Connection, ConnectOptions } from "./connect.js";
import type { OwnPackage } from "./doctor/facts.js";
import type { Progress } from "./progress.js";

/** Where a command prints what it found. */
export interface Output {
  readonly print: (line: string) => void;
  /** How wide tables may be. @default any width */
  readonly columns?: number | undefined;
}

/** Where a command prints that reads many zones. */
export interface ZonesOutput extends Output {
  readonly progress: Progress;
}

/**
 * What the commands receive from the main program. A command declares its options first and loads its implementation in its
 * action, so that neither the help nor other commands wait for it.
 */
export interface CommandContext extends Output {
  readonly own: OwnPackage;
  /** Prints to standard error, beside the output. */
  readonly printNote: (line: string) => void;
  readonly progress: () => Progress;
  readonly connect: (options: ConnectOptions, connection?: Connection) => Client;
  /** For a command that writes as a run does. */
  readonly openSession: (options: ConnectOptions) => Session;
}
