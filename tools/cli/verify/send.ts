import type { Client, Scope } from "../../../client/index.js";
import { permissionFor } from "../../../client/http/permissions.js";
import { ApiError, RulesetsError, firstLineOf } from "../../../core/model/errors.js";
import { answerText, answerTo, isForbidden, type Answer } from "./answers.js";
import { readEntrypoints, removeLeftOvers, whyNotEmpty, type Found } from "./left-overs.js";
import { MARK, PROOFS, type Case } from "./suite.js";
import { changedVersions, readVersions, type Versions } from "./versions.js";

/** A zone as it is before anything is sent. */
export interface Target {
  readonly client: Client;
  readonly scope: Scope;
  readonly before: Versions;
  readonly found: Found;
  /** Phases that could not be read, each with why. */
  readonly unread: readonly string[];
}

/** An answer, and why nothing more may be sent. */
interface Sent {
  readonly answer: Answer;
  readonly stopped?: string;
}

/** Sends a body as a dry run, and looks whether every ruleset still has its version. */
export async function send(target: Target, one: Case): Promise<Sent> {
  const { client, scope } = target;
  const answer = await answerTo(client, scope, one);
  try {
    const isAsBefore = (await changesIn(target)).length === 0 && answer.kind !== "written";
    return isAsBefore ? { answer } : { answer, stopped: await cleared(target, one, answer) };
  } catch (error) {
    if (!(error instanceof RulesetsError)) throw error;
    const what = `After the dry run of ${one.code} (${one.body}), the zone could not be read or cleaned up (${firstLineOf(error)}).`;
    return { answer, stopped: `${what} The service may have carried it out. ${HOW_TO_REMOVE}` };
  }
}

/** Rulesets that have another version than before. */
export async function changesIn({ client, scope, before }: Target): Promise<string[]> {
  return changedVersions(before, await readVersions(client, scope));
}

/** Removes what the service kept of a body. Returns what happened. */
async function cleared({ client, scope }: Target, { code, body }: Case, answer: Answer): Promise<string> {
  const what = `The service carried out the dry run of ${code} (${body}).`;
  const removed = await removeLeftOvers(client, scope, await readEntrypoints(client, scope));
  if (removed.length > 0) return `${what} What it kept in ${removed.join(", ")} was removed again.`;
  if (answer.kind === "written") return `${what} It kept no rule that was sent.`;
  return "Somebody else changed the zone meanwhile, and nothing that was sent is there. To continue: try again later.";
}

/** For whatever may be left. */
export const HOW_TO_REMOVE =
  "To continue: run the same command again, which removes what is left, or delete the rules whose refs begin with " +
  `"${MARK}". They are disabled.`;

/** The bodies of the proof, for phases without rules; first those without an entry point, which can be removed as a whole. */
function proofsFor(found: Found): readonly Case[] {
  const usable = PROOFS.filter(({ phase }) => whyNotEmpty(found, phase) === undefined);
  const isNew = ({ phase }: Case): boolean => found.get(phase) === "none";
  if (usable.length > 0) return [...usable.filter(isNew), ...usable.filter((one) => !isNew(one))];
  const reasons = PROOFS.map(({ phase }) => `  ${whyNotEmpty(found, phase) ?? ""}`).join("\n");
  throw new Error(
    `dry_run is proved in a phase without rules, and there is none. Nothing was sent.\n${reasons}\nTo continue: use another zone.`,
  );
}

/**
 * Proves that the service honours `dry_run` before anything else is sent: it has to refuse other values of the parameter, with requests
 * that can change nothing; then one rule is sent to a phase without rules. Returns why nothing more may be sent.
 */
export async function proveDryRun(target: Target): Promise<string | undefined> {
  const { client, scope, found } = target;
  const proofs = proofsFor(found);
  try {
    if (!(await client.rulesets.honoursDryRun(scope, "replaceEntrypoint")))
      return "The service ignores dry_run: it does not refuse a value that is neither true nor false. Nothing was changed.";
  } catch (error) {
    if (error instanceof ApiError && error.code === "API_FORBIDDEN") return forbidden(proofs);
    throw error;
  }
  if ((await changesIn(target)).length > 0)
    return "Somebody else is changing the zone. Nothing was sent. To continue: try again later.";
  for (const proof of proofs) {
    const { answer, stopped } = await prove(target, proof);
    if (stopped !== undefined || !isForbidden(answer)) return stopped;
  }
  return forbidden(proofs);
}

function forbidden(proofs: readonly Case[]): string {
  const needed = proofs.map(({ phase }) => `"${permissionFor({ method: "PUT", path: "/rulesets", phase })}"`);
  return `The token may not edit rulesets of this zone: it needs ${[...new Set(needed)].join(" or ")}. Nothing was written.`;
}

/** Sends a body of the proof. Returns also why nothing more may be sent, unless the body is accepted, or forbidden. */
async function prove(target: Target, proof: Case): Promise<Sent> {
  const { client, scope, found } = target;
  const { answer, stopped } = await send(target, proof);
  const unproven = (why: string, next = ""): Sent => ({ answer, stopped: `${why} Nothing else was sent.${next}` });
  if (stopped !== undefined) return unproven(stopped);
  const entrypoint = await client.rulesets.findEntrypoint(scope, proof.phase);
  const before = found.get(proof.phase);
  if (entrypoint?.version !== (typeof before === "object" ? before.version : undefined))
    return unproven(await cleared(target, proof, answer));
  if (answer.kind === "accepted" || isForbidden(answer)) return { answer };
  const late = answer.kind === "none" ? ` The service may still carry it out. ${HOW_TO_REMOVE}` : "";
  return unproven(`The service did not accept the proof: ${answerText(answer)}.`, late);
}
