import { MANAGED_PHASE } from "../../client/index.js";
import { isReached } from "./transition.js";
import { phaseOf } from "./phase.js";
import { PartialFailure, RulesetsError } from "../../model/errors.js";
import { migrationResourceId, phaseResourceId } from "../../model/ids.js";
import { pick, type JsonObject } from "../../model/json.js";
import { hasUnknown } from "../../model/unknown.js";
import type { Path } from "../../model/path.js";
import { occupiedError } from "../../ownership/messages.js";
import type { Secrets } from "../../redaction/secrets.js";
import type { Session } from "../../engine/session.js";
import type { Change, Lifecycle, Props } from "../../engine/lifecycle.js";
import { check, twoOwnersText } from "./check.js";
import { inputsOf, outputsOf, samePlan, zoneOf, type MigrationInputs, type MigrationState } from "./model.js";
import { copiesIn } from "../../engine/secrets.js";
import { readEntrypoint, readStatus } from "./observe.js";
import { travel, type Journey } from "./run.js";
import { isFoundDecided, stateFrom } from "./state.js";

/** The one-way road from the previous WAF to rulesets. */
export const migrationLifecycle: Lifecycle = {
  check,
  diff: (session, _id, olds, news) =>
    Promise.resolve(diff(session, olds as unknown as MigrationState, news as unknown as MigrationInputs)),
  create: async (session, props) => {
    const inputs = props as unknown as MigrationInputs;
    const id = migrationResourceId(inputs.zoneId);
    return { id, state: await go(session, id, inputs, undefined) };
  },
  read,
  update: (session, id, props, news) => {
    const olds = props as unknown as MigrationState;
    const inputs = news as unknown as MigrationInputs;
    return olds.phase === "finished"
      ? Promise.resolve({ ...outputsOf(olds), ...inputs, ...pick(olds, ["plannedRules"]) })
      : go(session, id, inputs, olds);
  },
  delete: (session, _id, state) => refuseDelete(session, state as unknown as MigrationState),
  secretPaths,
  copyPaths,
};

/** Secrets stand in the arguments that hold rules. States of 0.1 name what is derived from them as well. */
function secretPaths({ __secretPaths: paths }: JsonObject): Path[] {
  return Array.isArray(paths) ? (paths as Path[]).filter(([name]) => name === "rules" || name === "adjustments") : [];
}

/** A secret in an argument is one in all that is derived from it; and what the service had already may hold it. */
function copyPaths(props: JsonObject, secrets: Secrets): Path[] {
  const derived = secretPaths(props).length === 0 ? [] : [["plannedRules"], ["report"]];
  const held = ["retrievedConfig", "plannedRules", "report"].flatMap((name) => copiesIn(props[name], secrets, [name]));
  return [...derived, ...held];
}

/**
 * Pure but for the two owners that only a run can see. What the zone does by itself is taken over, not fought. Changed
 * arguments are an update even where nothing is left to write: the state then tells what the program says.
 */
function diff(session: Session, state: MigrationState, news: MigrationInputs): Change {
  holdEntrypoint(session, state, news);
  const changed = hasUnknown(news.plannedRules) || !samePlan(state, news);
  const there = isReached(state.phase, news.mode);
  return { kind: changed || !there ? "update" : "none", replaces: [], shownByInputs: changed };
}

function holdEntrypoint(session: Session, { phase }: MigrationState, { zoneId, __urn }: MigrationInputs): void {
  const urn = __urn ?? "";
  if (phase === "finished" || !session.checked.has(urn)) return;
  const other = session.owners.hold(phaseResourceId({ level: "zones", id: zoneId }, MANAGED_PHASE), urn);
  if (other !== undefined) throw occupiedError(twoOwnersText(zoneId, other));
}

/** Brings the zone on. What has landed stands in the state even when the rest of the way fails. */
async function go(
  session: Session,
  id: string,
  inputs: MigrationInputs,
  olds: MigrationState | undefined,
): Promise<MigrationState> {
  const journey = await travel(session, inputs, {
    phase: olds?.phase,
    rulesetVersion: olds?.rulesetVersion,
    own: olds?.plannedRules,
  });
  const state = stateFrom(inputs, journey, olds ?? {}, finishedAt(session, journey, olds));
  if (journey.failure !== undefined) throw new PartialFailure<MigrationState>(id, state, journey.failure);
  return state;
}

function finishedAt(
  session: Session,
  { phase, sent }: Pick<Journey, "phase" | "sent">,
  olds: MigrationState | undefined,
) {
  if (phase !== "finished") return undefined;
  const seenNow = sent || (olds !== undefined && olds.phase !== "finished");
  return olds?.finishedAt ?? (seenNow ? new Date(session.clock.now()).toISOString() : undefined);
}

/**
 * One GET of the status, and one of the rules where somebody else has decided the zone meanwhile. An interface that is gone leaves what is known of a finished zone as it is. */
async function read(
  session: Session,
  id: string,
  props: Props,
): Promise<{ readonly inputs: MigrationInputs; readonly state: MigrationState }> {
  const zoneId = zoneOf(id);
  const olds = props as unknown as MigrationState;
  const known = (olds as Partial<MigrationState>).phase !== undefined;
  try {
    const status = await readStatus(session.client, zoneId);
    const phase = phaseOf(status);
    const inputs = known
      ? inputsOf(olds)
      : ({ zoneId, mode: phase === "validation" ? "validation" : "pending" } as const);
    const at = finishedAt(session, { phase, sent: false }, known ? olds : undefined);
    const entrypoint = isFoundDecided({ status, phase }, olds)
      ? await readEntrypoint(session.client, zoneId)
      : undefined;
    const state = stateFrom(inputs, { status, phase, entrypoint }, known ? olds : {}, at);
    return { inputs: known ? inputsOf(state) : inputs, state };
  } catch (error) {
    const gone = error instanceof RulesetsError && error.code === "MIGRATION_GONE";
    if (gone && known && olds.phase === "finished") return { inputs: inputsOf(olds), state: olds };
    throw error;
  }
}

/** A zone cannot go back, so there is nothing that a delete could do; it names the ways to drop the resource. */
function refuseDelete(session: Session, { zoneId, __urn }: MigrationState): Promise<void> {
  const holder = session.owners.otherHolder(migrationResourceId(zoneId), __urn);
  if (holder !== undefined) {
    session.reporter.info(__urn, `the migration of zone ${zoneId} is held by ${holder} now. Nothing was sent.`);
    return Promise.resolve();
  }
  return Promise.reject(
    new RulesetsError(
      `the migration of zone ${zoneId} cannot be taken back: no call returns a zone to the previous WAF. Nothing was sent. ` +
        "To drop this resource from the stack and leave the zone as it is, either\n" +
        "  - give it the options protect: false and retainOnDelete: true, run `pulumi up`, then remove it from the program and run `pulumi up`; or\n" +
        `  - run \`pulumi state delete '${__urn ?? "<urn>"}' --force\` and remove it from the program.`,
      { code: "MIGRATION_IRREVERSIBLE" },
    ),
  );
}
