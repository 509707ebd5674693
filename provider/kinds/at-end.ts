import type { AtEnd, FoundInWhole, Waiting } from "../engine/kind-parts.js";
import type { StackResource } from "../engine/predecessors.js";
import { warnIn } from "../engine/reporter.js";
import type { Session } from "../engine/session.js";
import { joinErrors, RulesetsError } from "../model/errors.js";
import { KINDS, partsOf } from "./index.js";

/** Of every kind, not of those that a run uses: what is missing from the program may be the last resource of its kind. */
function partsAtEnd(): ReadonlySet<AtEnd> {
  return new Set(Object.keys(KINDS).flatMap((name) => partsOf(name).atEnd?.() ?? []));
}

/**
 * Reports what is only known when a preview has seen every resource of the program. An error does not keep other kinds from
 * reporting.
 * @throws RulesetsError if the program must not be carried out
 */
export async function endWholePreview(session: Session, warn = warnIn(session.reporter)): Promise<void> {
  const errors: unknown[] = [];
  for (const one of partsAtEnd()) {
    try {
      if (await (one.isNeededWhole?.(session) ?? one.isNeeded(session))) await one.ofWholePreview(session, warn);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw joinErrors(errors);
}

/**
 * Judges, when an update has checked every resource of the program and before the last one is written, what the preview did not know.
 * @throws RulesetsError if it is not in order
 */
export async function endWholeUpdate(session: Session): Promise<void> {
  for (const one of partsAtEnd()) await one.ofWholeUpdate?.(session);
}

/** Reports what is known at the end of a run that has written nothing, and that may not have seen every resource. */
export async function endRun(session: Session, isPreview: boolean): Promise<void> {
  for (const one of partsAtEnd()) if (one.isNeeded(session)) await one.ofRun(session, isPreview);
}

/** What only a preview of the whole program tells; what comes later in it before what leaves it. */
export async function waitsFor(session: Session): Promise<Waiting> {
  const found = new Set<Waiting>();
  for (const one of partsAtEnd()) found.add(await one.waitsFor?.(session));
  return found.has("later") ? "later" : found.has("left") ? "left" : undefined;
}

/**
 * Looks, before a resource is deleted that the program no longer declares, at what the engine asks nobody about.
 * @throws RulesetsError if it must not be deleted
 */
export async function requireDelete(session: Session, resource: StackResource): Promise<void> {
  for (const one of partsAtEnd()) await one.beforeDelete?.(session, resource);
}

/** What is said of a program of which this preview has seen every resource, for the preview that waits for this one. */
export async function foundInWholePreview(session: Session): Promise<FoundInWhole> {
  const warnings: string[] = [];
  try {
    await endWholePreview(session, (text) => warnings.push(session.secrets.hide(text)));
    return { faults: [], warnings };
  } catch (error) {
    if (error instanceof RulesetsError) return { faults: [error.message], warnings };
    throw error;
  }
}
