import { errorOf } from "../model/errors.js";
import type { Failed } from "./grpc.js";

/** An error of the adapter, with what is known of an object that may be incomplete. */
interface Partial extends Error {
  readonly id?: string;
  readonly properties?: object;
  readonly reasons?: readonly string[];
}

/** What the engine gets for an error. Its message has no secrets: the adapter has removed them. */
export function failedCall(error: unknown): Failed {
  const failed: Partial = errorOf(error);
  const { id, properties, reasons = [failed.message] } = failed;
  if (id === undefined || properties === undefined) return { message: failed.message };
  return { message: failed.message, partial: { id, properties, reasons } };
}
