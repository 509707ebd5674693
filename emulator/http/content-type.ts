import type { IncomingHttpHeaders } from "node:http";
import { ServiceError } from "../failure.js";

const ALLOWED = ["application/json", "multipart/form-data"];

/**
 * Rejects a body that is not marked as JSON, as the service does:
 * https://github.com/jamesryanbell/cloudflare/issues/15
 */
export function checkContentType(method: string, headers: IncomingHttpHeaders): void {
  const type = headers["content-type"];
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  if (method === "GET" || (type === undefined && !hasBody)) return;
  const media = type?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (ALLOWED.includes(media)) return;
  const chain = [{ code: 6105, message: `Invalid Content-Type header, valid values are ${ALLOWED.join(",")}` }];
  throw new ServiceError(400, [{ code: 6003, message: "Invalid request headers", chain }]);
}
