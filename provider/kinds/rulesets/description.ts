import { PERCENT } from "../../../core/model/numbers.js";
import { checkId } from "../../validation/checks/ids.js";
import type { JsonObject } from "../../../core/model/json.js";
import { isPathList, type Path } from "../../../core/model/path.js";
import type { Position } from "../../../core/model/position.js";
import type { DeployedRuleInfo } from "../../../core/model/ruleset.js";
import {
  type Description,
  EXAMPLE_ID,
  type GivenArguments,
  type InputsOf,
  type Refusal,
  type StateOf,
} from "../../engine/description.js";
import { anyObject, internalType, objectType } from "../../engine/named-type.js";
import { RULE } from "../rule-type.js";
import { OPERATIONS, plannedRulesetDelete } from "./records.js";

/** A rule at the service, as states record it. */
export const DEPLOYED_RULE = objectType<DeployedRuleInfo>(
  "DeployedRule",
  "A deployed rule: its identity, and enough to distinguish it. Secret values are omitted.",
  {
    id: { type: "string", text: "The service's ID of the rule.", required: true },
    ref: { type: "string", text: "Its name in the ruleset.", required: true },
    version: {
      type: "string",
      text: "A number as a string, incremented with every change of the rule.",
      required: true,
    },
    lastUpdated: { type: "string", text: "RFC 3339, UTC." },
    action: { type: "string", text: "What it does. Missing if it is secret." },
    description: {
      type: "string",
      text: "Its description. Missing if it is secret.",
    },
    enabled: { type: "boolean", text: "Whether it runs. Missing if it is secret." },
  },
);

/** The side of a rule of somebody else. */
interface Beside {
  readonly before?: string;
  readonly after?: string;
}
const BESIDE = {
  before: { type: "string", text: "Runs before that rule, possibly with others in between." },
  after: { type: "string", text: "Runs after that rule, possibly with others in between." },
} as const;

const LISTED_POSITION = objectType<Beside, Position>(
  "ListedRulePosition",
  "The position of a rule of a shared list among the rules of others; exactly one of the two. The other rule is given by its ref " +
    "or its ID.",
  BESIDE,
  { exactlyOneOf: Object.keys(BESIDE) },
);

const ARGUMENTS = {
  accountId: {
    type: "string",
    text: "Account the ruleset belongs to; excludes `zoneId`. Changing it replaces the ruleset.",
    change: "replace",
    output: true,
  },
  zoneId: {
    type: "string",
    text: "Zone the ruleset belongs to; excludes `accountId`. Changing it replaces the ruleset.",
    change: "replace",
    output: true,
  },
  phase: {
    type: "string",
    text: "Phase in which its rules run. Changing it replaces the ruleset.",
    known: "Phase",
    required: true,
    change: "replace",
    output: true,
  },
  name: { type: "string", text: "Name.", change: "write", output: true, mayBeSecret: true },
  description: {
    type: "string",
    text: "Free text.",
    default: "",
    change: "write",
    output: true,
    mayBeSecret: true,
  },
  rules: {
    type: { list: RULE },
    text: "Rules in the order in which they run.",
    otherwise: "[]",
    change: "write",
    mayBeSecret: true,
  },
  ownership: {
    type: "string",
    text:
      "Which rules the program manages. `exclusive`: every rule of the ruleset. `shared`: only its own, alongside rules of other " +
      "stacks and people, which it never changes; it writes each rule with a separate request. Switching between the two does " +
      "not write anything by itself.",
    default: "exclusive",
    choices: ["exclusive", "shared"],
    change: "write",
  },
  positions: {
    type: { map: LISTED_POSITION },
    text:
      "By ref, rules that must run before or after a rule of somebody else in a shared ruleset. The order of `rules` applies as " +
      "well.",
    otherwise: "new rules go beside the program's other rules, or last",
    change: "write",
  },
  onExisting: {
    type: "string",
    text:
      "What to do when rules already exist: `fail` stops unless nothing would be lost, `adopt` takes over if the program " +
      "contains every existing rule, `replace` deletes the others, `empty` does so even if the program contains no rules. " +
      "In a shared ruleset: `fail` stops if the ref of a rule belongs to a different existing rule, `adopt` takes over such " +
      "rules, and those that equal a rule of the program; the other values are refused.",
    default: "fail",
    choices: ["fail", "adopt", "replace", "empty"],
    change: "none",
  },
  onConflict: {
    type: "string",
    text:
      "What to do when the ruleset was changed outside the stack since the last write and the program changes it too. " +
      "`RULESETS_ON_CONFLICT` overrides it for one run.",
    default: "fail",
    choices: ["fail", "overwrite"],
    change: "none",
  },
  onDelete: {
    type: "string",
    text:
      "What deleting does: `empty` deletes the rules of an entry point and keeps its versions, `delete` deletes it entirely, " +
      "`keep` only removes it from the state. For a shared ruleset, `empty` deletes the program's own rules, and `delete` is " +
      "refused.",
    otherwise: '"empty" for entry points and shared rulesets, "delete" for other custom rulesets',
    choices: ["empty", "delete", "keep"],
    change: "record",
  },
  maxRemovedPercent: {
    type: "number",
    text:
      "Percentage of the existing rules that one run may remove; if it would remove more, the preview fails. " +
      "`RULESETS_MAX_REMOVED_PERCENT` overrides it for one run.",
    otherwise: "`rulesets:maxRemovedPercent`, or else 100",
    range: PERCENT,
    change: "record",
  },
} as const satisfies Description["arguments"];

