import type { Service, WireRule } from "../support/emulator.js";
import { block } from "../support/rules.js";
import { failureOf } from "../support/failure.js";
import { ManagedRuleset, startService, type ResourceKind } from "./harness.js";

const phase = "http_request_firewall_custom";
const wire = (description: string, more: object = {}): WireRule => ({
  action: "block",
  description,
  expression: `http.host eq "${description}"`,
  ...more,
});
const rule = (description: string, more: object = {}) => ({
  ...block(description, `http.host eq "${description}"`),
  ...more,
});

let service: Service;
let zoneId: string;
let scope: string;
beforeEach(async () => {
  ({ service, zoneId } = await startService());
  scope = `zones/${zoneId}`;
});

const newDriven = (urn = "urn:test", kind: ResourceKind = "PhaseEntrypoint") => new ManagedRuleset(kind, service, urn);
const existing = (...rules: object[]) => service.create(scope, { name: "default", kind: "zone", phase, rules });
const there = async () => (await service.entrypoint(zoneId, phase))?.rules ?? [];
const names = async () => (await there()).map(({ description }) => description);
const shared = (rules: object[], more: object = {}) => ({ zoneId, phase, ownership: "shared", rules, ...more });
const exclusive = (rules: object[], more: object = {}) => ({ zoneId, phase, rules, ...more });
const writes = (requests: readonly string[]) =>
  requests
    .filter((request) => !request.startsWith("GET"))
    .map((request) => request.replace(/[0-9a-f]{32}/g, "<id>").replace(/ .*\/rulesets\/<id>/, " "));
const reads = (requests: readonly string[]) => requests.filter((request) => request.startsWith("GET"));

describe("creating", () => {
  test("creates a missing entry point, with every rule, in one request", async () => {
    const resource = newDriven();
    const ran = await resource.up(shared([rule("a"), rule("b")]));
    expect(writes(ran.requests)).toEqual(["POST /zones/<id>/rulesets"]);
    await resource.settled(shared([rule("a"), rule("b")]));
  });

  test("adds its rules to those of others, and reports how they interleave", async () => {
    await existing(wire("x"), wire("y"));
    const resource = newDriven();
    const preview = await resource.preview(shared([rule("a"), rule("b")]));
    expect(preview.notes.join("\n")).toContain("version 1: 2 other rules are left unchanged\n  1–2 others, 3–4 yours");
    const ran = await resource.up(shared([rule("a"), rule("b")]));
    expect(reads(ran.requests)).toHaveLength(2);
    expect(writes(ran.requests)).toEqual(["POST /rules", "POST /rules"]);
    expect(await names()).toEqual(["x", "y", "a", "b"]);
    expect(Object.values(resource.kept?.state.ruleIds ?? {})).toEqual((await there()).slice(2).map(({ id }) => id));
    await resource.settled(shared([rule("a"), rule("b")]));
  });

  test("creates its own rule in addition to an equal one of someone else, and reports it", async () => {
    await existing(wire("x"));
    const resource = newDriven();
    const ran = await resource.up(shared([rule("x")]));
    expect(ran.warnings.join("\n")).toContain("the program's own is created alongside them");
    expect(await names()).toEqual(["x", "x"]);
    await resource.destroy();
    expect(await names()).toEqual(["x"]);
  });

  test("adopts an equal rule with the same ref, and leaves it on a delete until it has written it", async () => {
    await existing(wire("x", { ref: "x" }), wire("y"));
    const before = await there();
    const resource = newDriven();
    const inputs = shared([rule("x", { ref: "x" })]);
    const ran = await resource.up(inputs);
    expect(ran.warnings.join("\n")).toContain("They may be somebody else's");
    expect(writes(ran.requests)).toEqual([]);
    await resource.settled(inputs);
    expect(writes(await resource.destroy())).toEqual([]);
    expect(resource.warnings.join("\n")).toContain("a rule is kept, because it was only taken over");
    expect(await there()).toEqual(before);
    await resource.up(inputs);
    await resource.up(shared([rule("x", { ref: "x", enabled: false })]));
    await resource.destroy();
    expect(await names()).toEqual(["y"]);
  });

  test("refuses a ref of someone else's different rule; adopt takes it over", async () => {
    await existing(wire("x", { ref: "x" }));
    const [before] = await there();
    const resource = newDriven();
    const mine = [rule("mine", { ref: "x" })];
    const text = await failureOf(resource.preview(shared(mine)));
    expect(text).toContain("rules: http_request_firewall_custom of zone");
    expect(text).toContain('onExisting: "adopt"');
    const ran = await resource.up(shared(mine, { onExisting: "adopt" }));
    expect(writes(ran.requests)).toEqual(["PATCH /rules/<id>"]);
    expect((await there()).map(({ id, description }) => [id, description])).toEqual([[before?.id, "mine"]]);
    await resource.settled(shared(mine, { onExisting: "adopt" }));
    await resource.destroy();
    expect(await there()).toEqual([]);
  });

  test("adopt takes equal rules with their own refs, and a delete removes them", async () => {
    await existing(wire("x"), wire("y"));
    const resource = newDriven();
    const inputs = shared([rule("x")], { onExisting: "adopt" });
    const ran = await resource.up(inputs);
    expect(writes(ran.requests)).toEqual([]);
    await resource.settled(inputs);
    await resource.destroy();
    expect(await names()).toEqual(["y"]);
  });

  test("a ref equal to the ID of a rule claims it", async () => {
    await existing(wire("x"));
    const [before] = await there();
    const resource = newDriven();
    await resource.up(shared([rule("mine", { ref: before?.id })]));
    expect((await there()).map(({ id, description }) => [id, description])).toEqual([[before?.id, "mine"]]);
    await resource.destroy();
    expect(await there()).toEqual([]);
  });
});

