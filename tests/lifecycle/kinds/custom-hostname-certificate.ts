import { CUSTOM_HOSTNAME_CERTIFICATE } from "../../../provider/kinds/certificates/hostname-certificate/description.js";
import { kindCase, type World } from "./kind-case.js";
import { hostnameOf, placeOf, SAAS } from "./shared.js";

const ca = ({ zoneId }: World, hostnameId: string): string =>
  `zones/${zoneId}/custom-hostnames/${hostnameId}/certificate-authority`;

export const tested = kindCase(CUSTOM_HOSTNAME_CERTIFICATE, {
  steps: async ({ zoneId }, service) => {
    const customHostnameCaId = `zones/${zoneId}/custom-hostnames/${await hostnameOf(service, zoneId)}/certificate-authority`;
    const state = {
      customHostnameCaId,
      hostname: SAAS.hostname,
      sslStatus: "active",
      certificateAuthority: "lets_encrypt",
    };
    return [
      { inputs: { customHostnameCaId }, expect: "create", requests: ["GET"], state },
      { inputs: { customHostnameCaId, timeoutSeconds: 60 }, expect: "update", requests: ["GET"], state },
      { inputs: { customHostnameCaId }, expect: "update", requests: ["GET"], state },
    ];
  },
  events: {
    gone: async (service, { id }) =>
      service.ask("DELETE", `/${placeOf({ id })}/custom_hostnames/${id.split("/")[3] ?? ""}`),
    delete: [],
  },
  seed: SAAS.seed,
  base: (world) => ({ customHostnameCaId: ca(world, world.hostnameIds[0]) }),
  changes: (world) => ({ customHostnameCaId: ca(world, world.hostnameIds[1]), timeoutSeconds: 60 }),
});
