import { hasCertificate } from "../../../core/certificates/status.js";
import type { ListIn } from "../../engine/listing.js";
import { hostnameAuthorityId, hostnameCertificateId } from "../../../core/model/ids.js";

export const listHostnameAuthorities = listHostnames(hostnameAuthorityId);
export const listHostnameCertificates = listHostnames(hostnameCertificateId);

/** Lists the custom hostnames of a zone that have a certificate which the service issues, by the ID of a resource for each. */
function listHostnames(idOf: (zoneId: string, hostnameId: string) => string): ListIn {
  return async function* ({ client }, { id: zoneId, name }) {
    for await (const page of client.customHostnames.pages(zoneId))
      for (const { id, hostname, ssl } of page)
        if (!ssl.uploaded && hasCertificate(ssl)) yield { id: idOf(zoneId, id), name: `${name} ${hostname}` };
  };
}
