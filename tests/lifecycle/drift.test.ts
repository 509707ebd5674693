import type { Service } from "../support/emulator.js";
import { methodsOf } from "../support/requests.js";
import { block } from "../support/rules.js";
import { type ManagedRuleset, startEntrypoint } from "./harness.js";

const phase = "http_request_firewall_custom";
const rules = [block("A", "ssl"), block("B", "not ssl"), block("C", "ip.src eq 192.0.2.1")];

describe("changes made outside the stack", () => {
  let service: Service;
  let zoneId: string;
  let resource: ManagedRuleset;
  let scope: string;
  let inputs: object;
  beforeEach(async () => {
    ({ service, zoneId, scope, resource } = await startEntrypoint());
    inputs = { zoneId, phase, rules };
    await resource.up(inputs);
  });

  const there = async () => {
    const found = await service.entrypoint(zoneId, phase);
    if (found === undefined) throw new Error("no entry point");
    return found;
  };
  const missing = (): never => {
    throw new Error("no rule");
  };
  const night = block("3am", "ip.src eq 203.0.113.9");
  const other = { action: "log", expression: "true", description: "Something else" };
  const idAt = async (index: number): Promise<string> => (await there()).rules[index]?.id ?? "";

  test("an edit of the stack's rule shows in a refresh, field by field, and up reverts it under the same ID", async () => {
    const before = await there();
    await service.editRule(scope, before.id, await idAt(0), { ...block("A", "ssl"), enabled: false });
    await resource.refresh();
    const ref = resource.kept?.state.order.split("\n")[0] ?? "";
    expect(resource.kept?.inputs.rules[ref]).toMatchObject({ enabled: false, description: "A" });
    const preview = await resource.preview(inputs);
    expect(preview.action).toBe("update");
    expect(preview.plans.join()).toContain("+0 ~1 (enabled) -0, 2 unchanged");
    await resource.up(inputs);
    expect((await there()).rules.map(({ id, enabled }) => [id, enabled])).toEqual(
      before.rules.map(({ id }) => [id, true]),
    );
    await resource.settled(inputs);
  });

  test("a rewritten rule is also recognised by a ref named like a property of Object.prototype", async () => {
    const named = ["toString", "constructor"].map((ref) => ({ ...block(ref, "ssl"), ref }));
    const wanted = { ...inputs, rules: [...rules, ...named] };
    await resource.up(wanted);
    const before = await there();
    for (const { id } of before.rules.slice(3)) await service.editRule(scope, before.id, id, other);
    await resource.refresh();
    await resource.up(wanted);
    expect((await there()).rules.map(({ id, ref }) => [id, ref])).toEqual(before.rules.map(({ id, ref }) => [id, ref]));
    await resource.settled(wanted);
  });

  test("a rule rewritten in every field still counts as the declared one after several refreshes, until it is as it was", async () => {
    const before = await there();
    const { id, action, expression, description } = before.rules[1] ?? missing();
    await service.editRule(scope, before.id, id, other);
    await resource.refresh();
    const refreshed = resource.kept;
    await resource.refresh();
    expect(resource.kept).toEqual(refreshed);
    expect((await resource.preview(inputs)).plans.join()).toContain("+0 ~1");
    await service.editRule(scope, before.id, id, { action, expression, description });
    await resource.refresh();
    expect(resource.kept?.state).not.toHaveProperty("__declared");
    expect((await resource.up(inputs)).requests).toEqual([]);
  });

  test("a deleted rule is recreated, a moved one is moved back", async () => {
    const before = await there();
    await service.deleteRule(scope, before.id, await idAt(1));
    await service.editRule(scope, before.id, await idAt(1), { position: { before: "" } });
    await resource.refresh();
    expect((await resource.preview(inputs)).plans.join()).toContain("+1 ~0 -0, 1 moved");
    await resource.up(inputs);
    expect((await there()).rules.map(({ description }) => description)).toEqual(["A", "B", "C"]);
    await resource.settled(inputs);
  });

  test("a new version with equal content is neither a conflict nor a difference", async () => {
    const before = await there();
    await service.replace(scope, before.id, {
      rules: before.rules.map(({ ref, action, expression, description }) => ({ ref, action, expression, description })),
    });
    expect(await resource.up(inputs)).toMatchObject({ action: "none", requests: [] });
    const changed = { ...inputs, rules: [...rules, block("D", "true")] };
    expect((await resource.up(changed)).requests).toHaveLength(2);
  });

  const oops = { action: "skip", expression: "true", description: "oops everything" };
  const current = { ruleset: "current" };
  const skipAll = { ...oops, action_parameters: current, position: { before: "" } };

  test("someone else's rule stays unnoticed without a refresh; a refresh shows it, and stops the next up", async () => {
    await service.addRule(scope, (await there()).id, skipAll);
    const foreign = (await there()).rules[0];
    expect(await resource.up(inputs)).toMatchObject({ action: "none", requests: [] });
    const before = resource.kept;
    await resource.refresh();
    const shown = { [foreign?.ref ?? ""]: { ...oops, actionParameters: current, position: { index: 1 } } };
    expect(resource.kept?.inputs).toEqual({ ...before?.inputs, foreignRules: shown });
    expect(resource.kept?.state.ruleIds).toEqual(before?.state.ruleIds);
    const refreshed = resource.kept;
    await resource.refresh();
    expect(resource.kept).toEqual(refreshed);
    for (const run of ["preview", "up"] as const)
      await expect(resource[run](inputs)).rejects.toThrow(/\+ skip "oops everything"[\s\S]*ref: "[0-9a-f]{32}"/);
    await expect(resource.destroy()).rejects.toThrow("oops everything");
    expect((await there()).rules).toHaveLength(4);
    const ran = await resource.up(inputs, { onConflict: "overwrite" });
    expect(ran.warnings.join()).toMatch(/undoes it:\n {2}\+ skip "oops everything"[\s\S]*To restore it/);
    expect((await there()).rules.map(({ description }) => description)).toEqual(["A", "B", "C"]);
    expect(resource.kept?.inputs).toEqual(before?.inputs);
    await resource.settled(inputs);
  });

  test("a program that adds the rule that a refresh has shown writes nothing, and the rule keeps its ID", async () => {
    await service.addRule(scope, (await there()).id, skipAll);
    await resource.refresh();
    const before = await there();
    const { id, ref, description, expression } = before.rules[0] ?? missing();
    const pasted = { ref, description, action: "skip", expression, actionParameters: { ruleset: "current" } };
    const wanted = { ...inputs, rules: [pasted, ...rules] };
    const ran = await resource.up(wanted);
    expect(methodsOf(ran.requests)).toEqual(["GET"]);
    expect(await there()).toEqual(before);
    expect(Object.values(resource.kept?.state.ruleIds ?? {})).toContain(id);
    await resource.settled(wanted);
  });

  test("a foreign rule that moves or is gone is the next refresh's difference, and nothing is left when it is gone", async () => {
    await service.addRule(scope, (await there()).id, skipAll);
    await resource.refresh();
    const { id: rulesetId, rules: deployed } = await there();
    const id = deployed[0]?.id ?? "";
    const { position: _first, ...content } = skipAll;
    await service.editRule(scope, rulesetId, id, { ...content, position: { after: "" } });
    await resource.refresh();
    expect(Object.values(resource.kept?.inputs.foreignRules ?? {})).toMatchObject([{ position: { index: 4 } }]);
    await service.deleteRule(scope, rulesetId, id);
    // Nobody has refreshed since, so `up` looks, and finds nothing to write.
    expect(methodsOf((await resource.up(inputs)).requests)).toEqual(["GET"]);
    expect(resource.kept?.inputs.foreignRules).toBeUndefined();
    await resource.settled(inputs);
  });

  test("a ruleset that becomes shared forgets the rules of others, and shows them when it is owned as a whole again", async () => {
    await service.addRule(scope, (await there()).id, skipAll);
    await resource.refresh();
    const shared = { ...inputs, ownership: "shared" };
    expect((await resource.up(shared)).requests.filter((request) => !request.startsWith("GET"))).toEqual([]);
    expect(resource.kept?.inputs.foreignRules).toBeUndefined();
    await resource.refresh();
    expect(resource.kept?.inputs.foreignRules).toBeUndefined();
    await resource.up(inputs);
    await resource.refresh();
    expect(Object.keys(resource.kept?.inputs.foreignRules ?? {})).toHaveLength(1);
    await expect(resource.up(inputs)).rejects.toThrow("oops everything");
  });

  test("someone else's rule is never dropped by a change, before or after a refresh", async () => {
    await service.addRule(scope, (await there()).id, night);
    const changed = { ...inputs, rules: rules.slice(1) };
    await expect(resource.preview(changed)).rejects.toThrow(
      /changed by somebody else[\s\S]*block "3am" when ip\.src eq 203\.0\.113\.9[\s\S]*ref: "[0-9a-f]{32}"/,
    );
    await expect(resource.up(changed)).rejects.toThrow("RULESETS_ON_CONFLICT=overwrite pulumi up");
    await resource.refresh();
    await expect(resource.up(changed)).rejects.toThrow("changed by somebody else");
    expect((await there()).rules).toHaveLength(4);
    const ran = await resource.up(changed, { onConflict: "overwrite" });
    expect((await there()).rules.map(({ description }) => description)).toEqual(["B", "C"]);
    expect(ran.warnings.join()).toMatch(/onConflict is "overwrite", so this change undoes it:\n {2}\+ block "3am"/);
    expect(ran.warnings.join()).toMatch(
      /To restore it, add it to `rules`, at its position, or in place of the rule with its ref:[\s\S]*ref: "[0-9a-f]{32}"/,
    );
    expect(ran.warnings.join()).not.toMatch(/Nothing was|No request was|To continue/);
    await resource.settled(changed);
  });

  test("someone else's rule with another description is recognised: it keeps its ID, and only its description is sent", async () => {
    const before = await there();
    const response = { status_code: 403, content: "no", content_type: "text/plain" };
    await service.addRule(scope, before.id, { ...night, action_parameters: { response } });
    const id = await idAt(3);
    const reworded = {
      actionParameters: { response: { contentType: "text/plain", content: "no", statusCode: 403 } },
      ...{ enabled: true, description: "Scanner of last night", expression: night.expression },
      ...{ action: "block", ref: "scanner" },
    };
    const changed = { ...inputs, rules: [...rules, reworded] };
    const preview = await resource.preview(changed);
    expect(preview.notes.join("\n")).toContain("recognised at the service: scanner (description changes)");
    const ran = await resource.up(changed);
    expect(methodsOf(ran.requests)).toEqual(["GET", "PUT"]);
    expect((await there()).rules[3]).toMatchObject({ id, description: "Scanner of last night" });
    await resource.settled(changed);
  });

  test("a program that wants the rule without a description does not erase someone else's description", async () => {
    const before = await there();
    await service.addRule(scope, before.id, { action: "block", expression: "not ssl and ssl", description: "3am" });
    const undescribed = { action: "block", expression: "not ssl and ssl" };
    const changed = { ...inputs, rules: [...rules, undescribed] };
    for (const run of ["preview", "up"] as const)
      await expect(resource[run](changed)).rejects.toThrow(/block "3am" when not ssl and ssl/);
    expect((await there()).rules[3]?.description).toBe("3am");
    const id = await idAt(3);
    const ran = await resource.up(changed, { onConflict: "overwrite" });
    expect(ran.warnings.join("\n")).toContain("3am");
    expect((await there()).rules[3]).toMatchObject({ id });
    expect((await there()).rules[3]).not.toHaveProperty("description");
    await resource.settled(changed);
  });

  test("someone else's rule that the program now declares is recognised: nothing is sent and it keeps its ID", async () => {
    await service.addRule(scope, (await there()).id, night);
    const before = await there();
    const changed = { ...inputs, rules: [...rules, night] };
    const ran = await resource.up(changed);
    expect(methodsOf(ran.requests)).toEqual(["GET"]);
    expect(await there()).toEqual(before);
    await resource.settled(changed);
    const more = { ...inputs, rules: [block("Top", "true"), ...changed.rules] };
    await resource.up(more);
    expect((await there()).rules.slice(1).map(({ id }) => id)).toEqual(before.rules.map(({ id }) => id));
    await resource.settled(more);
  });

  test("a preview that declares someone else's rule counts and judges what changes at the service", async () => {
    const off = rules.slice(0, 2).map((rule) => ({ ...rule, enabled: false }));
    await resource.up({ ...inputs, rules: [...off, ...rules.slice(2)] });
    await service.addRule(scope, (await there()).id, night);
    const edited = block("C", 'http.host eq "c"');
    const changed = { ...inputs, rules: [...off, edited, night] };
    const { plans, notes } = await resource.preview(changed);
    expect(plans.join()).toContain("+0 ~1 (expression) -0, 3 unchanged");
    expect(notes.join()).not.toMatch(/blocked by "3am"/);
  });

  test("an edit of the stack's rule blocks a change that would revert it, until a refresh acknowledges it", async () => {
    const before = await there();
    await service.editRule(scope, before.id, await idAt(0), block("A", "ip.src eq 192.0.2.77"));
    const changed = { ...inputs, rules: [...rules, block("D", "true")] };
    await expect(resource.up(changed)).rejects.toThrow(
      /~ expression of: block "A" when ip\.src eq 192\.0\.2\.77[\s\S]*pulumi refresh/,
    );
    await resource.refresh();
    await resource.up(changed);
    const expressions = (await there()).rules.map(({ expression }) => expression);
    expect(expressions).toEqual(["ssl", "not ssl", "ip.src eq 192.0.2.1", "true"]);
  });

  test("an edit that the program now declares too is no conflict", async () => {
    const before = await there();
    await service.editRule(scope, before.id, await idAt(0), block("A", "ip.src eq 192.0.2.77"));
    const changed = { ...inputs, rules: [block("A", "ip.src eq 192.0.2.77"), ...rules.slice(1)] };
    expect(methodsOf((await resource.up(changed)).requests)).toEqual(["GET"]);
    await resource.settled(changed);
  });

  test("a field that someone else added to a rule is drift, even if the program never set it", async () => {
    const before = await there();
    const response = { status_code: 403, content: "x", content_type: "text/plain" };
    await service.editRule(scope, before.id, await idAt(0), { ...block("A", "ssl"), action_parameters: { response } });
    await resource.refresh();
    expect((await resource.preview(inputs)).plans.join()).toContain("~1 (actionParameters)");
    await resource.up(inputs);
    expect((await there()).rules[0]).not.toHaveProperty("action_parameters");
  });

  test("a ruleset that is gone on refresh leaves the state, and the next up recreates it", async () => {
    await service.delete(scope, (await there()).id);
    expect(await resource.refresh()).toBe(false);
    expect((await resource.up(inputs)).action).toBe("create");
    expect((await there()).rules).toHaveLength(3);
  });

  test("a delete of a missing ruleset succeeds", async () => {
    await service.delete(scope, (await there()).id);
    expect(methodsOf(await resource.destroy())).toEqual(["GET"]);
  });

  test("a delete is protected like a change", async () => {
    await service.addRule(scope, (await there()).id, { action: "block", expression: "true", description: "3am" });
    await expect(resource.destroy()).rejects.toThrow("RULESETS_ON_CONFLICT=overwrite pulumi destroy");
    expect((await there()).rules).toHaveLength(4);
    await resource.destroy({ onConflict: "overwrite" });
    expect((await there()).rules).toEqual([]);
    expect(resource.warnings.join()).toMatch(
      /onConflict is "overwrite", so this delete undoes it:\n {2}\+ block "3am"/,
    );
  });
});
