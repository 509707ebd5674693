import { methodsOf } from "../support/requests.js";
import type { EngineStack, Library, Outcome } from "./support/stack.js";
import { startTwoStacks } from "./support/two-stacks.js";

const phase = "http_request_firewall_custom";
interface Args {
  readonly zoneId: string;
  /** The beginning of the names of the stack's rules. */
  readonly prefix: string;
  readonly expression?: string;
  readonly first?: boolean;
  readonly gone?: boolean;
  readonly secret?: string;
  readonly options?: object;
  readonly whole?: boolean;
  readonly reads?: string;
}

/** Two rules of one stack, the second before or after the first. */
const program = (
  { RulesetRule, PhaseEntrypoint, pulumi }: Library,
  { zoneId, prefix, expression = "ssl", first, gone, secret, options, whole, reads }: Args,
) => {
  const place = { zoneId, phase: "http_request_firewall_custom" };
  const one = new RulesetRule(
    `${prefix}-one`,
    { ...place, action: "block", expression: secret === undefined ? expression : pulumi.secret(secret) },
    options,
  );
  if (gone !== true)
    new RulesetRule(`${prefix}-two`, {
      ...place,
      action: "log",
      expression: "true",
      description: "Second",
      position: first === true ? { before: one } : { after: one },
    });
  if (whole === true) new PhaseEntrypoint("whole", { ...place, rules: [], onExisting: "empty" });
  const read = reads === undefined ? undefined : RulesetRule.get("theirs", reads);
  return { ref: one.ref, ruleId: one.ruleId, version: one.version, theirs: read?.expression };
};

/** A list, and a rule whose position names a rule of that list. */
const besideList = ({ RulesetRule, PhaseEntrypoint }: Library, { zoneId }: Pick<Args, "zoneId">) => {
  const place = { zoneId, phase: "http_request_firewall_custom" };
  const rules = [{ ref: "k1", action: "block" as const, expression: "ssl" }];
  const list = new PhaseEntrypoint("list", { ...place, ownership: "shared", rules });
  const rule = { ...place, ref: "beside", action: "log" as const, expression: "true", position: { before: "k1" } };
  new RulesetRule("beside", rule, { dependsOn: [list] });
  return {};
};

