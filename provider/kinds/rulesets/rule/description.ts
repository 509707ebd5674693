import { checkId } from "../../../validation/checks/ids.js";
import type { RulesetRule } from "../../../../core/model/generated/rule.js";
import type { JsonObject } from "../../../../core/model/json.js";
import { isPath, type Path } from "../../../../core/model/path.js";
import type { Position } from "../../../../core/model/position.js";
import {
  type Argument,
  type Description,
  EXAMPLE_ID,
  IN_RULE_SCHEMA,
  type InputsOf,
  type StateOf,
} from "../../../engine/description.js";
import { anyObject, internalType, type NamedType, objectType } from "../../../engine/named-type.js";
import { RULE_FIELD_TYPES as FIELD } from "../../rule-type.js";
import { OPERATIONS, plannedRuleDelete } from "../records.js";

/** Every way to name a place. */
interface Places {
  readonly before?: string;
  readonly after?: string;
  readonly index?: number;
}
const PLACES = {
  before: { type: "string", text: 'Runs before that rule, possibly with others in between; `""` means first of all.' },
  after: { type: "string", text: 'Runs after that rule, possibly with others in between; `""` means last of all.' },
  index: { type: "number", text: "Its index in the order, from 1; beyond the end means last." },
} as const;

const POSITION = objectType<Places, Position>(
  "RulePosition",
  "The position of a rule among the others of its ruleset; exactly one of the three. Another rule, of this program or not, is " +
    "given by its ref, its ID, or as a `RulesetRule`.",
  PLACES,
  { exactlyOneOf: Object.keys(PLACES) },
);

/** A field of a rule as an argument; schema/rule.json has its text. */
function field<T>(type: NamedType<T>) {
  return { type, text: IN_RULE_SCHEMA, change: "write", output: true, mayBeSecret: true } as const satisfies Argument;
}

/** The fields of a rule, as arguments of the resource. Its ref, and the ID that the service assigns, are its identity. */
export const RULE_FIELDS = {
  action: { ...field(FIELD.action), required: "by programs" },
  actionParameters: field(FIELD.actionParameters),
  description: field(FIELD.description),
  enabled: field(FIELD.enabled),
  exposedCredentialCheck: field(FIELD.exposedCredentialCheck),
  expression: { ...field(FIELD.expression), required: "by programs" },
  logging: field(FIELD.logging),
  ratelimit: field(FIELD.ratelimit),
  wire: field(FIELD.wire),
} as const satisfies Readonly<Record<Exclude<keyof RulesetRule, "id" | "ref">, Argument>>;

/** One rule of a ruleset that also has rules of others. */
export const RULESET_RULE = {
  type: "RulesetRule",
  example: {
    name: "maintenance",
    text: "One rule beside those of others",
    args: {
      zoneId: EXAMPLE_ID,
      phase: "http_request_firewall_custom",
      action: "managed_challenge",
      expression: 'http.host eq "shop.example.com"',
      position: { index: 1 },
    },
  },
  text: "One rule of a ruleset in which other stacks and people have rules as well. The other rules are neither changed nor moved.",
  guide: "ruleset-rule",
  insteadOfImport: ["Leave it out and take over the existing rule by its ref, or by its ID with ruleId."],
  operations: OPERATIONS,
  levels: ["accounts", "zones"],
  hasRules: true,
  plannedDelete: plannedRuleDelete,
  exactlyOneOf: [
    ["zoneId", "accountId"],
    ["phase", "rulesetId"],
  ],
  arguments: {
    accountId: {
      type: "string",
      text: "Account whose ruleset it is in; excludes `zoneId`. Changing it replaces the rule.",
      change: "replace",
      output: true,
    },
    zoneId: {
      type: "string",
      text: "Zone whose ruleset it is in; excludes `accountId`. Changing it replaces the rule.",
      change: "replace",
      output: true,
    },
    phase: {
      type: "string",
      text:
        "The phase whose entry point it is in, which is created if it does not exist; excludes `rulesetId`. Changing it replaces " +
        "the rule.",
      known: "Phase",
      change: "replace",
    },
    rulesetId: {
      type: "string",
      text: "ID of the ruleset it is in; excludes `phase`. Changing it replaces the rule.",
      check: checkId,
      change: "replace",
    },
    ref: {
      type: "string",
      text:
        "Name of the rule in its ruleset. The service keeps a rule's ID only while its ref does not change, so changing it " +
        "replaces the rule.",
      otherwise: "derived from the resource's name",
      change: "replace",
    },
    position: {
      type: POSITION,
      text: "Its position.",
      otherwise: "last when it is created; after that, it is not moved",
      change: "write",
    },
    ...RULE_FIELDS,
    ruleId: {
      type: "string",
      text: "ID of an existing rule to take over.",
      check: checkId,
      change: "none",
      consumed: true,
    },
    onExisting: {
      type: "string",
      text: "What to do when a rule with that ref exists: `fail` stops unless it equals this one, `adopt` takes it over and changes it.",
      default: "fail",
      choices: ["fail", "adopt"],
      change: "none",
    },
    onConflict: {
      type: "string",
      text:
        "What to do when the rule was changed outside the stack since the last write and the program changes it too. " +
        "`RULESETS_ON_CONFLICT` overrides it for one run.",
      default: "fail",
      choices: ["fail", "overwrite"],
      change: "none",
    },
    onDelete: {
      type: "string",
      text: "What deleting does: `delete` deletes the rule from its ruleset, `keep` only removes it from the state.",
      default: "delete",
      choices: ["delete", "keep"],
      change: "record",
    },
  },
  checked: {
    ref: {
      type: "string",
      text: "Name of the rule in its ruleset.",
      outputText: "Known in the preview.",
      required: true,
      output: true,
    },
    phase: {
      type: "string",
      text: "The phase, also of a ruleset that is given by its ID.",
      outputText: "The phase in which it runs.",
      required: true,
      output: true,
    },
    __kind: {
      type: "string",
      text: "The kind of a ruleset that the program gives by its ID, which every state contains; empty while it is not known.",
    },
    __adopt: { type: "string", text: "The ID of a rule to take over." },
    __secretPaths: {
      type: { list: internalType<Path>("Path", isPath) },
      text: "The paths of secrets in the rule.",
    },
  },
  outputs: {
    ruleId: {
      type: "string",
      text: "The service's ID of the rule; it does not change when the rule is edited or moved.",
      required: true,
      stable: true,
    },
    rulesetId: { type: "string", text: "The service's ID of the ruleset.", required: true, stable: true },
    version: {
      type: "string",
      text: "Version of the rule, not of its ruleset: a number as a string, incremented with every change of the rule's content.",
      required: true,
    },
    lastUpdated: { type: "string", text: "When the rule was last changed: RFC 3339, UTC.", required: true },
    __answers: {
      type: { map: anyObject<JsonObject>("Answer") },
      text: "By ID, the rule as the service returned it, if it differs from the arguments. Drift is measured against both.",
    },
    __rulesetVersion: {
      type: "string",
      text: "Version of the ruleset after the last write of this rule.",
    },
    __incomplete: { type: "boolean", text: "True after a write that may or may not have been applied." },
    __takenOver: {
      type: { list: "string" },
      text:
        "Its ref, if this stack took the rule over because it was equal, has not changed it and was not asked to own it: a delete " +
        "keeps it.",
    },
  },
} as const satisfies Description;

/** Inputs as `check` returns them. */
export type RuleInputs = InputsOf<typeof RULESET_RULE>;
/** The complete state. */
export type RuleState = StateOf<typeof RULESET_RULE>;
