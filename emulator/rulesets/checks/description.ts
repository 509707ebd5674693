import { invalidValue } from "../../failure.js";
import type { Check } from "./check.js";

const MAX_BYTES = 4096;

/** Descriptions have a limit, in bytes. */
export const descriptionFault: Check = ({ description }, _context, at) => {
  if (typeof description !== "string" || Buffer.byteLength(description) <= MAX_BYTES) return undefined;
  const reason = `it exceeds the maximum length of ${String(MAX_BYTES)} bytes`;
  return invalidValue(`${description.slice(0, 40)}…`, "description", reason, { pointer: `${at}/description` });
};
