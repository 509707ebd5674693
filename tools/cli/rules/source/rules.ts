import type { Client } from "../../../../client/index.js";
import type { Plan } from "../../../../core/language/index.js";
import type { ZoneInput } from "../../../../core/simulator/index.js";
import { withKnownPhases } from "../../../rules-files/check/runnable.js";
import { readDeployed, readPath } from "./index.js";
import { type LoadedRules, type ProgramOptions } from "../../../rules-files/loaded.js";

/** Rules of one zone, from a program or a file, or as deployed. */
export interface RulesSource extends ProgramOptions {
  /** ID or name of the zone whose deployed rules are used; with a path, the ID of the zone that the rules run in. */
  readonly zone?: string;
  readonly plan?: Plan;
}

/** Reads the rules of a path, or those deployed in a zone, and what is known about the zone. */
export async function readRules(
  path: string | undefined,
  options: RulesSource,
  connect: () => Client,
): Promise<{ readonly loaded: LoadedRules; readonly zone: ZoneInput }> {
  if (path === undefined && options.zone !== undefined) {
    const loaded = await readDeployed(connect(), options.zone);
    return { loaded, zone: { ...loaded.zone, plan: options.plan ?? loaded.zone?.plan } };
  }
  const loaded = withKnownPhases(await readPath(path ?? ".", options));
  return { loaded, zone: { id: options.zone, plan: options.plan } };
}
