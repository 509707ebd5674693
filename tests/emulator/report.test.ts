import { runReport, type ReportCommand } from "../../tools/cli/report/command.js";
import { NO_PROGRESS } from "../../tools/cli/progress.js";
import type { Report } from "../../tools/audit/report.js";
import type { Emulator, Seed } from "../../emulator/index.js";
import type { Client } from "../../client/index.js";
import { Service } from "../support/emulator.js";
import { freshEmulator } from "../support/emulators.js";
import { unpacedClientFor } from "../support/client.js";

const MANAGED = "efb7b8c949ac4650a09736fc376e9aee";
const ZONES = 100;
const names = Array.from({ length: ZONES }, (_, index) => `zone-${String(index).padStart(3, "0")}.example.com`);
const seed: Seed = {
  accounts: [{ name: "Example Ltd" }],
  zones: names.map((name) => ({ name })),
  rulesets: [
    ...names.slice(0, 97).map((zone) => ({
      zone,
      phase: "http_request_firewall_managed",
      rules: [{ action: "execute", expression: "true", action_parameters: { id: MANAGED } }],
    })),
    {
      account: "Example Ltd",
      phase: "http_ratelimit",
      rules: [],
    },
  ],
};

describe("the report on a hundred zones", () => {
  let emulator: Emulator;
  let service: Service;
  let client: Client;
  let printed: string[];
  let steps: string[];
  beforeAll(async () => {
    emulator = await freshEmulator({ seed });
    service = new Service(emulator);
    client = unpacedClientFor(emulator.url);
  });
  beforeEach(async () => {
    [printed, steps] = [[], []];
    await service.noFaults();
    await service.forget();
  });
  const run = (options: Partial<ReportCommand> = {}): Promise<number> =>
    runReport({ allZones: true, parallel: "8", failOn: "warning", ...options }, () => client, {
      print: (line) => printed.push(line),
      progress: {
        start: (total) => steps.push(`of ${String(total)}`),
        step: (name) => steps.push(name),
        stop: () => steps.push("done"),
      },
      now: () => Date.UTC(2026, 0, 1),
    });

  test("makes one request for each list and ruleset, and reads shared rulesets once", async () => {
    expect(await run({ json: true })).toBe(2);
    const requests = await service.requests();
    const account = requests.filter((request) => request.includes("/accounts/"));
    const shown = account.map((request) => request.replace(MANAGED, "managed").replace(/[0-9a-f]{32}/g, "<id>"));
    expect(shown.sort()).toEqual([
      "GET /accounts/<id>/rules/lists",
      "GET /accounts/<id>/rulesets",
      "GET /accounts/<id>/rulesets/<id>",
      "GET /accounts/<id>/rulesets/managed",
    ]);
    // Two pages of zones, their lists, and an entry point for most.
    expect(requests).toHaveLength(account.length + 2 + ZONES + 97);
    const report = JSON.parse(printed.join("")) as Report;
    expect(report.createdAt).toBe("2026-01-01T00:00:00.000Z");
    expect(report.findings.map(({ code, where }) => `${code} ${where.name}`)).toEqual(
      names.slice(97).map((name) => `no-protection ${name}`),
    );
  });

  test("reports its progress", async () => {
    await run();
    expect([steps[0], steps.at(-1), steps.length]).toEqual(["of 100", "done", ZONES + 2]);
  });

  test("lists all zones on the page in blocks next to each other, those with gaps first", async () => {
    await run({ html: true });
    const page = printed.join("");
    expect(page.match(/<table aria-label="Coverage of zones by phase">/g)).toHaveLength(4);
    expect(page.match(/<th scope="row"/g)).toHaveLength(ZONES);
    expect(/<th scope="row" title="([^"]*)"/.exec(page)?.[1]).toBe("zone-097.example.com");
  });
});

describe("the report on lists", () => {
  const lists: Seed["lists"] = [
    { name: "office", kind: "ip", items: [{ ip: "192.0.2.1", comment: "until 2025-12-31" }] },
    { name: "old", kind: "ip", items: [{ ip: "64.0.0.0/2" }] },
    {
      name: "many",
      kind: "ip",
      items: Array.from({ length: 700 }, (_, index) => ({ ip: `10.0.${String(index >> 8)}.${String(index & 255)}` })),
    },
  ];
  const zone = "shop.example.com";
  const phase = "http_request_firewall_custom";
  const rules = [{ action: "block", expression: "ip.src in $office or ip.src in $many" }];

  test("finds those without use, and items that are too wide or have expired, with one request for every 500 items", async () => {
    const emulator = await freshEmulator({
      seed: { zones: [{ name: zone }], lists, rulesets: [{ zone, phase, rules }] },
    });
    const printed: string[] = [];
    const code = await runReport(
      { allZones: true, parallel: "8", failOn: "error", json: true },
      () => unpacedClientFor(emulator.url),
      { print: (line) => printed.push(line), progress: NO_PROGRESS, now: () => Date.UTC(2026, 0, 1) },
    );
    const { findings } = JSON.parse(printed.join("")) as Report;
    const found = findings.flatMap(({ code, list }) => (list === undefined ? [] : [`${code} ${list.name}`]));
    expect([code, found]).toEqual([0, ["wide-item old", "expired-item office", "unused-list old"]]);
    const requests = await new Service(emulator).requests();
    expect(requests.filter((request) => request.includes("/rules/lists"))).toHaveLength(1 + 1 + 1 + 2);
  });
});
