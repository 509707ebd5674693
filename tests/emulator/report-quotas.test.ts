import { runReport } from "../../tools/cli/report/command.js";
import { quotaLines } from "../../tools/audit/quotas.js";
import type { Report } from "../../tools/audit/report.js";
import type { Emulator } from "../../emulator/index.js";
import { Service } from "../support/emulator.js";
import { freshEmulator } from "../support/emulators.js";
import { unpacedClientFor } from "../support/client.js";

const custom = "http_request_firewall_custom";
const rules = (count: number): Readonly<Record<string, unknown>>[] =>
  Array.from({ length: count }, (_, index) => ({ action: "block", expression: `http.host eq "h${String(index)}"` }));

const ZONE = {
  level: "zone",
  ...{ id: "1".repeat(32), name: "shop.example.com", accountId: "", accountName: "" },
  ...{ rulesets: [], unread: [] },
} as const;

describe("the quotas of a report", () => {
  let emulator: Emulator;
  let service: Service;
  let account: string;
  let printed: string[];
  beforeEach(async () => {
    const certificates = { hostnames: [{ hostname: "a.customer.test", certificateAuthority: "google" }] };
    emulator = await freshEmulator({
      seed: {
        accounts: [{ name: "Example Ltd" }],
        zones: [
          { name: "pro.example.com", plan: "pro", certificates },
          { name: "free.example.com", plan: "free" },
        ],
        rulesets: [
          { zone: "pro.example.com", phase: custom, rules: rules(19) },
          { zone: "free.example.com", phase: custom, rules: rules(5) },
        ],
      },
    });
    service = new Service(emulator);
    account = await service.account();
    printed = [];
    const lists = `/accounts/${account}/rules/lists`;
    const { id } = await service.ask<{ id: string }>("POST", lists, { name: "office", kind: "ip" });
    await service.ask("POST", `${lists}/${id}/items`, [{ ip: "192.0.2.7" }, { ip: "192.0.2.8" }]);
    await service.create(`accounts/${account}`, { name: "Shared", kind: "custom", phase: custom, rules: rules(91) });
    await service.forget();
  });
  afterEach(() => emulator.close());

  const run = (options: object): Promise<number> =>
    runReport({ parallel: "4", failOn: "never", ...options }, () => unpacedClientFor(emulator.url), {
      print: (line) => printed.push(line),
      progress: { start: no, step: no, stop: no },
      now: () => Date.UTC(2026, 0, 1),
    });
  const no = (): void => undefined;
  const quotas = () =>
    ((JSON.parse(printed.join("\n")) as Report).quotas ?? []).map(({ where, what, used, included, state, note }) =>
      [where.name, what, used, included, state, note].filter((part) => part !== undefined).join(" | "),
    );

  test("show what zones and accounts use, and what is nearly used up", async () => {
    expect(await run({ account: [account], quotas: true, json: true })).toBe(0);
    expect(quotas()).toEqual([
      "Example Ltd | custom lists | 1 | 10 | fits",
      "Example Ltd | items in custom lists | 2 | 10000 | fits",
      "Example Ltd | custom rulesets | 1 | 10 | fits",
      "Example Ltd | rules in all custom rulesets | 91 | 1000 | fits",
      'Example Ltd | rules in the custom ruleset "Shared" | 91 | 100 | near',
      `free.example.com | rules in ${custom} | 5 | 5 | near`,
      `pro.example.com | rules in ${custom} | 19 | 20 | near`,
      "pro.example.com | custom hostnames | 1 | 100 | fits | each more is charged for, up to 50,000 of them",
    ]);
  });

  test("say that more custom hostnames than the plan includes cost extra, and only a contract has no limit", () => {
    const lines = (plan: string, hostnames: number): object[] =>
      quotaLines(
        {
          zones: [{ ...ZONE, plan, hostnames }],
          accounts: [],
          managed: new Map(),
          unreadManaged: [],
        },
        true,
      ).map(({ used, included, state, note }) => ({ used, included, state, note }));
    const charged = "each more is charged for, up to 50,000 of them";
    expect(lines("business", 90)).toEqual([{ used: 90, included: 100, state: "near", note: charged }]);
    expect(lines("free", 101)).toEqual([{ used: 101, included: 100, state: "beyond", note: charged }]);
    expect(lines("enterprise", 101)).toEqual([{ used: 101, included: 100, state: "beyond", note: "more by contract" }]);
    expect(lines("", 3)).toEqual([{ used: 3, note: "no documented limit for this plan" }]);
  });

  test("are a table, are not read without being asked for, and say what could not be read", async () => {
    await run({ zone: ["free.example.com"] });
    expect(printed.join("\n")).not.toContain("Quotas:");
    expect((await service.requests()).filter((request) => request.includes("custom_hostnames"))).toEqual([]);
    await service.fault({ method: "GET", path: "/custom_hostnames", status: 403 });
    await service.fault({ method: "GET", path: "/rules/lists", status: 403 });
    printed = [];
    await run({ zone: ["pro.example.com"], quotas: true });
    expect(printed.join("\n")).toMatch(/Quotas:[^]*rules in http_request_firewall_custom *│ 19 *│ 20 *│ ! from 90 %/);
    expect(printed.join("\n")).toMatch(/lists and items *│ *│ *│ *│ not read/);
    expect(printed.join("\n")).toMatch(/custom hostnames *│ *│ *│ *│ not read: GET .*403/);
  });
});
