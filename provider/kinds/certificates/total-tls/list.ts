import type { ListIn } from "../../../engine/listing.js";
import { totalTlsId } from "../../../model/ids.js";

/** Total TLS of a zone, if it is enabled. */
export const listTotalTls: ListIn = async function* ({ client }, { id: zoneId, name }) {
  const { enabled } = await client.certificates.getTotalTls(zoneId);
  if (enabled) yield { id: totalTlsId(zoneId), name };
};
