import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCertificateReport, type ReportOptions } from "../../cli/certificates/command.js";
import type { Report } from "../../cli/certificates/report.js";
import type { Progress } from "../../cli/fleet.js";
import { startEmulator, type Emulator, type ZoneSeed } from "../../emulator/index.js";
import { createClient, Limiter, type Client } from "../../provider/client/index.js";
import { Service, TOKEN } from "../support/emulator.js";

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
        { type: "universal", certificate_authority: "lets_encrypt" },
        { type: "advanced", certificate_authority: "lets_encrypt" },
      ],
      custom: [{ uploaded_on: "2024-01-01T00:00:00Z", hosts: ['<b>"quoted"</b>.example.com'] }],
      totalTls: { enabled: true, certificate_authority: "lets_encrypt" },
    },
  },
  { name: "quiet.example.com" },
];

describe("the report on certificates", () => {
  let emulator: Emulator;
  let service: Service;
  let client: Client;
  let printed: string[];
  const progress: Progress = { start: () => undefined, step: () => undefined, stop: () => undefined };
  beforeAll(async () => {
    emulator = await startEmulator({ seed: { zones } });
    service = new Service(emulator);
    const clock = { now: () => 0, sleep: () => Promise.resolve() };
    const credentials = { kind: "token", apiToken: TOKEN } as const;
    const limiter = new Limiter({ requestsPerSecond: 100_000, clock });
    client = createClient({ baseUrl: emulator.url, credentials, maxRetries: 0, clock, limiter });
  });
  afterAll(() => emulator.close());
  beforeEach(async () => {
    printed = [];
    await service.noFaults();
    await service.forget();
  });
  const run = (options: Partial<ReportOptions> = {}): Promise<number> =>
    runCertificateReport(
      { zone: ["saas.example.com", "quiet.example.com"], parallel: "4", date: "2024-09-20", ...options },
      client,
      {
        print: (line) => printed.push(line),
        progress,
      },
    );

  test("two thousand hostnames: two pages, and of what is not touched only the count", async () => {
    expect(await run({ json: true })).toBe(2);
    const pages = (await service.requests()).filter((request) => request.includes("custom_hostnames"));
    expect(pages).toHaveLength(HOSTNAMES / 1000 + 1);
    const { zones: found } = JSON.parse(printed.join("")) as Report;
    expect(found[0]?.counts).toEqual({ act: 502, watch: 1, automatic: 1, none: 1500 });
    expect(found[0]?.entries).toHaveLength(504);
    expect(found[1]).toMatchObject({ zoneName: "quiet.example.com", counts: { act: 0, none: 2 }, entries: [] });
  });

  test("every page of packs and of uploaded certificates is read", async () => {
    const many = await startEmulator({
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
    const { certificates } = createClient({ baseUrl: many.url, credentials: { kind: "token", apiToken: TOKEN } });
    const id = await new Service(many).zone();
    expect(await certificates.listPacks(id)).toHaveLength(120);
    expect(await certificates.listCustomCertificates(id)).toHaveLength(70);
    await many.close();
  });

  test("hostnames are read page by page, and no page before it is asked for", async () => {
    const { id } = (await client.zones.list({ name: "saas.example.com" }))[0] as { id: string };
    await service.forget();
    const pages = client.customHostnames.pages(id);
    expect(((await pages.next()).value as unknown[]).length).toBe(1000);
    expect(await service.requests()).toHaveLength(1);
    await pages.next();
    expect(await service.requests()).toHaveLength(1);
  });

  test("as a table and as Markdown, with what is to be done for many at once", async () => {
    await run();
    expect(printed.join("")).toContain(
      "2 zones, seen on 2024-09-20: 502 somebody must act, 1 to watch, 1 the service acts, 1502 not touched.",
    );
    expect(printed.join("")).toMatch(/custom_hostnames\/<id>\.\n {2}For h0\.customer\.test; .*; and 495 more\./);
    printed = [];
    await run({ markdown: true });
    expect(printed.join("")).toMatch(/^# Certificates and the chain change\n/);
    expect(printed.join("")).toContain("| saas.example.com | Advanced |");
  });

  test("as a page that holds everything it needs, with every value escaped", async () => {
    const output = join(mkdtempSync(join(tmpdir(), "pulumi-rulesets-report-")), "report.html");
    await run({ html: true, output });
    const page = readFileSync(output, "utf8");
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).not.toMatch(/(src|href)=|@import|url\(/);
    expect(page).toContain("&lt;b&gt;&quot;quoted&quot;&lt;/b&gt;.example.com");
    expect(page.match(/<tr><td data-order/g)).toHaveLength(504);
    expect(page).toContain("this report: 2024-09-20");
  });

  test.each([
    ["2023-01-01", "← 2023-01-01"],
    ["2026-11-21", "2026-11-21 →"],
  ])("a date outside of the picture: %s", async (date, mark) => {
    await run({ html: true, zone: ["quiet.example.com"], date });
    expect(printed.join("")).toContain(`this report: ${mark}`);
    expect(printed.join("")).toContain("No certificate is touched.");
  });

  test("what cannot be read hides nothing else", async () => {
    await service.fault({ path: "/custom_certificates", status: 403, times: 1 });
    await service.fault({ path: "/acm/total_tls", status: 404, times: 1 });
    expect(await run({ zone: ["quiet.example.com"] })).toBe(0);
    expect(printed.join("")).toMatch(/quiet\.example\.com: not read, custom certificates: .*SSL and Certificates Read/);
    await service.fault({ path: "/ssl/certificate_packs", status: 500, times: 9 });
    printed = [];
    expect(await run({ zone: ["quiet.example.com", "nowhere.example.com"] })).toBe(3);
    expect(printed.join("")).toContain("there is no zone nowhere.example.com");
  });

  test("what cannot be meant is said", async () => {
    await expect(run({ date: "tomorrow" })).rejects.toThrow("--date tomorrow is no day; write it as 2024-09-30");
    await expect(run({ html: true, json: true })).rejects.toThrow("--json and --html exclude each other");
  });
});
