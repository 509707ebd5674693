import type { Emulator } from "../../emulator/index.js";
import type { Service } from "../support/emulator.js";
import { failureOf } from "../support/failure.js";
import { UNKNOWN } from "../../provider/model/unknown.js";
import { startService } from "./harness.js";
import { AtTheBorder, secret } from "./at-the-border.js";
import { RulesProgram } from "./rules-program.js";

const phase = "http_request_firewall_custom";
const admin = { ref: "admin", action: "block", expression: 'http.request.uri.path eq "/admin"', description: "Admin" };
const login = { ref: "login", action: "log", expression: 'http.request.uri.path eq "/login"' };

let emulator: Emulator;
let service: Service;
let zoneId: string;
let program: RulesProgram;
beforeEach(async () => {
  const started = await startService();
  ({ emulator, service } = started);
  ({ zoneId } = started.ids);
  program = new RulesProgram(service);
});
afterEach(() => emulator.close());

const deploy = (...rules: object[]) =>
  service.create(`zones/${zoneId}`, { name: "default", kind: "zone", phase, rules: rules as never });
const refs = async () => (await service.rules(zoneId, phase)).map(({ ref }) => ref);
const OBSERVED = "is only observed (manage: false), so nothing is written; the service";

describe("an entry point that is only observed", () => {
  const list = (rules: readonly object[], more: object = {}) => ({
    waf: { kind: "PhaseEntrypoint", zoneId, phase, rules, manage: false, ...more },
  });

  test("says how the service differs, writes nothing in its whole life, and then costs only the read", async () => {
    await deploy(admin, { ...login, action: "block" }, { ref: "other", action: "log", expression: "ssl" });
    const before = await service.entrypoint(zoneId, phase);
    const args = list([login, { ...admin, enabled: false }, { ref: "new", action: "log", expression: "true" }]);
    const differences = [
      'rule "new" does not exist',
      'rule "login" has action "block"',
      'rule "Admin" has enabled true',
      'rule "other" is not in the program',
      'rule "login" is in another place',
    ];
    const { warnings, actions } = await program.preview(args);
    expect(actions).toEqual({ waf: "create" });
    expect(warnings).toEqual([
      `${phase} of zone ${zoneId} ${OBSERVED} differs:\n${differences.map((text) => `  ${text}`).join("\n")}`,
    ]);
    await program.up(args);
    expect(program.state("waf")).toMatchObject({ differences });
    const again = await program.up(args);
    expect(again).toMatchObject({ actions: { waf: "none" } });
    expect(again.requests).toMatch(/^(GET ?)+$/);
    const changed = list([login]);
    expect((await program.up(changed)).requests).toMatch(/^(GET ?)+$/);
    expect(await program.up({})).toMatchObject({ actions: { waf: "delete" }, requests: "" });
    expect(await service.entrypoint(zoneId, phase)).toEqual(before);
  });

  test("keeps what it knew where the service cannot be read, and says that it is of then", async () => {
    await deploy({ ...admin, action: "log" });
    await program.up(list([admin]));
    await service.fault({ path: "/rulesets", status: 503, times: 99 });
    const { warnings } = await program.preview(list([admin]));
    expect(warnings.at(-1)).toBe(
      `${phase} of zone ${zoneId} ${OBSERVED} could not be read now; when it last was, it differed:\n  rule "Admin" has action "log"`,
    );
    await service.noFaults();
    await program.preview(list([login]));
    await service.fault({ path: "/rulesets", status: 503, times: 99 });
    expect(program.state("waf")).toMatchObject({ differences: ['rule "Admin" has action "log"'] });
    await service.noFaults();
  });

  test("is quiet where the service is as the program says, also with rules without refs", async () => {
    await deploy({ ...admin, ref: undefined }, { ...login, ref: undefined });
    const { ref: _a, ...first } = admin;
    const { ref: _b, ...second } = login;
    const { warnings, notes } = await program.preview(list([first, second]));
    expect(warnings).toEqual([]);
    expect(notes).toContain(`${phase} of zone ${zoneId} ${OBSERVED} has what the program declares`);
    await program.up(list([first, second]));
    expect(program.state("waf")).toMatchObject({ differences: [] });
  });

  test("shows in a refresh what somebody changes, and in the next preview", async () => {
    const { id, rules } = await deploy(admin);
    await program.up(list([admin]));
    await service.editRule(`zones/${zoneId}`, id, rules[0]?.id ?? "", { ...admin, action: "log" });
    await program.refresh();
    expect(program.state("waf")).toMatchObject({ differences: ['rule "Admin" has action "log"'] });
    expect((await program.preview(list([admin]))).warnings[0]).toContain('rule "Admin" has action "log"');
    await service.delete(`zones/${zoneId}`, id);
    expect((await program.preview(list([admin]))).warnings[0]).toContain(`${phase} of zone ${zoneId} does not exist`);
    await program.refresh();
    expect(program.state("waf")).toMatchObject({ differences: [`${phase} of zone ${zoneId} does not exist`] });
  });

  test("of rules among those of others compares only its own", async () => {
    await deploy(admin, login);
    expect((await program.preview(list([login], { ownership: "shared" }))).warnings).toEqual([]);
  });

  test("is taken over once it is managed, under the same IDs, and let go again", async () => {
    await deploy(admin, login);
    const before = await service.rules(zoneId, phase);
    await program.up(list([admin]));
    const managed = list([{ ...admin, enabled: false }], { manage: true });
    expect(await failureOf(program.preview(managed))).toContain("login");
    const adopted = list([{ ...admin, enabled: false }, login], { manage: true, onExisting: "adopt" });
    const { actions } = await program.preview(adopted);
    expect(actions).toEqual({ waf: "update" });
    await program.up(adopted);
    expect((await service.rules(zoneId, phase)).map(({ id, enabled }) => [id, enabled])).toEqual([
      [before[0]?.id, false],
      [before[1]?.id, true],
    ]);
    expect(await program.up(adopted)).toMatchObject({ actions: { waf: "none" }, requests: "" });
    expect((await program.up(list([admin, login]))).requests).toMatch(/^(GET ?)+$/);
    expect(await program.destroy()).toBe("");
    expect(await refs()).toEqual(["admin", "login"]);
  });

  test("can be observed and owned by resources of one program", async () => {
    await deploy();
    const owner = { kind: "PhaseEntrypoint", zoneId, phase, rules: [admin], onExisting: "adopt" };
    await program.up({ owner, ...list([admin]) });
    expect(await refs()).toEqual(["admin"]);
    expect((await program.up({ owner, ...list([admin]) })).warnings).toEqual([]);
    await program.up(list([admin]));
    expect(await refs()).toEqual([]);
  });

  test("shows no secret", async () => {
    await deploy({ ...admin, expression: 'http.request.headers["x-key"][0] eq "hunter22"' });
    const rule = { ...admin, expression: secret('http.request.headers["x-key"][0] eq "hunter23"') };
    const args = { zoneId, phase, rules: [rule], manage: false };
    const border = new AtTheBorder("PhaseEntrypoint", emulator.url);
    expect(await border.up(args, { preview: true })).toBe(true);
    expect(await border.up(args)).toBe(true);
    expect(border.leaving.join("\n")).toContain("is only observed");
    expect(border.leaving.join("\n")).not.toMatch(/hunter2/);
  });

  test("is refused where that is not known, or where something would be written", async () => {
    expect(await failureOf(program.preview(list([admin], { manage: UNKNOWN })))).toContain("manage: must be known");
    expect(await failureOf(program.preview(list([admin], { restoreVersion: "1" })))).toContain(
      "restoreVersion: cannot",
    );
    expect(await failureOf(program.preview(list([{ ...admin, action: "blok" }])))).toContain("action");
  });
});

