import * as pulumi from "@pulumi/pulumi";
import { CustomHostnameCa, CustomHostnameCertificate } from "pulumi-rulesets";

const config = new pulumi.Config();
const zoneId = config.require("zoneId");

// Where the hostname itself is a resource of the vendor's package in this program, that one must leave `ssl` alone, or
// each `up` of the one undoes the other:
//
//   const shop = new cloudflare.CustomHostname("shop", { zoneId, hostname, ssl: { method: "txt", type: "dv" } }, {
//     ignoreChanges: ["ssl"],
//   });
//
// and its id goes in below: customHostnameId: shop.id.
const ca = new CustomHostnameCa("shop", {
  zoneId,
  hostname: config.require("hostname"),
  certificateAuthority: "google",
  onDelete: "restore",
});

// The records to publish are known before the certificate is there: make DNS records of them here.
export const records = ca.validationRecords.apply((list) =>
  list.map(({ txtName, txtValue, httpUrl, cname, cnameTarget }) => ({
    txtName,
    txtValue,
    httpUrl,
    cname,
    cnameTarget,
  })),
);

// Waits for the certificate, after the records: with `dependsOn: [theDnsRecord]`.
const certificate = new CustomHostnameCertificate("shop", { customHostnameCaId: ca.id, timeoutSeconds: 900 });

export const status = certificate.sslStatus;
export const expiresOn = certificate.expiresOn;
