import {
  EXAMPLE_ID,
  type ArgumentsOf,
  type Description,
  type InputsOf,
  type StateOf,
} from "../../engine/description.js";
import { hasChanged } from "../../engine/inputs.js";
import { anyObject, BOOLEAN_OR_STRING, choiceType, internalType, objectType } from "../../engine/named-type.js";
import { parseMigrationId } from "../../../core/model/ids.js";
import { RulesetsError } from "../../../core/model/errors.js";
import type { WireRulesetRule } from "../../../core/model/generated/rule.js";
import { failure } from "../../../core/model/failure.js";
import { pick } from "../../../core/model/json.js";
import type { MigrationMode, MigrationPhase, RetrievedConfig } from "../../../core/model/migration.js";
import { SECONDS_OR_NONE } from "../../../core/model/numbers.js";
import { isPath, type Path } from "../../../core/model/path.js";
import { knownText, NOT_KNOWN, type Pending } from "../../../core/model/unknown.js";
import { isDigest, MALFORMED_DIGEST } from "../../../core/previous-waf/digest.js";
import { checkId } from "../../validation/checks/ids.js";
import { RULE } from "../rule-type.js";
import { DEPLOYED_RULE } from "../rulesets/description.js";
import { ADJUSTMENTS } from "./adjustments-type.js";
import type { MigrationReport } from "../../../core/previous-waf/readiness/report.js";

const MODE = choiceType<MigrationMode>("MigrationMode", "The step to take.", {
  validation: "Runs both implementations, the new one first.",
  pending: "Finishes the migration, which cannot be undone.",
});

const PHASE = choiceType<MigrationPhase>("MigrationPhase", "The progress of a zone.", {
  notStarted: "The previous WAF protects the zone.",
  validation: "Both implementations run, the new one first.",
  finishing: "The switch is under way.",
  finished: "The zone uses rulesets.",
});

const RETRIEVED_CONFIG = objectType<RetrievedConfig>(
  "RetrievedConfig",
  "A generated configuration exactly as the service returned it.",
  {
    name: { type: "string", text: "Its name." },
    rules: {
      type: { list: anyObject<WireRulesetRule>("WireRule") },
      text: "Its rules, as the API writes them.",
      required: true,
    },
  },
);

const LINES = { list: "string" } as const;

const REPORT = objectType<MigrationReport>(
  "MigrationReport",
  "A zone's migration as text for a security engineer: each list in order, each entry one line or more.",
  {
    zone: { type: "string", text: "The zone's name and ID.", required: true },
    plan: { type: "string", text: "The zone's plan.", required: true },
    standingBefore: {
      type: "string",
      text: "The phase of the zone before the step; `phase` says what it is now.",
      required: true,
    },
    obstacles: { type: LINES, text: "What must be done before it can be migrated, and how.", required: true },
    writes: { type: LINES, text: "The rules that will be written, in order.", required: true },
    carriedOver: { type: LINES, text: "What the previous settings become.", required: true },
    notCarriedOver: { type: LINES, text: "What is lost unless it is declared again.", required: true },
    differences: { type: LINES, text: "Where the service differs from its documentation." },
    existing: { type: LINES, text: "Rules of the entry point that the result does not contain.", required: true },
    beforeTheFinish: { type: LINES, text: "What to check in this zone before the step that cannot be undone." },
    preparations: { type: LINES, text: "What to do before that step in every zone." },
    afterwards: { type: LINES, text: "What is different afterwards, in every zone.", required: true },
    tools: { type: LINES, text: "Tools that stop working, by version, and what replaces them; in every zone." },
    rollout: { type: LINES, text: "When the phases of the rollout began." },
  },
);