describe("two stacks and a person with rules in one entry point", () => {
  let a: EngineStack;
  let b: EngineStack;
  let zoneId: string;
  beforeAll(async () => {
    ({ a, b, zoneId } = await startTwoStacks());
  });
  afterAll(async () => {
    await a.close();
    await b.close();
  });
  const entry = () => a.service.entrypoint(zoneId, phase);
  const deployed = () => a.service.rules(zoneId, phase);
  const names = async () => (await deployed()).map(({ ref }) => ref.replace(/-[0-9a-f]{8}$/, ""));
  const ids = async () => new Map((await deployed()).map(({ ref, id }) => [ref, id]));
  const args = (prefix: string, more: Partial<Args> = {}): Args => ({ zoneId, prefix, ...more });
  /** Expects that no existing rule gets another ID in a step. */
  const expectSameIds = async (step: () => Promise<unknown>) => {
    const before = await ids();
    await step();
    for (const [ref, id] of await ids()) expect(before.get(ref) ?? id).toBe(id);
  };

  /** Expects that up and refresh change nothing. Both stacks use the emulator of the first, which counts the requests. */
  const expectStable = async (stack: EngineStack, prefix: string) => {
    const count = async (run: () => Promise<Outcome>) => {
      await a.service.forget();
      const { changes, requests } = await run();
      return [changes, stack === a ? requests.length : (await a.service.requests()).length];
    };
    const up = () => count(() => stack.up(program, args(prefix)));
    expect(await up()).toEqual([{ same: 3 }, 0]);
    expect(await count(() => stack.refresh())).toEqual([{ same: 3 }, 1]);
    expect(await up()).toEqual([{ same: 3 }, 0]);
  };

  test("the first preview knows every ref and position", async () => {
    const preview = await a.preview(program, args("a", { first: true }));
    expect(preview.text).toMatch(/before: "a-one-[0-9a-f]{8}"/);
    // The existing rules, and the zone for its plan, because not every plan has the action `log`.
    const zone = `GET /zones/${zoneId}`;
    expect(preview.requests).toEqual([`${zone}/rulesets/phases/${phase}/entrypoint`, zone]);
  });

  test("each adds its own rules, and is stable", async () => {
    expect((await a.up(program, args("a"))).changes).toEqual({ create: 3 });
    await expectSameIds(async () => {
      expect((await b.up(program, args("b"))).ok).toBe(true);
    });
    expect(await names()).toEqual(["a-one", "a-two", "b-one", "b-two"]);
    await expectStable(a, "a");
    await expectStable(b, "b");
  });

  test("an edit shows its fields in the preview, and takes one read and one write", async () => {
    const changed = args("a", { expression: "not ssl" });
    const preview = await a.preview(program, changed);
    expect(preview.text).toMatch(/~ expression *: "ssl" => "not ssl"/);
    await expectSameIds(async () => {
      const { requests } = await a.up(program, changed);
      expect(methodsOf(requests)).toEqual(["GET", "PATCH"]);
    });
  });

  test("a move does not affect other rules", async () => {
    await expectSameIds(() => b.up(program, args("b", { first: true })));
    expect(await names()).toEqual(["a-one", "a-two", "b-two", "b-one"]);
    await expectSameIds(() => b.up(program, args("b")));
    expect(await names()).toEqual(["a-one", "a-two", "b-one", "b-two"]);
  });

  test("a person's edits show in a refresh, and the next up reverts them; a rule that they added stays", async () => {
    const { id = "" } = (await entry()) ?? {};
    const [one, two] = await deployed();
    await a.service.addRule(`zones/${zoneId}`, id, { ref: "3am", action: "block", expression: "ip.src eq 192.0.2.9" });
    await a.service.editRule(`zones/${zoneId}`, id, one?.id ?? "", { action: "log", expression: "not ssl" });
    await a.service.editRule(`zones/${zoneId}`, id, two?.id ?? "", { position: { before: "" } });
    const changed = args("a", { expression: "not ssl" });
    const stopped = await a.preview(program, args("a", { expression: "true" }));
    expect([stopped.ok, stopped.text]).toEqual([false, expect.stringContaining("~ action of: log when not ssl")]);
    expect((await a.refresh()).changes).toEqual({ same: 1, update: 2 });
    const preview = await a.preview(program, changed);
    expect(preview.text).toMatch(/~ action *: "log" => "block"/);
    await expectSameIds(() => a.up(program, changed));
    const order = await names();
    expect(order.indexOf("a-one")).toBeLessThan(order.indexOf("a-two"));
    expect(order).toContain("3am");
    expect((await b.up(program, args("b"))).changes).toEqual({ same: 3 });
  });

  test("a rename with aliases changes nothing, and ignored arguments are kept", async () => {
    const changed = args("a", { expression: "not ssl" });
    const { outputs } = await a.up(program, changed);
    const ignoring = { ...changed, expression: "true", options: { ignoreChanges: ["expression"] } };
    expect(await a.up(program, ignoring)).toMatchObject({ changes: { same: 3 }, requests: [] });
    const renamed = { ...changed, prefix: "c", gone: true, options: { aliases: [{ name: "a-one" }] } };
    const up = await a.up(program, renamed);
    expect(up.outputs).toEqual(outputs);
    expect(await names()).not.toContain("a-two");
  });

  test("a rule is read by its ID", async () => {
    const { id = "" } = b.resources()[0] ?? {};
    expect(id).toMatch(new RegExp(`^zones/${zoneId}/phases/${phase}/rules/b-one-`));
    const { outputs } = await a.up(program, args("c", { expression: "not ssl", gone: true, reads: id }));
    expect(outputs.theirs).toBe("ssl");
  });

  test("a secret expression is masked, encrypted, and sent", async () => {
    const secret = 'http.request.uri.path eq "/hunter2-very-secret"';
    const up = await a.up(program, args("c", { secret, gone: true }));
    expect(up.ok).toBe(true);
    expect(up.text + a.stateText()).not.toContain("hunter2");
    expect((await deployed()).map(({ expression }) => expression)).toContain(secret);
    expect((await a.up(program, args("c", { secret, gone: true }))).requests).toEqual([]);
    await a.refresh();
    expect(a.stateText()).not.toContain("hunter2");
  });

  test("an owner of the whole entry point is refused at preview", async () => {
    const { ok, text } = await b.preview(program, args("b", { whole: true }));
    expect([ok, text]).toEqual([false, expect.stringContaining("is owned as a whole by")]);
  });

  test("a destroy deletes each stack's own rules, and leaves the entry point with the person's rule", async () => {
    await expectSameIds(() => a.destroy());
    expect(await names()).toEqual(expect.arrayContaining(["b-one", "b-two", "3am"]));
    expect((await b.destroy()).ok).toBe(true);
    expect(await names()).toEqual(["3am"]);
  });

  test("a rule can be placed beside a rule of a list in the same program that it depends on", async () => {
    const preview = await a.preview(besideList, { zoneId });
    expect([preview.ok, preview.text]).toEqual([true, expect.not.stringContaining("there is no rule")]);
    expect((await a.up(besideList, { zoneId })).ok).toBe(true);
    const refs = (await deployed()).map(({ ref }) => ref);
    expect(refs.filter((ref) => ref !== "3am")).toEqual(["beside", "k1"]);
    expect((await a.up(besideList, { zoneId })).requests).toEqual([]);
    expect((await a.destroy()).ok).toBe(true);
  });
});
