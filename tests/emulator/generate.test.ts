import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { generate, type GenerateOptions } from "../../tools/cli/generate/command.js";
import type { Emulator, Seed, ZoneSeed } from "../../emulator/index.js";
import type { ListState } from "../../provider/kinds/lists/description.js";
import type { Client } from "../../client/index.js";
import { ManagedResource } from "../lifecycle/managed.js";
import { clientFor, unpacedClientFor } from "../support/client.js";
import { Service } from "../support/emulator.js";
import { emulatorWith } from "../support/emulators.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const ZONES = 60;
const name = (index: number): string => `zone-${String(index).padStart(2, "0")}.example.com`;
const zones: ZoneSeed[] = Array.from({ length: ZONES }, (_, index) => ({ name: name(index) }));
const shared = { action: "block", description: "Dot files", expression: 'http.request.uri.path contains "/."' };
const rulesets = zones.flatMap(({ name: zone }, index) => [
  {
    zone,
    phase: "http_request_firewall_custom",
    rules: [shared, { action: "log", expression: `http.host eq ${JSON.stringify(zone)}` }],
  },
  ...(index % 2 === 0 ? [{ zone, phase: "http_request_transform", rules: [] }] : []),
]);

describe("a program generated for many zones", () => {
  let emulator: Emulator;
  let service: Service;
  let client: Client;
  beforeAll(async () => {
    emulator = await emulatorWith({ seed: { zones, rulesets } });
    service = new Service(emulator);
    client = unpacedClientFor(emulator.url);
  });

  const run = async (options: Partial<GenerateOptions>) => {
    await service.forget();
    const [printed, notes, steps]: string[][] = [[], [], []];
    const code = await generate({ certificates: true, lists: true, parallel: "8", ...options }, () => client, {
      print: (line) => printed?.push(line),
      printNote: (line) => notes?.push(line),
      progress: {
        start: (total) => steps?.push(`of ${String(total)}`),
        step: (zone) => steps?.push(zone),
        stop: () => steps?.push("done"),
      },
      version: "0.0.0",
      own: process.cwd(),
      sdk: "*",
    });
    return { code, text: (printed ?? []).join("\n"), notes: (notes ?? []).join("\n"), steps: steps ?? [] };
  };

  test("takes as few requests as possible, and contains shared objects once", async () => {
    const { code, text, steps } = await run({ allZones: true });
    expect(code).toBe(0);
    const requests = await service.requests();
    const of = (pattern: RegExp): number => requests.filter((request) => pattern.test(request)).length;
    expect(of(/^GET \/zones$/)).toBe(2);
    expect(of(/rulesets$/)).toBe(ZONES);
    expect(of(/rulesets\/\w+$/)).toBe(ZONES + ZONES / 2);
    expect(of(/custom_hostnames$/)).toBe(ZONES);
    expect(of(/total_tls$/)).toBe(ZONES);
    // Nothing executes a managed ruleset there, so the previous WAF may still do so.
    expect(of(/waf_migration\/status$/)).toBe(ZONES);
    expect(requests).toHaveLength(2 + ZONES * 5 + ZONES / 2);
    expect(text.match(/contains/g)).toHaveLength(1);
    expect(text.match(/^\/\/ zone-\d\d-example-com\.ts$/gm)).toHaveLength(ZONES);
    expect([steps[0], steps.length, steps.at(-1)]).toEqual([`of ${String(ZONES)}`, ZONES + 2, "done"]);
  });

  test("includes all other zones when one fails, and zones without a part that fails", async () => {
    const listed = await service.ask<{ id: string; name: string }[]>("GET", "/zones");
    const [first, second, third] = listed;
    await service.fault({ method: "GET", path: `/zones/${first?.id ?? ""}/rulesets`, status: 500 });
    await service.fault({ method: "GET", path: `/zones/${second?.id ?? ""}/custom_hostnames`, status: 500 });
    await service.fault({ method: "GET", path: `/zones/${third?.id ?? ""}/custom_hostnames`, status: 403 });
    const { code, text, notes } = await run({ zone: listed.slice(0, 6).map(({ id }) => id) });
    await service.noFaults();
    expect(code).toBe(3);
    expect(notes).toContain(`${first?.name ?? ""} could not be read:`);
    expect(notes).toContain(`${second?.name ?? ""}: custom hostnames:`);
    expect(notes).toContain(`${third?.name ?? ""}: custom hostnames:`);
    expect(text.match(/^\/\/ zone-\d\d-example-com\.ts$/gm)).toHaveLength(5);
  });

  test("is not generated when there is nothing to declare", async () => {
    const found = await run({ zone: [name(0)], phase: ["http_ratelimit"] });
    expect(found).toMatchObject({ code: 0, text: "", notes: "Found nothing that a program could declare." });
    const unread = await run({ zone: ["missing.example.com"] });
    expect([unread.code, unread.notes]).toEqual([3, expect.stringMatching(/^missing.example.com could not be read/)]);
  });
});

