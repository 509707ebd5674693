import { programText } from "../../provider/engine/program-run.js";
import { claim } from "../../provider/engine/claims.js";
import type { CertificatesSeed } from "../../emulator/index.js";
import { UNKNOWN } from "../../core/model/unknown.js";
import { Service } from "../support/emulator.js";
import { freshEmulator } from "../support/emulators.js";
import { ManagedResource } from "./managed.js";

const NAME = "shop.customer.test";
const RECORDS = [{ txtName: `_acme-challenge.${NAME}` }];
/** The names of authorities in CAA records. */
const CAA: Readonly<Record<string, string>> = { google: "pki.goog", lets_encrypt: "letsencrypt.org" };

interface State {
  readonly certificateAuthority: string;
  readonly effectiveCertificateAuthority: string;
  readonly previousCertificateAuthority: string;
  readonly sslStatus: string;
  readonly validationRecords: readonly { readonly txtName?: string; readonly httpUrl?: string }[];
  readonly customHostnameId: string;
  readonly hostname: string;
}
interface Hostname {
  readonly id: string;
  readonly hostname: string;
  readonly ssl: Readonly<Record<string, unknown>>;
}

describe("the authority of a custom hostname", () => {
  let service: Service;
  let zoneId: string;
  let ca: ManagedResource<State>;
  const start = async (certificates: CertificatesSeed): Promise<void> => {
    service = new Service(await freshEmulator({ seed: { zones: [{ name: "saas.example.com", certificates }] } }));
    zoneId = await service.zone();
    ca = new ManagedResource("CustomHostnameCa", service);
  };
  const withOne = (more: object = {}, rest: CertificatesSeed = {}): Promise<void> =>
    start({
      ...{ hostnames: [{ hostname: NAME, certificateAuthority: "lets_encrypt", ...more }], pace: { reads: 1 } },
      ...rest,
    });
  const args = (more: object = {}) => ({ zoneId, hostname: NAME, certificateAuthority: "google", ...more });
  const there = async (): Promise<Hostname> => {
    const all = await service.ask<Hostname[]>("GET", `/zones/${zoneId}/custom_hostnames?hostname=${NAME}`);
    return all[0] as Hostname;
  };
  const edits = (requests: readonly string[]): number =>
    requests.filter((request) => request.startsWith("PATCH")).length;
  const state = () => ca.kept?.state as State;
  const only = (issue: string) => ({ resolveCaa: () => Promise.resolve([{ issue }]) });

  test("chooses by name with one edit of method, type and authority, and changes nothing else", async () => {
    const settings = { min_tls_version: "1.2", http2: "on" };
    await withOne({ ssl: { settings, wildcard: true, bundle_method: "force" } });
    const preview = await ca.preview(args());
    expect(preview.notes).toEqual([
      `${NAME}: from Let's Encrypt to Google Trust Services; its certificate is validated again and reissued (now active)`,
    ]);
    expect(preview.inputs).toMatchObject({ hostname: NAME, customHostnameId: (await there()).id });
    const up = await ca.up(args());
    expect(up.requests.map((request) => request.split(" ")[0])).toEqual(["GET", "PATCH", "GET", "GET"]);
    const unchanged = { settings, wildcard: true, bundle_method: "force" };
    expect((await there()).ssl).toMatchObject({ method: "txt", type: "dv", ...unchanged });
    expect(state()).toMatchObject({
      effectiveCertificateAuthority: "google",
      previousCertificateAuthority: "lets_encrypt",
      sslStatus: "pending_validation",
      validationRecords: RECORDS,
    });
    const waiting = `${NAME}: the certificate is initializing; waiting for the service to list its validation records`;
    expect(up.statuses).toEqual([
      `${waiting}, 0 of at most 60 s (validationTimeoutSeconds)`,
      `${waiting}, 1 of at most 60 s (validationTimeoutSeconds)`,
    ]);
    expect(ca.kept?.id).toBe(`zones/${zoneId}/custom-hostnames/${state().customHostnameId}/certificate-authority`);
    expect(await ca.up(args())).toMatchObject({ action: "none", requests: [] });
    for (const looked of [1, 2, 3, 4]) expect([looked, await ca.refresh()]).toEqual([looked, true]);
    expect(await ca.up(args())).toMatchObject({ action: "none", requests: [] });
    // Used records are kept, so that DNS records created from them are kept too.
    expect(state()).toMatchObject({ sslStatus: "active", validationRecords: RECORDS });
  });

  test.each([
    ["ssl_com", "SSL.com"],
    ["google", "Google Trust Services"],
    ["lets_encrypt", "Let's Encrypt"],
  ])("leaves %s where it is in use, also in a resource that was renamed or is replaced", async (authority, name) => {
    await withOne({ certificateAuthority: authority });
    const choice = args({ certificateAuthority: authority });
    const preview = await ca.preview(choice);
    expect(preview.notes).toEqual([`${NAME} is already issued by ${name}; no edit will be sent`]);
    expect(preview.plans).toEqual(["plan: sends nothing"]);
    expect(edits((await ca.up(choice)).requests)).toBe(0);
    expect(edits((await ca.replaceForced(choice)).requests)).toBe(0);
    expect(await ca.up(choice)).toMatchObject({ action: "none", requests: [] });
  });

  test("is refused for a hostname without a certificate, unless a method orders one", async () => {
    await withOne({ ssl: null });
    const none = new RegExp(
      `${NAME} has no certificate, so there is no authority to choose\\. To continue: set \`method\``,
    );
    for (const run of ["preview", "up"] as const) await expect(ca[run](args())).rejects.toThrow(none);
    const preview = await ca.preview(args({ method: "txt" }));
    expect(preview.notes).toEqual([`${NAME} has no certificate; one is ordered`]);
    expect(edits((await ca.up(args({ method: "txt" }))).requests)).toBe(1);
    expect((await there()).ssl).toMatchObject({ method: "txt", type: "dv", certificate_authority: "google" });
  });

  test.each([null, {}, { status: "deleted" }])("is gone for a refresh once the certificate is %j", async (ssl) => {
    await withOne({ certificateAuthority: "google" });
    await ca.up(args());
    const [found] = await service.ask<object[]>("GET", `/zones/${zoneId}/custom_hostnames?hostname=${NAME}`);
    const body = { success: true, result: { ...found, ssl } };
    await service.fault({ path: "/custom_hostnames/*", times: 1, body });
    expect(await ca.refresh()).toBe(false);
  });

  test("is requested again once the service's default has left it", async () => {
    await withOne({ certificateAuthority: "" }, { pace: "at-once" });
    await ca.up(args());
    await service.configureCertificates(zoneId, { caa: { "customer.test": ["letsencrypt.org"] } });
    await ca.refresh();
    expect(state()).toMatchObject({ certificateAuthority: "lets_encrypt" });
    expect(edits((await ca.up(args())).requests)).toBe(1);
  });

  test.each(["google", "lets_encrypt"])("pins %s, which the default uses already, with one edit", async (authority) => {
    await withOne({ certificateAuthority: "" }, { caa: { "customer.test": [CAA[authority] ?? ""] }, pace: "at-once" });
    const choice = args({ certificateAuthority: authority });
    await ca.up(args({ certificateAuthority: "" }), only(CAA[authority] ?? ""));
    expect((await there()).ssl.certificate_authority).toBe(authority);
    const name = authority === "google" ? "Google Trust Services" : "Let's Encrypt";
    expect((await ca.preview(choice)).notes).toEqual([
      `${NAME}: from the service's default (${name}) to ${name}, which the service then keeps; its certificate is validated again and reissued (now active)`,
    ]);
    const up = await ca.up(choice);
    expect([up.action, edits(up.requests)]).toEqual(["update", 1]);
    expect(await ca.up(choice)).toMatchObject({ action: "none", requests: [] });
    await service.configureCertificates(zoneId, { caa: { "customer.test": ["letsencrypt.org"] } });
    await ca.refresh();
    expect(state()).toMatchObject({ certificateAuthority: authority, effectiveCertificateAuthority: authority });
  });

  test("pins a choice in the next up if it is not known whether the edit was applied", async () => {
    await withOne({ certificateAuthority: "" }, { pace: "at-once" });
    await ca.up(args({ certificateAuthority: "" }));
    await service.fault({ method: "PATCH", cut: "before" });
    await service.fault({ method: "GET", path: "/custom_hostnames/", times: 1 });
    await service.fault({ method: "GET", path: "/custom_hostnames/", status: 500, times: 9 });
    await expect(ca.up(args())).rejects.toThrow();
    await service.noFaults();
    const up = await ca.up(args());
    expect([up.action, edits(up.requests)]).toEqual(["update", 1]);
    expect(await ca.up(args())).toMatchObject({ action: "none", requests: [] });
  });

  test("restores the authority of the default without an edit, because nobody is known to have chosen it", async () => {
    await withOne({ certificateAuthority: "google" }, { pace: "at-once" });
    await ca.up(args({ certificateAuthority: "", onDelete: "restore" }));
    expect(edits(await ca.destroy())).toBe(0);
    expect(ca.notes).toEqual([
      `${NAME} keeps Google Trust Services: the previous authority on record is already in use. No edit was sent.`,
    ]);
  });

  test("keeps the records of an active certificate through an update that sends no edit", async () => {
    await withOne();
    await ca.up(args());
    for (const _ of [1, 2, 3, 4]) await ca.refresh();
    expect(state()).toMatchObject({ sslStatus: "active", validationRecords: RECORDS });
    // Somebody chose another authority and came back: the program's choice is in use, so no edit is needed.
    const { id = "", inputs } = ca.kept ?? {};
    const other = { certificateAuthority: "ssl_com" };
    ca.kept = { id, inputs: { ...inputs, ...other }, state: { ...state(), ...other } };
    const up = await ca.up(args());
    expect([up.action, edits(up.requests)]).toEqual(["update", 0]);
    expect(state()).toMatchObject({ certificateAuthority: "google", validationRecords: RECORDS });
  });

  test("chooses by ID; a change of the method alone is an edit; a change of onDelete makes no request", async () => {
    await withOne();
    const { id } = await there();
    const byId = (more: object = {}) => ({ zoneId, customHostnameId: id, certificateAuthority: "google", ...more });
    await ca.up(byId());
    expect(edits((await ca.up(byId({ method: "http" }))).requests)).toBe(1);
    expect(state().validationRecords[0]?.httpUrl).toContain("/.well-known/pki-validation/");
    const kept = await ca.up(byId({ method: "http", onDelete: "restore" }));
    expect([kept.action, kept.requests]).toEqual(["update", []]);
    expect(await ca.up(byId({ method: "http", onDelete: "restore" }))).toMatchObject({ action: "none", requests: [] });
    // The same hostname by name is no change.
    expect(await ca.up(args({ method: "http", onDelete: "restore" }))).toMatchObject({ action: "none", requests: [] });
  });

  test("is planned where the service uses another method than the one that was requested", async () => {
    await withOne();
    await ca.up(args({ method: "txt" }));
    const found = await there();
    const ssl = { ...found.ssl, method: "" };
    await service.fault({ path: "/custom_hostnames/*", times: 1, body: { success: true, result: { ...found, ssl } } });
    await ca.refresh();
    for (const more of [{}, { onDelete: "restore" }]) {
      const { action, plans } = await ca.preview(args({ method: "txt", ...more }));
      expect([action, plans.join()]).toEqual(["update", expect.stringContaining(`PATCH /zones/${zoneId}`)]);
    }
  });

  test("ignores the case of a hostname", async () => {
    await withOne();
    await ca.up(args({ hostname: "Shop.Customer.test" }));
    expect(state().hostname).toBe(NAME);
    expect(await ca.up(args())).toMatchObject({ action: "none", requests: [] });
  });

  test("reads many hostnames of a zone in pages, not one by one", async () => {
    const names = Array.from({ length: 120 }, (_, index) => `h${String(index)}.customer.test`);
    await start({ hostnames: names.map((hostname) => ({ hostname, certificateAuthority: "ssl_com" })) });
    const run = ca.start();
    for (const hostname of names) {
      const about = { __urn: `urn:${hostname}`, __program: programText({ preview: false }) };
      const news = { ...args({ hostname, certificateAuthority: "ssl_com" }), ...about };
      await run.create(ca.kind, await run.check(ca.kind, {}, news));
    }
    // The third reads a page speculatively, and all are on it.
    expect(await service.requests()).toHaveLength(3);
  });

  test("returns to the default, whose result is no drift", async () => {
    await withOne();
    await ca.up(args());
    const up = await ca.up(args({ certificateAuthority: "" }));
    expect([up.action, edits(up.requests)]).toEqual(["update", 1]);
    expect(state()).toMatchObject({ certificateAuthority: "", effectiveCertificateAuthority: "google" });
    await service.configureCertificates(zoneId, { caa: { "customer.test": ["letsencrypt.org"] } });
    await ca.refresh();
    expect(state()).toMatchObject({ certificateAuthority: "", effectiveCertificateAuthority: "lets_encrypt" });
    expect(await ca.up(args({ certificateAuthority: "" }))).toMatchObject({ action: "none", requests: [] });
  });

  test("requests the default for a hostname without history only where another authority issues", async () => {
    await withOne();
    expect(edits((await ca.up(args({ certificateAuthority: "" }))).requests)).toBe(1);
    await withOne({ certificateAuthority: "google" });
    expect(edits((await ca.up(args({ certificateAuthority: "" }))).requests)).toBe(0);
  });

  test("is dropped by a refresh when the hostname is gone; a delete succeeds, and an update fails", async () => {
    await withOne();
    await ca.up(args());
    const kept = ca.kept;
    await service.ask("DELETE", `/zones/${zoneId}/custom_hostnames/${state().customHostnameId}`);
    await expect(ca.up(args({ certificateAuthority: "ssl_com" }))).rejects.toThrow(`the custom hostname ${NAME}`);
    expect(await ca.refresh()).toBe(false);
    ca.kept = kept === undefined ? undefined : { ...kept, state: { ...kept.state, onDelete: "restore" } as State };
    expect(await ca.destroy()).toEqual([expect.stringContaining("GET")]);
    expect(ca.notes).toEqual([
      `${NAME} no longer exists in zone ${zoneId}, so there is no authority to change. No edit was sent.`,
    ]);
  });

  test.each([
    ["keep", 0, "google"],
    ["restore", 1, "lets_encrypt"],
    ["default", 1, "google"],
  ] as const)("is deleted with %s", async (onDelete, patches, after) => {
    await withOne({ method: "http" });
    await ca.up(args({ onDelete, method: "txt" }));
    expect(edits(await ca.destroy())).toBe(patches);
    const { ssl } = await there();
    expect([ssl.certificate_authority, ssl.method]).toEqual([after, onDelete === "restore" ? "http" : "txt"]);
  });

  test("reports what a delete did", async () => {
    await withOne();
    await ca.up(args({ onDelete: "restore" }));
    await ca.destroy();
    expect(ca.notes).toEqual([
      `${NAME}: restored from Google Trust Services to Let's Encrypt; its certificate is validated again and reissued.`,
    ]);
    await ca.up(args({ onDelete: "default" }));
    await ca.destroy();
    expect(ca.notes).toEqual([
      `${NAME}: changed from Google Trust Services to the service's default; its certificate is validated again and reissued.`,
    ]);
    await ca.up(args({ certificateAuthority: "", onDelete: "default" }), only("pki.goog"));
    await ca.destroy();
    expect(ca.notes).toEqual([
      `${NAME} keeps Google Trust Services: the service's default was already requested. No edit was sent.`,
    ]);
  });

  test("leaves an authority that someone else chose since, and one that another resource manages, on delete", async () => {
    await withOne();
    await ca.up(args({ onDelete: "restore" }));
    const kept = ca.kept;
    const session = ca.newSession();
    claim(session, "urn:renamed", [kept?.id ?? ""]);
    await ca.deleteOther(kept?.id ?? "", kept?.state as object);
    const ssl = { method: "txt", type: "dv", certificate_authority: "ssl_com" };
    await service.ask("PATCH", `/zones/${zoneId}/custom_hostnames/${state().customHostnameId}`, { ssl });
    expect(edits(await ca.destroy())).toBe(0);
    expect(ca.notes).toEqual([
      `${NAME} keeps SSL.com: somebody else chose it after this stack chose Google Trust Services. No edit was sent.`,
    ]);
    expect((await there()).ssl.certificate_authority).toBe("ssl_com");
  });

  test("finishes an edit with unknown outcome in the next up", async () => {
    await withOne();
    await ca.up(args());
    await service.fault({ method: "PATCH", cut: "after" });
    const failing = ca.up(args({ certificateAuthority: "ssl_com" }));
    await service.fault({ method: "GET", path: "/custom_hostnames/", times: 1 });
    await service.fault({ method: "GET", path: "/custom_hostnames/", status: 500, times: 9 });
    await expect(failing).rejects.toThrow();
    await service.noFaults();
    const up = await ca.up(args({ certificateAuthority: "ssl_com" }));
    expect([up.action, edits(up.requests), state().effectiveCertificateAuthority]).toEqual(["update", 0, "ssl_com"]);
  });

  const refused = async (inputs: object, text: RegExp | string): Promise<void> => {
    await expect(ca.preview(inputs)).rejects.toThrow(text);
    await expect(ca.up(inputs)).rejects.toThrow(text);
    expect(edits(await service.requests())).toBe(0);
  };

  test.each<[object, RegExp]>([
    [
      { certificateAuthority: "lets_encyrpt" },
      /certificateAuthority: .* "lets_encyrpt" does not exist; did you mean "lets_encrypt"\?/,
    ],
    [{ certificateAuthority: undefined }, /certificateAuthority: is required/],
    [{ certificateAuthority: 1 }, /certificateAuthority: must be one of google, .*, or "" for the service's default/],
    [{ customHostnameId: "0".repeat(32) }, /customHostnameId and hostname are mutually exclusive; specify exactly one/],
    [{ hostname: undefined }, /customHostnameId or hostname is required; specify exactly one/],
    [{ hostname: 7 }, /hostname: must be the name of a custom hostname/],
    [{ hostname: undefined, customHostnameId: ".." }, /customHostnameId: must be the ID of a custom hostname/],
    [
      { hostname: undefined, customHostnameId: "9F1839B6-152D-498A-CA64-C4E906B6D074" },
      /customHostnameId: IDs are in lower case; write "9f1839b6-152d-498a-ca64-c4e906b6d074"/,
    ],
    [{ hostname: "nowhere.customer.test" }, /hostname: there is no custom hostname "nowhere\.customer\.test" in zone/],
    [
      { hostname: undefined, customHostnameId: "0".repeat(32) },
      /customHostnameId: there is no custom hostname 0{32} in zone/,
    ],
    [{ method: "dns" }, /method: must be one of txt, http, email, cname/],
    [{ type: "ev" }, /type: must be "dv"/],
    [{ onDelete: "empty" }, /onDelete: must be one of keep, restore, default/],
    [{ zoneId: undefined }, /zoneId: is required/],
    [{ validationTimeoutSeconds: -1 }, /validationTimeoutSeconds: must be a number of seconds from 0 to 3600/],
    [{ validationTimeoutSeconds: 3601 }, /validationTimeoutSeconds: must be/],
    [{ validationTimeoutSeconds: "10" }, /validationTimeoutSeconds: must be/],
    [{ validationTimeoutSeconds: Infinity }, /validationTimeoutSeconds: must be/],
    [
      { certificateAutority: "google" },
      /certificateAutority: CustomHostnameCa has no argument certificateAutority; did you mean certificateAuthority\?/,
    ],
  ])("refuses at preview: %j", async (more, text) => {
    await withOne();
    await refused(args(more), text);
  });

  test("refuses at preview: an uploaded certificate, a hostname without a method", async () => {
    await withOne({ ssl: { custom_certificate: "-----BEGIN CERTIFICATE-----" } });
    await refused(args(), "uses an uploaded certificate");
    await withOne({ ssl: { method: "" } });
    await refused(args(), "method: is required: shop.customer.test has no validation method yet");
  });

  test("refuses at preview: a name that two hostnames have", async () => {
    await withOne();
    const { id, ...rest } = await there();
    const result = [id, "f".repeat(32)].map((own) => ({ ...rest, id: own }));
    const body = { success: true, errors: [], messages: [], result };
    await service.fault({ method: "GET", path: "*/custom_hostnames", body, times: 9 });
    await refused(
      args(),
      `hostname: there are 2 custom hostnames with that name: ${id} (active), ${"f".repeat(32)} (active); choose one with`,
    );
  });

  test("reports a locked hostname with the error of the service, and what it means", async () => {
    await withOne({ locked: true });
    await expect(ca.up(args())).rejects.toThrow(/\[1439\].*cannot be edited through the API/);
    expect(ca.kept).toBeUndefined();
  });

  test("accepts an unknown or a retiring authority with a warning", async () => {
    await withOne();
    expect((await ca.preview(args({ certificateAuthority: "zerossl" }))).warnings.join()).toContain(
      "is not known to this version",
    );
    expect((await ca.preview(args({ certificateAuthority: "digicert" }))).warnings.join()).toContain("being retired");
  });

  test("refuses two resources for one hostname", async () => {
    await withOne();
    const run = ca.start();
    const check = (urn: string) =>
      run.check(ca.kind, {}, { ...args(), __urn: urn, __program: programText({ preview: true }) });
    await check("urn:a");
    await expect(check("urn:b")).rejects.toThrow(/two resources choose the authority of hostname .*: urn:a and urn:b/);
  });

  test("makes no request for unknown values, and warns in a preview without credentials", async () => {
    await withOne();
    const unknown = { zoneId, customHostnameId: UNKNOWN, certificateAuthority: "google" };
    expect((await ca.preview(unknown)).requests).toEqual([]);
    expect((await ca.preview(args(), { credentials: false })).warnings.join()).toContain(
      "could not check whether the custom hostname exists",
    );
    expect((await ca.preview(args(), { previewChecks: "off" })).requests).toEqual([]);
  });

  test("warns at preview about a CAA record of the hostname or a parent that forbids the authority, but not when the lookup fails", async () => {
    await withOne();
    const forbids = await ca.preview(args(), {
      resolveCaa: (name) => Promise.resolve(name === "customer.test" ? [{ issue: "letsencrypt.org" }] : []),
    });
    expect(forbids.warnings.join()).toContain(
      `a CAA record of customer.test does not allow Google Trust Services to issue for ${NAME} (it allows letsencrypt.org)`,
    );
    const allows = { resolveCaa: () => Promise.resolve([{ issue: "pki.goog; cansignhttpexchanges=yes" }]) };
    expect((await ca.preview(args(), allows)).warnings).toEqual([]);
    const nobody = { resolveCaa: () => Promise.resolve([{ issue: ";" }]) };
    expect((await ca.preview(args(), nobody)).warnings.join()).toContain("it allows nobody");
    const silent = { resolveCaa: () => Promise.reject(new Error("no network")) };
    expect((await ca.preview(args(), silent)).warnings).toEqual([]);
  });

  test("predicts the fallback that a CAA record causes for the default, and does not request it where it is already in use", async () => {
    await withOne();
    const byDefault = args({ certificateAuthority: "" });
    const preview = await ca.preview(byDefault, only("letsencrypt.org"));
    expect(preview.warnings).toEqual([
      `certificateAuthority: a CAA record of ${NAME} does not allow Google Trust Services to issue for ${NAME} (it allows letsencrypt.org), ` +
        "so the service's default falls back to Let's Encrypt, which older clients such as Android 7.0 do not trust. " +
        "To get the more compatible authority, allow pki.goog in that record",
    ]);
    expect(preview.notes).toEqual([
      `${NAME} is already issued by Let's Encrypt, which the service's default resolves to; no edit will be sent`,
    ]);
    expect(edits((await ca.up(byDefault, only("letsencrypt.org"))).requests)).toBe(0);
    expect(await ca.up(byDefault)).toMatchObject({ action: "none", requests: [] });
  });

  test("requests the default where another authority issues, and shows what it resolves to", async () => {
    await withOne({ certificateAuthority: "ssl_com" });
    const byDefault = args({ certificateAuthority: "" });
    expect((await ca.preview(byDefault, only("letsencrypt.org"))).notes).toEqual([
      `${NAME}: from SSL.com to the service's default (Let's Encrypt); its certificate is validated again and reissued (now active)`,
    ]);
    expect((await ca.preview(byDefault, only("digicert.com"))).warnings.join()).toMatch(
      /\(it allows digicert\.com\), nor Let's Encrypt, which the service's default falls back to; the certificate will not be issued/,
    );
    expect(edits((await ca.up(byDefault, only("letsencrypt.org"))).requests)).toBe(1);
  });

  describe("where issuing is slow", () => {
    const slow = { pace: { seconds: 100_000 } };

    test.each([
      [undefined, 60, 11],
      [7, 7, 5],
      [0.4, 0.4, 3],
      [0, 0, 2],
    ] as const)(
      "validationTimeoutSeconds %p: waits %p s, and reports it",
      async (validationTimeoutSeconds, seconds, requests) => {
        await withOne({}, slow);
        const up = await ca.up(args({ validationTimeoutSeconds }));
        expect([ca.clock.slept / 1000, up.requests.length, edits(up.requests)]).toEqual([seconds, requests, 1]);
        expect(up.statuses).toHaveLength(requests - 2);
        const after = seconds === 0 ? "" : ` after ${String(seconds)} s`;
        expect(up.warnings).toEqual([
          `${NAME}: the certificate is initializing, and the service lists no validation records yet${after}. ` +
            "Run `pulumi refresh` to read them later; validationTimeoutSeconds sets how long to wait for them.",
        ]);
        expect(state()).toMatchObject({ effectiveCertificateAuthority: "google", validationRecords: [] });
        await service.advanceClock(100_000);
        await ca.refresh();
        expect(state().validationRecords[0]?.txtName).toBe(`_acme-challenge.${NAME}`);
      },
    );

    test("keeps the choice when its validation records cannot be read", async () => {
      await withOne({}, slow);
      const path = "/custom_hostnames/";
      await service.fault({ method: "GET", path, status: 500, times: 9 });
      const up = await ca.up(args());
      expect(edits(up.requests)).toBe(1);
      expect(up.warnings.join()).toContain("the new authority was set, but its validation records could not be read");
      expect(state()).toMatchObject({ effectiveCertificateAuthority: "google" });
    });

    test("reports a validation that fails immediately", async () => {
      await withOne({ ends: "initializing_timed_out" }, { pace: "at-once" });
      expect((await ca.up(args())).warnings).toEqual([
        `${NAME}: the certificate ended with status initializing_timed_out. The authority reported: the certificate could not be issued: initializing_timed_out`,
      ]);
    });
  });

  describe("waiting for the certificate", () => {
    let certificate: ManagedResource<{
      readonly sslStatus: string;
      readonly certificateAuthority: string;
      readonly expiresOn?: string;
    }>;
    const chosen = async (more: object = {}): Promise<object> => {
      await withOne({}, { pace: { seconds: 30 }, ...more });
      await ca.up(args());
      certificate = new ManagedResource("CustomHostnameCertificate", service, "urn:certificate");
      return { customHostnameCaId: ca.kept?.id ?? "" };
    };

    test("waits until it is active, reports what is needed, and is then silent", async () => {
      const inputs = await chosen();
      const up = await certificate.up(inputs);
      expect(certificate.kept?.state).toMatchObject({
        sslStatus: "active",
        certificateAuthority: "google",
        expiresOn: expect.any(String) as string,
      });
      expect(up.requests.every((request) => request.startsWith("GET"))).toBe(true);
      expect(up.statuses[0]).toMatch(
        /^shop\.customer\.test: pending_validation \(needs TXT _acme-challenge\.shop\.customer\.test = .*\), for 0 s; next check in 2 s$/,
      );
      await certificate.settled(inputs);
    });

    test("reports the records when the certificate fails, and waits again in the next up without an edit", async () => {
      const inputs = await chosen();
      await service.configureCertificates(zoneId, { ends: "validation_timed_out" });
      await expect(certificate.up(inputs)).rejects.toThrow(
        /ended with status validation_timed_out\.\nTo publish:\n {2}- TXT _acme-challenge\.shop\.customer\.test = \S+\nThe authority reported:\n {2}- the certificate could not be issued/,
      );
      expect(certificate.kept?.state.sslStatus).toBe("validation_timed_out");
      await service.configureCertificates(zoneId, { ends: "active" });
      const up = await certificate.up(inputs);
      expect([up.action, edits(up.requests), certificate.kept?.state.sslStatus]).toEqual(["update", 0, "active"]);
    });

    test("reports the records when the wait times out, and never sends an edit", async () => {
      const inputs = { ...(await chosen({ pace: { seconds: 100_000 } })), timeoutSeconds: 120 };
      await service.advanceClock(100_001);
      await expect(certificate.up(inputs)).rejects.toThrow(
        /is still pending_validation after 120 s\.\nTo publish:\n {2}- TXT/,
      );
      expect(edits(await service.requests())).toBe(0);
      expect((await certificate.preview(inputs)).action).toBe("update");
    });

    test("waits again for another authority, in the preview too", async () => {
      const inputs = await chosen();
      await certificate.up(inputs);
      const session = certificate.newSession();
      ca.session = session;
      await ca.plan(args({ certificateAuthority: "ssl_com" }), true);
      expect((await certificate.plan(inputs, true)).action).toBe("update");
    });

    test("fails when the hostname is gone", async () => {
      const inputs = await chosen();
      await service.ask("DELETE", `/zones/${zoneId}/custom_hostnames/${state().customHostnameId}`);
      await expect(certificate.preview(inputs)).rejects.toThrow(
        /customHostnameCaId: there is no custom hostname .* in zone/,
      );
      await expect(certificate.up(inputs)).rejects.toThrow("no longer exists in zone");
    });

    test.each<[object, RegExp]>([
      [{ customHostnameCaId: "x" }, /customHostnameCaId: must be the id of a CustomHostnameCa: write ca\.id/],
      [
        { customHostnameCaId: `zones/${"0".repeat(32)}/custom-hostnames/../certificate-authority` },
        /customHostnameCaId: must be the ID of a custom hostname/,
      ],
      [
        { customHostnameCaId: `zones/../custom-hostnames/${"0".repeat(32)}/certificate-authority` },
        /customHostnameCaId: must be an ID of 32 hexadecimal digits; this has 2 characters/,
      ],
      ...[0, -1, NaN, Infinity, 1e12, "60"].map((timeoutSeconds): [object, RegExp] => [
        { timeoutSeconds },
        /timeoutSeconds: must be a number of seconds from 0\.001 to 2147483/,
      ]),
      [{ timeout: 5 }, /CustomHostnameCertificate has no argument timeout/],
    ])("refuses: %j", async (more, text) => {
      const inputs = await chosen();
      await expect(certificate.preview({ ...inputs, ...more })).rejects.toThrow(text);
    });
  });
});

describe("the authority of Total TLS", () => {
  let service: Service;
  let zoneId: string;
  let tls: ManagedResource<{ readonly enabled: boolean; readonly certificateAuthority: string }>;
  const start = async (enabled: boolean): Promise<void> => {
    const certificates = { totalTls: { enabled, certificateAuthority: "lets_encrypt" } };
    service = new Service(await freshEmulator({ seed: { zones: [{ name: "saas.example.com", certificates }] } }));
    zoneId = await service.zone();
    tls = new ManagedResource("TotalTlsCa", service);
  };
  const args = (more: object = {}) => ({ zoneId, certificateAuthority: "google", ...more });
  const there = () => service.ask("GET", `/zones/${zoneId}/acm/total_tls`);

  test.each([true, false])("is chosen, and Total TLS stays %s", async (enabled) => {
    await start(enabled);
    const preview = await tls.preview(args());
    expect(preview.notes.join()).toContain(
      `Total TLS is ${enabled ? "on" : "off, and stays off"}; its authority changes from Let's Encrypt to Google Trust Services`,
    );
    await tls.up(args());
    expect(await there()).toMatchObject({ enabled, certificate_authority: "google" });
    await tls.settled(args());
    expect(await tls.up(args({ onDelete: "restore" }))).toMatchObject({ action: "update", requests: [] });
    expect(await tls.up(args())).toMatchObject({ action: "update", requests: [] });
    expect(tls.kept?.state).not.toHaveProperty("onDelete");
    await tls.up(args({ onDelete: "restore" }));
    await service.forget();
    expect((await tls.destroy()).map((request) => request.split(" ")[0])).toEqual(["GET", "POST"]);
    expect(await there()).toMatchObject({ enabled, certificate_authority: "lets_encrypt" });
  });

  test("does not turn Total TLS off where a response does not say that it is on", async () => {
    await start(true);
    for (const result of [null, {}, { certificate_authority: "lets_encrypt" }]) {
      const body = { success: true, errors: [], messages: [], result };
      await service.fault({ method: "GET", path: "/acm/total_tls", body, times: 9 });
      await expect(tls.up(args())).rejects.toThrow("the response contains no setting of Total TLS");
      await service.noFaults();
      expect(await there()).toMatchObject({ enabled: true, certificate_authority: "lets_encrypt" });
    }
    await tls.up(args());
    expect(await there()).toMatchObject({ enabled: true, certificate_authority: "google" });
  });

  test.each<[object, RegExp]>([
    [{ certificateAuthority: "" }, /: must be one of google, lets_encrypt, ssl_com\. Total TLS has no default/],
    [{ certificateAuthority: "gogle" }, /did you mean "google"/],
    [{ onDelete: "default" }, /onDelete: must be one of keep, restore/],
    [{ enabled: true }, /TotalTlsCa has no argument enabled/],
  ])("refuses at preview: %j", async (more, text) => {
    await start(true);
    await expect(tls.preview(args(more))).rejects.toThrow(text);
  });
});
