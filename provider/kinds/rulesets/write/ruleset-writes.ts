import type { DryRunOperation, RulesetsClient } from "../../../../client/index.js";
import type { ApiError, RulesetsError } from "../../../../core/model/errors.js";
import { rulesetResourceId, scopeText } from "../../../../core/model/ids.js";
import type { Ruleset } from "../../../../core/model/ruleset.js";
import { displayFor, type SecretPlaces } from "../../../engine/display.js";
import { checkOverwrittenChange } from "../../../engine/overwritten-changes.js";
import { deletionText } from "../../../engine/plan-text.js";
import { sendWithRecovery } from "../../../engine/recover.js";
import type { Session } from "../../../engine/session.js";
import type { RulesetSnapshot } from "../../../ownership/overwritten-change.js";
import type { OverwritingOperation } from "../../../ownership/overwritten-messages.js";
import { conflictError } from "../../../ownership/ruleset-messages.js";
import { type Desired, type Target, targetWords } from "../desired.js";
import { containsRules, type Content, isRenamed, isUpToDate, requireKnown } from "../plan/change.js";

/** What a write returned, and the error to fail with if it undid somebody's change that this run had not read. */
export interface Written {
  readonly ruleset: Ruleset;
  readonly overwrote?: RulesetsError;
}

/**
 * Replaces a whole ruleset; `state` is the current state, if there is one. If it is unknown whether the write was
 * applied, reads the ruleset. If it contains what was sent, it is done. If it has the old version, sends the write once
 * more. Anything else is somebody else's change.
 */
export async function replaceRuleset(
  session: Session,
  desired: Desired,
  deployed: Ruleset,
  content: Content,
  { operation = "change", state }: { readonly operation?: OverwritingOperation; readonly state?: SecretPlaces } = {},
): Promise<Written> {
  const { target, where } = desired;
  const { scope } = target;
  const { rulesets } = session.client;
  const { send } = replacementOf(rulesets, target, deployed, content);
  const response = await session.queue.run(rulesetResourceId(scope, deployed.id), () =>
    sendWithRecovery(send, {
      read: () => rulesets.find(scope, deployed.id),
      wasApplied: (current) => isUpToDate(current, content, target),
      refuseRepeat: (current, cause) =>
        current.version === deployed.version ? undefined : conflictAfterLoss(where, current, cause),
    }),
  );
  session.reads.store(scope, response);
  return checkReplacement(session, desired, { before: deployed, response, operation, state });
}

/** A write that was applied. */
interface AppliedReplacement {
  readonly before: RulesetSnapshot;
  readonly response: Ruleset;
  readonly operation: OverwritingOperation;
  /** The current state, if there is one. */
  readonly state?: SecretPlaces;
}

/** Checks whether a write that was applied undid what somebody changed since the ruleset was read. */
export async function checkReplacement(
  session: Session,
  { target, words, urn, policy }: Desired,
  { state, ...write }: AppliedReplacement,
): Promise<Written> {
  const overwrote = await checkOverwrittenChange(session, {
    ...write,
    display: displayFor(session, state),
    words,
    scope: target.scope,
    urn,
    onConflict: session.onConflict(policy.onConflict),
  });
  return { ruleset: write.response, ...(overwrote === undefined ? {} : { overwrote }) };
}

/** Tells which version a delete has made in a ruleset that stays: a deleted resource leaves no state that could say it. */
export async function reportDeletion(session: Session, urn: string | undefined, ruleset: Ruleset): Promise<void> {
  session.reporter.status(urn, deletionText(ruleset));
  await session.reporter.delivered?.();
}

/** The response was lost and somebody else changed the ruleset: sending the write again would undo that change. */
function conflictAfterLoss(where: string, current: Ruleset, cause: ApiError): Error {
  return conflictError(
    `${where}: the response to the write was lost, and the ruleset now contains neither its previous rules nor the ones that were sent ` +
      `(version ${current.version}). ${cause.message} To continue: run \`pulumi refresh\`, review what it shows, then \`pulumi up\`.`,
  );
}

/** Creates a ruleset. If the response is lost, it first looks for what its own write may have left. */
export async function createRuleset(session: Session, { target }: Desired, content: Content): Promise<Ruleset> {
  const where = targetWords(target, { name: nameToCreate(content) });
  const { rulesets } = session.client;
  const response = await sendCreate(session, target, content, {
    read: () =>
      target.entrypoint ? rulesets.findEntrypoint(target.scope, target.phase) : findEqual(session, target, content),
    wasApplied: (current) => isUpToDate(current, content, target),
    refuseRepeat: (current, cause) => conflictAfterLoss(where, current, cause),
  });
  session.reads.store(target.scope, response);
  return response;
}

