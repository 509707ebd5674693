import { assessCertificateChain, chainStage, isAffectedIssuer } from "../../../provider/certificates/chain.js";
import type { ZoneCertificates } from "../../../provider/certificates/chain.js";

const DAYS = [
  "2024-05-31",
  "2024-06-01",
  "2024-06-02",
  "2024-09-08",
  "2024-09-09",
  "2024-09-10",
  "2024-09-29",
  "2024-09-30",
  "2024-10-01",
];
const pack = (type: string, certificateAuthority = "lets_encrypt"): ZoneCertificates => ({
  packs: [{ id: "p", type, status: "active", hosts: ["a.test"], certificateAuthority }],
});
const custom = (bundleMethod: string, uploadedOn: string, issuer = "LetsEncrypt"): ZoneCertificates => ({
  customCertificates: [{ id: "c", hosts: ["a.test"], issuer, status: "active", bundleMethod, uploadedOn }],
});
const hostname = (certificateAuthority: string, requestedCertificateAuthority?: string): ZoneCertificates => ({
  customHostnames: [
    {
      id: "h",
      hostname: "a.test",
      ssl: { certificateAuthority },
      ...(requestedCertificateAuthority === undefined ? {} : { requestedCertificateAuthority }),
    },
  ],
});

/** Every row of the rules, with a verdict for each of the days above. */
const ROWS: [string, ZoneCertificates, string][] = [
  ["universal", pack("universal"), "automatic ".repeat(9)],
  ["universal of another authority", pack("universal", "google"), "none ".repeat(9)],
  ["advanced", pack("advanced"), "act ".repeat(9)],
  ["Total TLS pack", pack("total_tls"), "act ".repeat(9)],
  ["Total TLS setting", { totalTls: { enabled: true, certificateAuthority: "lets_encrypt" } }, "act ".repeat(9)],
  ["Total TLS off", { totalTls: { enabled: false, certificateAuthority: "lets_encrypt" } }, "none ".repeat(9)],
  ["managed hostname", pack("managed_hostname"), "watch ".repeat(9)],
  ["custom, compatible, before", custom("compatible", "2024-09-08T23:59:59Z"), `${"watch ".repeat(7)}act act`],
  ["custom, modern, before", custom("optimal", "2024-01-01T00:00:00Z"), `${"watch ".repeat(7)}act act`],
  ["custom, compatible, on the day", custom("ubiquitous", "2024-09-09T00:00:00Z"), "none ".repeat(9)],
  ["custom, modern, after", custom("modern", "2024-09-20T00:00:00Z"), "none ".repeat(9)],
  ["custom, user-defined, before", custom("force", "2024-01-01T00:00:00Z"), `${"watch ".repeat(7)}act act`],
  [
    "custom, user-defined, after expiry",
    custom("user-defined", "2024-10-01T00:00:00Z"),
    `${"watch ".repeat(7)}act act`,
  ],
  ["custom of another issuer", custom("compatible", "2024-01-01T00:00:00Z", "DigiCert"), "none ".repeat(9)],
  ["hostname, chosen explicitly", hostname("lets_encrypt"), "act ".repeat(9)],
  ["hostname, another authority", hostname("google"), "none ".repeat(9)],
  ["hostname, default", hostname("google", ""), "automatic ".repeat(9)],
  ["hostname, default, not told", hostname(""), "automatic ".repeat(9)],
  ["hostname, default, CAA fallback", hostname("lets_encrypt", ""), "watch ".repeat(9)],
];

test.each(ROWS)("%s: verdicts day by day", (_, certificates, verdicts) => {
  const found = DAYS.map((day) => assessCertificateChain(certificates, new Date(`${day}T12:00:00Z`))[0]?.verdict);
  expect(found).toEqual(verdicts.trim().split(/\s+/));
});

test("the day itself counts as after, in UTC", () => {
  expect(DAYS.map((day) => chainStage(new Date(`${day}T00:00:00Z`)))).toEqual([
    "before",
    "switching",
    "switching",
    "switching",
    "selfSigned",
    "selfSigned",
    "selfSigned",
    "expired",
    "expired",
  ]);
  expect(chainStage(new Date("2024-09-08T23:59:59.999Z"))).toBe("switching");
});

const at = (certificates: ZoneCertificates, day: string) =>
  assessCertificateChain(certificates, new Date(`${day}T00:00:00Z`))[0];

test("what happens, who is told, who must act and how", () => {
  expect(at(pack("universal"), "2024-05-31")?.what).toContain("from June 2024 on");
  const advanced = at(pack("advanced"), "2024-09-10");
  expect(advanced?.what).toContain("Not switched by the service");
  expect(advanced?.email).toContain("whether their hostnames get requests from affected clients");
  expect(advanced?.action).toContain(
    'certificate_packs/order with type "advanced", hosts ["a.test"] and certificate_authority "google"',
  );
  expect(advanced?.clients).toMatch(/^clients without the self-signed root .* Android 7\.0 and earlier$/);
  expect(at(pack("advanced"), "2024-09-08")?.clients).toMatch(/^from 2024-09-09: /);
  expect(at(pack("total_tls"), "2024-09-10")?.action).toContain("TotalTlsCa");
  expect(at(hostname("lets_encrypt"), "2024-09-10")).toMatchObject({
    email: "the provider",
    action: expect.stringContaining("CustomHostnameCa") as string,
  });
  expect(at(hostname("lets_encrypt", ""), "2024-09-10")?.action).toContain("allow pki.goog in the CAA records");
  expect(at(custom("compatible", "2024-01-01T00:00:00Z"), "2024-10-01")?.action).toContain(
    "upload the certificate again",
  );
  expect(at(custom("force", "2024-10-02T00:00:00Z"), "2024-10-03")?.what).toContain(
    "should not be the cross-signed one",
  );
});

test("the calls are exact where the zone is known", () => {
  const [found] = assessCertificateChain({ ...hostname("lets_encrypt"), zoneId: "z1" });
  expect(found?.action).toContain("PATCH /zones/z1/custom_hostnames/h.");
  expect(at(hostname("lets_encrypt"), "2024-09-10")?.action).toContain("PATCH /zones/<zone>/custom_hostnames/h.");
});

test("uploaded packs are told once, by the list that says more", () => {
  const types = ["mh_custom", "sni_custom", "legacy_custom", "keyless"];
  expect(types.flatMap((type) => assessCertificateChain(pack(type)))).toEqual([]);
});

test.each(["LetsEncrypt", "Let's Encrypt", "Lets Encrypt", "let’s encrypt"])("%s is the affected issuer", (issuer) => {
  expect(isAffectedIssuer(issuer)).toBe(true);
});
