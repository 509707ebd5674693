import { runCertificateReport, type ReportOptions } from "../../tools/cli/certificates/command.js";
import type { Report } from "../../tools/cli/certificates/report.js";
import { NO_PROGRESS } from "../../tools/cli/progress.js";
import type { Emulator, ZoneSeed } from "../../emulator/index.js";
import type { Client } from "../../client/index.js";
import { Service } from "../support/emulator.js";
import { unpacedClientFor } from "../support/client.js";
import { emulatorWith } from "../support/emulators.js";

const HOSTNAMES = 2000;
const zones: ZoneSeed[] = [
  {
    name: "saas.example.com",
    certificates: {
      hostnames: Array.from({ length: HOSTNAMES }, (_, index) => ({
        hostname: `h${String(index)}.customer.test`,
        certificateAuthority: index % 4 === 0 ? "lets_encrypt" : "google",
      })),
      packs: [
        { type: "universal", certificateAuthority: "lets_encrypt" },
        { type: "advanced", certificateAuthority: "lets_encrypt" },
      ],
      custom: [{ uploadedOn: "2024-01-01T00:00:00Z", hosts: ['<b>"quoted"</b>.example.com'] }],
      totalTls: { enabled: true, certificateAuthority: "lets_encrypt" },
    },
  },
  { name: "quiet.example.com" },
];

