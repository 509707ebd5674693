import type { Row } from "./report.js";
import { KIND_WORDS, shortName, VERDICT_WORDS } from "./words.js";

/** Explanations that several certificates share, shown once for all of them. */
export interface Note {
  readonly title: string;
  /** Pairs of label and text. */
  readonly lines: readonly (readonly [string, string])[];
  /** What differs between several certificates, one line each: the CAA records that decide, and the calls. */
  readonly each: readonly string[];
}

/** The notes of a report, and the number of each row's note, counted from 1. */
export function notesOn(rows: readonly Row[]): {
  readonly notes: readonly Note[];
  readonly numbers: readonly number[];
} {
  const groups = [...Map.groupBy(rows, keyOf).values()];
  const numberOf = new Map(groups.flatMap((group, index) => group.map((row) => [row, index + 1] as const)));
  return { notes: groups.map(noteOn), numbers: rows.map((row) => numberOf.get(row) ?? 0) };
}

function keyOf(row: Row): string {
  const { kind, verdict, what, clients, email } = row.entry;
  return JSON.stringify([kind, verdict, what, clients, email, generalAction(row)]);
}

function noteOn(rows: readonly Row[]): Note {
  const [first] = rows as readonly [Row, ...Row[]];
  const { kind, verdict, what, clients, email, action, calls, caa } = first.entry;
  const isShared = rows.length > 1;
  const hasList = isShared && (calls.length > 0 || caa !== undefined);
  const names = rows.map(({ entry }) => shortName(entry.name));
  return {
    title: `${KIND_WORDS[kind]}: ${VERDICT_WORDS[verdict]} (${String(rows.length)})`,
    lines: [
      ["What happens", what],
      ["Affected clients", clients === "" ? "none" : clients],
      ["E-mail", email === "" ? "not sent" : email],
      ["To do", action === "" ? "nothing" : isShared ? generalAction(first) : action],
      ...(isShared || caa === undefined ? [] : [["CAA record", caa] as const]),
      ["For", shortened(names)],
    ],
    each: hasList
      ? rows.map(({ entry }, index) => `${names[index] ?? ""}: ${[...caaOf(entry), ...entry.calls].join("; ")}`)
      : [],
  };
}

function caaOf({ caa }: Row["entry"]): string[] {
  return caa === undefined ? [] : [caa];
}

/** The action without the calls, which contain the IDs of one certificate. */
function generalAction({ entry: { action, calls } }: Row): string {
  return calls.reduce(
    (text, call, index) => text.replace(call, () => (calls.length === 1 ? "the call below" : (ORDER[index] ?? ""))),
    action,
  );
}
const ORDER = ["the first call below", "the second one"];

function shortened(names: readonly string[]): string {
  const shown = names.slice(0, 5).join("; ");
  return names.length <= 5 ? shown : `${shown}; and ${String(names.length - 5)} more`;
}
