import { TOTAL_TLS_CA } from "../../../provider/kinds/certificates/total-tls/description.js";
import { kindCase } from "./kind-case.js";
import { placeOf, SAAS } from "./shared.js";

export const tested = kindCase(TOTAL_TLS_CA, {
  steps: ({ zoneId }) => [
    {
      inputs: { zoneId, certificateAuthority: "google" },
      expect: "create",
      requests: ["GET", "GET", "POST"],
      state: { enabled: true, previousCertificateAuthority: "lets_encrypt" },
    },
    {
      inputs: { zoneId, certificateAuthority: "google", onDelete: "restore" },
      expect: "update",
      requests: [],
      state: { onDelete: "restore" },
    },
    {
      inputs: { zoneId, certificateAuthority: "ssl_com" },
      expect: "update",
      requests: ["GET", "POST"],
      state: { certificateAuthority: "ssl_com", previousCertificateAuthority: "lets_encrypt" },
    },
  ],
  events: {
    drift: {
      by: (service, kept) =>
        service.ask("POST", `/${placeOf(kept)}/acm/total_tls`, { enabled: true, certificate_authority: "ssl_com" }),
      shows: { inputs: { certificateAuthority: "ssl_com" } },
      expect: "update",
    },
    lost: "POST",
    delete: [],
  },
  seed: SAAS.seed,
  base: ({ zoneId }) => ({ zoneId, certificateAuthority: "google" }),
  changes: ({ otherZoneId }) => ({ zoneId: otherZoneId, certificateAuthority: "ssl_com", onDelete: "restore" }),
});
