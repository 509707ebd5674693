import { deployedRules } from "./adjust.js";
import { isDecided } from "./phase.js";
import type { MigrationPhase, MigrationStatus } from "../../model/migration.js";
import { deployedRuleIdentity, type Ruleset } from "../../model/ruleset.js";
import type { MigrationInputs, MigrationState } from "./description.js";

export interface Seen {
  readonly status: MigrationStatus;
  readonly phase: MigrationPhase;
  readonly entrypoint?: Ruleset;
  /** Whether this run sent the step itself. */
  readonly sent?: boolean;
}

/**
 * Whether a zone has been decided by somebody else since this stack last saw it: then its rules are those that stand in
 * its entry point, which has been read.
 */
export function isFoundDecided({ phase, sent }: Seen, olds: Partial<MigrationState>): boolean {
  if (!isDecided(phase) || sent === true) return false;
  return olds.plannedRules === undefined || olds.phase === undefined || !isDecided(olds.phase);
}

/** The whole state: what was declared and planned, where the zone stands, and the rules it got. */
export function stateFrom(
  inputs: MigrationInputs,
  seen: Seen,
  olds: Partial<MigrationState>,
  finishedAt: string | undefined,
): MigrationState {
  const { status, phase, entrypoint } = seen;
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
    ...(isFoundDecided(seen, olds) ? { plannedRules: deployedRules(entrypoint) } : {}),
    migrationState: status.migrationState,
    phase,
    previousWaf: status.previousWaf,
    newWaf: status.newWaf,
    ...known,
    ...(finishedAt === undefined ? {} : { finishedAt }),
  };
}
