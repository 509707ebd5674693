import type { Cell, AuditFinding, Where } from "../../../audit/report.js";
import { plural } from "../../../../core/model/words.js";
import { ruleWords, whereWords } from "./labels.js";

/** Findings that differ only in where they are: one row of a table. */
export interface FindingGroup {
  /** The anchor of the row. */
  readonly id: string;
  readonly first: AuditFinding;
  readonly findings: readonly AuditFinding[];
}

export function groupFindings(findings: readonly AuditFinding[]): readonly FindingGroup[] {
  const groups = Map.groupBy(findings, (finding) => {
    const { severity, phase, code, message } = finding;
    return JSON.stringify([severity, phase, code, ruleWords(finding), message]);
  });
  return [...groups.values()].flatMap((same, index) => {
    const [first] = same;
    return first === undefined ? [] : [{ id: `finding-${String(index + 1)}`, first, findings: same }];
  });
}

/** The anchor of the most severe finding on a cell of the picture: on its zone and phase, or on what weakens it. */
export function anchorOf(groups: readonly FindingGroup[], zoneId: string, cell: Cell): string | undefined {
  const isOnCell = ({ key, where, phase }: AuditFinding): boolean =>
    cell.findings.includes(key) || (where.id === zoneId && phase === cell.phase);
  return groups.find(({ findings }) => findings.some(isOnCell))?.id;
}

/** Where the findings of a group are, in a few words if there are several: `12 zones`. */
export function placesOf({ findings }: FindingGroup): { readonly summary: string; readonly places: readonly string[] } {
  const places = [...new Set(findings.map(({ where }) => whereWords(where)))];
  const [only] = places;
  if (places.length === 1 && only !== undefined) return { summary: only, places };
  const count = (level: Where["level"]): number =>
    new Set(findings.flatMap(({ where }) => (where.level === level ? [where.id] : []))).size;
  const words = (["zone", "account"] as const).flatMap((level) =>
    count(level) === 0 ? [] : [plural(count(level), level)],
  );
  return { summary: words.join(", "), places };
}