/** What a program cannot ask of a ruleset that it shares, and what needs sharing. */
const REFUSALS: readonly Refusal[] = [
  {
    argument: "positions",
    without: { ownership: "shared" },
    because:
      'places rules among those of others, so it needs ownership: "shared"; otherwise the order of `rules` is the order of all',
  },
  {
    argument: "onDelete",
    value: "delete",
    beside: { ownership: "shared" },
    because:
      'delete would remove the rules of others who share the ruleset; with ownership: "shared" it can be "empty", ' +
      'which deletes only this program\'s rules, or "keep"',
  },
  ...["replace", "empty"].map((value) => ({
    argument: "onExisting",
    value,
    beside: { ownership: "shared" },
    because:
      `${value} would drop the rules of others who share the ruleset; with ownership: "shared" it can be "fail", or "adopt", ` +
      "which takes over rules that match this program's own",
  })),
  ofWhole("description", "describes"),
];

function ofWhole(argument: string, does: string): Refusal {
  const because = `${does} the whole ruleset, which is shared; remove it, or set ownership: "exclusive"`;
  return { argument, beside: { ownership: "shared" }, because };
}

const CHECKED = {
  rules: {
    type: { map: RULE },
    text: "By ref, under the name of the argument: the engine applies secrets and `ignoreChanges` by top-level name.",
    storedAsJson: true,
    outputText:
      "The rules as declared, in order, each with its `ref`; they can be used as the `rules` of another ruleset.",
    outputType: { list: RULE },
    required: true,
    output: true,
  },
  order: {
    type: "string",
    text: "Refs in the order in which the rules run, one per line, with a newline after each.",
    required: true,
    output: "for the class",
    ignorable: true,
  },
  rulesInForce: {
    type: "number",
    text: "The number of enabled rules: a preview of a removal shows how many stop working.",
  },
  foreignRules: {
    type: { map: anyObject<JsonObject>("ForeignRule") },
    text:
      "By ref, rules that this stack never wrote, in a ruleset that it owns as a whole, with their positions. Set by `read`, so " +
      "that a refresh shows them; never declared, so that the next run removes them or stops, as `onConflict` says.",
  },
  __adopt: { type: "string", text: "The ID of a ruleset to take over." },
  __secretPaths: {
    type: { map: internalType<readonly Path[]>("Paths", isPathList) },
    text: "By ref, the paths of secrets in the rule.",
  },
  __secretArgs: { type: { list: "string" }, text: "Names of other arguments that are secret." },
  __declared: {
    type: { map: "string" },
    text:
      "By ref, the fingerprint of the rule that the program declared before somebody changed it at the service, so that " +
      "the rule is recognised however much was changed. Set by `read`; dropped when nothing is left to repair.",
  },
} as const satisfies Description["checked"];

const OUTPUTS = {
  version: { type: "string", text: "A number as a string, incremented with every change.", required: true },
  previousVersion: {
    type: "string",
    text: "The version that the last write of this resource replaced; undefined if it has not replaced one.",
  },
  lastUpdated: { type: "string", text: "RFC 3339, UTC.", required: true },
  rulesetId: { type: "string", text: "The service's ID of the ruleset.", required: true, stable: true },
  deployedRules: {
    type: { list: DEPLOYED_RULE },
    storedAsJson: true,
    text:
      "All deployed rules in order, including those of others, with `id`, `ref`, `version`, `action`, `description` and " +
      "`enabled`. Secret values are omitted.",
    required: true,
  },
  ruleIds: {
    type: { map: "string" },
    text: "Rule IDs by ref, for the rules of this program.",
    required: true,
    stable: "by ref",
  },
  __answers: {
    type: { map: anyObject<JsonObject>("Answer") },
    text:
      "By ID, the rule as the service returned it, if it differs from `rules`: rules of others, and fields that the " +
      "service added. Drift is measured against this together with `rules`.",
  },
  __service: {
    type: { map: "string" },
    text: "The `name` at the service, if it is not the declared one; the `description` there, if the program sets none.",
  },
  __incomplete: {
    type: "boolean",
    text: "True after a write that may or may not have been applied; false after one that was, in an update that failed all the same.",
  },
  __lostOver: {
    type: "string",
    text: "With `__incomplete`, after a refresh: the version that the write was to replace.",
  },
  __takenOver: {
    type: { list: "string" },
    text:
      "Refs of the rules that this stack took over because they were equal, has not changed and was not asked to own: a delete " +
      "keeps them. In a ruleset that it owns as a whole, present if that holds for the ruleset, which may have no rules.",
  },
} as const satisfies Description["outputs"];