describe("changing", () => {
  const start = async () => {
    await existing(wire("x"), wire("y"));
    const resource = newDriven();
    await resource.up(shared([rule("a", { ref: "a" }), rule("b", { ref: "b" }), rule("c", { ref: "c" })]));
    const id = (await service.entrypoint(zoneId, phase))?.id ?? "";
    await service.addRule(scope, id, wire("z"));
    return { driven: resource, id };
  };

  test("says how its rules interleave with those of others in the preview, and only where there are some", async () => {
    const alone = newDriven();
    await alone.up(shared([rule("a")]));
    const said = async (run: "preview" | "up", ...names: string[]): Promise<string> =>
      (await alone[run](shared(names.map((name) => rule(name))))).notes.join("\n");
    expect(await said("preview", "a", "b")).not.toContain("yours");
    await service.addRule(scope, (await service.entrypoint(zoneId, phase))?.id ?? "", wire("x"));
    expect(await said("preview", "a", "b")).toContain("other");
    expect(await said("up", "a", "b")).not.toContain("yours");
  });

  test("makes one read, and one write for each rule that changes", async () => {
    const { driven: resource } = await start();
    const inputs = shared([rule("c", { ref: "c" }), rule("a", { ref: "a", enabled: false }), rule("n", { ref: "n" })]);
    const preview = await resource.preview(inputs);
    expect(reads(preview.requests)).toHaveLength(1);
    expect(preview.notes.join("\n")).toContain("1–2 others, 3–5 yours, 6 other");
    const ran = await resource.up(inputs);
    expect(reads(ran.requests)).toHaveLength(1);
    expect(writes(ran.requests)).toEqual([
      "POST /rules",
      "PATCH /rules/<id>",
      "PATCH /rules/<id>",
      "DELETE /rules/<id>",
    ]);
    expect(await names()).toEqual(["x", "y", "c", "a", "n", "z"]);
    await resource.settled(inputs);
  });

  test("ignores rules of others: no drift, no warning, no conflict", async () => {
    const { driven: resource, id } = await start();
    const inputs = shared([rule("a", { ref: "a" }), rule("b", { ref: "b" }), rule("c", { ref: "c" })]);
    await resource.refresh();
    const [x] = await there();
    await service.editRule(scope, id, x?.id ?? "", wire("x", { enabled: false }));
    await resource.refresh();
    const same = await resource.up(inputs);
    expect(same).toMatchObject({ action: "none", requests: [], warnings: [] });
    await service.addRule(scope, id, wire("w", { position: { before: "" } }));
    const ran = await resource.up(shared([rule("a", { ref: "a" })]));
    expect(ran.warnings.join()).not.toContain("somebody else");
    expect(await names()).toEqual(["w", "x", "y", "a", "z"]);
    expect(JSON.stringify(resource.kept?.state)).not.toContain('\\"y\\"');
  });

  test("reports an edit of its own rule as a conflict, then as drift, and reverts it", async () => {
    const { driven: resource, id } = await start();
    const a = (await there()).find(({ ref }) => ref === "a");
    await service.editRule(scope, id, a?.id ?? "", wire("a", { enabled: false }));
    const inputs = shared([rule("a", { ref: "a" })]);
    expect(await failureOf(resource.preview(inputs))).toContain("enabled of: block (disabled)");
    await resource.refresh();
    await resource.up(inputs);
    expect(await names()).toEqual(["x", "y", "a", "z"]);
    expect((await there()).find(({ ref }) => ref === "a")?.enabled).toBe(true);
  });

  test("puts a rule that replaces another one in its place, even where the plan allows no more rules", async () => {
    const small = await service.zone("free");
    const inFree = { zoneId: small, phase, ownership: "shared" };
    await service.create(`zones/${small}`, { name: "default", kind: "zone", phase, rules: [wire("x"), wire("y")] });
    const resource = newDriven();
    const first = { ...inFree, rules: [rule("a", { ref: "a" }), rule("b", { ref: "b" })] };
    await resource.up(first);
    const ruleset = await service.entrypoint(small, phase);
    await service.addRule(`zones/${small}`, ruleset?.id ?? "", wire("z"));
    const ran = await resource.up({ ...inFree, rules: [rule("n", { ref: "n" }), rule("m", { ref: "m" })] });
    expect((await service.entrypoint(small, phase))?.rules.map(({ description }) => description)).toEqual([
      "x",
      "y",
      "n",
      "m",
      "z",
    ]);
    expect(writes(ran.requests).filter((request) => request.startsWith("DELETE"))).toHaveLength(2);
  });
});

