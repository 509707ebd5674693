import type { RulesetInput } from "../../simulator/ruleset-input.js";
import type { ListInput } from "../../simulator/lists.js";
import type { JsonObject } from "../model/json.js";
import type { Path } from "../model/path.js";
import type { StackResource } from "./predecessors.js";
import type { ProgramSource } from "./program-run.js";
import type { Warn } from "./reporter.js";
import type { Session } from "./session.js";

/** What a kind has besides its handlers, each part loaded where it is needed. Most kinds have none. */
export interface KindParts {
  /** What it can say only when the calls of a run are over. Small: it is loaded at the end of every run. */
  readonly atEnd?: () => AtEnd;
  /** What its resources mean for rules where a program runs without an engine. */
  readonly declare?: () => DeclareRules;
}

/**
 * What only a preview of the whole program tells: whether something that was checked is mended by a resource that comes later
 * (`later`), or whether something leaves the program that what was checked needs (`left`).
 */
export type Waiting = "later" | "left" | undefined;

/** What is said of a program of which a preview has seen every resource. */
export interface FoundInWhole {
  /** What stops it. */
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
}

/** What a kind can say only when the calls of a run are over. */
export interface AtEnd {
  /** Whether there may be something to say. */
  isNeeded(session: Session): boolean;
  /** The same for a preview that has seen every resource, if it can tell more. */
  isNeededWhole?(session: Session): Promise<boolean>;
  /**
   * After a preview that has seen every resource of the program: an error stops it.
   * @param warn about what no other preview tells
   */
  ofWholePreview(session: Session, warn: Warn): Promise<void>;
  /** When an update has checked every resource of the program, before the last one is written. @default nothing */
  ofWholeUpdate?(session: Session): Promise<void>;
  /** After a run without writes of which nobody has said how many resources the program declares: it can only be shown. */
  ofRun(session: Session, isPreview: boolean): Promise<void>;
  /** What only a preview of the whole program tells. @default nothing */
  waitsFor?(session: Session): Promise<Waiting>;
  /** Before a resource is deleted that the program no longer declares, about which the engine asks nobody: an error stops it. */
  beforeDelete?(session: Session, resource: StackResource): Promise<void>;
}

/** A resource that a program declares where no engine runs, without the engine's markers of secrets. */
export interface DeclaredResource {
  /** The name of its class. */
  readonly type: string;
  readonly name: string;
  /** What `get` reads; undefined for a resource that the program declares. */
  readonly id: string | undefined;
  readonly inputs: JsonObject;
  readonly secrets: Readonly<Record<string, unknown>>;
}

/** A secret value of a program. */
export interface DeclaredSecret {
  readonly path: Path;
  readonly value: unknown;
}

/** The rules and lists that the resources of a program declare, as far as it has run. */
export interface DeclaredSoFar {
  readonly rulesets: RulesetInput[];
  /** By index of a ruleset: the kind of its resource, and where the program declares it. */
  readonly types: string[];
  readonly sources: (ProgramSource | undefined)[];
  /** The indexes of rulesets whose rules are not known without the engine. */
  readonly unknown: number[];
  /** By index of a ruleset: its rules with the engine's marker in place of what is not known; undefined if all of it is. */
  readonly pending: (readonly JsonObject[] | undefined)[];
  readonly lists: ListOfProgram[];
  readonly secrets: DeclaredSecret[];
}

/** A list whose items the program decides. */
export interface ListOfProgram {
  readonly accountId: unknown;
  readonly name: string;
  readonly input: ListInput;
}

/**
 * Adds what a resource means for rules to those of the program, and returns the outputs that the provider would return; undefined
 * if they depend on the service.
 */
export type DeclareRules = (
  resource: DeclaredResource,
  program: DeclaredSoFar,
) => { readonly id: string; readonly state: object } | undefined;
