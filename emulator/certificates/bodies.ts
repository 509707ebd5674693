import { bodyCheck, boolean, nonEmpty, listOf, object, oneOf, string, type CodesByPointer } from "../body.js";
import type { Schema } from "../schemas.js";

/** Schemas for the bodies of certificate operations, as in the public API description. */

const AUTHORITIES = ["google", "lets_encrypt", "ssl_com"];
const METHODS = ["http", "txt", "email"];
const BUNDLES = ["ubiquitous", "optimal", "force"];
const onOff = oneOf("on", "off");

const HOSTNAME_CODES: CodesByPointer = [
  ["/hostname", 1407],
  ["/ssl/method", 1432],
  ["/ssl/type", 1433],
  ["/ssl/bundle_method", 1449],
  ["/ssl", 1434],
  ["", 1400],
];

const ssl = object({
  // In addition to the documented values, the service accepts cname, and an empty string for its own choice.
  method: oneOf(...METHODS, "cname"),
  certificate_authority: oneOf("", "digicert", ...AUTHORITIES),
  type: oneOf("dv"),
  bundle_method: oneOf(...BUNDLES),
  wildcard: boolean,
  cloudflare_branding: boolean,
  settings: object({
    ciphers: listOf(string, { uniqueItems: true }),
    early_hints: onOff,
    http2: onOff,
    min_tls_version: oneOf("1.0", "1.1", "1.2", "1.3"),
    tls_1_3: onOff,
  }),
  custom_certificate: string,
  custom_key: string,
  custom_csr_id: string,
  custom_cert_bundle: listOf(
    object({ custom_certificate: string, custom_key: string }, ["custom_certificate", "custom_key"]),
    { minItems: 1, maxItems: 2 },
  ),
});
const besideSsl = {
  ssl,
  custom_metadata: { type: "object" },
  custom_origin_server: string,
  custom_origin_sni: string,
};

export const checkNewHostname = bodyCheck(
  object({ ...besideSsl, hostname: { ...nonEmpty, maxLength: 255 } }, ["hostname"]),
  HOSTNAME_CODES,
);
export const checkHostname = bodyCheck(object(besideSsl), HOSTNAME_CODES);
export const checkReplacement = bodyCheck(
  object({ custom_certificate: string, custom_key: string }, ["custom_certificate", "custom_key"]),
  HOSTNAME_CODES,
);
export const checkFallback = bodyCheck(object({ origin: { ...nonEmpty, maxLength: 255 } }, ["origin"]), [["", 1550]]);

export const checkOrder = bodyCheck(
  object(
    {
      type: oneOf("advanced"),
      hosts: listOf({ type: "string", maxLength: 253 }, { minItems: 1, maxItems: 50, uniqueItems: true }),
      validation_method: oneOf("txt", "http", "email"),
      validity_days: oneOf(14, 30, 90, 365),
      certificate_authority: oneOf(...AUTHORITIES),
      cloudflare_branding: boolean,
    },
    ["type", "hosts", "validation_method", "validity_days", "certificate_authority"],
  ),
  [["", 1408]],
);
export const checkPack = bodyCheck(object({ cloudflare_branding: boolean }), [["", 1408]]);
export const checkVerification = bodyCheck(
  object({ validation_method: oneOf(...METHODS, "cname") }, ["validation_method"]),
  [["", 1408]],
);
export const checkUniversal = bodyCheck(object({ enabled: boolean }), [["", 1000]]);
export const checkTotalTls = bodyCheck(
  object({ enabled: boolean, certificate_authority: oneOf(...AUTHORITIES) }, ["enabled"]),
  [["", 1000]],
);

const uploaded = {
  certificate: nonEmpty,
  private_key: nonEmpty,
  // The names of the dashboard as well as those of the API.
  bundle_method: oneOf(...BUNDLES, "compatible", "modern", "user-defined"),
  custom_csr_id: string,
  deploy: oneOf("staging", "production"),
  geo_restrictions: object({ label: oneOf("us", "eu", "highest_security") }),
  policy: string,
};
export const checkUpload = bodyCheck(
  object({ ...uploaded, type: oneOf("legacy_custom", "sni_custom") }, ["certificate"]),
  [["", 1002]],
);
export const checkUploaded = bodyCheck(object(uploaded), [["", 1002]]);
export const checkPriorities = bodyCheck(
  object({ certificates: listOf(object({ id: nonEmpty, priority: { type: "number" } }, ["id", "priority"])) }, [
    "certificates",
  ]),
  [["", 1002]],
);

const steps = { type: "number", exclusiveMinimum: 0 };
/** How fast certificates and operations progress. */
export const paceSchema: Schema = {
  anyOf: [
    { const: "at-once" },
    object({ reads: { type: "integer", minimum: 1 } }, ["reads"], { additionalProperties: false }),
    object({ seconds: steps }, ["seconds"], { additionalProperties: false }),
  ],
};

/** What tests control about a zone's certificates. */
export const checkControls = bodyCheck(
  object(
    {
      pace: paceSchema,
      caa: { type: "object", additionalProperties: listOf(string) },
      hostnameQuota: { type: "integer", minimum: 0 },
      ends: nonEmpty,
    },
    [],
    { additionalProperties: false },
  ),
  [],
);
