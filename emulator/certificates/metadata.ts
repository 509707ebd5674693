import type { Body } from "../call.js";
import { refuse } from "../failure.js";

const MAX_BYTES = 4096;

/**
 * Rejects metadata that the service does not store:
 * https://developers.cloudflare.com/cloudflare-for-platforms/cloudflare-for-saas/domain-support/custom-metadata/#limitations
 */
export function checkMetadata(hostname: string, { custom_metadata: metadata }: Body): void {
  if (metadata === undefined) return;
  if (hostname.startsWith("*."))
    throw refuse(400, 1400, "Custom metadata cannot be set on a wildcard hostname", "/custom_metadata");
  const size = Buffer.byteLength(JSON.stringify(metadata));
  if (size > MAX_BYTES)
    throw refuse(
      400,
      1400,
      `Custom metadata must not be larger than ${String(MAX_BYTES)} bytes, but it has ${String(size)}`,
      "/custom_metadata",
    );
}
