import type { Client, Scope } from "../../../client/index.js";
import { ApiError, type RulesetsError } from "../../../core/model/errors.js";
import { sameJson } from "../../../core/model/json.js";
import type { Case } from "./suite.js";

/** What the service says to a body; the texts of its errors are left out. */
export type Answer =
  | { readonly kind: "accepted" }
  | { readonly kind: "refused"; readonly status: number; readonly errors: readonly AnsweredError[] }
  /** Nothing that is about the body: no response, credentials, rate limits, a failure of the service. */
  | { readonly kind: "none"; readonly why: string };

/** An error of an answer. */
export interface AnsweredError {
  readonly code?: number;
  /** JSON pointer into the request body. */
  readonly pointer?: string;
}

/** Sends a body as a dry run. Throws if the service carries it out. */
export async function answerTo(client: Client, scope: Scope, { phase, rules }: Case): Promise<Answer> {
  try {
    await client.rulesets.tryEntrypoint(scope, phase, rules);
    return { kind: "accepted" };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === "DRY_RUN_IGNORED") throw error;
    const { status = 0 } = error;
    if (error.code !== "API_INVALID" || status < 400) return { kind: "none", why: failureText(error) };
    const errors = error.errors.map(({ code, pointer }) => ({
      ...(code === undefined ? {} : { code }),
      ...(pointer === undefined ? {} : { pointer }),
    }));
    return { kind: "refused", status, errors };
  }
}

/** A failure without the paths and names of a zone. */
export function failureText(error: RulesetsError): string {
  if (!(error instanceof ApiError) || error.status === undefined) return error.code;
  const codes = error.errors.flatMap(({ code }) => (code === undefined ? [] : [String(code)]));
  return `${String(error.status)} [${codes.join(", ")}]`;
}

/** How two answers differ: in the verdict, or only in status, codes or pointers. */
export type Difference = "verdict" | "details" | undefined;

export function compareAnswers(one: Answer, other: Answer): Difference {
  if (one.kind !== other.kind) return "verdict";
  return sameJson(one, other) ? undefined : "details";
}

/** An answer as text. */
export function answerText(answer: Answer): string {
  if (answer.kind === "accepted") return "accepted";
  if (answer.kind === "none") return answer.why;
  const errors = answer.errors.map(({ code = "no code", pointer = "" }) => `${String(code)} ${pointer}`.trimEnd());
  return `refused with ${String(answer.status)}: ${errors.join(", ")}`;
}
