import { readEach } from "../../../core/model/file-error.js";
import { isDay } from "../../../core/model/day.js";
import type { FilePlace, TextDocument } from "../text/text-document.js";
import { readBySchema } from "../../../core/files/file-schema.js";
import { schema } from "../../../core/files/generated/validate-waivers.js";
import type { ReportedFinding } from "./finding.js";

/** Accepts findings of one kind that have been reviewed. */
export interface Waiver {
  /** The name of the finding. */
  readonly finding: string;
  readonly reason: string;
  /** Ref, ID or description of the rule it applies to. @default every rule */
  readonly rule?: string;
  /** The ruleset it applies to, by its name in reports. @default every ruleset */
  readonly ruleset?: string;
  /** The last day on which it applies, `YYYY-MM-DD`. @default no end */
  readonly until?: string;
  readonly place: FilePlace;
}

/**
 * The waivers in a YAML or JSON file.
 * @throws FileError all mistakes with their places
 */
export function waiversOf(document: TextDocument): readonly Waiver[] {
  const { waivers } = readBySchema(document, schema);
  return readEach(waivers, (waiver, index) => {
    const at = ["waivers", index];
    if (waiver.until !== undefined && !isDay(waiver.until))
      throw document.errorAt([...at, "until"], "is not a day that exists");
    return { ...waiver, place: document.place(at) };
  });
}

/** Findings with their waivers, and waivers that match nothing or have expired. */
export interface Waived<F extends ReportedFinding = ReportedFinding> {
  readonly findings: readonly F[];
  readonly unused: readonly { readonly waiver: Waiver; readonly why: "matches nothing" | "has expired" }[];
}

/** @param today `YYYY-MM-DD` */
export function applyWaivers<F extends ReportedFinding>(
  findings: readonly F[],
  waivers: readonly Waiver[],
  today: string,
): Waived<F> {
  const isOver = ({ until }: Waiver): boolean => until !== undefined && until < today;
  const used = new Set<Waiver>();
  const marked = findings.map((finding) => {
    const waiver = waivers.find((one) => !isOver(one) && covers(one, finding));
    if (waiver === undefined) return finding;
    used.add(waiver);
    return { ...finding, waived: { reason: waiver.reason, until: waiver.until } };
  });
  const unused = waivers
    .filter((waiver) => !used.has(waiver))
    .map((waiver) => ({ waiver, why: isOver(waiver) ? ("has expired" as const) : ("matches nothing" as const) }));
  return { findings: marked, unused };
}

function covers({ finding: code, rule, ruleset }: Waiver, finding: ReportedFinding): boolean {
  if (code !== finding.code) return false;
  if (ruleset !== undefined && ruleset !== finding.ruleset) return false;
  const names = finding.rule === undefined ? [] : Object.values(finding.rule);
  return rule === undefined || names.includes(rule);
}
