import { Service } from "../support/emulator.js";
import { freshEmulator } from "../support/emulators.js";
import { AtTheBorder, secret } from "./at-the-border.js";
import { ManagedRuleset } from "./harness.js";
import { RulesProgram } from "./rules-program.js";

const phase = "http_request_firewall_custom";
const admin = { action: "block", expression: 'starts_with(http.request.uri.path, "/admin")', ref: "admin" };
const users = { action: "block", expression: 'http.request.uri.path eq "/admin/users"', ref: "users" };

/** The service accepts rules that can never run, so only the analysis reports them. */
describe("the analysis of rules", () => {
  let service: Service;
  let zoneId: string;
  beforeEach(async () => {
    service = new Service(await freshEmulator());
    zoneId = await service.zone();
  });

  test("is in the preview of a ruleset that is created or whose rules change, and not repeated", async () => {
    const resource = new ManagedRuleset("PhaseEntrypoint", service);
    const inputs = (...rules: object[]) => ({ zoneId, phase, rules });
    const warnings = async (...rules: object[]) => (await resource.preview(inputs(...rules))).warnings;
    const covered = [
      expect.stringMatching(/^rule "users", rules\[1\]: it is never reached: the earlier rule "admin" \(block\)/),
    ];
    expect(await warnings(admin, users)).toEqual(covered);
    await resource.up(inputs(admin, users));
    expect(await warnings(admin, users)).toEqual([]);
    expect(await warnings(admin, { ...users, action: "log" })).toEqual(covered);
    expect(await warnings(users, admin)).toEqual([]);
  });

  test("shows in the preview what an edit changes, with example requests", async () => {
    const resource = new ManagedRuleset("PhaseEntrypoint", service);
    const inputs = (...rules: object[]) => ({ zoneId, phase, rules });
    const message = async (...rules: object[]) => {
      await resource.preview(inputs(...rules));
      return resource.notes.join("\n");
    };
    await resource.up(inputs(users));
    expect(await message(admin)).toMatch(
      /this change stops requests that were not stopped:\n {2}GET https:\/\/\S+\/admin\S* from \S+: allowed → blocked by "admin"/,
    );
    expect(await message({ ...users, enabled: false })).toMatch(
      /this change lets requests through that were stopped:\n {2}GET/,
    );
    const twice = '(http.request.uri.path eq "/admin/users") or (http.request.uri.path in {"/admin/users"})';
    expect(await message({ ...users, expression: twice })).toContain("this change makes no difference to any request");
    expect(await message({ ...users, description: "Only words" })).not.toContain("this change");
    expect(await message(users)).not.toContain("this change");
  });

  test("counts a rule that moves to another resource of the program as in force before and after", async () => {
    const program = new RulesProgram(service);
    const shared = (...rules: object[]) => ({ kind: "PhaseEntrypoint", zoneId, phase, ownership: "shared", rules });
    const log = { action: "log", expression: "ssl", ref: "log" };
    const effects = async (args: Parameters<typeof program.preview>[0]) =>
      (await program.preview(args)).notes.filter((note) => note.startsWith("this change"));
    await program.up({ one: shared(log, users), two: shared(admin) });
    expect(await effects({ single: { zoneId, phase, ...users }, one: shared(log), two: shared(admin) })).toEqual([]);
    expect(await effects({ two: shared(users, admin), one: shared(log) })).toEqual([]);
    const swapped = { two: shared(log, admin), one: shared(users) };
    expect(await effects(swapped)).toEqual([]);
    await program.up(swapped);
    expect(await effects({ two: shared(log), one: shared(users) })).toEqual([
      expect.stringMatching(/^this change lets requests through that were stopped:\n {2}GET/),
    ]);
  });

  test("reports the same rules in every zone that has them, in warnings, effects and refusals alike", async () => {
    const zones = { a: zoneId, b: await service.zone("business") };
    const program = new RulesProgram(service);
    const both = (...rules: object[]) =>
      Object.fromEntries(
        Object.entries(zones).map(([name, zone]) => [name, { kind: "PhaseEntrypoint", zoneId: zone, phase, rules }]),
      );
    const covered = expect.stringMatching(/^rule "users", rules\[1\]: it is never reached/) as string;
    expect((await program.preview(both(admin, users))).warnings).toEqual([covered, covered]);
    await program.up(both(users));
    const { notes } = await program.preview(both(admin));
    expect(notes.filter((note) => note.includes("this change stops requests"))).toHaveLength(2);
    const refused = await program.preview(both({ ...users, expression: "ip.src eq" })).then(() => "nothing", String);
    expect(refused.match(/rules\[0\]\.expression:/g)).toHaveLength(2);
  });

  test("shows no request that a secret rule matches, and names the rule as not judged", async () => {
    const resource = new AtTheBorder("PhaseEntrypoint", service.emulator.url);
    const inputs = (path: string) => ({
      zoneId,
      phase,
      rules: [{ ...users, description: "Users", expression: secret(`http.request.uri.path eq "${path}"`) }],
    });
    await resource.up(inputs("/hidden-door"));
    expect(await resource.up(inputs("/other-door"), { preview: true })).toBe(true);
    expect(resource.leaving.join("\n")).not.toMatch(/door/);
    expect(resource.leaving.join("\n")).toContain(
      'this change affects requests:\n  not judged: rule "Users", because a value of it is a secret, or not known yet',
    );
  });

  test("judges the other rules beside one with a secret", async () => {
    const resource = new AtTheBorder("PhaseEntrypoint", service.emulator.url);
    const inputs = (expression: string) => ({
      zoneId,
      phase,
      rules: [
        { ...users, description: "Users", expression: secret('http.request.uri.path eq "/hidden-door"') },
        { ...admin, expression },
      ],
    });
    await resource.up(inputs(admin.expression));
    await resource.up(inputs('http.request.uri.path eq "/admin"'), { preview: true });
    const said = resource.leaving.join("\n");
    expect(said).toMatch(
      /this change lets requests through that were stopped:\n {2}GET \S+\/admin\S+ from \S+: blocked by "admin" → allowed, if "Users" does not match/,
    );
    expect(said).not.toMatch(/door|not judged/);
  });

  test("assumes nothing about what surrounds a custom ruleset", async () => {
    const resource = new ManagedRuleset("Ruleset", service);
    const current = { action: "skip", expression: "true", actionParameters: { phase: "current" }, ref: "current" };
    const inputs = (...rules: object[]) => ({ zoneId, kind: "custom", name: "inner", phase, rules });
    expect((await resource.preview(inputs(admin, current))).warnings).toEqual([]);
    await resource.up(inputs(admin));
    await resource.preview(inputs(admin, current));
    expect(resource.notes.join("\n")).toContain("this change exempts requests from rules that could have stopped them");
  });

  test("does not assume that no other ruleset rewrites URLs", async () => {
    const resource = new ManagedRuleset("PhaseEntrypoint", service);
    const odd = { ...users, expression: 'http.request.uri.path contains "#"' };
    const { warnings } = await resource.preview({ zoneId, phase, rules: [odd] });
    expect(warnings).toEqual([expect.stringContaining("so it never has")]);
    const first = "http_request_transform";
    const rewrite = {
      action: "rewrite",
      expression: odd.expression,
      ref: "r",
      actionParameters: { uri: { path: { value: "/a" } } },
    };
    expect((await resource.preview({ zoneId, phase: first, rules: [rewrite] })).warnings).toContainEqual(
      expect.stringContaining("no request matches"),
    );
  });

  test("shows what an edit, a new rule and a move do where one rule is a resource", async () => {
    const resource = new ManagedRuleset("RulesetRule", service);
    const inputs = (more: object = {}) => ({ zoneId, phase, ...admin, ...more });
    const message = async (more: object) => {
      await resource.preview(inputs(more));
      return resource.notes.filter((note) => note.startsWith("this change")).join("\n");
    };
    expect(await message({})).toMatch(/^this change stops requests that were not stopped:\n {2}GET/);
    await resource.up(inputs());
    expect(await message({})).toBe("");
    expect(await message({ description: "Only words" })).toBe("");
    expect(await message({ expression: users.expression })).toMatch(
      /^this change lets requests through that were stopped:\n {2}GET .*: blocked by "admin" → allowed$/,
    );
    // It is the first already.
    expect(await message({ position: { before: "" } })).toBe("");
    const { id = "" } = (await service.entrypoint(zoneId, phase)) ?? {};
    await service.addRule(`zones/${zoneId}`, id, { action: "log", expression: "true", position: { before: "" } });
    expect(await message({ position: { before: "" } })).toBe(
      "this change affects requests:\n" +
        '  not judged: rule "admin", because what it does to requests that other rules of the ruleset would stop, or exempt, is not known here',
    );
  });
});
