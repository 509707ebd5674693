import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runVerify } from "../../tools/cli/verify/command.js";
import { answerTo } from "../../tools/cli/verify/answers.js";
import { readRecordings, recordedOn, replay } from "../../tools/cli/verify/recorded.js";
import { refusals, suiteFor, type Case } from "../../tools/cli/verify/suite.js";
import type { Recording } from "../../tools/cli/verify/result.js";
import type { Emulator, Fault, Seed } from "../../emulator/index.js";
import { createClient, Limiter } from "../../client/index.js";
import { unpacedClientFor } from "../support/client.js";
import { Service, TOKEN } from "../support/emulator.js";
import { freshEmulator } from "../support/emulators.js";
import { failureOf } from "../support/failure.js";
import { writesIn } from "../support/requests.js";
import { cli, newFile, root } from "./support.js";

/* The service is a second emulator, which answers, forbids, fails or ignores as a test says. */

const custom = "http_request_firewall_custom";
const zone = "test.example.com";
const zones = [{ name: zone }];
const rule = { action: "block", expression: "ssl" };
const clock = { now: () => 0, sleep: () => Promise.resolve() };
const nobody = { env: {}, stdin: { isTTY: false }, stdout: { isTTY: false } } as never as Parameters<
  typeof runVerify
>[1]["consent"];

