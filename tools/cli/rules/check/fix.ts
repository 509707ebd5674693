import { realpathSync } from "node:fs";
import { safeEdits } from "../../../editor/edits.js";
import type { Edit } from "../../../editor/embedded/embedded.js";
import { placedFindings, type PlacedFinding, type Surroundings } from "../../../editor/findings.js";
import { readUserFile, readUserText } from "../../../rules-files/text/read-file.js";
import { TextDocument } from "../../../rules-files/text/text-document.js";
import type { ReportedFinding } from "../../../rules-files/check/finding.js";
import { isOpen } from "../../../rules-files/check/report.js";
import { applyWaivers, type Waiver } from "../../../rules-files/check/waivers.js";
import { rulesOfDocument } from "../../../rules-files/document.js";
import { replaceFile } from "../../write-output.js";

/** What was written, or only offered, in place of what a finding is about. */
export interface FixedFinding extends Pick<ReportedFinding, "code" | "file" | "path"> {
  readonly before: string;
  readonly after: string;
}

export interface Fixes {
  readonly applied: readonly FixedFinding[];
  /** What may mean something else. */
  readonly offered: readonly FixedFinding[];
}

interface FixOptions extends Surroundings {
  readonly waivers: readonly Waiver[];
}

/** What fixes lead to is fixed in turn; each makes an expression longer or rids it of something, so few rounds are needed. */
const MOST_ROUNDS = 20;

/** Writes into files of rules what findings say, where that can be done without asking. Findings with a waiver stay. */
export function fixFiles(paths: readonly string[], options: FixOptions): Fixes {
  const fixed = paths.map((path) => ({ path, ...fixText(readUserText(path), path, options) }));
  for (const { path, text, applied } of fixed) if (applied.length > 0) writeText(path, text);
  return {
    applied: fixed.flatMap(({ applied }) => applied),
    offered: fixed.flatMap(({ offered }) => offered),
  };
}

function fixText(given: string, path: string, options: FixOptions): Fixes & { readonly text: string } {
  const applied: FixedFinding[] = [];
  let [text, found] = [given, findingsIn(given, path, options)];
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const source = text;
    const edits = safeEdits(found);
    if (edits.length === 0) break;
    applied.push(
      ...found.filter(({ edit }) => edit !== undefined && edits.includes(edit)).flatMap((one) => describe(one, source)),
    );
    text = applyEdits(source, edits);
    found = findingsIn(text, path, options);
  }
  return { text, applied, offered: found.flatMap((one) => describe(one, text)) };
}

function findingsIn(text: string, path: string, { waivers, ...surroundings }: FixOptions): readonly Found[] {
  const document = TextDocument.parse(text, path);
  const found = placedFindings({ document, loaded: rulesOfDocument(document) }, text, surroundings);
  return applyWaivers(found, waivers, surroundings.now.slice(0, 10)).findings.filter(isOpen);
}

type Found = PlacedFinding<ReportedFinding>;

function describe({ code, file, path, edit }: Found, text: string): readonly FixedFinding[] {
  if (edit === undefined) return [];
  const { span, text: after } = edit;
  return [{ code, file, path, before: text.slice(span.start, span.end), after }];
}

function applyEdits(text: string, edits: readonly Edit[]): string {
  return edits.reduceRight(
    (all, { span, text: instead }) => all.slice(0, span.start) + instead + all.slice(span.end),
    text,
  );
}

/** The file that a link stands for is replaced, with its byte order mark. */
function writeText(path: string, text: string): void {
  const mark = readUserFile(path).subarray(0, 3).equals(MARK) ? "\ufeff" : "";
  replaceFile(realpathSync(path), `${mark}${text}`);
}

const MARK = Buffer.from("\ufeff", "utf8");
