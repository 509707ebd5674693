import type { Position } from "../../client/index.js";
import { shape, type Argument, type Description, type InputsOf, type StateOf } from "../../engine/description.js";
import type { RulesetRule } from "../../model/generated/rule.js";
import type { JsonObject } from "../../model/json.js";
import type { Path } from "../../model/path.js";

/** A part of a rule. What stands in it is checked with the rule, with the path of each fault. */
function part<Name extends keyof RulesetRule>(name: Name) {
  return shape<NonNullable<RulesetRule[Name]>>(`RulesetRule.${name}`, () => true);
}

/** What a rule says, as arguments of the resource. Its ref, and the id that the service gives, are its identity. */
export const RULE_FIELDS = {
  action: { type: part("action"), required: "by programs", output: true, mayBeSecret: true },
  actionParameters: { type: part("actionParameters"), output: true, mayBeSecret: true },
  description: { type: part("description"), output: true, mayBeSecret: true },
  enabled: { type: part("enabled"), output: true, mayBeSecret: true },
  exposedCredentialCheck: { type: part("exposedCredentialCheck"), output: true, mayBeSecret: true },
  expression: { type: part("expression"), required: "by programs", output: true, mayBeSecret: true },
  logging: { type: part("logging"), output: true, mayBeSecret: true },
  ratelimit: { type: part("ratelimit"), output: true, mayBeSecret: true },
  wire: { type: part("wire"), output: true, mayBeSecret: true },
} as const satisfies Readonly<Record<Exclude<keyof RulesetRule, "id" | "ref">, Argument>>;

/** One rule of a ruleset in which others have rules as well. */
export const RULESET_RULE = {
  type: "RulesetRule",
  arguments: {
    zoneId: { type: "string", replaces: true, output: true },
    accountId: { type: "string", replaces: true, output: true },
    /** The phase whose entry point the rule is in; `rulesetId` in its place names any ruleset. */
    phase: { type: "string", replaces: true },
    rulesetId: { type: "string", replaces: true },
    ref: { type: "string", replaces: true },
    /** Where the rule stands among others, named by their refs or ids. */
    position: { type: shape<Position>("RulePosition", () => true) },
    ...RULE_FIELDS,
    /** A rule to take over by its id. */
    ruleId: { type: "string", consumed: true },
    onExisting: { type: "string", choices: ["fail", "adopt"] },
    onConflict: { type: "string", choices: ["fail", "overwrite"] },
    onDelete: { type: "string", choices: ["delete", "keep"] },
  },
  checked: {
    ref: { type: "string", required: true, output: true },
    /** Of a ruleset that is named by its id, the phase too. */
    phase: { type: "string", required: true, output: true },
    /** The kind of a ruleset that is named by its id. */
    __kind: { type: "string" },
    /** Whether the program names the ruleset by its id: every state holds the id. */
    __byId: { type: "boolean" },
    /** A rule to take over by its id. */
    __adopt: { type: "string" },
    /** Where in the rule secrets stand. */
    __secretPaths: { type: { list: shape<Path>("Path", Array.isArray) } },
  },
  outputs: {
    ruleId: { type: "string", required: true },
    rulesetId: { type: "string", required: true },
    /** Of the rule: a number as text, one more with every change of what it says. */
    version: { type: "string", required: true },
    /** Of the rule: RFC 3339, UTC. */
    lastUpdated: { type: "string", required: true },
    /** What the service answered, where that is not what the arguments say: with them it is what drift is measured against. */
    __answer: { type: shape<JsonObject>("Answer") },
    /** True after a write of which nobody knows whether it landed. */
    __incomplete: { type: "boolean" },
    /**
     * True where this stack took the rule over because it was equal, and has neither written to it since nor been told to
     * own it: a delete leaves it.
     */
    __takenOver: { type: "boolean" },
  },
} as const satisfies Description;

/** Inputs as `check` hands them on. */
export type RuleInputs = InputsOf<typeof RULESET_RULE>;
/** The whole state. */
export type RuleState = StateOf<typeof RULESET_RULE>;
