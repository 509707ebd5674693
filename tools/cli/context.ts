import type { Client } from "../../client/index.js";
import type { Session } from "../../provider/engine/session.js";
import type { ConfigReader } from "../../provider/settings.js";
import type { Connection, ConnectOptions as AddressOptions } from "./connect.js";
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

interface StackOption {
  readonly stack?: string;
}

/** Options of every command that calls the service with the settings of a stack. */
export interface ConnectOptions extends AddressOptions, StackOption {}

interface CommandConnection extends Connection {
  /** The folder of the project of whose stack the settings are. @default this folder */
  readonly folder?: string;
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
  /** The settings of the stack that a command uses, of the project in a folder. They are read with the first key. */
  readonly config: (options: StackOption, folder: string) => ConfigReader;
  readonly connect: (options: ConnectOptions, connection?: CommandConnection) => Client;
  /** For a command that writes as a run does. */
  readonly openSession: (options: ConnectOptions) => Session;
}
