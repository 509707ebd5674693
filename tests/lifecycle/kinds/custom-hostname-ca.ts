import { CUSTOM_HOSTNAME_CA } from "../../../provider/kinds/certificates/hostname-ca/description.js";
import { kindCase, Pair } from "./kind-case.js";
import { hostnameOf, placeOf, SAAS } from "./shared.js";

const byName = { customHostnameId: undefined, hostname: "one.test" };

export const tested = kindCase(CUSTOM_HOSTNAME_CA, {
  steps: async ({ zoneId }, service) => {
    const customHostnameId = await hostnameOf(service, zoneId);
    const byName = { zoneId, hostname: SAAS.hostname, certificateAuthority: "google" };
    const byId = { zoneId, customHostnameId, certificateAuthority: "google" };
    return [
      {
        inputs: byName,
        expect: "create",
        says: [
          `${SAAS.hostname}: from Let's Encrypt to Google Trust Services; its certificate is validated again and reissued (now active)`,
        ],
        requests: ["GET", "PATCH"],
        state: {
          customHostnameId,
          effectiveCertificateAuthority: "google",
          previousCertificateAuthority: "lets_encrypt",
        },
      },
      { inputs: byId, expect: "none", requests: [], state: { hostname: SAAS.hostname } },
      { inputs: { ...byId, onDelete: "restore" }, expect: "update", requests: [], state: { onDelete: "restore" } },
      {
        inputs: { ...byId, validationTimeoutSeconds: 5 },
        expect: "update",
        requests: [],
        state: { hostname: SAAS.hostname },
      },
      {
        inputs: { ...byId, method: "http" },
        expect: "update",
        requests: ["GET", "PATCH"],
        state: { __validation: { method: "http" } },
      },
      {
        inputs: { ...byName, certificateAuthority: "ssl_com" },
        expect: "update",
        requests: ["GET", "PATCH"],
        state: { effectiveCertificateAuthority: "ssl_com", previousCertificateAuthority: "lets_encrypt" },
      },
      {
        inputs: { ...byName, certificateAuthority: "" },
        expect: "update",
        requests: ["GET", "PATCH"],
        state: { certificateAuthority: "", effectiveCertificateAuthority: "google" },
      },
    ];
  },
  events: {
    drift: {
      by: async (service, { id, state }) => {
        const path = `/${placeOf({ id })}/custom_hostnames/${(state as { customHostnameId: string }).customHostnameId}`;
        await service.ask("PATCH", path, { ssl: { method: "txt", type: "dv", certificate_authority: "ssl_com" } });
      },
      shows: {
        inputs: { certificateAuthority: "ssl_com" },
        state: { effectiveCertificateAuthority: "ssl_com" },
      },
      expect: "update",
    },
    gone: (service, { id, state }) =>
      service.ask(
        "DELETE",
        `/${placeOf({ id })}/custom_hostnames/${(state as { customHostnameId: string }).customHostnameId}`,
      ),
    lost: "PATCH",
    delete: [],
  },
  seed: SAAS.seed,
  base: ({ zoneId, hostnameIds }) => ({ zoneId, customHostnameId: hostnameIds[0], certificateAuthority: "google" }),
  changes: ({ otherZoneId, hostnameIds }) => ({
    zoneId: new Pair(byName, { ...byName, zoneId: otherZoneId }),
    customHostnameId: hostnameIds[1],
    hostname: new Pair(byName, { ...byName, hostname: "two.test" }),
    certificateAuthority: "ssl_com",
    method: "http",
    type: "dv",
    onDelete: "restore",
    validationTimeoutSeconds: 5,
  }),
  recorded: ({ zoneId }) => ({ zoneId, hostname: "one.test", certificateAuthority: "google", onDelete: "restore" }),
});
