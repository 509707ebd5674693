import { ApiError, RulesetsError } from "../model/errors.js";

/** No credentials, or no answer: nothing was wrong with the question. */
export function isOutOfReach(error: unknown): boolean {
  if (error instanceof ApiError) return error.code === "API_UNAVAILABLE" || error.code === "API_RATE_LIMITED";
  return error instanceof RulesetsError && error.code === "CONFIG_CREDENTIALS_MISSING";
}
