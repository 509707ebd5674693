import { createRequire } from "node:module";
import { declaredLists } from "../engine/declared-lists.js";
import type { StackResource } from "../engine/predecessors.js";
import type { Session } from "../engine/session.js";
import { RulesetsError } from "../model/errors.js";
import type { KindName } from "./index.js";
import { checkedAtEnd } from "./judging/managed/checked.js";

const load = createRequire(__filename);
const loadRemovedLists = () => load("./lists/removed.js") as typeof import("./lists/removed.js");
const loadInvariants = () => load("./judging/invariants/at-end.js") as typeof import("./judging/invariants/at-end.js");
const loadManaged = () => load("./judging/managed/check.js") as typeof import("./judging/managed/check.js");

/** What a kind can say only when the calls of a run are over. */
interface AtEnd {
  /** Whether there may be something to say, so that other runs load nothing. */
  isNeeded(session: Session): boolean;
  /** The same for a preview that has seen every resource, if it can tell more. */
  isNeededWhole?(session: Session): Promise<boolean>;
  /** After a preview that has seen every resource of the program: an error stops it. */
  ofWholePreview(session: Session): Promise<void>;
  /** After a run without writes of which nobody has said how many resources the program declares: it can only be shown. */
  ofRun(session: Session, isPreview: boolean): Promise<void>;
}

/** In this order. Not by the kinds that a run uses: what is missing from the program may be the last resource of its kind. */
const AT_END: readonly AtEnd[] = [
  {
    isNeeded: (session) => session.part(declaredLists).isUsed,
    isNeededWhole: mayRemoveLists,
    ofWholePreview: (session) => loadRemovedLists().reportRemovedLists(session),
    ofRun: (session) => loadRemovedLists().reportUnseenLists(session),
  },
  {
    isNeeded: ({ invariants }) => invariants.length > 0,
    ofWholePreview: (session) => loadInvariants().requireInvariants(session),
    ofRun: async (session, isPreview) => {
      if (isPreview) await loadInvariants().reportOpenZones(session);
    },
  },
  {
    isNeeded: (session) => session.part(checkedAtEnd).size > 0,
    ofWholePreview: (session) => loadManaged().reportManagedLock(session),
    ofRun: (session) => loadManaged().reportManagedLock(session),
  },
];

/** The most resources of a program without lists for which the state of the stack is read: with more, that takes too long. */
const FEW = 100;

/** Whether a stack may have lists that the program no longer has. */
async function mayRemoveLists(session: Session): Promise<boolean> {
  if (session.part(declaredLists).isUsed) return true;
  if (session.previewChecks === "off" || session.checked.size > FEW) return false;
  return ((await session.predecessors.all()) ?? []).some(({ type }) => type === ("RulesList" satisfies KindName));
}

/**
 * Reports what is only known when a preview has seen every resource of the program.
 * @throws RulesetsError if the program must not be carried out
 */
export async function endWholePreview(session: Session): Promise<void> {
  for (const one of AT_END)
    if (await (one.isNeededWhole?.(session) ?? one.isNeeded(session))) await one.ofWholePreview(session);
}

/** Reports what is known at the end of a run that has written nothing, and that may not have seen every resource. */
export async function endRun(session: Session, isPreview: boolean): Promise<void> {
  for (const one of AT_END) if (one.isNeeded(session)) await one.ofRun(session, isPreview);
}

/** Whether something that was checked is only in order if a resource that comes later mends it. */
export function waitsForOthers(session: Session): boolean {
  return session.invariants.length > 0 && loadInvariants().hasOpenZones(session);
}

/**
 * Looks, before a resource is deleted that the program no longer declares, at what the engine asks nobody about.
 * @throws RulesetsError if it must not be deleted
 */
export async function requireDelete(session: Session, resource: StackResource): Promise<void> {
  if (session.invariants.length > 0) await loadInvariants().requireInvariantsWithout(session, resource);
}

/** The message of what stops a program of which this preview has seen every resource; empty if nothing does. */
export async function faultsOfWholePreview(session: Session): Promise<readonly string[]> {
  try {
    await endWholePreview(session);
    return [];
  } catch (error) {
    if (error instanceof RulesetsError) return [error.message];
    throw error;
  }
}