test("a preview counts the rules of others too, and reads the ruleset once", async () => {
  const small = await service.zone("free");
  const rules = [wire("w"), wire("x"), wire("y")];
  await service.create(`zones/${small}`, { name: "default", kind: "zone", phase, rules });
  const resource = newDriven();
  const inputs = (...own: object[]) => ({ zoneId: small, phase, ownership: "shared", rules: own });
  await resource.up(inputs(rule("a"), rule("b")));
  expect(await failureOf(resource.preview(inputs(rule("a"), rule("b"), rule("c"))))).toContain("6 rules");
  const requests = await service.requests();
  expect(reads(requests).filter((request) => request.includes("/rulesets"))).toHaveLength(1);
});

test("the limit on removals counts every rule, including those of others", async () => {
  await existing(wire("x"), wire("y"), wire("z"));
  const resource = newDriven();
  await resource.up(shared([rule("a")], { maxRemovedPercent: 20 }));
  expect(await failureOf(resource.preview(shared([], { maxRemovedPercent: 20 })))).toContain(
    "removes 1 of 4 rules, 25 percent",
  );
  expect(await failureOf(resource.destroy())).toContain("removes 1 of 4 rules, 25 percent");
  await resource.up(shared([], { maxRemovedPercent: 25 }));
  expect(await names()).toEqual(["x", "y", "z"]);
});

test("adopt takes over a rule that someone else created with a ref that the program adds later", async () => {
  const ruleset = await existing(wire("x", { ref: "x" }));
  const resource = newDriven();
  await resource.up(shared([rule("a")]));
  const more = [rule("mine", { ref: "x" }), rule("a")];
  expect(await failureOf(resource.preview(shared(more)))).toContain("with a ref of this program");
  const ran = await resource.up(shared(more, { onExisting: "adopt" }));
  expect(writes(ran.requests)).toEqual(["PATCH /rules/<id>"]);
  expect(await names()).toEqual(["mine", "a"]);
  expect((await service.entrypoint(zoneId, phase))?.id).toBe(ruleset.id);
});

describe("failing halfway", () => {
  const inputs = () => shared([rule("a"), rule("b"), rule("c")]);

  test.each([
    ["a refusal", [{ method: "POST", path: "/rules$", status: 400 }]],
    ["an error", [{ method: "POST", path: "/rules$", status: 503, times: 2 }]],
    ["a lost answer", [{ method: "POST", path: "/rules$", cut: "after" }]],
    [
      "a lost answer, and a look that fails",
      [
        { method: "POST", path: "/rules$", cut: "after" },
        { method: "GET", path: "/rulesets/[0-9a-f]{32}$", status: 503, times: 5 },
      ],
    ],
    [
      "a lost request, and a look that fails",
      [
        { method: "POST", path: "/rules$", cut: "before" },
        { method: "GET", path: "/rulesets/[0-9a-f]{32}$", status: 503, times: 5 },
      ],
    ],
  ] as const)("%s: the next run continues, and no rule is created twice", async (_, faults) => {
    await existing(wire("x"));
    const resource = newDriven();
    await resource.up(shared([rule("a")]));
    for (const fault of faults) await service.fault(fault);
    await resource.up(inputs()).catch(() => undefined);
    await service.noFaults();
    await resource.up(inputs());
    expect(await names()).toEqual(["x", "a", "b", "c"]);
    await resource.settled(inputs());
    await resource.destroy();
    expect(await names()).toEqual(["x"]);
  });
});

