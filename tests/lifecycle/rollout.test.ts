import { from, stages, until, type Rule, type RuleStage } from "../../provider/index.js";
import type { Service, WireRuleset } from "../support/emulator.js";
import { failureOf } from "../support/failure.js";
import { IS_PLUGIN } from "./front-ends.js";
import { ManagedRuleset, startService } from "./harness.js";
import { RulesProgram } from "./rules-program.js";

const phase = "http_request_firewall_custom";
const DAY = 86_400_000;
const admin = 'starts_with(http.request.uri.path, "/admin")';
const share = (percent: number) => `hash_in_range(0, 100, cf.random_seed) lt ${String(percent)}`;

let service: Service;
let zoneId: string;
let resource: ManagedRuleset;
beforeEach(async () => {
  ({ service, zoneId } = await startService());
  resource = new ManagedRuleset("PhaseEntrypoint", service);
});

const list = (...rules: object[]) => ({ zoneId, phase, rules });
const there = async (of = phase): Promise<WireRuleset["rules"]> => (await service.entrypoint(zoneId, of))?.rules ?? [];
const written = async () => (await there()).map(({ action, expression }) => [action, expression]);
const ids = async () => (await there()).map(({ id, ref }) => `${ref} ${id}`);
/** What a preview says about stages and times. */
const rollout = (notes: readonly string[]) =>
  notes.filter((note) => /^rule .*(→|from|until|any time|applies)/.test(note));

describe("a rule that arrives in steps", () => {
  const rule = (stage: RuleStage) =>
    stages(
      {
        ...{ ref: "admin", action: "block", expression: admin },
        actionParameters: { response: { statusCode: 403, content: "no", contentType: "text/plain" } },
      },
      stage,
    );
  const steps = [
    ["log", "log", admin, undefined],
    [5, "block", `${admin} and ${share(5)}`, 'rule "admin": log only → 5 % of matching requests'],
    [25, "block", `${admin} and ${share(25)}`, 'rule "admin": 5 % → 25 % of matching requests'],
    ["full", "block", admin, 'rule "admin": 25 % → all matching requests'],
    [5, "block", `${admin} and ${share(5)}`, 'rule "admin": all → 5 % of matching requests'],
    ["log", "log", admin, 'rule "admin": 5 % → log only'],
  ] as const;

  test("keeps its ref and its ID through every stage, and says what each step does", async () => {
    const seen = new Set<string>();
    for (const [stage, action, expression, note] of steps) {
      const { notes, warnings } = await resource.preview(list(rule(stage)));
      expect(rollout(notes)).toEqual(note === undefined ? [] : [note]);
      expect(warnings).toEqual([]);
      await resource.up(list(rule(stage)));
      expect(await written()).toEqual([[action, expression]]);
      await resource.settled(list(rule(stage)));
      for (const id of await ids()) seen.add(id);
    }
    expect(seen.size).toBe(1);
  });

  test("is judged as what it is: a larger share stops more, a smaller one less", async () => {
    await resource.up(list(rule(5)));
    const more = (await resource.preview(list(rule(25)))).notes.join("\n");
    expect(more).toMatch(/this change stops requests that were not stopped:\n.*drawn at 5\.5 %\): allowed → blocked/);
    await resource.up(list(rule(25)));
    expect((await resource.preview(list(rule(5)))).notes.join("\n")).toContain(
      "lets requests through that were stopped",
    );
  });

  test("is refused where the service does not log", async () => {
    const rewrite = { action: "rewrite", actionParameters: { uri: { path: { value: "/x" } } } } as const;
    const path: Rule = { ref: "p", expression: "ssl", ...rewrite };
    const of = (stage: RuleStage) => ({ zoneId, phase: "http_request_transform", rules: [stages(path, stage)] });
    expect(await failureOf(resource.preview(of("log")))).toContain(
      "rules[0].action: phase http_request_transform does not allow the action log",
    );
    await resource.up(of(5));
    expect((await there("http_request_transform"))[0]?.expression).toBe(`ssl and ${share(5)}`);
  });

  test("refuses the action log, which the plan of the zone does not include", async () => {
    const business = await service.zone("business");
    const preview = resource.preview({ zoneId: business, phase, rules: [rule("log")] });
    await expect(preview).rejects.toThrow(/rules\[0\]\.action: .*log.*[Ee]nterprise/);
  });
});

