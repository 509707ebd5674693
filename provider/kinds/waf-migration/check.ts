import { MANAGED_PHASE } from "../../client/index.js";
import { standingRules } from "./adjust.js";
import { isDecided, modeOf } from "./phase.js";
import { reportText } from "./readiness/report-text.js";
import { zoneWords, type Survey } from "./survey.js";
import { migrationResourceId, phaseResourceId } from "../../model/ids.js";
import { hasUnknown, isUnknown, UNKNOWN } from "../../model/unknown.js";
import type { Session } from "../../engine/session.js";
import { checkIgnored, failure, join, type Findings } from "../../validation/index.js";
import type { CheckedProps, Props } from "../../engine/lifecycle.js";
import { answer, receive, unasked, type Request } from "../../engine/request.js";
import { keptSecrets, refuseSecrets, withoutSecrets } from "../../engine/secrets.js";
import { shownTo } from "../../engine/shown.js";
import { checkArguments } from "./arguments.js";
import {
  ARGUMENT_NAMES,
  planOf,
  samePlan,
  type MigrationArguments,
  type MigrationInputs,
  type MigrationPlan,
} from "./model.js";
import { observe, readEntrypoint } from "./observe.js";
import { makePlan } from "./plan.js";

interface MigrationRequest extends Request {
  readonly olds: MigrationInputs | undefined;
}

/** The readiness report: everything that speaks for or against the step, before anything is written. */
export async function check(session: Session, olds: Props, news: Props): Promise<CheckedProps> {
  const request = readRequest(session, olds, news);
  const { args } = request;
  const findings = join([
    withoutSecrets(checkArguments(args, request.olds), request),
    refuseSecrets(request.secretPaths, ["adjustments", "rules"]),
    checkIgnored(request.ignored, "ZoneWafMigration", ARGUMENT_NAMES),
    checkOneOnly(request),
  ]);
  if (findings.failures.length > 0) return planned(request, {}, findings);
  if (hasUnknown([args.zoneId, args.mode, args.adjustments, args.rules, args.expectedConfig])) {
    return planned(request, unknownPlan(), findings);
  }
  const wanted = args as unknown as MigrationArguments;
  if (request.olds !== undefined && samePlan(request.olds, wanted) && request.olds.report !== undefined) {
    return planned(request, planOf(request.olds), findings);
  }
  return ask(request, wanted);
}

function readRequest(session: Session, props: Props, news: Props): MigrationRequest {
  const olds = typeof props.zoneId === "string" ? (props as unknown as MigrationInputs) : undefined;
  const received = receive(session, olds, news);
  const { args } = received;
  const mode = modeOf(args.mode);
  return { ...received, olds, args: mode === undefined ? args : { ...args, mode } };
}

function checkOneOnly({ session, args, urn }: MigrationRequest): Findings {
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

async function ask(request: MigrationRequest, args: MigrationArguments): Promise<CheckedProps> {
  const { session, preview, olds } = request;
  if (preview && session.previewChecks === "off") return planned(request, unknownPlan(), join([]));
  try {
    const survey = await observe(session.client, args.zoneId);
    const { plan, findings } = makePlan(survey, args, olds, shownTo(session));
    const owner = checkOwner(request, survey);
    if (findings.failures.length === 0) tell(request, survey, args, plan);
    return planned(request, await finalPlan(request, survey, plan), join([withoutSecrets(findings, request), owner]));
  } catch (error) {
    const refusal = unasked(request, error, `whether zone ${args.zoneId} can be migrated`);
    return refusal === undefined
      ? planned(request, unknownPlan(), join([]))
      : planned(request, {}, { failures: [refusal], warnings: [] });
  }
}

/**
 * A zone that is decided has no configuration to retrieve any more. What this stack finished itself stays as it was
 * planned; else, as after a run that was killed, the rules are those that stand there.
 */
async function finalPlan(request: MigrationRequest, survey: Survey, plan: MigrationPlan): Promise<MigrationPlan> {
  const { session, olds } = request;
  if (!isDecided(survey.phase)) return plan;
  const known = olds === undefined ? {} : planOf(olds);
  if (olds?.mode === "pending" && known.plannedRules !== undefined) return { ...plan, ...known };
  const entrypoint = await readEntrypoint(session.client, survey.zoneId);
  return { ...plan, ...known, plannedRules: standingRules(entrypoint) };
}

/** Until it is through, a migration owns the entry point it writes. */
function checkOwner({ session, urn }: MigrationRequest, { phase, zoneId }: Survey): Findings {
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

function tell(request: MigrationRequest, survey: Survey, args: MigrationArguments, plan: MigrationPlan): void {
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

/** The arguments with the plan beside them. */
function planned(request: MigrationRequest, plan: MigrationPlan, findings: Findings): CheckedProps {
  const { args, secretPaths, olds, ignored } = request;
  const paths = [...secretPaths, ...keptSecrets(olds?.__secretPaths ?? [], { olds, args, ignored })];
  const secret = paths.length === 0 ? {} : { __secretPaths: paths };
  return answer(request, { ...args, ...plan, ...secret }, findings);
}
