import { targetOf } from "../../../provider/kinds/rulesets/desired.js";
import type { Ledger } from "../../../provider/kinds/rulesets/ledger.js";
import { releaseToSuccessor, ledgerOf } from "../../../provider/kinds/rulesets/ledgers.js";
import type { ReadStack, StackResource } from "../../../provider/engine/predecessors.js";
import { Session } from "../../../provider/engine/session.js";

const silent = { info: () => undefined, warn: () => undefined, status: () => undefined };
const client = (): never => {
  throw new Error("nothing is asked of the service");
};
const started = (readStack: ReadStack): Session => {
  const session = new Session({ client, reporter: silent, readStack });
  session.predecessors.setAddress({ monitor: "none", name: "o/p/s" });
  return session;
};
const holder = (type: string, urn: string | undefined, rulesetId: string, more: object = {}): StackResource => ({
  type,
  state: { rulesetId, ...(urn === undefined ? {} : { __urn: urn }), ...more },
});

/** Who owns the rules of a ruleset, as the state of the stack says. */
const read = (session: Session, rulesetId: string): Promise<Ledger> =>
  ledgerOf(session, { target: targetOf({ zoneId: "z", phase: "http_ratelimit", kind: "custom" }) }, rulesetId);

const previousHolder = async (session: Session, rulesetId: string) =>
  (await read(session, rulesetId)).previousHolder([]);

describe("the resource of this stack that managed a ruleset before", () => {
  test("is read from the state once; an owner takes precedence, and a reader does not count", async () => {
    let asked = 0;
    const session = started(() => {
      asked += 1;
      return Promise.resolve([
        holder("PhaseEntrypoint", "taken", "r", { __takenOver: true }),
        holder("Ruleset", "owner", "r", { kind: "zone" }),
        holder("PhaseEntrypoint", "taken", "s", { __takenOver: true }),
        holder("PhaseEntrypoint", undefined, "read"),
        holder("ZoneWafMigration", "migration", "migrated"),
      ]);
    });
    const found = await Promise.all(["r", "s", "read", "migrated"].map((id) => previousHolder(session, id)));
    expect(found).toEqual([{ urn: "owner", owned: true }, { urn: "taken", owned: false }, undefined, undefined]);
    expect(asked).toBe(1);
  });

  test("is recorded by a delete that comes first", async () => {
    const session = started(() => Promise.resolve([]));
    releaseToSuccessor(session, "PhaseEntrypoint", { rulesetId: "r", __urn: "one" });
    releaseToSuccessor(session, "Ruleset", { rulesetId: "s", __urn: "two", kind: "zone", __takenOver: true });
    expect(await previousHolder(session, "r")).toEqual({ urn: "one", owned: true });
    expect(await previousHolder(session, "s")).toEqual({ urn: "two", owned: false });
  });

  test("is unknown where the state cannot be read", async () => {
    expect(
      await previousHolder(
        started(() => Promise.reject(new Error("no"))),
        "r",
      ),
    ).toBeUndefined();
  });
});
const NEW = { urn: "new" };

test("a rule that a resource released in a ruleset to which it came back still belongs to the stack", async () => {
  const left = { id: "rule", ref: "r", version: "1", to: "two", rulesetId: "r" };
  const own = { ruleIds: { a: "other" }, deployedRules: [], __released: [left] };
  const session = started(() => Promise.resolve([holder("PhaseEntrypoint", "one", "r", own)]));
  const ledger = await read(session, "r");
  expect(ledger.ownerOf({ id: "rule", ref: "r" }, NEW)).toEqual({ kind: "released", by: "one", rule: left });
  expect(ledger.isUnchanged({ id: "rule", version: "1" })).toBe(true);
});