describe("a rule that leaves by itself", () => {
  const rule = (more: object = {}): Rule => ({ ref: "admin", action: "block", expression: admin, ...more });
  const end = (text: string) => String(Date.parse(text) / 1000);

  test("gets conditions on the time of the request, says when it applies, and is then unchanged", async () => {
    const inputs = list(
      until(from(rule(), "2026-02-01T12:00:00Z"), "2026-03-31"),
      until(rule({ ref: "other", expression: "true" }), "2026-12-31"),
    );
    const { notes } = await resource.preview(inputs);
    expect(rollout(notes)).toEqual([
      'rule "admin": from 2026-02-01 12:00:00 (UTC), until the end of 2026-03-31 (UTC)',
      'rule "other": until the end of 2026-12-31 (UTC)',
    ]);
    await resource.up(inputs);
    expect(await written()).toEqual([
      [
        "block",
        `${admin} and http.request.timestamp.sec ge ${end("2026-02-01T12:00:00Z")} and http.request.timestamp.sec lt ${end("2026-04-01T00:00:00Z")}`,
      ],
      ["block", `http.request.timestamp.sec lt ${end("2027-01-01T00:00:00Z")}`],
    ]);
    await resource.settled(inputs);
    expect((await resource.preview(list(rule(), rule({ ref: "other", expression: "true" })))).notes).toContain(
      'rule "admin": at any time',
    );
  });

  test("is announced a week before its end, or as long before as the settings say", async () => {
    const inputs = list(until(rule(), "2026-01-10"));
    await resource.up(inputs);
    expect((await resource.preview(inputs)).warnings).toEqual([]);
    const early = await resource.preview(inputs, { expiryWarningDays: 30 });
    expect(early.warnings).toEqual([
      'rule "admin", rules[0].expression: it expires in 10 days, at the end of 2026-01-10 (UTC)',
    ]);
    await resource.clock.sleep(3 * DAY);
    expect((await resource.preview(inputs)).warnings).toEqual([
      'rule "admin", rules[0].expression: it expires in 7 days, at the end of 2026-01-10 (UTC)',
    ]);
    expect((await resource.preview(inputs, { expiryWarningDays: 0 })).warnings).toEqual([]);
    // The plugin does not know yet whether it is called for a preview.
    expect((await resource.up(inputs)).warnings).toHaveLength(IS_PLUGIN ? 1 : 0);
  });

  test("is reported after its end, and leaves without a difference when the program drops it", async () => {
    const inputs = list(until(rule(), "2026-01-10"), rule({ ref: "stays" }));
    await resource.up(inputs);
    await resource.clock.sleep(10 * DAY);
    expect((await resource.preview(inputs)).warnings).toEqual([
      'rule "admin", rules[0].expression: it expired at the end of 2026-01-10 (UTC)',
    ]);
    expect(await resource.up(inputs)).toMatchObject({ action: "none", requests: [] });
    const without = list(rule({ ref: "stays" }));
    const { action, notes } = await resource.preview(without);
    expect(notes).toContain("this change makes no difference to any request");
    expect(action).toBe("update");
    await resource.up(without);
    expect((await there()).map(({ ref }) => ref)).toEqual(["stays"]);
  });

  test("makes no difference among rules of others once its time is over", async () => {
    const shared = (...rules: object[]) => ({ ...list(...rules), ownership: "shared" });
    const challenge = until(rule({ ref: "challenge", action: "managed_challenge" }), "2026-01-10");
    const stays = rule({ ref: "stays" });
    await resource.up(shared(challenge, stays));
    const removed = shared(stays);
    const before = (await resource.preview(removed)).notes.join("\n");
    expect(before).not.toContain("makes no difference");
    await resource.clock.sleep(10 * DAY);
    expect((await resource.preview(removed)).notes).toContain("this change makes no difference to any request");
  });

  test("is the deployed rule that has its condition, however that is written, so that taking it over writes nothing", async () => {
    const over = `http.request.timestamp.sec < ${end("2027-01-01T00:00:00Z")}`;
    const deployed = { ref: "admin", action: "block", expression: `(${admin}) && (${over})` };
    await service.create(`zones/${zoneId}`, { name: "default", kind: "zone", phase, rules: [deployed] });
    const inputs = list(until({ action: "block", expression: admin } as const, "2026-12-31"));
    const { requests } = await resource.up({ ...inputs, onExisting: "adopt" });
    expect(requests.filter((request) => !request.startsWith("GET"))).toEqual([]);
    await resource.refresh();
    expect(await resource.up({ ...inputs, onExisting: "adopt" })).toMatchObject({ action: "none", requests: [] });
    expect((await there())[0]?.expression).toBe(deployed.expression);
  });

  test("as a resource of its own is reported after its end", async () => {
    const program = new RulesProgram(service);
    const single = { single: { zoneId, phase, ...until(rule({ ref: "sale" }), "2025-12-31") } };
    expect((await program.preview(single)).warnings).toEqual([
      'rule "sale", expression: it expired at the end of 2025-12-31 (UTC)',
    ]);
    await program.up(single);
    await program.settled(single);
  });
});

test("a rule that is too long for one is refused, with what to write instead", async () => {
  const items = Array.from({ length: 600 }, (_, n) => `198.18.${String(n >> 8)}.${String(n & 255)}`);
  const rule = { ref: "bad", action: "block", expression: `ip.src in {${items.join(" ")}} and ssl` };
  expect(await failureOf(resource.preview(list(rule)))).toMatch(
    /rules\[0\]\.expression: the expression has \d+ characters; the service allows at most 4096.*inParts.*RulesList/s,
  );
  const program = new RulesProgram(service);
  expect(await failureOf(program.preview({ single: { zoneId, phase, ...rule } }))).toMatch(
    /^rule "bad", expression: .* at most 4096.*RulesList/,
  );
});
