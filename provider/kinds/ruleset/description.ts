import { shape, type Description, type InputsOf, type StateOf } from "../../engine/description.js";
import type { RulesetRule } from "../../model/generated/rule.js";
import type { JsonObject } from "../../model/json.js";
import type { Path } from "../../model/path.js";
import type { DeployedRuleInfo } from "../../model/ruleset.js";

/** A rule as a program wrote it. What stands in it is checked rule by rule, with the path of each fault. */
const RULE = shape<RulesetRule>("RulesetRule", () => true);

const ARGUMENTS = {
  zoneId: { type: "string", replaces: true, output: true },
  accountId: { type: "string", replaces: true, output: true },
  phase: { type: "string", required: true, replaces: true, output: true },
  name: { type: "string", output: true, mayBeSecret: true },
  description: { type: "string", output: true, mayBeSecret: true },
  rules: { type: { list: RULE }, mayBeSecret: true },
  ownership: { type: "string", choices: ["exclusive", "shared"] },
  onExisting: { type: "string", choices: ["fail", "adopt", "replace", "empty"] },
  onConflict: { type: "string", choices: ["fail", "overwrite"] },
  onDelete: { type: "string", choices: ["empty", "delete", "keep"] },
  maxRemovedPercent: { type: "number" },
  /** The version whose rules stand in place of the program's. */
  restoreVersion: { type: "string" },
} as const satisfies Description["arguments"];

const CHECKED = {
  /** By ref, under the name of the argument: the engine keeps secrets and ignored changes by top-level name. */
  rules: { type: { map: RULE }, required: true, output: true },
  /** Refs in the order the rules run in, one a line, each line ended. */
  order: { type: "string", required: true, output: true, ignorable: true },
  /** How many of the rules run: what a preview of a removal shows to stop working. */
  rulesInForce: { type: "number" },
  /** A ruleset to take over by its id. */
  __adopt: { type: "string" },
  /** By ref, where in the rule secrets stand. */
  __secretPaths: { type: { map: shape<readonly Path[]>("Paths", Array.isArray) } },
  /** The version whose rules `rules` and `order` still are, so that it need not be read again. Goes with a drift. */
  __restored: { type: "string" },
  /** Other arguments that are secrets, by name. */
  __secretArgs: { type: { list: "string" } },
  /**
   * By ref, the fingerprint of what the program declared before somebody changed the rule at the service: so it is known
   * again however much was changed. From `read`; goes when nothing is left to repair.
   */
  __declared: { type: { map: "string" } },
} as const satisfies Description["checked"];

const OUTPUTS = {
  /** A number as text, one more with every change. */
  version: { type: "string", required: true },
  /** The version that the last write of this resource was made over. Missing before the first such write. */
  previousVersion: { type: "string" },
  /** RFC 3339, UTC. */
  lastUpdated: { type: "string", required: true },
  rulesetId: { type: "string", required: true },
  /** Every rule in order, those of others included. */
  deployedRules: { type: { list: shape<DeployedRuleInfo>("DeployedRule") }, required: true },
  /** Ref to id, for the rules of this stack. */
  ruleIds: { type: { map: "string" }, required: true },
  /**
   * By id, what the service answered, where that is not what `rules` says: rules of others, and fields the service added.
   * With `rules` it is what drift is measured against.
   */
  __answers: { type: { map: shape<JsonObject>("Answer") } },
  /** The name the service knows, where the program names none. */
  __serviceName: { type: "string" },
  /** The description the service holds, where the program gives none. */
  __serviceDescription: { type: "string" },
  /** True after a write of which nobody knows whether it landed. */
  __incomplete: { type: "boolean" },
  /** Beside `__incomplete`, after a refresh: the version that the write was to replace. */
  __lostOver: { type: "string" },
  /**
   * True where this stack took the ruleset over because it was equal, and has neither written to it since nor been told to
   * own it: a delete leaves it. Missing in states of earlier versions, which mostly wrote what they hold and delete it.
   */
  __takenOver: { type: "boolean" },
  /**
   * The same for single rules of a shared ruleset: refs of those that stood there already, equal, and that this stack has
   * neither written nor been told to own.
   */
  __takenOverRules: { type: { list: "string" } },
} as const satisfies Description["outputs"];

/** The entry point of a phase, by the phase's name. */
export const PHASE_ENTRYPOINT = {
  type: "PhaseEntrypoint",
  keyed: true,
  arguments: ARGUMENTS,
  checked: CHECKED,
  outputs: OUTPUTS,
} as const satisfies Description;

/** Any ruleset that can be created. */
export const RULESET = {
  type: "Ruleset",
  keyed: true,
  arguments: {
    ...ARGUMENTS,
    name: { ...ARGUMENTS.name, required: "by programs" },
    kind: { type: "string", required: "by programs", replaces: true, output: true },
    /** A ruleset to take over by its id. */
    rulesetId: { type: "string", consumed: true },
  },
  checked: CHECKED,
  outputs: OUTPUTS,
} as const satisfies Description;

/** The two faces of a ruleset. */
export type RulesetDescription = typeof RULESET | typeof PHASE_ENTRYPOINT;
/** Inputs as `check` hands them on, of either face. */
export type RulesetInputs = InputsOf<typeof RULESET>;
/** The whole state, of either face. */
export type RulesetState = StateOf<typeof RULESET>;
