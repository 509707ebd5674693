import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { requireConsent } from "../../tools/cli/verify/consent.js";
import { answerTo } from "../../tools/cli/verify/answers.js";
import { readRecordings, recordedOn, replay } from "../../tools/cli/verify/recorded.js";
import { exitCodeOf, type Recording } from "../../tools/cli/verify/result.js";
import { PHASES, PROOFS, suiteFor, type Case } from "../../tools/cli/verify/suite.js";
import { seedFor } from "../../tools/cli/verify/witness.js";
import type { Seed } from "../../emulator/index.js";
import { unpacedClientFor } from "../support/client.js";
import { TOKEN } from "../support/emulator.js";
import { failureIfAny, failureOf } from "../support/failure.js";
import { cli, inTerminal, newFile, root } from "./support.js";
import { custom, rule, VerifyRun, zone, zones } from "./verify-run.js";

describe("verify", () => {
  /** What the emulator answers otherwise than a recording. */
  const replayed = async ({ service, emulator }: VerifyRun, recording: Recording) => {
    await service.reset({ zones: [{ name: zone, plan: recording.plan }] } as Seed);
    const scope = { level: "zones", id: await service.zoneNamed(zone) } as const;
    const ask = (one: Case) => answerTo(unpacedClientFor(emulator.url), scope, one);
    return replay(recording, suiteFor({ plan: recording.plan, whyNotEmpty: () => undefined }).cases, ask);
  };

  test("agrees with a service that does what the emulator does, and changes nothing", async () => {
    const save = newFile("recording.json");
    const one = await VerifyRun.start();
    const before = await one.deployed();
    await one.service.forget();
    expect([await one.run({ save }), one.text]).toEqual([
      0,
      expect.stringContaining("Every ruleset has the version that it had before."),
    ]);
    expect(one.text).toMatch(/^agrees {5}rule-type \(invalid\): refused with 400: .*\/rules\/0\/enabled$/m);
    expect(one.text).toMatch(/^not tried {2}list-missing, .*: it needs a list$/m);
    expect(await one.deployed()).toEqual(before);
    const recording = JSON.parse(readFileSync(save, "utf8")) as Recording;
    expect(recording).toMatchObject({ version: 1, date: "2026-11-28", plan: "enterprise" });
    // One dry run for each body, and the one of the proof; no write that is none.
    expect(await one.dryRuns()).toHaveLength(recording.cases.length + 1);
    expect(recordedOn("rule-type", [{ ...recording, date: "2026-01-01" }, recording])).toMatchObject({
      date: "2026-11-28",
      plan: "enterprise",
    });
    expect(recordedOn("rule-type", [])).toBeUndefined();
    expect(await replayed(one, recording)).toEqual([]);
    const [first, ...others] = recording.cases.slice(0, 4);
    const changed = [{ ...first, answer: { kind: "refused", status: 400, errors: [] } }, ...others];
    expect(await replayed(one, { ...recording, cases: changed } as Recording)).toEqual([
      `${first?.code ?? ""} (valid)`,
    ]);
  });

  test("agrees for a smaller plan, with what previews say for it", async () => {
    const one = await VerifyRun.start({ zones: [{ name: zone, plan: "free" }] });
    expect([await one.run(), one.text]).toEqual([
      0,
      expect.stringMatching(/^agrees {5}plan-rules \(invalid\): refused/m),
    ]);
  });

  test("prints and saves nothing of a zone but shapes", async () => {
    const one = await VerifyRun.start(seedFor("enterprise"));
    for (const name of ["full.example", "old.example"]) {
      const save = newFile("recording.json");
      const code = await one.run({ zone: name, save });
      expect([code, one.text]).toEqual([0, expect.not.stringMatching(/differs|not read/)]);
      const written = `${one.text}\n${readFileSync(save, "utf8")}`;
      const owners = await one.service.ask<{ id: string; account: { id: string } }[]>("GET", "/zones");
      const words = ["example", "192.0.2", "64496", "100015", "Ltd", TOKEN, "ssl)", "verify.invalid"];
      for (const word of [...words, ...owners.flatMap(({ id, account }) => [id, account.id])])
        expect(written.replaceAll(/not tried.*/g, "")).not.toContain(word);
      expect(Object.keys((JSON.parse(readFileSync(save, "utf8")) as Recording).reads)).toEqual(
        expect.arrayContaining(["GET /zones/{}/rulesets", "GET /accounts/{}/rules/lists/{}/items"]),
      );
    }
  });

  test("tries nothing in phases with rules, says so, and reads each phase before it sends something to it", async () => {
    const one = await VerifyRun.start({ zones, rulesets: [{ zone, phase: custom, rules: [rule] }] });
    expect(await one.run()).toBe(0);
    expect(one.text).toMatch(new RegExp(`^not tried {2}rule-type, .*: the zone has rules in ${custom}$`, "m"));
    expect((await one.dryRuns()).filter((line) => line.includes(custom))).toEqual([]);
    const asked = await one.service.queries();
    const phases = asked.flatMap(
      (line) => /^PUT .*\/phases\/(\w+)\/entrypoint\?dry_run=true/.exec(line)?.slice(1) ?? [],
    );
    expect([...new Set(phases)].filter((phase) => !PHASES.has(phase))).toEqual([]);
    const first = asked.findIndex((line) => line.endsWith("dry_run=true"));
    for (const phase of PHASES)
      expect(asked.slice(0, first).some((line) => line.startsWith("GET") && line.includes(`/${phase}/`))).toBe(true);
  });

  const refused = (status: number, code: number) => ({
    status,
    body: { success: false, errors: [{ code, message: "no" }] },
  });
  // The proof, and the bodies of the first entry, come before.
  test.each([
    [
      2,
      [refused(400, 1), { status: 200, body: { success: true, result: null }, times: 4 }],
      [
        "differs    description-length (valid): refused with 400: 1; the emulator: accepted",
        "differs    ref-twice (invalid): accepted; the emulator: refused with 400: no code /rules/1/ref; a preview: refused: rules[1].ref",
      ],
    ],
    [
      3,
      [refused(403, 10000), { status: 429 }, { status: 503 }, { cut: "after" as const }],
      [
        'no answer  description-length (valid): API_FORBIDDEN, 403 10000 (needs "Zone WAF Write")',
        "no answer  description-length (invalid): API_RATE_LIMITED, 429",
        "no answer  ref-twice (valid): API_UNAVAILABLE, 503",
        "no answer  ref-twice (invalid): API_UNAVAILABLE",
      ],
    ],
  ])("names answers that are others: exit code %d", async (code, faults, lines) => {
    const one = await VerifyRun.start();
    await one.service.fault({ method: "PUT", times: 4 });
    for (const fault of faults) await one.service.fault({ method: "PUT", ...fault });
    expect(await one.run()).toBe(code);
    expect(one.text.split("\n")).toEqual(expect.arrayContaining(lines));
  });

  test("fails where nothing was tried", () => {
    const nothing = { plan: "pro", tried: [], notTried: [], reads: new Map(), notRead: [], late: [], changed: [] };
    expect(exitCodeOf(nothing)).toBe(3);
  });

  test("the recordings of the service", async () => {
    const one = await VerifyRun.start();
    for (const recording of readRecordings(join(root, "schema", "recordings")))
      expect(await replayed(one, recording)).toEqual([]);
  });

  test("ends early when it is interrupted, and still compares the versions", async () => {
    const one = await VerifyRun.start();
    expect(await one.runUntil(2)).toBe(3);
    expect(one.text).toContain("Stopped before all bodies were sent.");
    expect(one.text).toContain("Every ruleset has the version that it had before.");
  });

  /** Rules of somebody else in each phase that the proof can use. */
  const occupied = PROOFS.map(({ phase, rules }) => ({
    ...{ zone, phase },
    rules: rules.map((one) => ({ ...one, enabled: true })),
  }));

  test("needs one zone, its name, a folder for the recording, and a phase without rules", async () => {
    const one = await VerifyRun.start();
    expect(await failureOf(one.run({ yesZone: "other.example.com" }))).toContain("Nothing was sent.");
    expect(await one.run({ yesZone: "Test.Example.COM", isStopped: () => true })).toBe(3);
    const missing = join(newFile("file"), "recording.json");
    expect(await failureOf(one.run({ save: missing }))).toContain(`${missing} cannot be written`);
    await one.service.reset({ zones, rulesets: occupied });
    const failure = await failureOf(one.run());
    for (const { phase } of PROOFS) expect(failure).toContain(`the zone has rules in ${phase}\n`);
    expect(await one.dryRuns()).toEqual([]);
    await one.service.reset({ zones, rulesets: occupied.slice(0, -1) });
    expect([await one.runUntil(0), one.text]).toEqual([3, expect.stringContaining("Stopped before all bodies")]);
    expect((await one.dryRuns()).at(-1)).toContain(PROOFS.at(-1)?.phase);
  });

  test("the command asks on a terminal, and nobody elsewhere", async () => {
    const { emulator, service } = await VerifyRun.start();
    const env = { RULESETS_BASE_URL: emulator.url, RULESETS_API_TOKEN: TOKEN };
    expect(await cli(["verify", "--zone", zone], env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`To continue without a terminal: --yes-zone ${zone}`) as string,
    });
    // A terminal that does not know its width.
    const shown = await inTerminal(["verify", "--zone", zone], 0, env, "other.example.com\n", "&1");
    expect(shown).toContain("Type the name of the zone");
    expect(shown).toContain(`pulumi-rulesets: "other.example.com" is not ${zone}. Nothing was sent.`);
    expect((await service.peek()).filter((line) => !line.startsWith("GET /zones"))).toEqual([]);
  });

  /** What a terminal shows, and with what it ends, when somebody types. */
  const asked = async (typed: string, env: Readonly<Record<string, string>> = {}) => {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    Object.assign(stdin, { isTTY: true });
    Object.assign(stdout, { isTTY: true });
    stdin.write(typed);
    const failure = await failureIfAny(requireConsent(zone, { env, stdin: stdin as never, stdout: stdout as never }));
    return [String(stdout.read()), failure];
  };
  const question = `Type the name of the zone to send dry runs to it (${zone}): `;

  test.each([
    [`${zone}\r`, {}, question, undefined],
    ["other.example.com\r", {}, question, '"other.example.com" is not test.example.com. Nothing was sent.'],
    ["\u0003", {}, question, "no name was typed. Nothing was sent."],
    ["\u0004", {}, question, "no name was typed. Nothing was sent."],
    [`${zone}\r`, { CI: "1" }, "null", `To continue without a terminal: --yes-zone ${zone}`],
  ])("typed on a terminal: %j, with %j", async (typed, env, shown, failure) => {
    expect(await asked(typed, env)).toEqual([
      expect.stringContaining(shown),
      failure === undefined ? undefined : expect.stringContaining(failure),
    ]);
  });
});
