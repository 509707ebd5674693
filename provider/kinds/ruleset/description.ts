import { namedType, type Description, type InputsOf, type StateOf } from "../../engine/description.js";
import type { RulesetRule } from "../../model/generated/rule.js";
import type { JsonObject } from "../../model/json.js";
import type { Path } from "../../model/path.js";
import type { DeployedRuleInfo } from "../../model/ruleset.js";

/** A rule as a program wrote it. Its contents are checked rule by rule, with the path of each fault. */
const RULE = namedType<RulesetRule>("RulesetRule", () => true);

const ARGUMENTS = {
  zoneId: { type: "string", change: "replace", output: true },
  accountId: { type: "string", change: "replace", output: true },
  phase: { type: "string", required: true, change: "replace", output: true },
  name: { type: "string", change: "write", output: true, mayBeSecret: true },
  description: { type: "string", change: "write", output: true, mayBeSecret: true },
  rules: { type: { list: RULE }, change: "write", mayBeSecret: true },
  ownership: { type: "string", change: "write", default: "exclusive", choices: ["exclusive", "shared"] },
  onExisting: { type: "string", change: "none", default: "fail", choices: ["fail", "adopt", "replace", "empty"] },
  onConflict: { type: "string", change: "none", default: "fail", choices: ["fail", "overwrite"] },
  onDelete: { type: "string", change: "record", choices: ["empty", "delete", "keep"] },
  maxRemovedPercent: { type: "number", change: "record" },
  /** The version whose rules replace those of the program. */
  restoreVersion: { type: "string", change: "record" },
} as const satisfies Description["arguments"];

const CHECKED = {
  /** By ref, under the name of the argument: the engine applies secrets and `ignoreChanges` by top-level name. */
  rules: { type: { map: RULE }, required: true, output: true },
  /** Refs in the order in which the rules run, one per line, with a newline after each. */
  order: { type: "string", required: true, output: true, ignorable: true },
  /** The number of enabled rules: a preview of a removal shows how many stop working. */
  rulesInForce: { type: "number" },
  /** The ID of a ruleset to take over. */
  __adopt: { type: "string" },
  /** By ref, the paths of secrets in the rule. */
  __secretPaths: { type: { map: namedType<readonly Path[]>("Paths", Array.isArray) } },
  /** The version that `rules` and `order` still match, so that it need not be read again. Dropped after drift. */
  __restored: { type: "string", change: "record" },
  /** Names of other arguments that are secret. */
  __secretArgs: { type: { list: "string" } },
  /**
   * By ref, the fingerprint of the rule that the program declared before somebody changed it at the service, so that
   * the rule is recognised however much was changed. Set by `read`; dropped when nothing is left to repair.
   */
  __declared: { type: { map: "string" } },
} as const satisfies Description["checked"];

const OUTPUTS = {
  /** A number as a string; every change adds one. */
  version: { type: "string", required: true },
  /** The version that the last write of this resource replaced. Missing before the first such write. */
  previousVersion: { type: "string" },
  /** RFC 3339, UTC. */
  lastUpdated: { type: "string", required: true },
  rulesetId: { type: "string", required: true },
  /** Every rule in order, including those of others. */
  deployedRules: { type: { list: namedType<DeployedRuleInfo>("DeployedRule") }, required: true },
  /** Ref to ID, for the rules of this stack. */
  ruleIds: { type: { map: "string" }, required: true },
  /**
   * By ID, the rule as the service returned it, if it differs from `rules`: rules of others, and fields that the
   * service added. Drift is measured against this together with `rules`.
   */
  __answers: { type: { map: namedType<JsonObject>("Answer") } },
  /** The name at the service, if the program sets none. */
  __serviceName: { type: "string" },
  /** The description at the service, if the program sets none. */
  __serviceDescription: { type: "string" },
  /** True after a write that may or may not have been applied. */
  __incomplete: { type: "boolean" },
  /** With `__incomplete`, after a refresh: the version that the write was to replace. */
  __lostOver: { type: "string" },
  /**
   * True if this stack took the ruleset over because it was equal, and has neither written to it since nor been told to
   * own it: a delete keeps it. Missing in states of earlier versions, which mostly wrote their rulesets themselves and
   * delete them.
   */
  __takenOver: { type: "boolean" },
  /**
   * The same for single rules of a shared ruleset: refs of existing, equal rules that this stack has neither written
   * nor been told to own.
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
    name: { ...ARGUMENTS.name, required: "by programs", replacesWhere: { kind: "custom" } },
    kind: { type: "string", required: "by programs", change: "replace", output: true },
    /** The ID of a ruleset to take over. */
    rulesetId: { type: "string", change: "none", consumed: true },
  },
  checked: CHECKED,
  outputs: OUTPUTS,
} as const satisfies Description;

/** The descriptions of the two resources for a ruleset. */
export type RulesetDescription = typeof RULESET | typeof PHASE_ENTRYPOINT;
/** Inputs as `check` returns them, for either resource. */
export type RulesetInputs = InputsOf<typeof RULESET>;
/** The complete state, for either resource. */
export type RulesetState = StateOf<typeof RULESET>;
