import type { Path } from "../../../core/model/path.js";
import { answerText, isSameAnswer, isSameAsPreview, previewText, type Answer } from "./answers.js";
import type { Case } from "./suite.js";
import type { Reads } from "./reads.js";

/** A body, and what the service, the emulator and a preview say to it. */
export interface Tried extends Pick<Case, "code" | "body"> {
  readonly service: Answer;
  readonly emulator: Answer;
  /** Where a preview finds a mistake; undefined where it leaves the verdict to the service. */
  readonly preview?: readonly Path[];
}

/** What a run found. */
export interface Result {
  readonly plan: string;
  readonly tried: readonly Tried[];
  readonly notTried: readonly { readonly code: string; readonly why: string }[];
  /** By route, how answers to reads differ. */
  readonly reads: ReadonlyMap<string, readonly string[]>;
  readonly notRead: readonly string[];
  /** Phases of which dry runs were carried out that had no answer, and removed again. */
  readonly late: readonly string[];
  /** Rulesets that have another version than before. */
  readonly changed: readonly string[];
  /** Why it ended early. */
  readonly stopped?: string;
}

/** 3 if nothing was tried, something has no answer or may have changed, 2 for differences, 0 if everything that was tried agrees. */
export function exitCodeOf({ tried, reads, notRead, late, changed, stopped }: Result): 0 | 2 | 3 {
  const isAnswered = tried.length > 0 && tried.every(({ service }) => service.kind !== "none");
  if (stopped !== undefined || [...changed, ...late, ...notRead].length > 0 || !isAnswered) return 3;
  return tried.every(isAgreed) && reads.size === 0 ? 0 : 2;
}

const agreesWithEmulator = ({ service, emulator }: Tried): boolean => isSameAnswer(service, emulator);
const agreesWithPreview = ({ service, preview }: Tried): boolean =>
  preview === undefined || isSameAsPreview(service, preview);
const isAgreed = (one: Tried): boolean => agreesWithEmulator(one) && agreesWithPreview(one);

/** The result for people, after the lines of the bodies. */
export function resultText(result: Result): string {
  const { tried, notTried, reads, notRead, late, changed, stopped } = result;
  return [
    ...[...Map.groupBy(notTried, ({ why }) => why)].map(
      ([why, entries]) => `not tried  ${entries.map(({ code }) => code).join(", ")}: ${why}`,
    ),
    ...[...reads].flatMap(([route, lines]) => lines.map((line) => `differs    ${route}: ${line}`)),
    ...notRead.map((line) => `not read   ${line}`),
    ...(stopped === undefined ? [] : [stopped]),
    ...late.map(
      (phase) => `The service stored a dry run that it did not answer; what it stored in ${phase} was removed.`,
    ),
    changed.length === 0
      ? "Every ruleset has the version that it had before."
      : `Rulesets with another version than before:\n  ${changed.join("\n  ")}`,
    `${String(tried.filter(isAgreed).length)} of ${String(tried.length)} answers agree; ${String(notTried.length)} entries were not tried.`,
  ].join("\n");
}

/** What is said of a body, in a line. */
export function triedText(one: Tried): string {
  const { code, body, service, emulator, preview = [] } = one;
  const what = `${code} (${body})`;
  if (service.kind === "none") return `no answer  ${what}: ${service.why}`;
  const others = [
    ...(agreesWithEmulator(one) ? [] : [`; the emulator: ${answerText(emulator)}`]),
    ...(agreesWithPreview(one) ? [] : [`; a preview: ${previewText(preview)}`]),
  ].join("");
  return `${others === "" ? "agrees " : "differs"}    ${what}: ${answerText(service)}${others}`;
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
      service.kind === "none" || service.kind === "written" ? [] : [{ code, body, answer: service }],
    ),
    reads: Object.fromEntries(reads),
  };
}