test("a proxy's page is no refusal of a write, which is not repeated against the rules of others", async () => {
  const before = await existing(wire("x"));
  const resource = newDriven();
  await resource.up(shared([rule("a")]));
  const path = `/zones/${zoneId}/rulesets/${before.id}/rules`;
  await service.fault({ method: "POST", path: "/rules$", status: 400, body: "<html>Blocked</html>" });
  const meanwhile = [{ method: "POST", path, body: wire("y") }];
  await service.fault({ method: "GET", path: "/rulesets/[0-9a-f]{32}$", meanwhile });
  await service.forget();
  expect(await failureOf(resource.up(shared([rule("a"), rule("b")])))).toContain("This is not the API's format");
  expect(writes(await service.requests())).toEqual(["POST /rules"]);
});

describe("from exclusive to shared and back", () => {
  test("writes nothing, and then treats rules of others as the new mode does", async () => {
    const resource = newDriven();
    const rules = [rule("a"), rule("b")];
    await resource.up(exclusive(rules, { description: "ours" }));
    const id = (await service.entrypoint(zoneId, phase))?.id ?? "";
    await service.addRule(scope, id, wire("x"));
    await resource.refresh();
    expect(await failureOf(resource.up(exclusive(rules, { description: "ours" })))).toContain('block "x"');
    const before = await there();
    const over = await resource.up(shared(rules));
    expect([over.action, over.requests]).toEqual(["update", []]);
    expect((await resource.up(shared(rules))).warnings).toEqual([]);
    await resource.settled(shared(rules));
    const back = await resource.up(exclusive(rules));
    expect([back.action, writes(back.requests)]).toEqual(["update", []]);
    expect(back.warnings.join()).toContain(`block [ref ${before.at(-1)?.ref ?? ""}, last changed `);
    expect(await there()).toEqual(before);
    expect(await failureOf(resource.up(exclusive([rule("a")])))).toContain('block "x"');
    expect(await there()).toEqual(before);
  });
});

describe("deleting", () => {
  test("deletes its own rules from the bottom up and keeps the ruleset", async () => {
    await existing(wire("x"));
    const resource = newDriven();
    await resource.up(shared([rule("a"), rule("b")]));
    expect(writes(await resource.destroy())).toEqual(["DELETE /rules/<id>", "DELETE /rules/<id>"]);
    expect(await names()).toEqual(["x"]);
  });

  test("is stopped by an edit of its own rule, not of someone else's", async () => {
    const ruleset = await existing(wire("x"));
    const resource = newDriven();
    await resource.up(shared([rule("a")]));
    const [x, a] = await there();
    await service.editRule(scope, ruleset.id, x?.id ?? "", wire("x", { enabled: false }));
    await service.editRule(scope, ruleset.id, a?.id ?? "", wire("a", { enabled: false }));
    expect(await failureOf(resource.destroy())).toContain("this delete would undo it");
    await resource.destroy({ onConflict: "overwrite" });
    expect(await names()).toEqual(["x"]);
  });

  test.each([
    [{ onDelete: "delete" }, "would remove the rules of others"],
    [{ onExisting: "replace" }, "would drop the rules of others"],
    [{ onExisting: "empty" }, "would drop the rules of others"],
    [{ description: "mine" }, "describes the whole ruleset"],
    [{ name: "mine" }, "names the whole ruleset"],
  ])("refuses %j", async (more, text) => {
    expect(await failureOf(newDriven().preview(shared([], more)))).toContain(text);
  });
});

