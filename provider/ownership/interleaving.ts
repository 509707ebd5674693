/** A rule of a shared ruleset, in order, as a preview names it. */
export interface Interleaved {
  /** The program's name for the rule; undefined for a rule of somebody else. */
  readonly own: string | undefined;
}

const LONGEST = 9;

/** Where a program's rules are among those of others: `1–2 others, 3 "block admin" (yours), 4–9 others`. */
export function interleavingText(rules: readonly Interleaved[]): string {
  const runs = runsOf(rules).map(({ start, end, own }) => {
    const numbers = start === end ? String(start) : `${String(start)}–${String(end)}`;
    if (own.length === 0) return `${numbers} ${start === end ? "another's" : "others"}`;
    return own.length === 1 ? `${numbers} ${own[0] ?? ""} (yours)` : `${numbers} yours`;
  });
  if (runs.length === 0) return "no rules";
  if (runs.length <= LONGEST) return runs.join(", ");
  return [...runs.slice(0, LONGEST - 1), `… ${runs.at(-1) ?? ""}`].join(", ");
}

interface Run {
  readonly start: number;
  end: number;
  readonly own: string[];
}

function runsOf(rules: readonly Interleaved[]): Run[] {
  const runs: Run[] = [];
  rules.forEach(({ own }, index) => {
    const run = runs.at(-1);
    const joins = run !== undefined && run.own.length > 0 === (own !== undefined);
    if (joins) run.end = index + 1;
    const current = joins ? run : { start: index + 1, end: index + 1, own: [] };
    if (!joins) runs.push(current);
    if (own !== undefined) current.own.push(own);
  });
  return runs;
}