describe("a program generated for the lists of an account", () => {
  let emulator: Emulator;
  let service: Service;
  let account: string;
  beforeAll(async () => {
    const items = Array.from({ length: 1_200 }, (_, index) => ({
      ip: `10.0.${String(index >> 8)}.${String(index & 255)}`,
      ...(index % 2 === 0 ? { comment: `host ${String(index)}, "${String(index)}"` } : {}),
    }));
    const lists: Seed["lists"] = [
      { name: "office", kind: "ip", description: "Offices", items: [{ ip: "192.0.2.0/24", comment: "Berlin" }] },
      { name: "blocked", kind: "ip", items },
    ];
    emulator = await emulatorWith({ seed: { zones: [{ name: "shop.example.com" }], lists } });
    service = new Service(emulator);
    account = await service.account();
  });

  const run = async (options: Partial<GenerateOptions>): Promise<{ code: number; out: string; notes: string }> => {
    await service.forget();
    const client = clientFor(emulator.url);
    const [out, notes]: [string[], string[]] = [[], []];
    const ignore = (): void => undefined;
    const io = {
      print: (line: string) => void out.push(line),
      printNote: (line: string) => void notes.push(line),
      progress: { start: ignore, step: ignore, stop: ignore },
      version: "0.0.0",
      own: process.cwd(),
      sdk: "*",
    };
    const given = { certificates: true, lists: true, parallel: "8", account: [account], json: true, ...options };
    return { code: await generate(given, () => client, io), out: out.join("\n"), notes: notes.join("\n") };
  };
  const filesIn = (out: string): Record<string, string> =>
    Object.fromEntries(
      (JSON.parse(out) as { files: { path: string; text: string }[] }).files.map(({ path, text }) => [path, text]),
    );

  test("has all items of all pages, and many of them in a file, from which they are read as they are", async () => {
    const { code, out } = await run({});
    expect(code).toBe(0);
    const files = filesIn(out);
    expect(Object.keys(files)).toEqual(["index.ts", "blocked.csv"]);
    expect(files["index.ts"]).toContain('items: [{ value: "192.0.2.0/24", comment: "Berlin" }]');
    const folder = temporaryFolder();
    const itemsFile = join(folder, "blocked.csv");
    writeFileSync(itemsFile, files["blocked.csv"] ?? "");
    const blocked = new ManagedResource<ListState>("RulesList", service);
    const args = { accountId: account, name: "blocked", kind: "ip", itemsFile };
    expect((await blocked.preview(args)).notes).toEqual([
      expect.stringMatching(/^takes over the existing list blocked\n {2}A delete leaves it in place /),
    ]);
    expect((await blocked.up(args)).requests.filter((request) => !request.startsWith("GET"))).toEqual([]);
    expect(blocked.kept?.state.size).toBe(1_200);
  });

  test("takes one request for the lists and one for every 500 items", async () => {
    await run({});
    const lists = `GET /accounts/${account}/rules/lists`;
    const requests = (await service.requests()).filter((request) => request.startsWith(lists));
    expect(requests.filter((request) => request === lists)).toHaveLength(1);
    expect(requests).toHaveLength(1 + 1 + 3);
    await run({ lists: false });
    await run({ phase: ["http_ratelimit"] });
    expect((await service.requests()).filter((request) => request.startsWith(lists))).toEqual([]);
  });

  test("says that lists are missing if the token may not read them", async () => {
    await service.fault({ method: "GET", path: "/rules/lists", status: 403 });
    const { code, out } = await run({ zone: ["shop.example.com"] });
    expect(code).toBe(2);
    expect(JSON.parse(out)).toMatchObject({ leftOut: [{ where: `account ${account}`, what: "lists" }] });
  });
});