export const ZONE_WAF_MIGRATION = {
  type: "ZoneWafMigration",
  example: {
    name: "migration",
    text: "The migration of a zone from the previous WAF",
    args: { zoneId: EXAMPLE_ID, mode: "validation" },
  },
  text:
    "Migrates a zone from the previous WAF to rulesets. This cannot be undone: the preview is a readiness report, the resource " +
    "is protected unless `protect: false` is set, and it cannot be deleted.",
  title: () => "WAF migration",
  plannedWrites: ({ zoneId, mode }) => [
    {
      call: `PUT /zones/${knownText(zoneId) || "<zone>"}/rulesets/phases/http_request_firewall_managed/entrypoint (waf_migration=${knownText(mode)})`,
      unless: "the zone is already at that step",
    },
  ],
  guide: "migration",
  insteadOfImport: ["Leave it out: a zone that is already migrated is taken over without a write."],
  operations: [
    {
      path: "/waf_migration/status",
      probe: { subject: "WAF migration", read: ({ wafMigration }, { id }) => wafMigration.status(id) },
    },
    { path: "/firewall/waf", isReadOnly: true },
    {
      path: "/settings/waf",
      isReadOnly: true,
      probe: { subject: "previous WAF", read: ({ previousWaf }, { id }) => previousWaf.setting(id) },
    },
    { path: "/pagerules", isReadOnly: true },
  ],
  levels: ["zones"],
  atMostOneOf: [["adjustments", "rules"]],
  arguments: {
    zoneId: {
      type: "string",
      text: "The zone. It cannot be changed.",
      required: true,
      check: checkId,
      change: "refuse",
      output: true,
    },
    mode: {
      type: MODE,
      text:
        "`validation` runs both implementations, the new one first (Enterprise zones only); `pending` finishes the migration. The " +
        "API's `2` and `1` are accepted as well. Going from validation to pending is an update, which cannot be undone.",
      outputText: "The step that the program requests.",
      required: true,
      spellings: ["1", "2"],
      change: "write",
      output: true,
    },
    acknowledgeIrreversible: {
      type: BOOLEAN_OR_STRING,
      text: "Required for `pending`: the zone's name, which must match `zoneId`, or `true`.",
      change: "none",
    },
    expectedConfig: {
      type: "string",
      text: "Digest of a reviewed configuration, from a preview or `configDigest`; any other configuration is refused.",
      check: (path, digest) => (isDigest(String(digest)) ? [] : failure(path, MALFORMED_DIGEST)),
      change: "write",
    },
    adjustments: {
      type: ADJUSTMENTS,
      text: "Changes to the retrieved configuration. Excludes `rules`.",
      change: "write",
      mayBeSecret: true,
    },
    rules: {
      type: { list: RULE },
      text: "The final rules, instead of the retrieved ones. Excludes `adjustments`.",
      change: "write",
      mayBeSecret: true,
    },
    existingRules: {
      type: "string",
      text:
        "What to do when the entry point contains rules that the result does not contain: `fail` stops, `replace` deletes them, " +
        "`empty` deletes them even if the result contains no rules.",
      default: "fail",
      choices: ["fail", "replace", "empty"],
      change: "write",
    },
    wait: {
      type: "boolean",
      text: "Whether to wait until the switch is complete; otherwise the next `up` or refresh completes it.",
      default: true,
      change: "none",
    },
    waitTimeoutSeconds: {
      type: "number",
      text: "Longest wait in seconds; the switch takes minutes, up to an hour.",
      default: 3600,
      range: SECONDS_OR_NONE,
      change: "none",
    },
  },
  /** What `check` found, which a preview shows. Missing if the service could not be queried or returned nothing. */
  checked: {
    compatibleBefore: {
      type: "boolean",
      text: "Whether the zone could migrate before the step, according to the service.",
      output: true,
    },
    retrievedConfig: {
      type: RETRIEVED_CONFIG,
      text: "The generated configuration, exactly as the service returned it; known in the preview.",
      output: true,
      repeats: "responses",
    },
    configDigest: {
      type: "string",
      text: "Digest of the configuration, for `expectedConfig`; known in the preview.",
      output: true,
    },
    plannedRules: {
      type: { list: RULE },
      text:
        "The rules that are written, after adjustments; known in the preview. For a zone that is already migrated, the rules of " +
        "its entry point. A `PhaseEntrypoint` can adopt them unchanged.",
      output: true,
      alwaysDeclared: true,
      repeats: "arguments",
    },
    report: {
      type: REPORT,
      text: "The readiness report, as it was before the step; known in the preview.",
      output: true,
      repeats: "arguments",
    },
    __secretPaths: {
      type: { list: internalType<Path>("Path", isPath) },
      text: "The paths of secrets in the arguments.",
    },
  },
  outputs: {
    migrationState: { type: "string", text: "The service's own name for the status.", required: true },
    phase: {
      type: PHASE,
      text: "The status of the zone: `notStarted`, `validation`, `finishing`, `finished`.",
      required: true,
    },
    previousWaf: { type: "string", text: "`enabled` or `disabled`.", required: true },
    newWaf: { type: "string", text: "`enabled` or `disabled`.", required: true },
    rulesetId: { type: "string", text: "The entry point of `http_request_firewall_managed`." },
    rulesetVersion: { type: "string", text: "Its version." },
    deployedRules: { type: { list: DEPLOYED_RULE }, text: "Its rules, in order." },
    finishedAt: {
      type: "string",
      text: "When this stack saw the migration finish, RFC 3339, UTC; absent if the zone was already migrated.",
    },
  },
} as const satisfies Description;

/** What a program declares for a migration, with modes by their names. */
export type MigrationArguments = ArgumentsOf<typeof ZONE_WAF_MIGRATION>;
export type MigrationInputs = InputsOf<typeof ZONE_WAF_MIGRATION>;
export type MigrationState = StateOf<typeof ZONE_WAF_MIGRATION>;

type PlanName = Exclude<keyof (typeof ZONE_WAF_MIGRATION)["checked"], `__${string}`>;
const PLAN_NAMES = Object.keys(ZONE_WAF_MIGRATION.checked).filter((name) => !name.startsWith("__")) as PlanName[];
/** What `check` found. */
export type MigrationPlan = Pick<MigrationInputs, PlanName>;

/** The plan while it is not known what the service returns. */
export const UNKNOWN_PLAN = Object.fromEntries(PLAN_NAMES.map((name) => [name, NOT_KNOWN])) as Pending<MigrationPlan>;

/** Whether what is to be written depends on the same values: `check` queries the service again only if one changed. */
export function samePlan(a: Pending<MigrationArguments>, b: Pending<MigrationArguments>): boolean {
  return !hasChanged(ZONE_WAF_MIGRATION, ["write", "refuse"], a, b);
}

export function planOf<I extends Pending<MigrationInputs>>(inputs: I): Pick<I, keyof MigrationPlan> {
  return pick(inputs, PLAN_NAMES);
}

/** The zone in a resource ID. */
export function zoneOf(id: string): string {
  const zoneId = parseMigrationId(id);
  if (zoneId !== undefined) return zoneId;
  throw new RulesetsError(
    `${JSON.stringify(id)} is not a valid ID of a migration: write zones/<zoneId>/waf-migration.`,
    {
      code: "CONFIG_INVALID",
    },
  );
}