function adoption(byId: string) {
  return [
    `Leave it out and take over what exists with onExisting: "adopt"${byId}: the preview prints the rules to add.`,
    "ownership",
  ] as const;
}

/** The entry point of a phase, by the phase's name. */
export const PHASE_ENTRYPOINT = {
  type: "PhaseEntrypoint",
  example: {
    name: "firewall",
    text: "The custom rules of a zone",
    args: {
      zoneId: EXAMPLE_ID,
      phase: "http_request_firewall_custom",
      rules: [{ ref: "block-admin", action: "block", expression: 'http.request.uri.path eq "/admin"' }],
    },
  },
  guide: "phase-entrypoint",
  insteadOfImport: adoption(""),
  operations: OPERATIONS,
  levels: ["accounts", "zones"],
  hasRules: true,
  plannedDelete: (state) => plannedRulesetDelete(state, "empty"),
  text: "The ruleset attached to a phase of a zone or an account, addressed by the phase's name.",
  keyed: true,
  exactlyOneOf: [["zoneId", "accountId"]],
  refusals: [...REFUSALS, ofWhole("name", "names")],
  arguments: {
    ...ARGUMENTS,
    accountId: {
      ...ARGUMENTS.accountId,
      text: "Account whose entry point it is; excludes `zoneId`. Changing it replaces the entry point.",
    },
    zoneId: {
      ...ARGUMENTS.zoneId,
      text: "Zone whose entry point it is; excludes `accountId`. Changing it replaces the entry point.",
    },
    phase: { ...ARGUMENTS.phase, text: "The phase. Changing it replaces the entry point." },
    name: {
      ...ARGUMENTS.name,
      otherwise: '"default", or the name of the existing entry point',
      implied: ["default", ""],
    },
    rules: {
      type: ARGUMENTS.rules.type,
      text: "Rules in the order in which they run; `[]` explicitly means no rules.",
      required: "by programs",
      change: "write",
      mayBeSecret: true,
    },
  },
  checked: CHECKED,
  outputs: OUTPUTS,
} as const satisfies Description;

/** Any ruleset that can be created. */
export const RULESET = {
  type: "Ruleset",
  example: {
    name: "shared",
    text: "A custom ruleset of an account, for zones to execute",
    args: {
      accountId: EXAMPLE_ID,
      kind: "custom",
      name: "Shared rules",
      phase: "http_request_firewall_custom",
      rules: [{ ref: "block-bots", action: "block", expression: "cf.client.bot" }],
    },
  },
  guide: "ruleset",
  insteadOfImport: adoption(" (or rulesetId: the ID of the ruleset)"),
  operations: OPERATIONS,
  levels: ["accounts", "zones"],
  hasRules: true,
  plannedDelete: (state) => plannedRulesetDelete(state, state.inputs.kind === "custom" ? "delete" : "empty"),
  text: "A ruleset of any kind that can be created: a custom ruleset, or the entry point of a phase.",
  keyed: true,
  exactlyOneOf: [["zoneId", "accountId"]],
  refusals: [
    ...REFUSALS,
    {
      argument: "onDelete",
      value: "empty",
      beside: { kind: "custom" },
      without: { ownership: "shared" },
      because: "empty is for entry points; a custom ruleset is deleted or kept",
    },
  ],
  arguments: {
    ...ARGUMENTS,
    name: {
      ...ARGUMENTS.name,
      text: "Name. A custom ruleset cannot be renamed, so changing it replaces the ruleset.",
      required: "by programs",
      replacesWhere: { kind: "custom" },
    },
    kind: {
      type: "string",
      text: "`custom`, or the entry point of a phase: `zone` in a zone, `root` in an account. Changing it replaces the ruleset.",
      known: "Kind",
      required: "by programs",
      change: "replace",
      output: true,
    },
    rulesetId: {
      type: "string",
      text: 'ID of an existing ruleset to take over. `onExisting` then defaults to "adopt".',
      check: checkId,
      change: "none",
      consumed: true,
    },
  },
  checked: CHECKED,
  outputs: {
    ...OUTPUTS,
    rulesetId: { ...OUTPUTS.rulesetId, text: "The service's ID. Known in the preview of an update." },
  },
} as const satisfies Description;

/** The descriptions of the two resources for a ruleset. */
export type RulesetDescription = typeof RULESET | typeof PHASE_ENTRYPOINT;
/** Arguments before they are parsed, of either resource. */
export type GivenRulesetArguments = GivenArguments<typeof RULESET>;
/** What a list that is a single rule has as well: the ref, and the ruleset if the program gives that by its ID. */
interface OneRule {
  readonly ref?: string;
  readonly rulesetId?: string;
  readonly __kind?: string;
}
/** Inputs as `check` returns them, for either resource, and those of a rule as a list. */
export type RulesetInputs = InputsOf<typeof RULESET> & OneRule;
/** The complete state, for the same. */
export type RulesetState = StateOf<typeof RULESET> & OneRule;
