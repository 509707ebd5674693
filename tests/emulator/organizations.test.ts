import { runReport } from "../../cli/report/command.js";
import { readSource } from "../../cli/generate/source.js";
import { requireZones, selectZones } from "../../cli/zones.js";
import type { Report } from "../../audit/report.js";
import { startEmulator, type Emulator } from "../../emulator/index.js";
import { unpacedClientFor } from "../support/client.js";
import { Service } from "../support/emulator.js";

const ORGANIZATION = "0".repeat(31) + "7";
const EMPTY = "0".repeat(31) + "8";
const ACCOUNTS = Array.from({ length: 51 }, (_, index) => `Brand ${String(index + 1).padStart(2, "0")}`);

describe("organizations", () => {
  let emulator: Emulator;
  let service: Service;
  beforeAll(async () => {
    emulator = await startEmulator({
      seed: {
        accounts: [...ACCOUNTS, "Elsewhere"].map((name) => ({ name })),
        organizations: [
          { id: ORGANIZATION, name: "Example Group", accounts: ACCOUNTS },
          { id: EMPTY, name: "Nobody", accounts: [] },
        ],
        zones: [
          { name: "one.example.com", account: "Brand 01" },
          { name: "last.example.com", account: "Brand 51" },
          { name: "else.example.com", account: "Elsewhere" },
        ],
      },
    });
    service = new Service(emulator);
  });
  afterAll(() => emulator.close());
  beforeEach(() => service.forget());
  const client = () => unpacedClientFor(emulator.url);
  const selected = async (selection: Parameters<typeof selectZones>[0]) => {
    const { zones, failures } = await selectZones(selection, client());
    return [zones.map(({ name }) => name), failures.map(({ zone, failure }) => `${zone.name}: ${failure}`)];
  };
  const progress = Object.fromEntries(["start", "step", "stop", "note", "far"].map((name) => [name, () => undefined]));

  test("mean the zones of all of their accounts, on however many pages they are listed", async () => {
    const [zones, failures] = await selected({ organization: [ORGANIZATION] });
    expect(zones).toEqual(["one.example.com", "last.example.com"]);
    // Whether an account has none, or shows none to these credentials, the service does not tell.
    expect(failures).toHaveLength(ACCOUNTS.length - 2);
    const named =
      /^account [0-9a-f]{32}: the service lists no zone: .*To continue without such accounts: .* with --account, instead/;
    expect(failures?.filter((text) => named.test(text))).toEqual(failures);
    const asked = (await service.requests()).filter((one) => one.includes("/organizations/"));
    expect(asked).toHaveLength(2);
    expect(await selected({ organization: [ORGANIZATION], allZones: true })).toEqual([
      ["one.example.com", "last.example.com"],
      failures,
    ]);
    expect(await selected({ organization: [ORGANIZATION], zone: ["else.example.com"] })).toEqual([
      ["else.example.com", "one.example.com", "last.example.com"],
      failures,
    ]);
    expect(() => {
      requireZones({ organization: [ORGANIZATION] });
    }).not.toThrow();
    expect(() => {
      requireZones({});
    }).toThrow("or of an organization with --organization");
  });

  test("that cannot be read, or have no account, are named and select nothing", async () => {
    const unknown = "f".repeat(32);
    expect(await selected({ organization: [EMPTY, unknown], allZones: true })).toEqual([
      [],
      [`organization ${EMPTY}: it has no account`, expect.stringMatching(/^organization f+: .*404/)],
    ]);
    await service.fault({ path: "/organizations", status: 403 });
    expect((await selected({ organization: [ORGANIZATION] }))[1]).toEqual([
      expect.stringMatching(
        /403.*No permission of a token is documented for organizations\. To continue: .*--account/s,
      ),
    ]);
  });

  test("are a scope of reports and of generated programs", async () => {
    const printed: string[] = [];
    const code = await runReport({ organization: [ORGANIZATION], parallel: "4", json: true, failOn: "never" }, client, {
      print: (line) => printed.push(line),
      progress: progress as never,
      now: () => 0,
    });
    expect(code).toBe(3);
    const { zones, unread } = JSON.parse(printed.join("\n")) as Report;
    expect(zones.map(({ zoneName }) => zoneName)).toEqual(["last.example.com", "one.example.com"]);
    // Each account that shows no zone.
    expect(unread).toHaveLength(ACCOUNTS.length - zones.length);
    const failing = { organization: [ORGANIZATION, EMPTY], parallel: "4", json: true, failOn: "never" } as const;
    expect(
      await runReport(failing, client, { print: () => undefined, progress: progress as never, now: () => 0 }),
    ).toBe(3);
    const all = { certificates: false, lists: false, parallel: "4" };
    const io = { progress: progress as never, earlier: [] };
    const source = await readSource({ ...all, organization: [ORGANIZATION], allZones: true }, client, io);
    expect(source.inventory.scopes).toHaveLength(53);
    const none = await readSource({ ...all, organization: [EMPTY], allZones: true }, client, io);
    expect([none.inventory.scopes, none.unread]).toEqual([
      [],
      [{ name: `organization ${EMPTY}`, failure: "it has no account" }],
    ]);
  });
});