describe("the certificates report", () => {
  let emulator: Emulator;
  let service: Service;
  let client: Client;
  let printed: string[];
  const progress = NO_PROGRESS;
  const resolveCaa = () => Promise.resolve([]);
  beforeAll(async () => {
    emulator = await emulatorWith({ seed: { zones } });
    service = new Service(emulator);
    client = unpacedClientFor(emulator.url);
  });
  beforeEach(async () => {
    printed = [];
    await service.noFaults();
    await service.forget();
  });
  const run = (options: Partial<ReportOptions> = {}): Promise<number> =>
    runCertificateReport(
      { zone: ["saas.example.com", "quiet.example.com"], parallel: "4", date: "2024-09-20", ...options },
      () => client,
      {
        print: (line) => printed.push(line),
        progress,
        resolveCaa,
      },
    );

  test("reads two thousand hostnames in two pages, and lists those that are not affected by themselves", async () => {
    expect(await run({ json: true })).toBe(2);
    const pages = (await service.requests()).filter((request) => request.includes("custom_hostnames"));
    expect(pages).toHaveLength(HOSTNAMES / 1000 + 1);
    const { zones: found } = JSON.parse(printed.join("")) as Report;
    expect(found[0]?.counts).toEqual({ act: 500, watch: 3, automatic: 1, none: 1500 });
    expect(found[0]?.entries).toHaveLength(504);
    expect(found[0]?.unaffected).toHaveLength(1500);
    expect(found[1]).toMatchObject({ zoneName: "quiet.example.com", counts: { act: 0, none: 2 }, entries: [] });
  });

  test("reads every zone that the credentials can access with --all-zones", async () => {
    expect(await run({ json: true, zone: undefined, allZones: true })).toBe(2);
    const { zones: found } = JSON.parse(printed.join("")) as Report;
    expect(found.map(({ zoneName }) => zoneName).toSorted()).toEqual(["quiet.example.com", "saas.example.com"]);
  });

  test("reads every page of packs and of uploaded certificates", async () => {
    const many = await emulatorWith({
      seed: {
        zones: [
          {
            name: "many.example.com",
            certificates: {
              packs: Array.from({ length: 120 }, (_, index) => ({
                type: "advanced",
                status: index % 2 === 0 ? "active" : "expired",
              })),
              custom: Array.from({ length: 70 }, () => ({})),
            },
          },
        ],
      },
    });
    const { certificates } = unpacedClientFor(many.url);
    const id = await new Service(many).zone();
    expect(await certificates.listPacks(id)).toHaveLength(120);
    expect(await certificates.listCustomCertificates(id)).toHaveLength(70);
    await many.close();
  });

  test("reads hostnames page by page, and no page before it is needed", async () => {
    const { id } = (await client.zones.list({ name: "saas.example.com" }))[0] as { id: string };
    await service.forget();
    const pages = client.customHostnames.pages(id);
    expect(((await pages.next()).value as unknown[]).length).toBe(1000);
    expect(await service.requests()).toHaveLength(1);
    await pages.next();
    expect(await service.requests()).toHaveLength(1);
  });

  test("prints a table, with shared notes printed once: what happens, clients, e-mail and what to do", async () => {
    await run();
    const text = printed.join("");
    expect(text).toContain(
      "2 zones, as of 2024-09-20: 500 action needed, 3 to watch, 1 handled by the service, 1502 not affected.",
    );
    expect(text).toMatch(
      /│ saas\.example\.com │ Custom hostname │ h0\.customer\.test +│ Let's Encrypt │ action needed +│ 1 +│/,
    );
    expect(text).toContain(
      [
        "1. Custom hostname: action needed (500)",
        "   What happens:     No CAA record forbids Google Trust Services now, so Let's Encrypt was chosen explicitly, unless a record was changed since; the service does not change an explicit choice. It is issued with the self-signed chain; the cross-signed one expires on 2024-09-30.",
        "   Affected clients: clients without the self-signed root in their trust store, for example Android 7.0 and earlier",
        "   E-mail:           the provider, where Let's Encrypt was chosen explicitly",
        '   To do:            The provider should choose another authority: CustomHostnameCa { certificateAuthority: "google" } or "", or the call below.',
        "   For:              h0.customer.test; h4.customer.test; h8.customer.test; h12.customer.test; h16.customer.test; and 495 more",
      ].join("\n"),
    );
    expect(text).toMatch(
      /certificate_packs\/order \{"type":"advanced","hosts":\["saas\.example\.com","\*\.saas\.example\.com"\],"validation_method":"txt","validity_days":90,"certificate_authority":"google"\}; when/,
    );
    expect(text).toContain("E-mail:           not sent");
  });

  test("prints the calls for certificates that share a note, one line each, with their own IDs", async () => {
    await run();
    const plain = printed.join("");
    const id = (await client.zones.list({ name: "saas.example.com" }))[0]?.id ?? "";
    const body = '{"ssl":{"method":"txt","type":"dv","certificate_authority":"google"}}';
    const calls = plain.split("\n").filter((line) => line.includes(`PATCH /zones/${id}/custom_hostnames/`));
    expect(calls).toHaveLength(HOSTNAMES / 4);
    expect(new Set(calls.map((line) => /custom_hostnames\/([\w-]+) /.exec(line)?.[1])).size).toBe(HOSTNAMES / 4);
    expect(calls[1]).toMatch(/^ {5}h4\.customer\.test: PATCH /);
    expect(calls[1]).toContain(body);
    expect(plain).not.toMatch(/<zone>|<id>|<hosts>/);
  });

  test("lists an uploaded certificate that is bundled with the self-signed chain, with the clients that it affects", async () => {
    const own = await emulatorWith({
      seed: {
        zones: [{ name: "own.example.com", certificates: { custom: [{ uploadedOn: "2024-09-10T00:00:00Z" }] } }],
      },
    });
    const lines: string[] = [];
    const io = { print: (line: string) => void lines.push(line), progress, resolveCaa };
    const options = { zone: ["own.example.com"], parallel: "1", date: "2024-10-05" };
    try {
      await runCertificateReport(options, () => unpacedClientFor(own.url), io);
    } finally {
      await own.close();
    }
    expect(lines.join("")).toContain("as of 2024-10-05: 1 to watch, 2 not affected.");
    expect(lines.join("")).toMatch(/bundled with the self-signed chain\.\n {3}Affected clients: clients without/);
  });

  test("prints complete calls that the service accepts as they are", async () => {
    await run({ json: true });
    const { zones: found } = JSON.parse(printed.join("")) as Report;
    const wanted = ["advanced", "customHostname", "totalTls"];
    for (const kind of wanted) {
      const action = found[0]?.entries?.find((entry) => entry.kind === kind)?.action ?? "";
      const [, method = "", path = "", body = ""] = /(POST|PATCH) (\S+) (\{.*\})/.exec(action) ?? [];
      expect(await service.ask(method, path, JSON.parse(body))).toBeDefined();
    }
    await service.reset({ zones });
  });

  test("lists the certificates that are not affected", async () => {
    await run({ zone: ["quiet.example.com"] });
    expect(printed.join("").match(/^- quiet\.example\.com: /gm)).toHaveLength(2);
    printed = [];
    await run();
    expect(printed.join("")).toContain("- 1482 more, which --json lists");
  });

  test("reports what cannot be read, and everything else", async () => {
    await service.fault({ path: "/custom_certificates", status: 403, times: 2 });
    await service.fault({ path: "/acm/total_tls", status: 404, times: 2 });
    expect(await run({ zone: ["quiet.example.com"] })).toBe(3);
    expect(printed.join("")).toContain("1 not affected in what could be read.");
    expect(await run({ zone: ["quiet.example.com"], allowForbidden: true })).toBe(0);
    expect(printed.join("")).toMatch(/quiet\.example\.com: not read, custom certificates: .*SSL and Certificates Read/);
    await service.fault({ path: "/ssl/certificate_packs", status: 500, times: 9 });
    printed = [];
    expect(await run({ zone: ["quiet.example.com", "nowhere.example.com"] })).toBe(3);
    expect(printed.join("")).toContain("there is no zone nowhere.example.com");
  });

  test("refuses invalid options", async () => {
    await expect(run({ date: "tomorrow" })).rejects.toThrow('--date must be a day such as 2024-09-30, not "tomorrow"');
  });
});
