import * as pulumi from "@pulumi/pulumi";
import { CustomHostnameCa, CustomHostnameCertificate } from "pulumi-rulesets";

const config = new pulumi.Config();
const zoneId = config.require("zoneId");

// If the hostname itself is a resource of @pulumi/cloudflare in this program, that resource must ignore `ssl`. Otherwise the
// two resources undo each other's changes in every `up`:
//
//   const shop = new cloudflare.CustomHostname("shop", { zoneId, hostname, ssl: { method: "txt", type: "dv" } }, {
//     ignoreChanges: ["ssl"],
//   });
//
// Then use `customHostnameId: shop.id` instead of `hostname` below.
const ca = new CustomHostnameCa("shop", {
  zoneId,
  hostname: config.require("hostname"),
  certificateAuthority: "google",
  onDelete: "restore",
});

// The validation records are known before the certificate is issued. Create DNS records from them here.
export const records = ca.validationRecords.apply((list) =>
  list.map(({ txtName, txtValue, httpUrl, cname, cnameTarget }) => ({
    txtName,
    txtValue,
    httpUrl,
    cname,
    cnameTarget,
  })),
);

// Waits for the certificate. If you create DNS records above, add the option `dependsOn: [dnsRecord]`.
const certificate = new CustomHostnameCertificate("shop", { customHostnameCaId: ca.id, timeoutSeconds: 900 });

export const status = certificate.sslStatus;
export const expiresOn = certificate.expiresOn;
