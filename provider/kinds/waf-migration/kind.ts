import { claimsOf, requireClaim } from "../../engine/claims.js";
import { repeatingNames } from "../../engine/description.js";
import { inputsIn, outputsIn } from "../../engine/inputs.js";
import { defineKind } from "../../engine/kind.js";
import type { Change } from "../../engine/lifecycle.js";
import { findCopies } from "../../engine/secrets.js";
import type { Session } from "../../engine/session.js";
import { PartialFailure, RulesetsError } from "../../../core/model/errors.js";
import { migrationResourceId } from "../../../core/model/ids.js";
import { pick, type JsonObject } from "../../../core/model/json.js";
import { pathsIn, type Path } from "../../../core/model/path.js";
import { hasUnknown, valueIfKnown, NOT_KNOWN, type Pending } from "../../../core/model/unknown.js";
import type { Secrets } from "../../../client/redaction/secrets.js";
import { check, entrypointClaim, validate, withNamedMode } from "./check.js";
import { samePlan, ZONE_WAF_MIGRATION, zoneOf, type MigrationInputs, type MigrationState } from "./description.js";
import { readEntrypoint, readStatus } from "./observe.js";
import { phaseOf } from "../../../core/previous-waf/phase.js";
import { runMigration, type RunResult } from "./run.js";
import { isFoundDecided, stateFrom } from "./state.js";
import { isReached } from "./transition.js";

/** The one-way migration of a zone from the previous WAF to rulesets. */
export const zoneWafMigration = defineKind(ZONE_WAF_MIGRATION, {
  normalise: withNamedMode,
  validate,
  check,
  diff: (session, _id, olds, news) => diff(session, olds, news),
  create: async (session, inputs) => {
    const id = migrationResourceId(inputs.zoneId);
    return { id, state: await advance(session, id, inputs, undefined) };
  },
  read,
  update: (session, id, olds, news) =>
    olds.phase === "finished"
      ? Promise.resolve({ ...outputsIn(ZONE_WAF_MIGRATION, olds), ...news, ...pick(olds, ["plannedRules"]) })
      : advance(session, id, news, olds),
  delete: (session, _id, state) => refuseDelete(session, state),
  secretPaths,
  copyPaths,
});

const REPEATS_ARGUMENTS = repeatingNames(ZONE_WAF_MIGRATION, "arguments");
const REPEATS_ANYTHING = [...repeatingNames(ZONE_WAF_MIGRATION, "responses"), ...REPEATS_ARGUMENTS];

/** Secrets are in the arguments that contain rules. */
function secretPaths({ __secretPaths: paths }: JsonObject): Path[] {
  return pathsIn(paths);
}

/**
 * A secret in an argument makes everything derived from it secret, and what the service already had may contain it too.
 */
function copyPaths(props: JsonObject, secrets: Secrets): Path[] {
  const derived = secretPaths(props).length === 0 ? [] : REPEATS_ARGUMENTS.map((name) => [name]);
  const copied = REPEATS_ANYTHING.flatMap((name) => findCopies(props[name], secrets, [name]));
  return [...derived, ...copied];
}

/**
 * Pure, except for the claim that only a run can check. Progress that the zone makes on its own is accepted. A change
 * of arguments is an update even if nothing is left to write, so that the state matches the program.
 */
function diff(session: Session, state: MigrationState, news: Pending<MigrationInputs>): Change {
  claimEntrypoint(session, state, news);
  const changed = hasUnknown(news.plannedRules) || !samePlan(state, news);
  const there = news.mode !== NOT_KNOWN && isReached(state.phase, news.mode);
  return { kind: changed || !there ? "update" : "none", replaces: [], shownByInputs: changed };
}

function claimEntrypoint(session: Session, { phase }: MigrationState, news: Pending<MigrationInputs>): void {
  const zoneId = valueIfKnown(news.zoneId);
  const urn = valueIfKnown(news.__urn) ?? "";
  if (phase === "finished" || zoneId === undefined || !session.checked.has(urn)) return;
  requireClaim(session, urn, entrypointClaim(zoneId));
}

/** Advances the zone. What was applied is recorded in the state even if a later step fails. */
async function advance(
  session: Session,
  id: string,
  inputs: MigrationInputs,
  olds: MigrationState | undefined,
): Promise<MigrationState> {
  const result = await runMigration(session, inputs, {
    phase: olds?.phase,
    rulesetVersion: olds?.rulesetVersion,
    own: olds?.plannedRules,
  });
  const state = stateFrom(inputs, result, olds ?? {}, finishedAt(session, result, olds));
  if (result.failure !== undefined) throw new PartialFailure<MigrationState>(id, state, result.failure);
  return state;
}

function finishedAt(
  session: Session,
  { phase, sent }: Pick<RunResult, "phase" | "sent">,
  olds: MigrationState | undefined,
) {
  if (phase !== "finished") return undefined;
  const seenNow = sent || (olds !== undefined && olds.phase !== "finished");
  return olds?.finishedAt ?? (seenNow ? new Date(session.clock.now()).toISOString() : undefined);
}

/**
 * Sends one GET for the status, and one for the rules if somebody else has requested or completed the finish. If the
 * API for the migration no longer exists, the state of a finished zone stays unchanged.
 */
async function read(
  session: Session,
  id: string,
  olds: MigrationState | undefined,
): Promise<{ readonly inputs: MigrationInputs; readonly state: MigrationState }> {
  const zoneId = zoneOf(id);
  try {
    const status = await readStatus(session.client, zoneId);
    const phase = phaseOf(status);
    const unmanaged: MigrationInputs = { zoneId, mode: phase === "validation" ? "validation" : "pending" };
    const inputs = olds === undefined ? unmanaged : inputsIn(ZONE_WAF_MIGRATION, olds);
    const at = finishedAt(session, { phase, sent: false }, olds);
    const entrypoint = isFoundDecided({ status, phase }, olds ?? {})
      ? await readEntrypoint(session.client, zoneId)
      : undefined;
    const state = stateFrom(inputs, { status, phase, entrypoint }, olds ?? {}, at);
    return { inputs: olds === undefined ? inputs : inputsIn(ZONE_WAF_MIGRATION, state), state };
  } catch (error) {
    const gone = error instanceof RulesetsError && error.code === "MIGRATION_GONE";
    if (gone && olds?.phase === "finished") return { inputs: inputsIn(ZONE_WAF_MIGRATION, olds), state: olds };
    throw error;
  }
}

/** Refuses a delete, because a zone cannot go back; the error lists the ways to remove the resource from the stack. */
function refuseDelete(session: Session, { zoneId, __urn }: MigrationState): Promise<void> {
  const holder = claimsOf(session).other([migrationResourceId(zoneId)], __urn);
  if (holder !== undefined) {
    session.reporter.info(__urn, `the migration of zone ${zoneId} is managed by ${holder} now. No request was sent.`);
    return Promise.resolve();
  }
  return Promise.reject(
    new RulesetsError(
      `the migration of zone ${zoneId} cannot be undone: no API call returns a zone to the previous WAF. No request was sent. ` +
        "To remove this resource from the stack and leave the zone as it is, either\n" +
        "  - give it the options protect: false and retainOnDelete: true, run `pulumi up`, then remove it from the program and run `pulumi up`; or\n" +
        `  - run \`pulumi state delete '${__urn ?? "<urn>"}' --force\` and remove it from the program.`,
      { code: "MIGRATION_IRREVERSIBLE" },
    ),
  );
}
