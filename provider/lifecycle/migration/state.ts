import type { MigrationPhase, MigrationStatus } from "../../model/migration.js";
import { deployedRuleInfo, type Ruleset } from "../../model/ruleset.js";
import type { MigrationInputs, MigrationState } from "./model.js";

export interface Seen {
  readonly status: MigrationStatus;
  readonly phase: MigrationPhase;
  readonly entrypoint?: Ruleset;
}

/** The whole state: what was declared and planned, where the zone stands, and the rules it got. */
export function stateFrom(
  inputs: MigrationInputs,
  { status, phase, entrypoint }: Seen,
  olds: Partial<MigrationState>,
  finishedAt: string | undefined,
): MigrationState {
  const rules =
    entrypoint === undefined
      ? { rulesetId: olds.rulesetId, rulesetVersion: olds.rulesetVersion, deployedRules: olds.deployedRules }
      : {
          rulesetId: entrypoint.id,
          rulesetVersion: entrypoint.version,
          deployedRules: entrypoint.rules.map(deployedRuleInfo),
        };
  const known = Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== undefined));
  return {
    ...inputs,
    migrationState: status.migrationState,
    phase,
    previousWaf: status.previousWaf,
    newWaf: status.newWaf,
    ...known,
    ...(finishedAt === undefined ? {} : { finishedAt }),
  };
}
