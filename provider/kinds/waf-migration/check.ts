import { Responses } from "../../engine/reads/responses.js";
import { perRun, type Session } from "../../engine/session.js";
import { MANAGED_PHASE } from "../../../core/model/migration.js";
import { bothUrns, checkClaim, type Claim } from "../../engine/claims.js";
import type { GivenArguments } from "../../engine/description.js";
import type { Checked, CheckRequest } from "../../engine/kind.js";
import { planKnown } from "../../engine/published-plans.js";
import { unavailableCheck, type Request } from "../../engine/request.js";
import { keptSecrets, redactFindings } from "../../engine/secrets.js";
import { migrationResourceId, phaseResourceId } from "../../../core/model/ids.js";
import type { RulesetRule } from "../../../core/model/generated/rule.js";
import type { JsonObject } from "../../../core/model/json.js";
import { uniquePaths } from "../../../core/model/path.js";
import {
  hasUnknown,
  isComplete,
  isUnknown,
  knownValues,
  valueIfKnown,
  NOT_KNOWN,
  type Pending,
} from "../../../core/model/unknown.js";
import { hasErrors, type Findings } from "../../validation/index.js";
import { deployedRules } from "../../../core/previous-waf/adjust.js";
import { checkArguments } from "./arguments.js";
import {
  planOf,
  samePlan,
  UNKNOWN_PLAN,
  ZONE_WAF_MIGRATION,
  type MigrationArguments,
  type MigrationInputs,
  type MigrationPlan,
} from "./description.js";
import { observeZone, readEntrypoint } from "./observe.js";
import { isDecided, modeOf } from "../../../core/previous-waf/phase.js";
import { makePlan } from "./plan.js";
import { reportText } from "../../../core/previous-waf/readiness/report-text.js";
import { decideStep, hasRules } from "./transition.js";
import { zoneWords, type Survey } from "../../../core/previous-waf/survey.js";

type Given = GivenArguments<typeof ZONE_WAF_MIGRATION>;
type MigrationRequest = CheckRequest<typeof ZONE_WAF_MIGRATION>;
type MigrationChecked = Checked<typeof ZONE_WAF_MIGRATION>;

/** Converts the mode to its name: the numbers of the API are accepted too. */
export function withNamedMode(args: Given): JsonObject {
  const mode = modeOf(args.mode);
  return mode === undefined ? args : { ...args, mode };
}

/** Checks the arguments, the direction, and that a zone has only one migration, without a request. */
export function validate(request: Request<Given>, olds: Pending<MigrationInputs> | undefined): Findings {
  const { session, args, urn } = request;
  const { zoneId } = args;
  return [
    redactFindings(checkArguments(args, olds), request),
    typeof zoneId === "string" && !isUnknown(zoneId) ? checkClaim(session, urn, migrationClaim(zoneId, urn)) : [],
  ].flat();
}

function migrationClaim(zoneId: string, urn: string): Claim {
  return {
    keys: [migrationResourceId(zoneId)],
    refusal: (other) => `zone ${zoneId} has two migrations in this program: ${bothUrns(urn, other)}. Keep one`,
  };
}

/** Makes the readiness report: everything that speaks for or against the step, before anything is written. */
export async function check(request: MigrationRequest): Promise<MigrationChecked> {
  const { wanted, olds } = request;
  const { zoneId, mode, expectedConfig } = wanted;
  if (zoneId === NOT_KNOWN || mode === NOT_KNOWN) return planned(request, UNKNOWN_PLAN, []);
  if (hasUnknown([wanted.adjustments, wanted.rules, expectedConfig])) return planned(request, UNKNOWN_PLAN, []);
  if (olds !== undefined && samePlan(olds, wanted) && olds.report !== undefined)
    return planned(request, planOf(olds), []);
  return ask(request, { ...knownValues(wanted), zoneId, mode });
}

/** The rules that the last run planned, as far as they are known. */
function plannedBefore(olds: Pending<MigrationInputs> | undefined): readonly RulesetRule[] {
  const rules = valueIfKnown(olds?.plannedRules) ?? [];
  return rules.filter((rule) => isComplete<RulesetRule>(rule));
}

