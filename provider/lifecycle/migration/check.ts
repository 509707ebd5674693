import { MANAGED_PHASE } from "../../client/index.js";
import { modeOf } from "../../migration/phase.js";
import { reportText } from "../../migration/report-text.js";
import { zoneWords, type Survey } from "../../migration/survey.js";
import { RulesetsError } from "../../model/errors.js";
import { migrationResourceId, phaseResourceId } from "../../model/ids.js";
import { isObject, type JsonObject } from "../../model/json.js";
import type { Path } from "../../model/path.js";
import { hasUnknown, isUnknown, UNKNOWN } from "../../model/unknown.js";
import type { Session } from "../../session/session.js";
import { failure, failureText, join, type Findings } from "../../validation/index.js";
import type { CheckedProps, Props } from "../lifecycle.js";
import { isOutOfReach } from "../out-of-reach.js";
import { restoreSecrets } from "../secrets.js";
import { checkArguments } from "./arguments.js";
import { planOf, samePlan, type MigrationArguments, type MigrationInputs, type MigrationPlan } from "./model.js";
import { observe } from "./observe.js";
import { makePlan } from "./plan.js";

interface Request {
  readonly session: Session;
  readonly olds: MigrationInputs | undefined;
  readonly args: JsonObject;
  readonly secretPaths: readonly Path[];
  readonly urn: string;
  readonly preview: boolean;
}

/** The readiness report: everything that speaks for or against the step, before anything is written. */
export async function check(session: Session, olds: Props, news: Props): Promise<CheckedProps> {
  const request = readRequest(session, olds, news);
  const { args, urn, preview } = request;
  session.checked.set(urn, { preview, at: session.clock.now(), olds: request.olds });
  const findings = join([checkArguments(args, request.olds), checkOneOnly(request)]);
  if (findings.failures.length > 0) return answer(request, {}, findings);
  if (hasUnknown([args.zoneId, args.mode, args.adjustments, args.rules, args.expectedConfig])) {
    return answer(request, unknownPlan(), findings);
  }
  const wanted = args as unknown as MigrationArguments;
  if (request.olds !== undefined && samePlan(request.olds, wanted) && request.olds.report !== undefined) {
    return answer(request, planOf(request.olds), findings);
  }
  return ask(request, wanted);
}

function readRequest(session: Session, olds: Props, news: Props): Request {
  const { __preview, __urn, __secrets, __ignore, __provider, ...sent } = news as JsonObject;
  const restored = restoreSecrets(sent, isObject(__secrets) ? __secrets : {});
  const args = (restored.value ?? {}) as JsonObject;
  const mode = modeOf(args.mode);
  return {
    session,
    olds: typeof olds.zoneId === "string" ? (olds as unknown as MigrationInputs) : undefined,
    args: mode === undefined ? args : { ...args, mode },
    secretPaths: restored.paths.length === 0 ? [] : secretWholes(restored.paths),
    urn: typeof __urn === "string" ? __urn : "",
    preview: __preview !== false,
  };
}

/** A secret in an argument is a secret in all that is derived from it. */
function secretWholes(paths: readonly Path[]): Path[] {
  return [...new Set(paths.map(([name]) => name ?? "")), "plannedRules", "report"].map((name) => [name]);
}

function checkOneOnly({ session, args, urn }: Request): Findings {
  if (typeof args.zoneId !== "string" || isUnknown(args.zoneId) || urn === "") return join([]);
  const other = session.owners.hold(migrationResourceId(args.zoneId), urn);
  return other === undefined
    ? join([])
    : failure(
        [],
        `zone ${args.zoneId} has two migrations in this program: ${[urn, other].sort().join(" and ")}. Keep one`,
      );
}

function unknownPlan(): MigrationPlan {
  const names = ["compatible", "retrievedConfig", "configDigest", "plannedRules", "report"];
  return Object.fromEntries(names.map((name) => [name, UNKNOWN]));
}

async function ask(request: Request, args: MigrationArguments): Promise<CheckedProps> {
  const { session, preview, urn, olds } = request;
  if (preview && session.previewChecks === "off") return answer(request, unknownPlan(), join([]));
  try {
    const survey = await observe(session.client, args.zoneId);
    const { plan, findings } = makePlan(survey, args, olds);
    const owner = checkOwner(request, survey);
    if (findings.failures.length === 0) tell(request, survey, args, plan);
    return answer(request, keptPlan(request, survey, plan), join([findings, owner]));
  } catch (error) {
    if (!(error instanceof RulesetsError)) throw error;
    if (preview && session.previewChecks === "auto" && isOutOfReach(error)) {
      session.reporter.warn(urn, `not asked: whether zone ${args.zoneId} can be migrated. ${error.message}`);
      return answer(request, unknownPlan(), join([]));
    }
    return answer(request, {}, failure([], error.message));
  }
}

/** A zone that is through has no configuration to retrieve any more; what the state knows of it stays. */
function keptPlan({ olds }: Request, { phase }: Survey, plan: MigrationPlan): MigrationPlan {
  return olds !== undefined && (phase === "finished" || phase === "finishing") ? { ...plan, ...planOf(olds) } : plan;
}

/** Until it is through, a migration owns the entry point it writes. */
function checkOwner({ session, urn }: Request, { phase, zoneId }: Survey): Findings {
  if (phase === "finished" || urn === "") return join([]);
  const other = session.owners.hold(phaseResourceId({ level: "zones", id: zoneId }, MANAGED_PHASE), urn);
  return other === undefined ? join([]) : failure([], twoOwnersText(zoneId, other));
}

export function twoOwnersText(zoneId: string, other: string): string {
  return (
    `${MANAGED_PHASE} of zone ${zoneId} is written by its migration until that is finished, and ${other} addresses it too. ` +
    `Finish the migration first; then declare the PhaseEntrypoint with onExisting: "adopt".`
  );
}

function tell(request: Request, survey: Survey, args: MigrationArguments, plan: MigrationPlan): void {
  const { session, urn, olds, preview } = request;
  const { phase } = survey;
  const zoneName = zoneWords(survey);
  if (phase === "finished") {
    session.reporter.info(urn, finishedText(zoneName, olds !== undefined));
    return;
  }
  if (preview && plan.report !== undefined) session.reporter.info(urn, reportText(plan.report, plan.configDigest));
  if (args.mode === "pending" && phase !== "finishing") {
    session.reporter.warn(
      urn,
      `mode: "pending" finishes the migration of zone ${zoneName} for good: the previous WAF is switched off, its interfaces ` +
        "stop working, and no call brings it back.",
    );
  }
}

/** Who owns the rules once the road is behind a zone. */
function finishedText(zoneName: string, known: boolean): string {
  const owner = `Its rules belong to a PhaseEntrypoint of ${MANAGED_PHASE} with onExisting: "adopt".`;
  return known
    ? `the migration of zone ${zoneName} is finished: changes of this resource write nothing. ${owner}`
    : `zone ${zoneName} is migrated already: nothing will be written. ${owner}`;
}

function answer(request: Request, plan: MigrationPlan, findings: Findings): CheckedProps {
  const { args, urn, session, secretPaths } = request;
  if (findings.failures.length === 0) {
    for (const item of findings.warnings) session.reporter.warn(urn, failureText(item));
  }
  const inputs = {
    ...args,
    ...plan,
    ...(secretPaths.length === 0 ? {} : { __secretPaths: secretPaths }),
    ...(urn === "" ? {} : { __urn: urn }),
  };
  return { inputs, failures: findings.failures };
}