describe("verify", () => {
  let emulator: Emulator;
  let service: Service;
  let printed: string[];
  const start = async (seed: Seed = { zones }) => {
    emulator = await freshEmulator({ seed });
    service = new Service(emulator);
    printed = [];
  };

  const run = (options: { save?: string; yesZone?: string; isStopped?: () => boolean } = {}) =>
    runVerify(
      { zone, ...options },
      {
        connect: (onResponse) =>
          createClient({
            ...{
              baseUrl: emulator.url,
              credentials: { kind: "token", apiToken: TOKEN },
              maxRetries: 0,
              clock,
              onResponse,
            },
            limiter: new Limiter({ requestsPerSecond: 100_000, clock }),
          }),
        consent: { ...nobody, yesZone: options.yesZone ?? zone },
        print: (line) => printed.push(line),
        now: () => new Date("2026-11-28T12:00:00Z"),
        isStopped: options.isStopped ?? (() => false),
      },
    );
  const text = () => printed.join("\n");
  /** What rulesets the zone has, with their versions. */
  const deployed = async () =>
    service.ask<{ id: string; version: string }[]>("GET", `/zones/${await service.zoneNamed(zone)}/rulesets`);
  const dryRuns = async () =>
    (await service.queries()).filter((line) => line.startsWith("PUT") && line.includes("dry_run=true"));

  /** What the emulator answers otherwise than a recording. */
  const replayed = async (recording: Recording) => {
    await service.reset({ zones: [{ name: zone, plan: recording.plan }] } as Seed);
    const scope = { level: "zones", id: await service.zoneNamed(zone) } as const;
    const ask = (one: Case) => answerTo(unpacedClientFor(emulator.url), scope, one);
    const { cases } = suiteFor({ plan: recording.plan, empty: new Set(refusals.map(({ phase }) => phase)) });
    return replay(recording, cases, ask);
  };

  test("agrees with a service that does what the emulator does, and changes nothing", async () => {
    await start();
    const before = await deployed();
    await service.forget();
    const save = newFile("recording.json");
    expect([await run({ save }), text()]).toEqual([0, expect.stringContaining("Every ruleset has the version")]);
    expect(text()).toMatch(/^agrees {5}rule-type \(invalid\): refused with 400: .*\/rules\/0\/enabled$/m);
    expect(await deployed()).toEqual(before);
    const recording = JSON.parse(readFileSync(save, "utf8")) as Recording;
    expect(recording).toMatchObject({ version: 1, date: "2026-11-28", plan: "enterprise" });
    // One dry run for each body, and the one of the proof; no write that is none.
    expect(await dryRuns()).toHaveLength(recording.cases.length + 1);
    const saved = readFileSync(save, "utf8");
    expect(saved).not.toContain(await service.zoneNamed(zone));
    expect(saved).not.toContain("example.com");
    expect(Object.keys(recording.reads)).toContain("GET /zones/{}/rulesets");
  });

  test("tries nothing in phases with rules, and says so", async () => {
    await start({ zones, rulesets: [{ zone, phase: custom, rules: [rule] }] });
    expect(await run()).toBe(0);
    expect(text()).toContain(`not tried  rule-type: the zone has rules in ${custom}`);
    expect(text()).not.toContain("agrees     rule-type");
  });

  test.each([
    [
      { status: 400, body: { success: false, errors: [{ code: 1, message: "no" }] } },
      "differs    description-length (valid): refused with 400: 1",
    ],
    [
      { status: 403, body: { success: false, errors: [{ code: 10000, message: "no" }] } },
      "no answer  description-length (valid): ",
    ],
    [{ status: 429, headers: { "retry-after": "1" } }, "no answer  description-length (valid): "],
    [{ status: 503 }, "no answer  description-length (valid): "],
    [{ cut: "after" as const }, "no answer  description-length (valid): "],
  ])("names an answer that is another one: %j", async (fault, line) => {
    await start();
    // The proof, and the bodies of the first entry.
    await service.fault({ method: "PUT", times: 4 });
    await service.fault({ method: "PUT", ...fault });
    const code = await run();
    expect([code, text()]).toEqual([line.startsWith("differs") ? 2 : 3, expect.stringContaining(line)]);
  });

  test("compares the shape of what is read", async () => {
    await start();
    const body = { success: true, result: [{ id: "a".repeat(32), extra: 1, version: 2, phase: "x", kind: "managed" }] };
    const fault: Fault = { method: "GET", path: "*/ssl/certificate_packs", status: 200, body };
    await service.fault(fault);
    expect(await run()).toBe(2);
    expect(text()).toContain("differs    GET /zones/{}/ssl/certificate_packs: ");
  });

  test("sends nothing that could change a zone to a service that ignores dry_run", async () => {
    await start({ zones, dryRun: false });
    await service.forget();
    expect([await run(), text()]).toEqual([3, expect.stringContaining("The service ignores dry_run")]);
    expect(writesIn(await service.requests()).filter((line) => !line.includes("DELETE"))).toEqual([]);
    expect((await deployed()).filter(({ version }) => version !== "")).toEqual(await deployed());
  });

  test("removes what a service keeps that only checks the value of dry_run", async () => {
    await start({ zones, dryRun: "applied" });
    const before = await deployed();
    expect([await run(), text()]).toEqual([
      3,
      `The service does not honour dry_run. What it kept in ${custom} was removed again. Nothing else was sent.`,
    ]);
    expect(await deployed()).toEqual(before);
  });

  test("removes what a service keeps that stops to honour dry_run, and ends at once", async () => {
    await start();
    const before = await deployed();
    const path = `/zones/${await service.zoneNamed(zone)}/rulesets/phases/${custom}/entrypoint`;
    const [first] = refusals.filter(({ phase }) => phase === custom);
    const kept = [{ method: "PUT", path, body: { rules: first?.valid } }];
    await service.fault({ method: "PUT", times: 2 });
    await service.fault({
      method: "PUT",
      path,
      meanwhile: kept,
      status: 200,
      body: { success: true, result: { id: "x" } },
    });
    expect(await run()).toBe(3);
    expect(text()).toContain(`What it kept in ${custom} was removed again. Nothing else was sent.`);
    expect(await deployed()).toEqual(before);
  });

  test("a recording is replayed, and says since when a refusal is recorded", async () => {
    await start();
    const save = newFile("recording.json");
    await run({ save });
    const recording = JSON.parse(readFileSync(save, "utf8")) as Recording;
    expect(recordedOn("rule-type", [{ ...recording, date: "2026-01-01" }, recording])).toMatchObject({
      date: "2026-11-28",
      plan: "enterprise",
    });
    expect(recordedOn("rule-type", [])).toBeUndefined();
    expect(await replayed(recording)).toEqual([]);
    const [first, ...others] = recording.cases;
    const changed = {
      ...recording,
      cases: [{ ...first, answer: { kind: "refused", status: 400, errors: [] } }, ...others],
    };
    expect(await replayed(changed as Recording)).toEqual([`${first?.code ?? ""} (valid)`]);
  });

  test("the recordings of the service", async () => {
    await start();
    for (const recording of readRecordings(join(root, "schema", "recordings")))
      expect(await replayed(recording)).toEqual([]);
  });

  test.each([true, "applied"] as const)("leaves nothing behind, wherever it is killed (dry_run %s)", async (dryRun) => {
    await start({ zones, dryRun });
    const before = await deployed();
    await run();
    const requests = (await service.requests()).length;
    await service.forget();
    // The first requests, to the end of the proof, and some of those after it.
    for (let sent = 0; sent < Math.min(requests, 14); sent++) {
      if (sent > 0) await service.fault({ times: sent });
      await service.fault({ cut: "before", times: 10_000 });
      await run().catch(() => undefined);
      emulator.clearFaults();
      // Only a service that executes dry runs leaves something to the next run.
      if (dryRun === "applied") await run();
      expect(await deployed()).toEqual(before);
    }
  });

  test("ends early when it is interrupted, and still compares the versions", async () => {
    await start();
    let asked = 0;
    expect(await run({ isStopped: () => ++asked > 2 })).toBe(3);
    expect(text()).toContain("Stopped before all bodies were sent.");
    expect(text()).toContain("Every ruleset has the version that it had before.");
  });

  test("needs the name of the zone, and a phase without rules", async () => {
    await start();
    expect(await failureOf(run({ yesZone: "other.example.com" }))).toContain("Nothing was sent.");
    const phases = [custom, "http_request_cache_settings", "http_request_origin"];
    const actions = ["block", "set_cache_settings", "route"];
    const parameters = [{}, { cache: true }, { origin: { port: 443 } }];
    const rulesets = phases.map((phase, index) => ({
      ...{ zone, phase },
      rules: [{ ...rule, action: actions[index], ...(index === 0 ? {} : { action_parameters: parameters[index] }) }],
    }));
    await service.reset({ zones, rulesets });
    expect(await failureOf(run())).toContain("the proof needs a phase without rules");
  });

  test("the command asks nobody without a terminal", async () => {
    await start();
    const env = { RULESETS_BASE_URL: emulator.url, RULESETS_API_TOKEN: TOKEN };
    expect(await cli(["verify", "--zone", zone], env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`To continue without a terminal: --yes-zone ${zone}`) as string,
    });
  });

  test("every entry of the table is tried, or it is said why not", async () => {
    await start();
    await run();
    for (const { code } of refusals) expect(text()).toContain(code);
  });
});
