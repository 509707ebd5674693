import type { Body } from "../../call.js";
import type { ServiceError } from "../../failure.js";
import type { Kind } from "../../lists/model.js";
import type { Plan } from "../../zones/model.js";
import type { Ruleset } from "../model.js";

/** Where a rule is to stand. */
export interface RuleContext {
  readonly level: "zones" | "accounts";
  readonly kind: Ruleset["kind"];
  readonly phase: string;
  /** Plan of the zone; undefined at account level. */
  readonly plan?: Plan;
  /** A ruleset that can be seen from here. */
  readonly find: (rulesetId: string) => Ruleset | undefined;
  /** The kind of the account's list of a name. */
  readonly listKind: (name: string) => Kind | undefined;
  /** Whether a rule is known to belong to a managed ruleset, to another one, or to none. */
  readonly belongs: (rulesetId: string, ruleId: string) => "here" | "elsewhere" | "unknown";
}

/** One subject: what a rule may not say. `at` points to the rule in the body. */
export type Check = (rule: Body, context: RuleContext, at: string) => ServiceError | undefined;
