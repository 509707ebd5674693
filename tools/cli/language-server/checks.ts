import { parentPort } from "node:worker_threads";
import { diagnosticsOf } from "../../editor/diagnostics.js";
import type { PlacedFinding } from "../../editor/findings.js";
import { EditedDocument, type DocumentKind } from "../../editor/edited-document.js";
import type { Surroundings } from "../../editor/findings.js";

/** A version of a document that is to be checked. */
export interface Checked extends Surroundings {
  readonly uri: string;
  readonly text: string;
  readonly kind: DocumentKind;
}

/** Checks documents in this thread for the one that started it. */
export function answerChecks(): void {
  parentPort?.on("message", ({ uri, text, kind, ...surroundings }: Checked) => {
    parentPort?.postMessage(diagnosticsOf(new EditedDocument(uri, text, kind), surroundings) satisfies Found);
  });
}

export type Found = readonly PlacedFinding[];
