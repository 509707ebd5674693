import type { Service } from "../support/emulator.js";
import { block } from "../support/rules.js";
import { writesIn } from "../support/requests.js";
import { ManagedRuleset, startEntrypoint } from "./harness.js";

/* Expressions that mean the same are no difference, whoever wrote them. What the program itself writes is sent. */

const phase = "http_request_firewall_custom";
const written = [
  block("A", 'http.host eq "a" and ip.src.asnum in {80 443}'),
  block("B", "not ssl"),
  block("C", "ip.src eq 192.0.2.1"),
];
/** The same rules with other formatting. */
const rewritten = [
  block("A", '(http.host=="a")  &&  (ip.src.asnum in {443 80})'),
  block("B", "!ssl"),
  block("C", "(ip.src == 192.0.2.1)"),
];

describe("a difference in the formatting of an expression", () => {
  let service: Service;
  let zoneId: string;
  let resource: ManagedRuleset;
  let inputs: (rules: object[], more?: object) => object;
  beforeEach(async () => {
    ({ service, zoneId, resource } = await startEntrypoint());
    inputs = (rules, more = {}) => ({ zoneId, phase, rules, ...more });
  });

  const there = async () => {
    const found = await service.entrypoint(zoneId, phase);
    if (found === undefined) throw new Error("no entry point");
    return found;
  };
  const texts = async () => (await there()).rules.map(({ expression }) => expression);
  const textsOf = (rules: readonly { readonly expression: string }[]) => rules.map(({ expression }) => expression);
  /** The effect of opening rules in the dashboard and saving them. */
  const rewrite = async (index: number, more: object = {}) => {
    const { id, rules } = await there();
    await service.editRule(`zones/${zoneId}`, id, rules[index]?.id ?? "", { ...rewritten[index], ...more });
  };
  const refs = () => resource.kept?.state.order;

  test("is sent when the program contains it, under the same IDs, and the preview reports no other change", async () => {
    await resource.up(inputs(written));
    const before = (await there()).rules.map(({ id, ref }) => [id, ref]);
    const order = refs();
    const preview = await resource.preview(inputs(rewritten));
    expect(preview.action).toBe("update");
    expect(preview.plans.join()).toContain("+0 ~0 -0, 3 formatting only, 0 unchanged");
    const ran = await resource.up(inputs(rewritten));
    expect(ran.requests.filter((request) => request.startsWith("PUT"))).toHaveLength(1);
    expect(await texts()).toEqual(textsOf(rewritten));
    expect((await there()).rules.map(({ id, ref }) => [id, ref])).toEqual(before);
    expect(refs()).toBe(order);
    await resource.settled(inputs(rewritten));
  });

  test("is listed next to real changes in the summary of the preview", async () => {
    await resource.up(inputs(written));
    const mixed = [rewritten[0] ?? {}, block("B", "ssl"), written[2] ?? {}];
    expect((await resource.preview(inputs(mixed))).plans.join()).toContain(
      "+0 ~1 (expression) -0, 1 formatting only, 1 unchanged",
    );
  });

  test("is no drift, and stays until the program changes something", async () => {
    await resource.up(inputs(written));
    await rewrite(0);
    await resource.refresh();
    expect(await resource.up(inputs(written))).toMatchObject({ action: "none", requests: [] });
    expect((await texts())[0]).toBe(rewritten[0]?.expression);
    const more = inputs([...written, block("D", "true")]);
    expect((await resource.preview(more)).plans.join()).toContain("+1 ~0 -0, 3 unchanged");
    await resource.up(more);
    expect(await texts()).toEqual([...textsOf(written), "true"]);
    await resource.settled(more);
  });

  test("hides no drift in other fields of the rule, and causes none", async () => {
    await resource.up(inputs(written));
    await rewrite(0, { enabled: false });
    await resource.refresh();
    const ref = refs()?.split("\n")[0] ?? "";
    expect(resource.kept?.inputs.rules[ref]).toMatchObject({ enabled: false, expression: written[0]?.expression });
    expect((await resource.preview(inputs(written))).plans.join()).toContain("+0 ~1 (enabled) -0, 2 unchanged");
    await resource.up(inputs(written));
    await resource.settled(inputs(written));
  });

  test("is no conflict", async () => {
    await resource.up(inputs(written));
    await rewrite(1);
    const more = inputs([...written, block("D", "true")]);
    expect(await resource.up(more)).toMatchObject({ action: "update", warnings: [] });
  });

  test("does not prevent recognising a rule that someone else created first, and keeps its ID", async () => {
    await resource.up(inputs(written.slice(0, 2)));
    await service.addRule(`zones/${zoneId}`, (await there()).id, { ...rewritten[2] });
    const id = (await there()).rules[2]?.id;
    const ran = await resource.up(inputs(written));
    expect(ran.notes.join()).toMatch(/recognised at the service: \S+ \(formatting only\)/);
    expect((await there()).rules[2]).toMatchObject({ id, expression: written[2]?.expression });
    await resource.settled(inputs(written));
  });

  test("counts as equal in a takeover, without a write, and a delete leaves the ruleset", async () => {
    await resource.up(inputs(written));
    const before = await there();
    const second = new ManagedRuleset("PhaseEntrypoint", service, "urn:second");
    const preview = await second.preview(inputs(rewritten));
    expect(preview.warnings.join()).toMatch(/: 3 kept, 0 changed, 0 dropped$/m);
    const ran = await second.up(inputs(rewritten));
    expect(writesIn(ran.requests)).toEqual([]);
    await second.settled(inputs(rewritten));
    expect(await second.destroy()).toEqual([]);
    expect(await there()).toEqual(before);
  });

  test("keeps the ID of a rule that moves and is reformatted at the same time", async () => {
    await resource.up(inputs(written));
    const ids = new Map((await there()).rules.map(({ description, id }) => [description, id]));
    await resource.up(inputs(rewritten.toReversed()));
    const now = (await there()).rules;
    expect(now.map(({ description }) => description)).toEqual(["C", "B", "A"]);
    expect(now.map(({ id }) => id)).toEqual(now.map(({ description }) => ids.get(description)));
  });

  test("decides after a lost response: a write has succeeded only when the exact text is there", async () => {
    await resource.up(inputs(written));
    await service.fault({ method: "PUT", path: "*/rulesets/*", status: 502, body: {}, times: 1 });
    await resource.up(inputs(rewritten));
    expect(await texts()).toEqual(textsOf(rewritten));
    await resource.settled(inputs(rewritten));
  });
});
