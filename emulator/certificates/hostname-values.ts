import { refuse } from "../failure.js";
import type { Body } from "../call.js";

const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** A hostname in lower case, as the service stores it. Rejects invalid domain names. */
export function hostnameOf(sent: string): string {
  const name = sent.toLowerCase();
  const labels = name.replace(/^\*\./, "").split(".");
  if (name.length > 255 || labels.length < 2 || !labels.every((label) => LABEL.test(label)))
    throw refuse(400, 1407, "Invalid custom hostname. Custom hostnames must be valid domain names", "/hostname");
  return name;
}

const MAX_BYTES = 4096;

/**
 * Rejects metadata that the service does not store:
 * https://developers.cloudflare.com/cloudflare-for-platforms/cloudflare-for-saas/domain-support/custom-metadata/#limitations
 */
export function checkMetadata({ custom_metadata: metadata }: Body): void {
  if (metadata === undefined) return;
  const size = Buffer.byteLength(JSON.stringify(metadata));
  if (size > MAX_BYTES)
    throw refuse(
      400,
      1400,
      `Custom metadata must not be larger than ${String(MAX_BYTES)} bytes, but it has ${String(size)}`,
      "/custom_metadata",
    );
}
