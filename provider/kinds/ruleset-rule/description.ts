import type { Position } from "../../client/index.js";
import { namedType, type Argument, type Description, type InputsOf, type StateOf } from "../../engine/description.js";
import type { RulesetRule } from "../../model/generated/rule.js";
import type { JsonObject } from "../../model/json.js";
import type { Path } from "../../model/path.js";

/** A part of a rule. Its contents are checked with the rule, with the path of each fault. */
function part<Name extends keyof RulesetRule>(name: Name) {
  return namedType<NonNullable<RulesetRule[Name]>>(`RulesetRule.${name}`, () => true);
}

/** The fields of a rule, as arguments of the resource. Its ref, and the ID that the service assigns, are its identity. */
export const RULE_FIELDS = {
  action: { type: part("action"), change: "write", required: "by programs", output: true, mayBeSecret: true },
  actionParameters: { type: part("actionParameters"), change: "write", output: true, mayBeSecret: true },
  description: { type: part("description"), change: "write", output: true, mayBeSecret: true },
  enabled: { type: part("enabled"), change: "write", output: true, mayBeSecret: true },
  exposedCredentialCheck: { type: part("exposedCredentialCheck"), change: "write", output: true, mayBeSecret: true },
  expression: { type: part("expression"), change: "write", required: "by programs", output: true, mayBeSecret: true },
  logging: { type: part("logging"), change: "write", output: true, mayBeSecret: true },
  ratelimit: { type: part("ratelimit"), change: "write", output: true, mayBeSecret: true },
  wire: { type: part("wire"), change: "write", output: true, mayBeSecret: true },
} as const satisfies Readonly<Record<Exclude<keyof RulesetRule, "id" | "ref">, Argument>>;

/** One rule of a ruleset that also has rules of others. */
export const RULESET_RULE = {
  type: "RulesetRule",
  arguments: {
    zoneId: { type: "string", change: "replace", output: true },
    accountId: { type: "string", change: "replace", output: true },
    /** The phase whose entry point has the rule; `rulesetId` names any ruleset instead. */
    phase: { type: "string", change: "replace" },
    rulesetId: { type: "string", change: "replace" },
    ref: { type: "string", change: "replace" },
    /** The rule's position relative to others, which are named by ref or ID. */
    position: { type: namedType<Position>("RulePosition", () => true), change: "write" },
    ...RULE_FIELDS,
    /** The ID of a rule to take over. */
    ruleId: { type: "string", change: "none", consumed: true },
    onExisting: { type: "string", change: "none", default: "fail", choices: ["fail", "adopt"] },
    onConflict: { type: "string", change: "none", default: "fail", choices: ["fail", "overwrite"] },
    onDelete: { type: "string", change: "record", default: "delete", choices: ["delete", "keep"] },
  },
  checked: {
    ref: { type: "string", required: true, output: true },
    /** Also set for a ruleset that is given by its ID. */
    phase: { type: "string", required: true, output: true },
    /** The kind of a ruleset that is given by its ID. */
    __kind: { type: "string" },
    /** Whether the program gives the ruleset by its ID: every state contains the ID. */
    __byId: { type: "boolean" },
    /** The ID of a rule to take over. */
    __adopt: { type: "string" },
    /** The paths of secrets in the rule. */
    __secretPaths: { type: { list: namedType<Path>("Path", Array.isArray) } },
  },
  outputs: {
    ruleId: { type: "string", required: true },
    rulesetId: { type: "string", required: true },
    /** The rule's version: a number as a string; every change of its content adds one. */
    version: { type: "string", required: true },
    /** The rule's last change: RFC 3339, UTC. */
    lastUpdated: { type: "string", required: true },
    /** The rule as the service returned it, if it differs from the arguments. Drift is measured against both. */
    __answer: { type: namedType<JsonObject>("Answer") },
    /** True after a write that may or may not have been applied. */
    __incomplete: { type: "boolean" },
    /**
     * True if this stack took the rule over because it was equal, and has neither written to it since nor been told to
     * own it: a delete keeps it.
     */
    __takenOver: { type: "boolean" },
  },
} as const satisfies Description;

/** Inputs as `check` returns them. */
export type RuleInputs = InputsOf<typeof RULESET_RULE>;
/** The complete state. */
export type RuleState = StateOf<typeof RULESET_RULE>;
