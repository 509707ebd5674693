import { answerText, type Answer, type Difference } from "./answers.js";
import type { Case } from "./suite.js";
import type { Reads } from "./reads.js";

/** A body, and what service and emulator say to it. */
export interface Tried extends Pick<Case, "code" | "body"> {
  readonly service: Answer;
  readonly emulator: Answer;
  readonly difference: Difference;
}

/** What a run found. */
export interface Result {
  readonly plan: string;
  readonly tried: readonly Tried[];
  readonly notTried: readonly { readonly code: string; readonly why: string }[];
  /** By route, how answers to reads differ. */
  readonly reads: ReadonlyMap<string, readonly string[]>;
  readonly notRead: readonly string[];
  /** Rulesets that have another version than before. */
  readonly changed: readonly string[];
  /** Why it ended early. */
  readonly stopped?: string;
}

/** 3 if something has no answer or may have changed, 2 for differences, 0 if everything that was tried agrees. */
export function exitCodeOf({ tried, reads, notRead, changed, stopped }: Result): 0 | 2 | 3 {
  const isAnswered = tried.every(({ service }) => service.kind !== "none");
  if (stopped !== undefined || changed.length > 0 || notRead.length > 0 || !isAnswered) return 3;
  return tried.some(({ difference }) => difference !== undefined) || reads.size > 0 ? 2 : 0;
}

/** The result for people, one line for each body. */
export function resultText(result: Result): string {
  const { tried, notTried, reads, notRead, changed, stopped } = result;
  const agreeing = tried.filter(({ difference }) => difference === undefined).length;
  return [
    ...tried.map(triedText),
    ...notTried.map(({ code, why }) => `not tried  ${code}: ${why}`),
    ...[...reads].flatMap(([route, lines]) => lines.map((line) => `differs    ${route}: ${line}`)),
    ...notRead.map((line) => `not read   ${line}`),
    ...(stopped === undefined ? [] : [stopped]),
    changed.length === 0
      ? "Every ruleset has the version that it had before."
      : `Rulesets changed meanwhile, by somebody else if not by this command:\n  ${changed.join("\n  ")}`,
    `${String(agreeing)} of ${String(tried.length)} answers agree; ${String(notTried.length)} entries were not tried.`,
  ].join("\n");
}

function triedText({ code, body, service, emulator, difference }: Tried): string {
  const what = `${code} (${body})`;
  if (difference === undefined) return `agrees     ${what}: ${answerText(service)}`;
  if (service.kind === "none") return `no answer  ${what}: ${service.why}`;
  return `differs    ${what}: ${answerText(service)}; the emulator: ${answerText(emulator)}`;
}

/** What is kept of a run: nothing of the zone but its plan. */
export interface Recording {
  readonly version: 1;
  /** Such as `2026-11-28`. */
  readonly date: string;
  readonly plan: string;
  readonly cases: readonly (Pick<Case, "code" | "body"> & { readonly answer: Answer })[];
  readonly reads: Readonly<Record<string, { readonly shape: object; readonly headers: readonly string[] }>>;
}

export function recordingOf({ plan, tried }: Result, reads: Reads, date: Date): Recording {
  return {
    version: 1,
    date: date.toISOString().slice(0, 10),
    plan,
    cases: tried.flatMap(({ code, body, service }) =>
      service.kind === "none" ? [] : [{ code, body, answer: service }],
    ),
    reads: Object.fromEntries(reads),
  };
}