/**
 * Creates a ruleset that others share: it may already contain rules of theirs. If they have created it meanwhile, the service
 * reports that.
 */
export async function createToShare(session: Session, { target }: Desired, content: Content): Promise<Ruleset> {
  const lost = { looked: false };
  const response = await sendCreate(session, target, content, {
    read: () => {
      lost.looked = true;
      return target.entrypoint ? findFirst(session, target, content) : findEqual(session, target, content);
    },
    wasApplied: (current) => containsRules(current, content),
    refuseRepeat: () => undefined,
  });
  // The ruleset that was found may be its first version, which others have changed since.
  if (lost.looked) session.reads.forget(target.scope, target.phase, response.id);
  else session.reads.store(target.scope, response);
  return response;
}

function sendCreate(
  session: Session,
  target: Target,
  content: Content,
  recovery: Parameters<typeof sendWithRecovery<Ruleset>>[1],
): Promise<Ruleset> {
  const { send } = creationOf(session.client.rulesets, target, content);
  const key = `${scopeText(target.scope)}/${target.phase}/${nameToCreate(content)}`;
  return session.queue.run(key, () => sendWithRecovery(send, recovery));
}

/** The custom ruleset with that name and content. */
async function findEqual(session: Session, target: Target, content: Content): Promise<Ruleset | undefined> {
  const { scope, kind, phase } = target;
  const { rulesets } = session.client;
  const list = await rulesets.list(scope);
  const sameName = list.filter((r) => r.kind === kind && r.phase === phase && r.name === nameToCreate(content));
  const whole = await Promise.all(sameName.map(({ id }) => rulesets.get(scope, id)));
  return whole.find((ruleset) => isUpToDate(ruleset, content, target));
}

/**
 * The entry point in its first version, if this run created it: later changes by others are theirs, and are found by
 * the next read. The current version, if somebody else created it.
 */
async function findFirst(session: Session, { scope, phase }: Target, content: Content): Promise<Ruleset | undefined> {
  const { rulesets } = session.client;
  const current = await rulesets.findEntrypoint(scope, phase);
  if (current === undefined || containsRules(current, content)) return current;
  const first = await rulesets.getVersion(scope, current.id, "1");
  return containsRules(first, content) ? first : current;
}

/** A write, and its dry run. */
export interface TriedWrite {
  readonly operation: DryRunOperation;
  readonly dryRun: () => Promise<unknown>;
  /** The rules of a whole write, in order: errors name them by their index. */
  readonly rules?: readonly { readonly ref?: string | undefined }[];
  /** For a write of one rule: which of the program's it is. */
  readonly rule?: { readonly index: number; readonly ref: string };
}

/** A write of a whole ruleset: what `up` sends, and what a dry run sends in a preview. */
interface WholeWrite extends TriedWrite {
  readonly send: () => Promise<Ruleset>;
}

const DRY_RUN = { dryRun: true } as const;

/** The single write that gives a ruleset its content. */
export function replacementOf(client: RulesetsClient, target: Target, deployed: Ruleset, planned: Content): WholeWrite {
  const { scope, phase } = target;
  const content = requireKnown(planned);
  const { name: _, ...body } = content;
  if (isRenamed(deployed, planned, target))
    return {
      operation: "replaceEntrypoint",
      rules: content.rules,
      send: () => client.replaceEntrypoint(scope, phase, content),
      dryRun: () => client.replaceEntrypoint(scope, phase, content, DRY_RUN),
    };
  return {
    operation: "replace",
    rules: content.rules,
    send: () => client.replace(scope, deployed.id, body, phase),
    dryRun: () => client.replace(scope, deployed.id, body, phase, DRY_RUN),
  };
}

/**
 * The single write that creates a ruleset. It is also used for entry points, where a PUT would overwrite what somebody
 * else created.
 */
export function creationOf(client: RulesetsClient, target: Target, content: Content): WholeWrite {
  const { scope, phase, kind } = target;
  const ruleset = requireKnown({ ...content, name: nameToCreate(content), kind, phase });
  return {
    operation: "create",
    rules: content.rules,
    send: () => client.create(scope, ruleset),
    dryRun: () => client.create(scope, ruleset, DRY_RUN),
  };
}

/** The name of a new ruleset if the program sets none. */
function nameToCreate({ name }: Content): string {
  return name ?? "default";
}
