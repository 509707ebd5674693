import type { Adjustments } from "./adjust.js";
import type { MigrationReport } from "./readiness/report.js";
import { parseMigrationId } from "../../model/ids.js";
import { RulesetsError } from "../../model/errors.js";
import type { RulesetRule } from "../../model/generated/rule.js";
import { omit, pick, sameJson } from "../../model/json.js";
import type { MigrationMode, MigrationPhase, RetrievedConfig } from "../../model/migration.js";
import type { Path } from "../../model/path.js";
import type { DeployedRuleInfo } from "../../model/ruleset.js";

/** What a program declares of a migration, with modes by their names. */
export interface MigrationArguments {
  readonly zoneId: string;
  readonly mode: MigrationMode;
  readonly adjustments?: Adjustments;
  /** The final rules, in place of the retrieved ones. */
  readonly rules?: readonly RulesetRule[];
  readonly existingRules?: "fail" | "replace" | "empty";
  readonly acknowledgeIrreversible?: boolean | string;
  readonly expectedConfig?: string;
  readonly wait?: boolean;
  readonly waitTimeoutSeconds?: number;
}

/** What `check` found out, which a preview shows. All missing when the service could not be asked, or has nothing to say. */
export interface MigrationPlan {
  readonly compatible?: boolean;
  /** Exactly as the service gave it. */
  readonly retrievedConfig?: RetrievedConfig;
  readonly configDigest?: string;
  /** The rules that will be written. */
  readonly plannedRules?: readonly RulesetRule[];
  readonly report?: MigrationReport;
}

export interface MigrationInputs extends MigrationArguments, MigrationPlan {
  /** Where secrets stand in the arguments. Internal. */
  readonly __secretPaths?: readonly Path[];
  readonly __urn?: string;
}

export interface MigrationState extends MigrationInputs {
  /** Raw, as the service calls it. */
  readonly migrationState: string;
  readonly phase: MigrationPhase;
  /** Raw: `enabled` or `disabled`. */
  readonly previousWaf: string;
  readonly newWaf: string;
  readonly rulesetId?: string;
  readonly rulesetVersion?: string;
  readonly deployedRules?: readonly DeployedRuleInfo[];
  /** When this stack saw the finish; RFC 3339, UTC. */
  readonly finishedAt?: string;
}

const PLAN_NAMES = ["compatible", "retrievedConfig", "configDigest", "plannedRules", "report"] as const;
export const ARGUMENT_NAMES = [
  "zoneId",
  "mode",
  "adjustments",
  "rules",
  "existingRules",
  "acknowledgeIrreversible",
  "expectedConfig",
  "wait",
  "waitTimeoutSeconds",
] as const;
/** Arguments that decide what is written: only a change of these asks the service again. */
const DECIDING = ["zoneId", "mode", "adjustments", "rules", "existingRules", "expectedConfig"] as const;

export function samePlan(a: Partial<MigrationArguments>, b: Partial<MigrationArguments>): boolean {
  return DECIDING.every((name) => sameJson(a[name], b[name]));
}

const INPUT_NAMES = [...ARGUMENT_NAMES, ...PLAN_NAMES, "__secretPaths", "__urn"] as const;

export function planOf(inputs: MigrationInputs): MigrationPlan {
  return pick(inputs, PLAN_NAMES);
}

/** The declared inputs inside a state, exactly as `check` returned them. */
export function inputsOf(state: MigrationState): MigrationInputs {
  return pick(state, INPUT_NAMES);
}

/** What a state holds beside its inputs: where the zone stands. */
export function outputsOf(state: MigrationState): Omit<MigrationState, keyof MigrationInputs> {
  return omit(state, INPUT_NAMES);
}

/** The zone an id names. */
export function zoneOf(id: string): string {
  const zoneId = parseMigrationId(id);
  if (zoneId !== undefined) return zoneId;
  throw new RulesetsError(`${JSON.stringify(id)} is no id of a migration: write zones/<zoneId>/waf-migration.`, {
    code: "CONFIG_INVALID",
  });
}
