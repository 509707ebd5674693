import { generate, type GenerateOptions } from "../../cli/generate/command.js";
import { startEmulator, type Emulator, type ZoneSeed } from "../../emulator/index.js";
import { createClient, Limiter, type Client } from "../../provider/client/index.js";
import { Service, TOKEN } from "../support/emulator.js";

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
    emulator = await startEmulator({ seed: { zones, rulesets } });
    service = new Service(emulator);
    const clock = { now: () => 0, sleep: () => Promise.resolve() };
    client = createClient({
      baseUrl: emulator.url,
      credentials: { kind: "token", apiToken: TOKEN },
      maxRetries: 0,
      clock,
      limiter: new Limiter({ requestsPerSecond: 100_000, clock }),
    });
  });
  afterAll(() => emulator.close());

  const run = async (options: Partial<GenerateOptions>) => {
    await service.forget();
    const [printed, notes, steps]: string[][] = [[], [], []];
    const code = await generate({ certificates: true, parallel: "8", ...options }, () => client, {
      print: (line) => printed?.push(line),
      printNote: (line) => notes?.push(line),
      progress: {
        start: (total) => steps?.push(`of ${String(total)}`),
        step: (zone) => steps?.push(zone),
        stop: () => steps?.push("done"),
        note: (line) => steps?.push(line),
        far: (line) => steps?.push(line),
      },
      version: "0.0.0",
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

  test("includes all other zones when one fails, whatever the request", async () => {
    const listed = await service.ask<{ id: string; name: string }[]>("GET", "/zones");
    const [first, second, third] = listed;
    await service.fault({ method: "GET", path: `/zones/${first?.id ?? ""}/rulesets`, status: 500 });
    await service.fault({ method: "GET", path: `/zones/${second?.id ?? ""}/custom_hostnames`, status: 500 });
    await service.fault({ method: "GET", path: `/zones/${third?.id ?? ""}/custom_hostnames`, status: 403 });
    const { code, text, notes } = await run({ zone: listed.slice(0, 6).map(({ id }) => id) });
    await service.noFaults();
    expect(code).toBe(3);
    expect(notes).toContain(`${first?.name ?? ""} could not be read:`);
    expect(notes).toContain(`${second?.name ?? ""} could not be read:`);
    expect(notes).toContain(`${third?.name ?? ""}: custom hostnames:`);
    expect(text.match(/^\/\/ zone-\d\d-example-com\.ts$/gm)).toHaveLength(4);
  });

  test("is not generated when there is nothing to declare", async () => {
    const found = await run({ zone: [name(0)], phase: ["http_ratelimit"] });
    expect(found).toMatchObject({ code: 0, text: "", notes: "Found nothing that a program could declare." });
  });
});
