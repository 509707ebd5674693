import type { RulesetSeed } from "../../emulator/index.js";
import { MARK, PROOFS, refusals, suiteFor } from "../../tools/cli/verify/suite.js";
import { removeLeftOvers } from "../../tools/cli/verify/left-overs.js";
import { unpacedClientFor } from "../support/client.js";
import { TOKEN } from "../support/emulator.js";
import { writesIn } from "../support/requests.js";
import { custom, rule, VerifyRun, zone, zones } from "./verify-run.js";

/* A service that carries dry runs out, loses them, forbids or limits, and others who work on the zone: nothing is left, or lost. */

const { cases } = suiteFor({ plan: "enterprise", whyNotEmpty: () => undefined });
const accepted = { status: 200, body: { success: true, result: null } };

/** The phases in which something of an earlier run was removed, of this one. */
async function removed({ emulator, service }: VerifyRun, phase: string): Promise<string[]> {
  const scope = { level: "zones", id: await service.zoneNamed(zone) } as const;
  const client = unpacedClientFor(emulator.url);
  return removeLeftOvers(client, scope, new Map([[phase, await client.rulesets.getEntrypoint(scope, phase)]]));
}

describe("verify", () => {
  test("sends nothing that could change a zone to a service that ignores dry_run", async () => {
    const one = await VerifyRun.start({ zones, dryRun: false });
    const before = await one.deployed();
    await one.service.forget();
    expect([await one.run(), one.text]).toEqual([3, expect.stringContaining("The service ignores dry_run")]);
    expect(writesIn(await one.service.requests()).filter((line) => !line.includes("DELETE"))).toEqual([]);
    expect(await one.deployed()).toEqual(before);
  });

  test("removes what a service keeps that only checks the value of dry_run", async () => {
    const one = await VerifyRun.start({ zones, dryRun: "applied" });
    const before = await one.deployed();
    expect([await one.run(), one.text]).toEqual([
      3,
      `The service carried out the dry run of the proof (valid). What it kept in ${custom} was removed again. ` +
        "Nothing else was sent.",
    ]);
    expect(await one.deployed()).toEqual(before);
  });

  test("deletes the rule alone where the phase had an entry point before", async () => {
    const described = { description: "Of the security team", rules: [] };
    const rulesets: RulesetSeed[] = PROOFS.map(({ phase }) => ({ zone, phase, ...described }));
    const one = await VerifyRun.start({ zones, dryRun: "applied", rulesets });
    const before = await one.deployed();
    expect([await one.run(), one.text]).toEqual([3, expect.stringContaining("was removed again")]);
    expect((await one.deployed()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(await one.service.ask("GET", await one.entrypoint())).not.toHaveProperty("rules.0");
  });

  test.each([
    ["answers as if it were none", accepted, custom],
    ["answers with an error", { status: 503 }, custom],
    ["refuses it", { status: 400, body: { success: false, errors: [{ code: 1, message: "no" }] } }, custom],
    ["answers nothing", { cut: "before" as const }, custom],
    ["keeps it in another phase", accepted, "http_ratelimit"],
  ])("ends at the first body that the service carries out: it %s", async (_, answer, phase) => {
    const one = await VerifyRun.start();
    const before = await one.deployed();
    const own = cases.findIndex(({ body, phase: at }) => body === "valid" && at === custom);
    const rules = phase === custom ? cases[own]?.rules : undefined;
    const limited = cases.find(({ phase: at, body }) => at === phase && body === "valid")?.rules;
    const kept = { method: "PUT", path: await one.entrypoint(phase), body: { rules: rules ?? limited } };
    // The two probes and the proof.
    await one.service.fault({ method: "PUT", times: 2 + own });
    await one.service.fault({ method: "PUT", ...answer, meanwhile: [kept] });
    expect(await one.run()).toBe(3);
    expect(one.text).toContain(`What it kept in ${phase} was removed again.`);
    expect(await one.deployed()).toEqual(before);
  });

  test("removes what the service carries out after the last body", async () => {
    const one = await VerifyRun.start();
    const before = await one.deployed();
    const late = { method: "PUT", path: await one.entrypoint(), body: { rules: cases[0]?.rules } };
    await one.service.fault({ method: "GET", path: "/user/tokens/verify", meanwhile: [late] });
    expect([await one.run(), one.text]).toEqual([
      3,
      expect.stringContaining(`what it stored in ${custom} was removed.`),
    ]);
    expect(await one.deployed()).toEqual(before);
  });

  test("keeps an empty ruleset that a service answers with as if it had written it", async () => {
    const one = await VerifyRun.start({ zones, rulesets: [{ zone, phase: custom, rules: [] }] });
    const before = await one.deployed();
    await one.service.fault({ method: "PUT", times: 2 });
    await one.service.fault({ method: "PUT", path: custom, status: 200, body: { success: true, result: { id: "x" } } });
    expect([await one.run(), one.text]).toEqual([3, expect.stringContaining("It kept no rule that was sent.")]);
    expect(await one.deployed()).toEqual(before);
  });

  test("leaves what somebody else writes meanwhile, and sends nothing more", async () => {
    const one = await VerifyRun.start();
    const path = await one.entrypoint();
    await one.service.fault({ method: "PUT", times: 4 });
    await one.service.fault({ method: "PUT", meanwhile: [{ method: "PUT", path, body: { rules: [rule] } }] });
    expect([await one.run(), one.text]).toEqual([
      3,
      expect.stringMatching(
        /Somebody else changed the zone meanwhile[^]*http_request_firewall_custom: version none before, 1 now/,
      ),
    ]);
    expect(await one.service.rules(await one.service.zoneNamed(zone), custom)).toMatchObject([rule]);
    expect(await one.dryRuns()).toHaveLength(4);
  });

  const own = 'http.host eq "mine.example.com"';
  const sent = PROOFS[0]?.rules[0] ?? {};
  test.each([
    ["enabled", [{ ...sent, enabled: true }]],
    ["changed", [{ ...sent, expression: own }]],
    ["described", [{ ...sent, description: "Mine" }]],
    ["joined by another", [sent, rule]],
    ["only named alike", [{ ...sent, action: "log", expression: own }]],
  ])("a rule that is %s is no left-over", async (_, rules) => {
    const one = await VerifyRun.start({ zones, rulesets: [{ zone, phase: custom, rules }] });
    const before = await one.deployed();
    expect(await removed(one, custom)).toEqual([]);
    expect(await one.deployed()).toEqual(before);
  });

  test("says what is left when it cannot be removed, and the next run removes it", async () => {
    const one = await VerifyRun.start({ zones, dryRun: "applied" });
    const before = await one.deployed();
    await one.service.fault({ method: "DELETE", times: 1 });
    await one.service.fault({ method: "DELETE", status: 403 });
    expect([await one.run(), one.text]).toEqual([
      3,
      expect.stringContaining(`delete the rules whose refs begin with "${MARK}"`),
    ]);
    expect(await one.deployed()).not.toEqual(before);
    expect([await one.runUntil(0), one.text]).toEqual([
      3,
      expect.stringContaining(`Removed the disabled rules that an interrupted run had left in ${custom}.`),
    ]);
    expect(await one.deployed()).toEqual(before);
  });

  test("sends nothing to phases that it cannot or may not read, and names them", async () => {
    const one = await VerifyRun.start({ zones, rulesets: [{ zone, phase: custom, rules: [rule] }] });
    const hidden = { status: 403, times: 1000 };
    for (const path of [custom, "http_ratelimit"])
      await one.service.fault({ method: "GET", path: `${path}/entrypoint`, ...hidden });
    const failing = "http_request_origin";
    await one.service.fault({ method: "GET", path: `${failing}/entrypoint$`, status: 500, times: 99 });
    await one.service.fault({ method: "PUT", path: "http_custom_errors", ...hidden });
    await one.service.fault({ method: "GET", path: "rules/lists", ...hidden });
    expect(await one.run()).toBe(3);
    expect(one.text).toMatch(
      new RegExp(`^not tried {2}rule-type, .*: the token may not read ${custom} \\(needs "Zone WAF Read"\\)$`, "m"),
    );
    expect(one.text).toContain('not read   the lists: API_FORBIDDEN, 403 (needs "Account Rule Lists Read")');
    expect(one.text).toContain('no answer  error-size (valid): API_FORBIDDEN, 403 (needs "Custom Errors Write")');
    expect(one.text).toMatch(new RegExp(`^not tried {2}.*: ${failing} could not be read$`, "m"));
    expect(one.text).toContain(`not read   ${failing}: API_UNAVAILABLE, 500`);
    expect((await one.dryRuns()).filter((line) => /firewall_custom|ratelimit|origin/.test(line))).toEqual([]);
  });

  const writer = ["Zone WAF Read", "Cache Settings Write"];
  test.each([
    [["Zone WAF Read"], 'it needs "Zone WAF Write". Nothing was written.'],
    [["Cache Settings Read", "Origin Read"], 'it needs "Cache Settings Write" or "Origin Write". Nothing was written.'],
    [["Zone WAF Read", "Sanitize Write"], 'it needs "Zone WAF Write". Nothing was written.'],
    [writer, 'no answer  rule-type (valid): API_FORBIDDEN, 403 (needs "Zone WAF Write")'],
  ])("says which permission a token with %j lacks, and proves dry_run where it may write", async (names, text) => {
    const groups = { permission_groups: names.map((name) => ({ name })) };
    const policies = [{ ...groups, resources: { "com.cloudflare.api.account.zone.*": "*" } }];
    const one = await VerifyRun.start({ zones, tokens: [{ value: TOKEN }, { value: "limited", policies }] }, "limited");
    const before = await one.deployed();
    expect([await one.runUntil(3), one.text]).toEqual([3, expect.stringContaining(text)]);
    expect((await one.dryRuns()).some((line) => line.includes("cache_settings"))).toBe(names === writer);
    expect(await one.deployed()).toEqual(before);
  });

  test("removes each body that a service keeps, and any rest of it", async () => {
    const one = await VerifyRun.start();
    const before = await one.deployed();
    const kept = [...PROOFS, ...cases]
      .filter(({ body }) => body === "valid")
      .flatMap(({ phase, rules }) => [
        { phase, rules },
        ...(rules.length > 1 ? [{ phase, rules: rules.slice(1) }] : []),
      ]);
    for (const { phase, rules } of kept) {
      await one.service.ask("PUT", await one.entrypoint(phase), { rules });
      expect([rules, await removed(one, phase)]).toEqual([rules, [phase]]);
    }
    expect(await one.deployed()).toEqual(before);
  });

  test("ends when the service is gone in the middle, and says how to look", async () => {
    const one = await VerifyRun.start();
    await one.runUntil(3);
    const asked = await one.service.requests();
    await one.service.fault({ times: asked.findLastIndex((line) => line.startsWith("PUT")) });
    await one.service.fault({ cut: "after", times: 1000 });
    expect([await one.run(), one.text]).toEqual([
      3,
      expect.stringContaining("The service may have carried it out. To continue:"),
    ]);
  });

  test("stays under the limit that the service reports, and waits for the next window", async () => {
    // The clock of the emulator moves by waits alone.
    jest.spyOn(Date, "now").mockReturnValue(Date.now());
    const one = await VerifyRun.start({ zones, rateLimit: { quota: 60, windowSeconds: 60, enforce: true } });
    expect([await one.runUntil(40), one.text]).toEqual([3, expect.not.stringContaining("no answer")]);
    jest.restoreAllMocks();
    expect(one.waited).toBe(60_000);
  });

  test("waits for a slow service", async () => {
    const one = await VerifyRun.start();
    await one.service.fault({ method: "PUT", times: 3 });
    await one.service.fault({ method: "PUT", hold: true });
    const end = one.runUntil(3);
    while ((await one.service.faultsLeft()) > 0);
    await one.service.advanceClock(3600);
    one.emulator.clearFaults();
    expect([await end, one.text]).toEqual([3, expect.stringContaining("3 of 3 answers agree")]);
  });

  test("every entry of the table is tried, or it is said why not", async () => {
    const one = await VerifyRun.start();
    await one.runUntil(0);
    const { notTried } = suiteFor({ plan: "enterprise", whyNotEmpty: () => undefined });
    const known = [...cases, ...notTried].map(({ code }) => code);
    expect(refusals.filter(({ code }) => !known.includes(code))).toEqual([]);
    for (const { code } of notTried) expect(one.text).toContain(code);
  });
});
