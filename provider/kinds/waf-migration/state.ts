import { deployedRules } from "../../../core/previous-waf/adjust.js";
import { isDecided } from "../../../core/previous-waf/phase.js";
import type { MigrationPhase, MigrationStatus } from "../../../core/model/migration.js";
import { deployedRuleIdentity, type Ruleset } from "../../../core/model/ruleset.js";
import type { MigrationInputs, MigrationState } from "./description.js";

interface ZoneProgress {
  readonly status: MigrationStatus;
  readonly phase: MigrationPhase;
  readonly entrypoint?: Ruleset;
  /** Whether this run sent the step itself. */
  readonly sent?: boolean;
}

/**
 * Whether somebody else has requested or completed the finish since this stack last read the zone: its rules are then
 * those of its entry point, which has been read.
 */
export function isFoundDecided({ phase, sent }: ZoneProgress, olds: Partial<MigrationState>): boolean {
  if (!isDecided(phase) || sent === true) return false;
  return olds.plannedRules === undefined || olds.phase === undefined || !isDecided(olds.phase);
}

/** The complete state: the inputs and the plan, the progress of the zone, and its rules. */
export function stateFrom(
  inputs: MigrationInputs,
  progress: ZoneProgress,
  olds: Partial<MigrationState>,
  finishedAt: string | undefined,
): MigrationState {
  const { status, phase, entrypoint } = progress;
  const rules =
    entrypoint === undefined
      ? { rulesetId: olds.rulesetId, rulesetVersion: olds.rulesetVersion, deployedRules: olds.deployedRules }
      : {
          rulesetId: entrypoint.id,
          rulesetVersion: entrypoint.version,
          deployedRules: entrypoint.rules.map(deployedRuleIdentity),
        };
  const known = Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== undefined));
  return {
    ...inputs,
    ...(isFoundDecided(progress, olds) ? { plannedRules: deployedRules(entrypoint) } : {}),
    migrationState: status.migrationState,
    phase,
    previousWaf: status.previousWaf,
    newWaf: status.newWaf,
    ...known,
    ...(finishedAt === undefined ? {} : { finishedAt }),
  };
}
