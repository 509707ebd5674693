import { pathOfPointer } from "../../../client/pointer.js";
import type { Client, Scope } from "../../../client/index.js";
import { ApiError, type RulesetsError } from "../../../core/model/errors.js";
import { sameJson } from "../../../core/model/json.js";
import { isAroundAny, pathText, type Path } from "../../../core/model/path.js";
import type { Case } from "./suite.js";

/** What the service says to a body; the texts of its errors are left out. */
export type Answer =
  | { readonly kind: "accepted" }
  | { readonly kind: "refused"; readonly status: number; readonly errors: readonly AnsweredError[] }
  /** Nothing that is about the body: no response, credentials, rate limits, a failure of the service. */
  | { readonly kind: "none"; readonly why: string; readonly isForbidden?: true }
  /** The one to a write, with what it made. */
  | { readonly kind: "written" };

/** An error of an answer. */
interface AnsweredError {
  readonly code?: number;
  /** JSON pointer into the request body. */
  readonly pointer?: string;
}

/** Sends a body as a dry run. */
export async function answerTo(client: Client, scope: Scope, { phase, rules }: Case): Promise<Answer> {
  try {
    await client.rulesets.tryEntrypoint(scope, phase, rules);
    return { kind: "accepted" };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status = 0, code } = error;
    if (code === "DRY_RUN_IGNORED") return { kind: "written" };
    if (code === "API_FORBIDDEN") return { kind: "none", why: failureText(error), isForbidden: true };
    if (code !== "API_INVALID" || status < 400) return { kind: "none", why: failureText(error) };
    const errors = error.errors.map((one) => ({
      ...(one.code === undefined ? {} : { code: one.code }),
      ...(one.pointer === undefined ? {} : { pointer: one.pointer }),
    }));
    return { kind: "refused", status, errors };
  }
}

/** A failure without the paths and names of a zone; of a request that is forbidden, with the permission for it. */
export function failureText(error: RulesetsError): string {
  if (!(error instanceof ApiError) || error.status === undefined) return error.code;
  const codes = error.errors.flatMap(({ code }) => (code === undefined ? [] : [` ${String(code)}`]));
  const needs = error.permission === undefined ? "" : ` (needs "${error.permission}")`;
  return `${error.code}, ${String(error.status)}${codes.join()}${needs}`;
}

/** Whether the token may not send the body. */
export function isForbidden(answer: Answer): boolean {
  return answer.kind === "none" && answer.isForbidden === true;
}

/** Whether two answers have the same verdict, status, codes and pointers. */
export function isSameAnswer(one: Answer, other: Answer): boolean {
  return sameJson(one, other);
}

/** Whether a preview says the same: that it finds no mistake in what is accepted, and one at the same place in what is refused. */
export function isSameAsPreview(answer: Answer, preview: readonly Path[]): boolean {
  if (answer.kind !== "refused") return preview.length === 0;
  const isAround = isAroundAny(preview);
  return preview.length > 0 && answer.errors.every(({ pointer = "" }) => isAround(pathOfPointer(pointer)));
}

/** An answer as text. */
export function answerText(answer: Answer): string {
  if (answer.kind === "accepted") return "accepted";
  if (answer.kind === "written") return "answered like a write";
  if (answer.kind === "none") return answer.why;
  const errors = answer.errors.map(({ code = "no code", pointer = "" }) => `${String(code)} ${pointer}`.trimEnd());
  return `refused with ${String(answer.status)}: ${errors.join(", ")}`;
}

/** What a preview says as text. */
export function previewText(preview: readonly Path[]): string {
  return preview.length === 0 ? "accepted" : `refused: ${preview.map(pathText).join(", ")}`;
}
