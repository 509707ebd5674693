import { X509Certificate } from "node:crypto";
import { refuse } from "../failure.js";

/** The properties of a certificate. */
interface CertificateFacts {
  readonly hosts: readonly string[];
  readonly issuer: string;
  readonly signature: string;
  /** RFC 3339. */
  readonly expiresOn: string;
  readonly serial: string;
  readonly key: "rsa" | "ec" | "other";
}

/** Parses a PEM certificate, or rejects it with the operation's error code. */
export function readCertificate(pem: unknown, code: number, pointer: string): CertificateFacts {
  try {
    const { issuer, subjectAltName, validTo, serialNumber, publicKey } = new X509Certificate(String(pem));
    const organisation = /^O=(.*)$/m.exec(issuer)?.[1];
    const type = publicKey.asymmetricKeyType;
    return {
      hosts: (subjectAltName ?? "").split(", ").map((name) => name.replace(/^DNS:/, "")),
      issuer: organisation ?? issuer.replace(/\n/g, ", "),
      signature: type === "ec" ? "ECDSAWithSHA256" : "SHA256WithRSA",
      expiresOn: new Date(validTo).toISOString().replace(/\.\d+Z$/, "Z"),
      serial: serialNumber.toLowerCase(),
      key: type === "rsa" || type === "ec" ? type : "other",
    };
  } catch {
    throw refuse(400, code, "The certificate cannot be parsed", pointer);
  }
}
