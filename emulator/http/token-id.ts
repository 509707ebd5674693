import { createHash } from "node:crypto";

/** An ID that does not reveal the token. */
export function tokenIdOf(authorization: string): string {
  return createHash("sha256").update(authorization).digest("hex").slice(0, 32);
}
