import {
  namedType,
  type ArgumentsOf,
  type Description,
  type InputsOf,
  type StateOf,
} from "../../engine/description.js";
import { hasChanged, inputsIn, outputsIn } from "../../engine/inputs.js";
import { parseMigrationId } from "../../model/ids.js";
import { RulesetsError } from "../../model/errors.js";
import type { RulesetRule } from "../../model/generated/rule.js";
import { pick } from "../../model/json.js";
import type { MigrationMode, MigrationPhase, RetrievedConfig } from "../../model/migration.js";
import type { Path } from "../../model/path.js";
import type { DeployedRuleInfo } from "../../model/ruleset.js";
import { NOT_KNOWN, type Pending } from "../../model/unknown.js";
import type { Adjustments } from "./adjust.js";
import type { MigrationReport } from "./readiness/report.js";

const RULES = { list: namedType<RulesetRule>("RulesetRule") } as const;

export const ZONE_WAF_MIGRATION = {
  type: "ZoneWafMigration",
  arguments: {
    /** A migration always belongs to the same zone: a change is refused. */
    zoneId: { type: "string", required: true, change: "write", output: true },
    mode: {
      type: namedType<MigrationMode>("MigrationMode", (mode) => mode === "validation" || mode === "pending"),
      required: true,
      change: "write",
      output: true,
    },
    adjustments: { type: namedType<Adjustments>("MigrationAdjustments"), change: "write", mayBeSecret: true },
    /** The final rules, instead of the retrieved ones. */
    rules: { type: RULES, change: "write", mayBeSecret: true },
    existingRules: { type: "string", change: "write", default: "fail", choices: ["fail", "replace", "empty"] },
    acknowledgeIrreversible: {
      type: namedType<boolean | string>("BooleanOrString", (value) => ["boolean", "string"].includes(typeof value)),
      change: "none",
    },
    expectedConfig: { type: "string", change: "write" },
    wait: { type: "boolean", change: "none", default: true },
    waitTimeoutSeconds: { type: "number", change: "none", default: 3600 },
  },
  /** What `check` found, which a preview shows. Missing if the service could not be queried or returned nothing. */
  checked: {
    compatible: { type: "boolean", output: true },
    /** Exactly as the service returned it. */
    retrievedConfig: { type: namedType<RetrievedConfig>("RetrievedConfig"), output: true, repeats: "responses" },
    configDigest: { type: "string", output: true },
    /** The rules that will be written. */
    plannedRules: { type: RULES, output: true, repeats: "arguments" },
    report: { type: namedType<MigrationReport>("MigrationReport"), output: true, repeats: "arguments" },
    /** The paths of secrets in the arguments. */
    __secretPaths: { type: { list: namedType<Path>("Path", Array.isArray) } },
  },
  outputs: {
    /** As the service reports it. */
    migrationState: { type: "string", required: true },
    phase: { type: namedType<MigrationPhase>("MigrationPhase", (phase) => typeof phase === "string"), required: true },
    /** As the service reports it: `enabled` or `disabled`. */
    previousWaf: { type: "string", required: true },
    newWaf: { type: "string", required: true },
    rulesetId: { type: "string" },
    rulesetVersion: { type: "string" },
    deployedRules: { type: { list: namedType<DeployedRuleInfo>("DeployedRule") } },
    /** When this stack saw the finish; RFC 3339, UTC. */
    finishedAt: { type: "string" },
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
  return !hasChanged(ZONE_WAF_MIGRATION, "write", a, b);
}

export function planOf<I extends Pending<MigrationInputs>>(inputs: I): Pick<I, keyof MigrationPlan> {
  return pick(inputs, PLAN_NAMES);
}

/** The declared inputs in a state, exactly as `check` returned them. */
export function inputsOf(state: MigrationState): MigrationInputs {
  return inputsIn(ZONE_WAF_MIGRATION, state);
}

/** What a state contains in addition to its inputs: the progress of the zone. */
export function outputsOf(state: MigrationState): Omit<MigrationState, keyof MigrationInputs> {
  return outputsIn(ZONE_WAF_MIGRATION, state);
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
