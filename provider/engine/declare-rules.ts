import type { RulesetInput } from "../../core/simulator/ruleset-input.js";
import type { ListInput } from "../../core/simulator/lists.js";
import type { JsonObject } from "../../core/model/json.js";
import type { Path } from "../../core/model/path.js";

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
  /** By index of a ruleset: the kind of its resource. */
  readonly types: string[];
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
