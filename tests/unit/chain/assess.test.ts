import { assessChain, type ZoneCertificates } from "../../../core/certificates/assess.js";
import type { ApplicableCaa } from "../../../core/certificates/authorities.js";
import { issuerIn } from "../../../core/certificates/issuer.js";
import { chainStage } from "../../../core/certificates/timeline.js";

const DAYS = ["05-31", "06-01", "06-02", "09-08", "09-09", "09-10", "09-29", "09-30", "10-01"].map(
  (day) => `2024-${day}`,
);
/** After the last day of the change. */
const AFTER = new Date("2024-10-05");
const pack = (type: string, certificateAuthority = "lets_encrypt", more: object = {}): ZoneCertificates => ({
  packs: [{ id: "p", type, status: "active", hosts: ["a.test"], certificateAuthority, ...more }],
});
const custom = (bundleMethod: string, uploadedOn: string | undefined, more: object = {}): ZoneCertificates => ({
  customCertificates: [
    { id: "c", hosts: ["a.test"], issuer: "LetsEncrypt", status: "active", bundleMethod, uploadedOn, ...more },
  ],
});
const hostname = (certificateAuthority: string, requested?: string, ssl: object = {}): ZoneCertificates => {
  const one = { id: "h", hostname: "a.test", ssl: { certificateAuthority, ...ssl } };
  return { customHostnames: [requested === undefined ? one : { ...one, requestedCertificateAuthority: requested }] };
};
const totalTls = (enabled: boolean, certificateAuthority: string): ZoneCertificates => ({
  totalTls: { enabled, certificateAuthority },
});
const later = (certificates: ZoneCertificates) => at(certificates, "2024-10-05");

/** Every case, with a verdict for each of the days above, or one for all of them. */
const ROWS: [string, ZoneCertificates, string][] = [
  ["universal", pack("universal"), "automatic"],
  ["universal of another authority", pack("universal", "google"), "none"],
  ["advanced", pack("advanced"), "watch"],
  ["Total TLS pack", pack("total_tls"), "watch"],
  ["Total TLS setting", totalTls(true, "lets_encrypt"), "watch"],
  ["Total TLS off", totalTls(false, "lets_encrypt"), "none"],
  ["managed hostname", pack("managed_hostname"), "watch"],
  ["custom, compatible, before", custom("compatible", "2024-09-08T23:59:59Z"), "watch"],
  ["custom, modern, before", custom("optimal", "2024-01-01T00:00:00Z"), "watch"],
  [
    "custom, compatible, before, until it expires",
    custom("compatible", "2024-08-01T00:00:00Z", { expiresOn: "2024-09-30T00:00:00Z" }),
    `${"watch ".repeat(7)}none none`,
  ],
  ["custom, compatible, on the day", custom("ubiquitous", "2024-09-09T00:00:00Z"), "watch"],
  ["custom, modern, after", custom("modern", "2024-09-20T00:00:00Z"), "watch"],
  ["custom, compatible, unknown upload day", custom("ubiquitous", undefined), "watch"],
  ["custom, user-defined, before", custom("force", "2024-01-01T00:00:00Z"), "watch"],
  [
    "custom, user-defined, before, until it expires",
    custom("force", "2024-06-01T00:00:00Z", { expiresOn: "2024-09-08T13:00:00Z" }),
    `${"watch ".repeat(4)}${"none ".repeat(5)}`,
  ],
  [
    "custom, user-defined, after expiry",
    custom("user-defined", "2024-10-01T00:00:00Z"),
    `${"watch ".repeat(7)}act act`,
  ],
  ["custom of another issuer", custom("compatible", "2024-01-01T00:00:00Z", { issuer: "DigiCert" }), "none"],
  ["custom without an issuer", custom("compatible", "2024-01-01T00:00:00Z", { issuer: "" }), "watch"],
  [
    "custom, user-defined, of an unknown issuer, after expiry",
    custom("force", "2024-10-01T00:00:00Z", { issuer: "Example CA" }),
    "watch",
  ],
  ["advanced without an authority", pack("advanced", ""), "watch"],
  ["Total TLS setting without an authority", totalTls(true, ""), "watch"],
  [
    "hostname with an uploaded certificate of an unknown issuer",
    hostname("", undefined, { uploaded: true, uploadedOn: "2024-01-01T00:00:00Z" }),
    "watch",
  ],
  ["hostname, chosen explicitly", hostname("lets_encrypt"), "act"],
  ["hostname, another authority", hostname("google"), "none"],
  ["hostname, default", hostname("google", ""), "automatic"],
  ["hostname, default, not reported", hostname(""), "automatic"],
  ["hostname, default, CAA fallback", hostname("lets_encrypt", ""), "watch"],
  [
    "hostname with an uploaded certificate",
    hostname("", undefined, { uploaded: true, issuer: "LetsEncrypt", uploadedOn: "2024-01-01T00:00:00Z" }),
    "watch",
  ],
];

