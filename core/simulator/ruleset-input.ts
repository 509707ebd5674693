import type { ListsInput } from "./lists.js";

/** A rule in a program's notation (camelCase) or the API's (snake_case). */
export interface RuleInput {
  readonly ref?: string;
  readonly id?: string;
  readonly description?: string;
  readonly action: string;
  /** Missing in rules of managed rulesets. Whether such a rule matches is not known. */
  readonly expression?: string;
  /** @default true */
  readonly enabled?: boolean;
  readonly actionParameters?: object;
  readonly action_parameters?: object;
  readonly ratelimit?: object;
  readonly exposedCredentialCheck?: object;
  readonly exposed_credential_check?: object;
  /** Fields of the service without a typed name. Read by the analysis only. */
  readonly wire?: object;
  /**
   * Set if a part of the rule is not known here, such as a secret; equal for rules in which it is the same. The expression is
   * missing if it is that part.
   */
  readonly opaque?: string;
}

export interface RulesetInput {
  /** The ID by which `execute` and `skip` refer to it. */
  readonly id?: string;
  readonly name?: string;
  /** `root` is the entry point of an account, `zone` that of a zone. @default "root" with an account ID, otherwise "zone" */
  readonly kind?: string;
  readonly phase: string;
  readonly zoneId?: string;
  readonly accountId?: string;
  /** The name of its zone or account, for messages. */
  readonly owner?: string;
  readonly rules: readonly RuleInput[];
  /** The lists of its account whose items are known. Whether a value is in any other list is unknown. */
  readonly lists?: ListsInput;
  /**
   * Whether the ruleset has rules of others besides these, as where it is shared. What runs before, between and after these rules
   * is not known then. Read by the analysis only.
   */
  readonly isPart?: boolean;
  /** Where a part asks to be among the rules of others. */
  readonly position?: object;
}