describe("two resources of one program", () => {
  test("share an entry point, and a delete of one leaves the other", async () => {
    const one = newDriven("urn:one");
    const two = one.sibling("PhaseEntrypoint", "urn:two");
    await one.up(shared([rule("a")]));
    await one.settled(shared([rule("a")]));
    await two.up(shared([rule("b")]));
    await two.settled(shared([rule("b")]));
    await one.destroy();
    expect(await names()).toEqual(["b"]);
  });

  test("an exclusive one and a shared one are refused, and so is the same ref in both", async () => {
    const one = newDriven("urn:one");
    const two = one.sibling("PhaseEntrypoint", "urn:two");
    await one.plan(shared([rule("a", { ref: "r" })]), true);
    const three = one.sibling("PhaseEntrypoint", "urn:three");
    [two.session, three.session] = [one.session, one.session];
    const sameRef = await failureOf(three.plan(shared([rule("b", { ref: "r" })]), true));
    expect(sameRef).toMatch(/rules\[0\]: rule "r" in .* has two owners in this program: .* give them different refs/);
    expect(await failureOf(two.plan(exclusive([rule("b")]), true))).toContain("has two owners in this program");
  });

  test("a rename that adopts keeps the rules, and the delete of the old one leaves them", async () => {
    await existing(wire("x"));
    const old = newDriven("urn:old");
    await old.up(shared([rule("a"), rule("b")]));
    const before = await there();
    const now = old.sibling("PhaseEntrypoint", "urn:new");
    const wanted = shared([rule("a")], { onExisting: "adopt" });
    const ran = await now.up(wanted);
    expect(writes(ran.requests)).toEqual([]);
    if (old.kept === undefined) throw new Error("nothing is kept");
    await now.deleteOther(old.kept.id, old.kept.state);
    old.kept = undefined;
    expect((await there()).map(({ id }) => id)).toEqual(before.slice(0, 2).map(({ id }) => id));
    await now.refresh();
    await now.settled(wanted);
    await now.destroy();
    expect(await names()).toEqual(["x"]);
  });

  test.each([false, true])("a replacement keeps IDs and drops nothing (deleted first: %s)", async (deleteFirst) => {
    await existing(wire("x"));
    const resource = newDriven();
    await resource.up(shared([rule("a"), rule("b")], { onExisting: "adopt" }));
    const before = await there();
    await resource.replaceForced(shared([rule("a"), rule("b")], { onExisting: "adopt" }), { deleteFirst });
    expect(await there()).toEqual(before);
    await resource.settled(shared([rule("a"), rule("b")], { onExisting: "adopt" }));
    await resource.destroy();
    expect(await names()).toEqual(["x"]);
  });
});

test("a rule that somebody edited right after a lost write added it still belongs to the resource", async () => {
  const resource = newDriven();
  await resource.up(shared([rule("a")]));
  const run = resource.start();
  const { rulesets } = run.session.client;
  const find = rulesets.find.bind(rulesets);
  rulesets.find = async (...args) => {
    const added = (await there()).find(({ description }) => description === "b");
    if (added !== undefined)
      await service.editRule(scope, args[1], added.id, wire("b", { action: "managed_challenge" }));
    return find(...args);
  };
  await service.fault({ method: "POST", cut: "after" });
  expect(await failureOf(resource.apply(shared([rule("a"), rule("b")], { onExisting: "adopt" })))).toContain(
    "the response to the write",
  );
  expect(await failureOf(resource.up(shared([rule("a"), rule("b")], { onExisting: "adopt" })))).toContain(
    "was changed by somebody else",
  );
  await resource.refresh();
  await resource.up(shared([rule("a")]));
  expect(await names()).toEqual(["a"]);
  await resource.settled(shared([rule("a")]));
});

describe("a custom ruleset", () => {
  const custom = (rules: object[]) => ({
    zoneId,
    kind: "custom",
    name: "Shared",
    phase,
    ownership: "shared",
    rules,
  });

  test("is created by the first, joined by name by the second, and left by both", async () => {
    const one = newDriven("urn:one", "Ruleset");
    const two = newDriven("urn:two", "Ruleset");
    await one.up(custom([rule("a")]));
    await one.settled(custom([rule("a")]));
    await two.up(custom([rule("b")]));
    await two.settled(custom([rule("b")]));
    const list = (await service.list(scope)).filter(({ kind }) => kind === "custom");
    expect(list).toHaveLength(1);
    await one.destroy();
    await two.destroy();
    expect((await service.ruleset(scope, list[0]?.id ?? "")).rules).toEqual([]);
  });
});
