import { findRulesetPredecessor, recordPredecessor } from "../../../provider/kinds/ruleset/predecessor.js";
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
    const found = await Promise.all(["r", "s", "read", "migrated"].map((id) => findRulesetPredecessor(session, id)));
    expect(found).toEqual([{ urn: "owner", owned: true }, { urn: "taken", owned: false }, undefined, undefined]);
    expect(asked).toBe(1);
  });

  test("is recorded by a delete that comes first", async () => {
    const session = started(() => Promise.resolve([]));
    recordPredecessor(session, { rulesetId: "r", __urn: "one" } as never);
    recordPredecessor(session, { rulesetId: "s", __urn: "two", kind: "zone", __takenOver: true } as never);
    expect(await findRulesetPredecessor(session, "r")).toEqual({ urn: "one", owned: true });
    expect(await findRulesetPredecessor(session, "s")).toEqual({ urn: "two", owned: false });
  });

  test("is unknown where the state cannot be read", async () => {
    expect(
      await findRulesetPredecessor(
        started(() => Promise.reject(new Error("no"))),
        "r",
      ),
    ).toBeUndefined();
  });
});
