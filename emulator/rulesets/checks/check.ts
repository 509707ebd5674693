import type { Body } from "../../call.js";
import type { ServiceError } from "../../failure.js";
import type { Kind } from "../../lists/model.js";
import type { Plan } from "../../zones/model.js";
import type { Ruleset } from "../model.js";

/** Where a rule is to be added. */
export interface RuleContext {
  readonly level: "zones" | "accounts";
  readonly kind: Ruleset["kind"];
  readonly phase: string;
  /** Plan of the zone; undefined for an account. */
  readonly plan?: Plan;
  /** A ruleset visible from here. */
  readonly find: (rulesetId: string) => Ruleset | undefined;
  /** The kind of the account's list with a name. */
  readonly listKind: (name: string) => Kind | undefined;
  /** Whether a rule belongs to a managed ruleset, to another one, or is unknown. */
  readonly belongs: (rulesetId: string, ruleId: string) => "here" | "elsewhere" | "unknown";
}

/** A check of one aspect of a rule. `at` points to the rule in the body. */
export type Check = (rule: Body, context: RuleContext, at: string) => ServiceError | undefined;