test.each(ROWS)("%s: verdict for each day", (_, certificates, verdicts) => {
  const found = DAYS.map((day) => assessChain(certificates, new Date(`${day}T12:00:00Z`))[0]?.verdict);
  const expected = verdicts.trim().split(/\s+/);
  expect(found).toEqual(expected.length === 1 ? DAYS.map(() => verdicts) : expected);
});

test('the day itself counts as "after", in UTC', () => {
  const stages = DAYS.map((day) => chainStage(new Date(`${day}T00:00:00Z`)));
  const [switching, selfSigned] = ["switching", "selfSigned"].map((stage) => [stage, stage, stage]);
  expect(stages).toEqual([["before"], switching, selfSigned, ["expired", "expired"]].flat());
  expect(chainStage(new Date("2024-09-08T23:59:59.999Z"))).toBe("switching");
});

const at = (certificates: ZoneCertificates, day: string) => assessChain(certificates, new Date(`${day}T00:00:00Z`))[0];

test.each([
  ["2024-09-09T01:00:00+02:00", "before"],
  ["2024-09-09T01:00:00+0200", "before"],
  ["2024-09-08T23:59:59.999999Z", "before"],
  ["2024-09-08", "before"],
  ["2024-09-08T23:00:00-05:00", "on or after"],
  ["2024-09-09T00:00:00", "on or after"],
  [" 2024-09-09t00:00:00z", "on or after"],
  ["2024-09-09", "on or after"],
])("an upload at %s counts as %s 2024-09-09, in UTC", (uploadedOn, when) => {
  expect(later(custom("compatible", uploadedOn))?.what).toContain(`, uploaded ${when} 2024-09-09: `);
});

test.each(["yesterday", "9 September 2024", "2024-13-01", ""])(
  "an upload at %j is at an unknown time",
  (uploadedOn) => {
    expect(later(custom("compatible", uploadedOn))?.what).toContain(", if uploaded before 2024-09-09: ");
  },
);

test("a time of expiry in another offset counts by its instant", () => {
  const found = (expiresOn: string) => later(custom("force", undefined, { expiresOn }));
  expect(found("2024-10-05T01:00:00+02:00")?.what).toBe("Not in use: it expired on 2024-10-04.");
  expect(found("2024-10-04T23:00:00-02:00")?.verdict).toBe("watch");
});

test("whoever is not affected has no affected clients, and whoever has some can do something about it", () => {
  const all = ROWS.flatMap(([, certificates]) => DAYS.flatMap((day) => assessChain(certificates, new Date(day))));
  for (const { verdict, clients, action } of all) {
    expect([clients === "", action === ""]).toEqual(
      verdict === "none" || verdict === "automatic" ? [true, true] : [false, false],
    );
  }
});