async function ask(request: MigrationRequest, args: MigrationArguments): Promise<MigrationChecked> {
  const { session, preview, olds } = request;
  if (preview && session.previewChecks === "off") return planned(request, UNKNOWN_PLAN, []);
  try {
    const survey = await observe(session, args.zoneId);
    const { plan, findings } = makePlan(survey, args, plannedBefore(olds));
    const owner = checkOwner(request, survey);
    if (!hasErrors(findings)) reportReadiness(request, survey, args, plan);
    return planned(request, await finalPlan(request, survey, plan), [redactFindings(findings, request), owner].flat());
  } catch (error) {
    const findings = unavailableCheck(request, error, `whether zone ${args.zoneId} can be migrated`);
    return planned(request, !hasErrors(findings) ? UNKNOWN_PLAN : {}, findings);
  }
}

/** What checks have just seen of zones: a second check of the same resource shares the requests. */
const surveys = perRun(({ clock }) => new Responses<Survey>(clock));

function observe(session: Session, zoneId: string): Promise<Survey> {
  const survey = surveys(session).read(zoneId, () => observeZone(session.client, zoneId));
  surveys(session).dropOutdated();
  return survey;
}

/**
 * A zone that is finishing or finished has no configuration to retrieve. If this stack finished the migration, the plan
 * stays as it was; otherwise, as after a run that was killed, the planned rules are those in the entry point.
 */
async function finalPlan(
  request: MigrationRequest,
  survey: Survey,
  plan: MigrationPlan,
): Promise<Pending<MigrationPlan>> {
  const { session, olds } = request;
  if (!isDecided(survey.phase)) return plan;
  const before = olds === undefined ? {} : planOf(olds);
  if (olds?.mode === "pending" && before.plannedRules !== undefined) return { ...plan, ...before };
  const entrypoint = await readEntrypoint(session.client, survey.zoneId);
  return { ...plan, ...before, plannedRules: deployedRules(entrypoint) };
}

/** Until it is finished, a migration owns the entry point that it writes. */
function checkOwner({ session, urn }: MigrationRequest, { phase, zoneId }: Survey): Findings {
  return phase === "finished" ? [] : checkClaim(session, urn, entrypointClaim(zoneId));
}

export function entrypointClaim(zoneId: string): Claim {
  return {
    keys: [phaseResourceId({ level: "zones", id: zoneId }, MANAGED_PHASE)],
    refusal: (other) =>
      `${MANAGED_PHASE} of zone ${zoneId} is written by the zone's migration until that is finished, but ${other} manages it too. ` +
      `Finish the migration first; then declare the PhaseEntrypoint with onExisting: "adopt".`,
  };
}

function reportReadiness(
  request: MigrationRequest,
  survey: Survey,
  args: MigrationArguments,
  plan: MigrationPlan,
): void {
  const { session, urn, olds, preview } = request;
  const { phase } = survey;
  const zoneName = zoneWords(survey);
  const isApplied = hasRules(survey.entrypoint, plan.plannedRules);
  const { kind } = decideStep({ phase, isApplied, reads: 0 }, args.mode);
  const writes = ZONE_WAF_MIGRATION.plannedWrites({ zoneId: args.zoneId, mode: args.mode });
  planKnown(session, urn, writes, kind === "advance" || kind === "save");
  if (phase === "finished") {
    session.reporter.info(urn, finishedText(zoneName, olds !== undefined));
    return;
  }
  if (preview && plan.report !== undefined) session.reporter.info(urn, reportText(plan.report, plan.configDigest));
  if (args.mode === "pending" && phase !== "finishing") {
    session.reporter.warn(
      urn,
      `mode: "pending" finishes the migration of zone ${zoneName} for good: the previous WAF is switched off, its APIs ` +
        "stop working, and no API call restores it.",
    );
  }
}

/** What to do with the rules after the migration. */
function finishedText(zoneName: string, known: boolean): string {
  const owner = `Manage its rules with a PhaseEntrypoint of ${MANAGED_PHASE} and onExisting: "adopt".`;
  return known
    ? `the migration of zone ${zoneName} is finished: changes to this resource write nothing. ${owner}`
    : `zone ${zoneName} is already migrated: nothing will be written. ${owner}`;
}

/** The inputs: the arguments and the plan. */
function planned(request: MigrationRequest, plan: Pending<MigrationPlan>, findings: Findings): MigrationChecked {
  const { wanted, secretPaths, olds } = request;
  const paths = uniquePaths([...secretPaths, ...keptSecrets(valueIfKnown(olds?.__secretPaths) ?? [], request)]);
  const secret = paths.length === 0 ? {} : { __secretPaths: paths };
  return { inputs: { ...wanted, ...plan, ...secret }, findings };
}
