import type { Session } from "../../provider/engine/session.js";
import { runInTurn } from "../../provider/kinds/rulesets/write/stops.js";
import { isPlaced, writeRule, type RuleOp, type RuleWritten } from "../../provider/kinds/rulesets/write/rule-writes.js";
import type { Ruleset } from "../../core/model/ruleset.js";
import { clientFor } from "../support/client.js";
import type { Service } from "../support/emulator.js";
import { offlineSession } from "../support/offline.js";
import { startService } from "./harness.js";

/* Writes of one rule of a ruleset that is somebody else's as well. */

const phase = "http_request_firewall_custom";
const rule = (ref: string, expression = "ssl") => ({ ref, action: "block", expression }) as const;

describe("a write of one rule", () => {
  let service: Service;
  let scope: { level: "zones"; id: string };
  let session: Session;
  let before: Ruleset;
  let path: string;
  beforeEach(async () => {
    const started = await startService();
    ({ service } = started);
    scope = { level: "zones", id: started.zoneId };
    const client = clientFor(service.emulator.url);
    session = offlineSession({ client: () => client });
    const rules = [rule("a"), rule("b"), rule("c")];
    before = await client.rulesets.create(scope, { name: "default", kind: "zone", phase, rules });
    path = `/zones/${scope.id}/rulesets/${before.id}`;
    await service.forget();
  });
  const idOf = (ref: string): string => before.rules.find((each) => each.ref === ref)?.id ?? "";
  const write = (op: RuleOp): Promise<RuleWritten> =>
    runInTurn(session, scope, before.id, () => writeRule(session, { scope, where: "the phase" }, before, op));
  const refs = ({ rules }: { rules: readonly { ref: string }[] }): string => rules.map(({ ref }) => ref).join("");
  const there = async (): Promise<string> => refs(await service.ruleset(`zones/${scope.id}`, before.id));
  const methods = async (): Promise<string> =>
    (await service.requests()).map((request) => request.split(" ")[0]).join(" ");

  const changed = rule("b", "not ssl");
  const ops: Readonly<Record<string, () => RuleOp>> = {
    "an addition": () => ({ kind: "add", rule: rule("d"), position: { before: idOf("b") } }),
    "a change": () => ({ kind: "change", id: idOf("b"), rule: changed }),
    "a change in another place": () => ({ kind: "change", id: idOf("b"), rule: changed, position: { before: "" } }),
    "a new place under the same words": () => ({
      kind: "change",
      id: idOf("b"),
      rule: rule("b"),
      position: { after: "" },
    }),
    "a move": () => ({ kind: "move", id: idOf("c"), position: { index: 1 } }),
    "a deletion": () => ({ kind: "delete", id: idOf("b") }),
  };
  const results: Readonly<Record<string, string>> = {
    "an addition": "adbc",
    "a change": "abc",
    "a change in another place": "bac",
    "a new place under the same words": "acb",
    "a move": "cab",
    "a deletion": "ac",
  };
  const cases = Object.entries(results);
  const kept = Object.entries(results).filter(([name]) => name !== "a deletion");
  const method = (name: string): string => (name === "an addition" ? "POST" : "PATCH");

  test.each(cases)("%s is one request, and the next one starts from its response", async (name, result) => {
    const written = await write(ops[name]?.() as RuleOp);
    expect(await methods()).toMatch(/^(POST|PATCH|DELETE)$/);
    expect([refs(written.ruleset), await there(), written.overwritten]).toEqual([result, result, undefined]);
    expect(await session.reads.byId(scope, before.id)).toEqual(written.ruleset);
    expect(await methods()).toBe("");
  });

  test.each(kept)("%s whose response is lost is found by a read", async (name, result) => {
    await service.fault({ method: method(name), cut: "after" });
    expect(refs((await write(ops[name]?.() as RuleOp)).ruleset)).toBe(result);
    expect(await methods()).toBe(`${method(name)} GET`);
  });

  test.each(kept)("%s that never arrived is sent once more, whatever happened to other rules", async (name, result) => {
    const other = { method: "POST", path: `${path}/rules`, body: rule("x") };
    await service.fault({ method: method(name), cut: "before" });
    await service.fault({ method: "GET", meanwhile: [other] });
    expect(refs((await write(ops[name]?.() as RuleOp)).ruleset).replace("x", "")).toBe(result);
    expect(await there()).toContain("x");
  });

  test.each(kept)("%s is not sent again over someone else's change of this rule", async (name) => {
    const edit = { action: "log", expression: "true" };
    const other =
      name === "an addition"
        ? { method: "POST", path: `${path}/rules`, body: { ...edit, ref: "d" } }
        : { method: "PATCH", path: `${path}/rules/${idOf(name === "a move" ? "c" : "b")}`, body: edit };
    await service.fault({ method: method(name), cut: "before" });
    await service.fault({ method: "GET", meanwhile: [other] });
    await expect(write(ops[name]?.() as RuleOp)).rejects.toThrow(
      "the phase: the response to the write of a rule was lost, and the rule now has neither its previous content nor the content that was sent (version 2)",
    );
    expect(await methods()).toBe(`${method(name)} GET`);
  });

  test("a rule that someone else deleted is not found, and the ruleset is read again after that", async () => {
    await service.fault({ method: "PATCH", meanwhile: [{ method: "DELETE", path: `${path}/rules/${idOf("b")}` }] });
    await expect(write({ kind: "change", id: idOf("b"), rule: changed })).rejects.toMatchObject({
      code: "API_NOT_FOUND",
    });
    await methods();
    expect(refs((await session.reads.byId(scope, before.id)) ?? before)).toBe("ac");
    expect(await methods()).toBe("GET");
  });

  test("a deletion of a rule that someone else deleted, or its ruleset, succeeds", async () => {
    await service.fault({ method: "DELETE", meanwhile: [{ method: "DELETE", path: `${path}/rules/${idOf("b")}` }] });
    expect(refs((await write({ kind: "delete", id: idOf("b") })).ruleset)).toBe("ac");
    await service.fault({ method: "DELETE", meanwhile: [{ method: "DELETE", path }] });
    expect(refs((await write({ kind: "delete", id: idOf("b") })).ruleset)).toBe("ac");
    expect(await service.list(`zones/${scope.id}`)).not.toContainEqual(expect.objectContaining({ id: before.id }));
  });

  test.each([
    ["without a ruleset", 204, ""],
    ["with an empty one", 200, { success: true, errors: [], messages: [], result: {} }],
  ])("a deletion answered %s is followed by a read", async (_, status, body) => {
    await service.fault({ method: "DELETE", body, status });
    expect(refs((await write({ kind: "delete", id: idOf("b") })).ruleset)).toBe("abc");
    expect(await methods()).toBe("DELETE GET");
  });

  test("a move that someone else already made succeeds", async () => {
    const moved = { method: "PATCH", path: `${path}/rules/${idOf("c")}`, body: { position: { index: 1 } } };
    await service.fault({ method: "PATCH", meanwhile: [moved] });
    expect(refs((await write({ kind: "move", id: idOf("c"), position: { index: 1 } })).ruleset)).toBe("cab");
  });

  const edit = (ref: string) => ({
    method: "PATCH",
    path: `${path}/rules/${idOf(ref)}`,
    body: { action: "log", expression: "true" },
  });
  test.each(["a change", "a deletion"])("%s reports someone else's change of the rule since the read", async (name) => {
    await service.fault({ method: name === "a change" ? "PATCH" : "DELETE", meanwhile: [edit("a"), edit("b")] });
    const { overwritten } = await write(ops[name]?.() as RuleOp);
    expect(overwritten).toMatchObject({ kind: "undone", version: "3" });
    expect(overwritten?.kind === "undone" ? overwritten.conflict.edited : []).toMatchObject([
      { ref: "b", rule: { action: "log", expression: "true" }, fields: ["action", "expression"] },
    ]);
  });

  test.each(kept)("%s reverts nothing where others changed other rules, and makes no request for it", async (name) => {
    await service.fault({ method: method(name), meanwhile: [edit("a")] });
    const written = await write(ops[name]?.() as RuleOp);
    expect(written.overwritten).toBeUndefined();
    expect(written.ruleset.rules.find(({ ref }) => ref === "a")?.action).toBe("log");
    expect(await methods()).toBe(method(name));
  });

  test("a version that cannot be read is reported", async () => {
    await service.fault({ method: "DELETE", meanwhile: [edit("b")] });
    await service.fault({ method: "GET", path: "*/versions/*", status: 500 });
    expect((await write(ops["a deletion"]?.() as RuleOp)).overwritten).toMatchObject({ kind: "unread", version: "2" });
  });

  test("writes of one ruleset run one after another", async () => {
    const add = (ref: string) =>
      runInTurn(session, scope, before.id, async () => {
        const now = await session.reads.byId(scope, before.id);
        return writeRule(session, { scope, where: "the phase" }, now ?? before, { kind: "add", rule: rule(ref) });
      });
    await Promise.all([add("d"), add("e"), add("f")]);
    expect(await there()).toBe("abcdef");
    expect(await methods()).toBe("GET POST POST POST");
  });
});

test.each([
  [{ before: "" }, "a"],
  [{ after: "" }, "c"],
  [{ before: "c" }, "b"],
  [{ after: "a" }, "b"],
  [{ index: 3 }, "c"],
])("%j is the position of %s alone", (position, id) => {
  const rules = ["a", "b", "c"].map((each) => ({ id: each }));
  expect(rules.filter((each) => isPlaced(rules, each.id, position)).map((each) => each.id)).toEqual([id]);
});
