import { managedLifecycle } from "./managed-steps.js";

const NAME = "shop.customer.test";
const seed = {
  zones: [
    {
      name: "saas.example.com",
      certificates: {
        hostnames: [{ hostname: NAME, certificateAuthority: "lets_encrypt" }],
        totalTls: { enabled: true, certificate_authority: "lets_encrypt" },
        pace: "at-once",
      },
    },
  ],
} as const;

describe("step by step, at rest after each", () => {
  managedLifecycle("CustomHostnameCa", seed, async (zoneId, service) => {
    const [found] = await service.ask<{ id: string }[]>("GET", `/zones/${zoneId}/custom_hostnames`);
    const customHostnameId = found?.id ?? "";
    const byName = { zoneId, hostname: NAME, certificateAuthority: "google" };
    const byId = { zoneId, customHostnameId, certificateAuthority: "google" };
    return [
      {
        args: byName,
        expect: "create",
        requests: ["GET", "PATCH"],
        state: {
          customHostnameId,
          effectiveCertificateAuthority: "google",
          previousCertificateAuthority: "lets_encrypt",
        },
      },
      { args: byId, expect: "none", requests: [], state: { hostname: NAME } },
      { args: { ...byId, onDelete: "restore" }, expect: "update", requests: [], state: { onDelete: "restore" } },
      { args: { ...byId, validationTimeoutSeconds: 5 }, expect: "update", requests: [], state: { hostname: NAME } },
      { args: { ...byId, method: "http" }, expect: "update", requests: ["GET", "PATCH"], state: { __method: "http" } },
      {
        args: { ...byName, certificateAuthority: "ssl_com" },
        expect: "update",
        requests: ["GET", "PATCH"],
        state: { effectiveCertificateAuthority: "ssl_com", previousCertificateAuthority: "lets_encrypt" },
      },
      {
        args: { ...byName, certificateAuthority: "" },
        expect: "update",
        requests: ["GET", "PATCH"],
        state: { certificateAuthority: "", effectiveCertificateAuthority: "google" },
      },
    ];
  });

  managedLifecycle("CustomHostnameCertificate", seed, async (zoneId, service) => {
    const [found] = await service.ask<{ id: string }[]>("GET", `/zones/${zoneId}/custom_hostnames`);
    const customHostnameCaId = `zones/${zoneId}/custom-hostnames/${found?.id ?? ""}/certificate-authority`;
    const state = { customHostnameCaId, hostname: NAME, sslStatus: "active", certificateAuthority: "lets_encrypt" };
    return [
      { args: { customHostnameCaId }, expect: "create", requests: ["GET"], state },
      { args: { customHostnameCaId, timeoutSeconds: 60 }, expect: "update", requests: ["GET"], state },
      { args: { customHostnameCaId }, expect: "update", requests: ["GET"], state },
    ];
  });

  managedLifecycle("TotalTlsCa", seed, (zoneId) => [
    {
      args: { zoneId, certificateAuthority: "google" },
      expect: "create",
      requests: ["GET", "GET", "POST"],
      state: { enabled: true, previousCertificateAuthority: "lets_encrypt" },
    },
    {
      args: { zoneId, certificateAuthority: "google", onDelete: "restore" },
      expect: "update",
      requests: [],
      state: { onDelete: "restore" },
    },
    {
      args: { zoneId, certificateAuthority: "ssl_com" },
      expect: "update",
      requests: ["GET", "POST"],
      state: { certificateAuthority: "ssl_com", previousCertificateAuthority: "lets_encrypt" },
    },
  ]);
});