describe("a single rule that is only observed", () => {
  const single = (more: object = {}) => ({ rule: { zoneId, phase, ...admin, manage: false, ...more } });

  test("says how the service differs, and writes nothing in its whole life", async () => {
    await deploy(login, { ...admin, action: "log" });
    const before = await service.entrypoint(zoneId, phase);
    const args = single({ position: { before: "login" } });
    const differences = ['rule "Admin" has action "log"', "it is in another place than its position"];
    expect((await program.preview(args)).warnings[0]).toBe(
      `rule "admin" in ${phase} of zone ${zoneId} ${OBSERVED} differs:\n${differences.map((text) => `  ${text}`).join("\n")}`,
    );
    await program.up(args);
    expect(program.state("rule")).toMatchObject({ differences });
    expect((await program.up(args)).actions).toEqual({ rule: "none" });
    await program.refresh();
    expect(program.state("rule")).toMatchObject({ differences });
    expect(await program.destroy()).toBe("");
    expect(await service.entrypoint(zoneId, phase)).toEqual(before);
  });

  test("says that it does not exist, and is taken over or created once it is managed", async () => {
    await deploy(login);
    expect((await program.preview(single())).warnings[0]).toContain('rule "admin" does not exist');
    await program.up(single());
    await program.up(single({ manage: true }));
    expect(await refs()).toEqual(["login", "admin"]);
    expect(await program.up(single({ manage: true }))).toMatchObject({ actions: { rule: "none" }, requests: "" });
    await program.up(single());
    await program.destroy();
    expect(await refs()).toEqual(["login", "admin"]);
  });
});