test("lists the calls that an action contains, in order", () => {
  for (const [, certificates] of ROWS) {
    const [found] = assessChain({ ...certificates, zoneId: "z1" }, AFTER);
    const [last] = found?.calls.map((call) => found.action.indexOf(call)).toSorted((a, b) => a - b) ?? [];
    expect(last ?? 0).toBeGreaterThanOrEqual(0);
    expect(found?.calls.join()).not.toMatch(/<zone>|<id>/);
    expect(found?.calls).toHaveLength(found?.action.match(/(GET|POST|PATCH|DELETE) \//g)?.length ?? 0);
  }
});

describe("a hostname on the affected authority, whose CAA records were looked up", () => {
  const issue = (...names: string[]): ApplicableCaa => ({
    kind: "found",
    name: "customer.test",
    records: names.map((name) => ({ issue: name })),
  });
  const found = (caa: ApplicableCaa, requested?: string) => {
    const [one] = hostname("lets_encrypt", requested, { method: "txt", type: "dv" }).customHostnames ?? [];
    return later({ customHostnames: one === undefined ? [] : [{ ...one, caa }] });
  };
  const CALL = /PATCH .*"certificate_authority":"google"/;

  test("is not told to choose an authority that the record forbids, before the record allows it", () => {
    const unknown = found(issue("letsencrypt.org"));
    expect(unknown).toMatchObject({ verdict: "watch", caa: "customer.test allows letsencrypt.org" });
    expect(unknown?.what).toMatch(
      /^A CAA record does not allow Google Trust Services to issue, so the service's default falls back to Let's Encrypt\./,
    );
    expect(unknown?.action).toMatch(
      /^First, the hostname's owner has to allow pki\.goog in that CAA record\. Then the default/,
    );
    expect(unknown?.action).toMatch(CALL);
    const chosen = found(issue(";"), "lets_encrypt");
    expect(chosen).toMatchObject({ verdict: "act", caa: "customer.test allows nobody" });
    expect(chosen?.action).toMatch(
      /^First, the hostname's owner has to allow pki\.goog in that CAA record\. Then the provider/,
    );
    expect(found(issue("letsencrypt.org"), "")).toMatchObject({
      verdict: "watch",
      caa: "customer.test allows letsencrypt.org",
      action: "The hostname's owner can allow pki.goog in the CAA records.",
    });
  });

  test.each<[string, ApplicableCaa]>([
    ["there are none", { kind: "none" }],
    ["they allow the recommended authority", issue("letsencrypt.org", "PKI.goog; cansignhttpexchanges=yes")],
  ])("was probably chosen explicitly where %s", (_, caa) => {
    const one = found(caa);
    expect(one?.verdict).toBe("act");
    expect(one?.what).toContain(
      "No CAA record forbids Google Trust Services now, so Let's Encrypt was chosen explicitly",
    );
    expect(one?.action).toMatch(/^The provider should choose another authority: /);
    expect(one).not.toHaveProperty("caa");
  });

  test("names the lookup that failed, and assumes nothing", () => {
    const one = found({ kind: "failed", name: "customer.test", reason: "queryCaa ETIMEOUT customer.test" });
    expect(one).toMatchObject({
      verdict: "act",
      caa: "the lookup of customer.test failed (queryCaa ETIMEOUT customer.test)",
    });
    expect(one?.what).toContain(
      "otherwise, it was used because of a CAA record. Its CAA records could not be looked up.",
    );
    expect(one?.action).toMatch(/^If its CAA records allow pki\.goog, the provider should choose/);
  });
});

const GONE = ["expired", "deleted", "validation_timed_out", "initializing_timed_out", "inactive", "pending_deletion"];
const live = { status: "pending_validation" };

test.each(GONE)("%s: not in use, so no finding", (status) => {
  const all: ZoneCertificates[] = [
    pack("advanced", "lets_encrypt", { status }),
    pack("universal", "lets_encrypt", { status }),
    custom("force", "2024-10-01T00:00:00Z", { status }),
    hostname("lets_encrypt", "lets_encrypt", { status }),
  ];
  const found = all.map((certificates) => later(certificates));
  expect(found.map((item) => item?.verdict)).toEqual(["none", "none", "none", "none"]);
  expect(found[0]?.what).toBe(`Not in use: its status is ${status}.`);
});

test("a hostname without a certificate says so, also if the service's default was requested", () => {
  for (const requested of [undefined, ""]) {
    const found = later(hostname("", requested, { status: "", method: "" }));
    expect(found).toMatchObject({ verdict: "none", what: "Has no certificate." });
  }
});

test("a certificate that is still being issued counts", () => {
  expect(later(pack("advanced", "lets_encrypt", live))?.verdict).toBe("watch");
  expect(later(hostname("lets_encrypt", undefined, live))?.verdict).toBe("act");
});

test("a managed pack is reissued automatically, so its expiry clears nothing", () => {
  const expired = pack("advanced", "lets_encrypt", { expiresOn: "2024-09-01T00:00:00Z" });
  expect(later(expired)?.verdict).toBe("watch");
});

test("an uploaded certificate keeps its chain until it expires, and is then no finding", () => {
  const certificate = custom("compatible", "2024-08-01T00:00:00Z", { expiresOn: "2024-10-30T00:00:00Z" });
  expect(later(certificate)).toMatchObject({
    verdict: "watch",
    what: "Bundle method compatible, uploaded before 2024-09-09: the cross-signed chain is used until the certificate expires, on 2024-10-30. That chain has expired.",
    action:
      "The owner can upload it again (PATCH /zones/<zone>/custom_certificates/c); it is then bundled with the self-signed chain.",
  });
  expect(at(certificate, "2024-10-30")).toMatchObject({
    verdict: "none",
    what: "Not in use: it expired on 2024-10-30.",
    clients: "",
  });
});

test("reports what happens, who is notified, who should act and how", () => {
  expect(at(pack("universal"), "2024-05-31")?.what).toContain("from June 2024 on");
  const advanced = at(pack("advanced"), "2024-09-10");
  expect(advanced?.what).toContain("Not switched by the service");
  expect(advanced?.clients).toMatch(/^clients without the self-signed root .* Android 7\.0 and earlier$/);
  expect(at(pack("advanced"), "2024-09-08")?.clients).toMatch(/^from 2024-09-09: /);
  expect(at(pack("total_tls"), "2024-09-10")?.action).toContain(
    'TotalTlsCa { certificateAuthority: "google" }, or POST /zones/<zone>/acm/total_tls {"enabled":true,"certificate_authority":"google"}.',
  );
  expect(at(hostname("lets_encrypt", ""), "2024-09-10")?.action).toContain("allow pki.goog in the CAA records");
  expect(at(custom("force", "2024-10-02T00:00:00Z"), "2024-10-03")?.what).toContain(
    "should not be the cross-signed one",
  );
});

test("the call that orders another certificate is complete, with the settings of the current one", () => {
  const order = (more: object): unknown => {
    const action = at(pack("advanced", "lets_encrypt", more), "2024-09-10")?.action ?? "";
    expect(action).toContain("POST /zones/<zone>/ssl/certificate_packs/order {");
    expect(action).toContain("when it is active, DELETE /zones/<zone>/ssl/certificate_packs/p.");
    return JSON.parse(/\{.*\}/.exec(action)?.[0] ?? "") as unknown;
  };
  const whole = { type: "advanced", hosts: ["a.test"], certificate_authority: "google" };
  expect(order({ validationMethod: "http", validityDays: 30 })).toEqual({
    ...whole,
    validation_method: "http",
    validity_days: 30,
  });
  expect(order({})).toEqual({ ...whole, validation_method: "txt", validity_days: 90 });
});

test("reports an e-mail only where the service sends one", () => {
  const cases: [ZoneCertificates, string][] = [
    [
      pack("advanced"),
      "the owner, where the authority was chosen explicitly: which certificates use it, and whether their hostnames receive requests from affected clients",
    ],
    [hostname("lets_encrypt", "lets_encrypt"), "the provider"],
    [hostname("lets_encrypt"), "the provider, where Let's Encrypt was chosen explicitly"],
    [hostname("lets_encrypt", ""), ""],
    [pack("universal"), ""],
    [pack("total_tls"), ""],
    [pack("managed_hostname"), ""],
    [custom("compatible", "2024-01-01T00:00:00Z"), ""],
    [custom("force", "2024-10-01T00:00:00Z"), ""],
    [pack("advanced", "google"), ""],
  ];
  expect(cases.map(([certificates]) => later(certificates)?.email)).toEqual(cases.map(([, email]) => email));
});

test("calls and keys contain the zone ID where it is known", () => {
  const ssl = { method: "http", type: "dv" };
  const [found] = assessChain({ ...hostname("lets_encrypt", undefined, ssl), zoneId: "z1" }, AFTER);
  expect(found?.action).toContain(
    'PATCH /zones/z1/custom_hostnames/h {"ssl":{"method":"http","type":"dv","certificate_authority":"google"}}.',
  );
  expect(at(hostname("lets_encrypt"), "2024-09-10")?.action).toContain("PATCH /zones/<zone>/custom_hostnames/h {");
  const all: ZoneCertificates = {
    zoneId: "z1",
    ...pack("advanced"),
    ...custom("force", undefined),
    ...hostname("google"),
    totalTls: { enabled: true, certificateAuthority: "google" },
  };
  expect(assessChain(all, AFTER).map(({ key }) => key)).toEqual([
    "zones/z1/ssl/certificate_packs/p",
    "zones/z1/acm/total_tls",
    "zones/z1/custom_certificates/c",
    "zones/z1/custom_hostnames/h",
  ]);
});

test("uploaded packs are reported once, from the list with more details", () => {
  const types = ["mh_custom", "sni_custom", "legacy_custom", "keyless"];
  expect(types.flatMap((type) => assessChain(pack(type), AFTER))).toEqual([]);
});

test.each([
  ...["LetsEncrypt", "Let's Encrypt", "Lets Encrypt", "let’s encrypt", "R3", "CN=E7", "ISRG"].map((one) => [
    one,
    "affected",
  ]),
  ...["DigiCert Inc", "GlobalSign", "Google Trust Services LLC", "SSL Corp"].map((one) => [one, "other"]),
  ...["", "Example CA", "unknown"].map((one) => [one, "unknown"]),
])("the issuer %j is %s", (issuer, expected) => {
  expect(issuerIn(issuer)).toBe(expected);
});

test("of an unknown issuer, the rule is said with its condition", () => {
  const uploaded = (issuer: string) => later(custom("compatible", "2024-09-20T00:00:00Z", { issuer }))?.what;
  const rule = "Bundle method compatible, uploaded on or after 2024-09-09: bundled with the self-signed chain.";
  expect(uploaded("LetsEncrypt")).toBe(rule);
  expect(uploaded("")).toBe(`The service does not say who issued it. If that is Let's Encrypt: ${rule}`);
  expect(uploaded("Example CA")).toBe(`Its issuer Example CA is not known here. If that is Let's Encrypt: ${rule}`);
});