test("the resource that managed a rule is found without going through every rule of it again", async () => {
  const ids = Array.from({ length: 300 }, (_, index) => `id-${String(index)}`);
  const state = {
    ruleIds: Object.fromEntries(ids.map((id) => [`ref-${id}`, id])),
    deployedRules: ids.map((id) => ({ id, ref: `ref-${id}`, version: "1" })),
    __released: [{ id: "given", ref: "given", version: "2", to: "gone" }],
  };
  const session = started(() => Promise.resolve([holder("PhaseEntrypoint", "list", "r", state)]));
  const lists = [jest.spyOn(Object, "values"), jest.spyOn(Object, "entries")];
  const found = await Promise.all(
    ids.map(async (id) => {
      const ledger = await read(session, "r");
      return [ledger.ownerOf({ id, ref: `ref-${id}` }, NEW), ledger.isUnchanged({ id, version: "1" })];
    }),
  );
  const calls = lists.reduce((count, { mock }) => count + mock.calls.length, 0);
  for (const list of lists) list.mockRestore();
  expect(new Set(found.map((each) => JSON.stringify(each)))).toEqual(
    new Set([JSON.stringify([{ kind: "other", urn: "list", standing: "recorded" }, true])]),
  );
  expect(calls).toBeLessThan(10);
  const given = { id: "given", ref: "given" };
  const ledger = await read(session, "r");
  expect(ledger.ownerOf(given, NEW)).toMatchObject({ kind: "released", by: "list" });
  expect(ledger.isUnchanged({ id: "given", version: "1" })).toBe(false);
  expect((await read(session, "other")).ownerOf(given, NEW)).toEqual({ kind: "foreign" });
});

describe("rules of other resources that nobody has changed", () => {
  const deployed = (id: string, version: string) => ({ id, ref: `ref-${id}`, version, action: "block" });

  test("have the version that a state last recorded", async () => {
    const ids = { one: "one", two: "two" };
    const state = { ruleIds: ids, deployedRules: [deployed("one", "1"), deployed("two", "1"), deployed("other", "1")] };
    const given = { id: "two", ref: "ref-two", version: "2", to: "urn" };
    const session = started(() =>
      Promise.resolve([
        holder("PhaseEntrypoint", "list", "r", state),
        holder("RulesetRule", "single", "r", { ruleId: "three", version: "3" }),
        holder("Ruleset", "giver", "s", { ...state, ruleIds: { one: "one" }, __released: [given] }),
      ]),
    );
    const unchanged = async (id: string, rules: readonly ReturnType<typeof deployed>[], urn = "new") => {
      const ledger = await read(session, id);
      const found = rules.filter((rule) => ledger.isInherited(rule, { urn }) && ledger.isUnchanged(rule));
      return found.map((rule) => rule.id);
    };
    const now = [deployed("one", "1"), deployed("two", "2"), deployed("three", "3"), deployed("other", "1")];
    expect(await unchanged("r", now)).toEqual(["one", "three"]);
    expect(await unchanged("r", [{ ...deployed("one", ""), version: "" }])).toEqual([]);
    // What a resource released counts with the version that it had then, also for the resource itself.
    expect(await unchanged("s", now)).toEqual(["one", "two"]);
    expect(await unchanged("s", now, "giver")).toEqual(["two"]);
  });

  test("are looked up, so the work grows with the number of rules, not of pairs", async () => {
    const count = 500;
    let reads = 0;
    const names = Array.from({ length: count }, (_, index) => `id-${String(index)}`);
    const infos = names.map((id) =>
      Object.defineProperty(deployed("", "1"), "id", {
        get: () => {
          reads += 1;
          return id;
        },
      }),
    );
    const state = { ruleIds: Object.fromEntries(names.map((id) => [id, id])), deployedRules: infos };
    const session = started(() => Promise.resolve([holder("PhaseEntrypoint", "list", "r", state)]));
    const rules = names.map((id) => deployed(id, "1"));
    const ledger = await read(session, "r");
    expect(rules.filter((rule) => ledger.isInherited(rule, NEW) && ledger.isUnchanged(rule))).toHaveLength(count);
    expect(reads).toBeLessThanOrEqual(5 * count);
  });
});
