import { Owners } from "../../provider/engine/owners.js";
import { claim, claimParts, reasonToKeep } from "../../provider/engine/claims.js";
import { Session } from "../../provider/engine/session.js";
import { Reads } from "../../provider/engine/reads.js";
import { WriteQueue } from "../../provider/engine/write-queue.js";
import type { RulesetsClient } from "../../provider/client/index.js";

test("writes to one object run in order, also after a failure; other writes run concurrently", async () => {
  const queue = new WriteQueue();
  const log: string[] = [];
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const first = queue.run("a", async () => {
    log.push("first starts");
    await gate;
    log.push("first ends");
    throw new Error("no");
  });
  const second = queue.run("a", () => Promise.resolve(log.push("second")));
  await queue.run("b", () => Promise.resolve(log.push("other")));
  release();
  await expect(first).rejects.toThrow("no");
  await second;
  expect(log).toEqual(["first starts", "other", "first ends", "second"]);
});

test("owners are known for each object", () => {
  const owners = new Owners();
  expect(owners.claim("k", "a")).toBeUndefined();
  expect(owners.claim("k", "a")).toBeUndefined();
  expect(owners.claim("k", "b")).toBe("a");
  expect(owners.otherClaimant("k", "a")).toBe("b");
  expect(owners.otherClaimant("other", "a")).toBeUndefined();
  expect([owners.claimantOf("k", "a"), owners.claimantOf("k", "b"), owners.claimantOf("other", "a")]).toEqual([
    "b",
    "a",
    undefined,
  ]);
  owners.claim("own", "a");
  expect([owners.claimantOf("own", "a"), owners.otherClaimant("own", "a")]).toEqual(["a", undefined]);
});

describe("owners of a whole object and owners of its parts", () => {
  const newSession = () =>
    new Session({
      client: () => {
        throw new Error("no request is expected");
      },
      reporter: { info: () => undefined, warn: () => undefined, status: () => undefined },
    });

  test("owners of parts tolerate each other, but not an owner of the whole", () => {
    const session = newSession();
    expect([claimParts(session, "a", ["k"]), claimParts(session, "b", ["k"])]).toEqual([undefined, undefined]);
    expect(claim(session, "whole", ["k"])).toBe("a");
    expect(claimParts(session, "c", ["k"])).toBe("whole");
  });
  test("a delete of the whole is not sent while a part has an owner", () => {
    const session = newSession();
    claimParts(session, "a", ["k"]);
    expect(reasonToKeep(session, ["k"], "whole")).toBe("a manages it now");
    expect(reasonToKeep(session, ["other"], "whole")).toBeUndefined();
  });
});

describe("reads", () => {
  const scope = { level: "zones", id: "z" } as const;
  const ruleset = { id: "r", name: "n", kind: "zone", phase: "p", version: "1", description: "", rules: [] };
  const setUp = () => {
    const asked: string[] = [];
    let time = 0;
    let fails = false;
    const answer = <T>(what: string, value: T): Promise<T> => {
      asked.push(what);
      return fails ? Promise.reject(new Error("down")) : Promise.resolve(value);
    };
    // A minimal client; the lifecycle tests use the real one.
    const client = {
      list: () => answer("list", [ruleset]),
      find: () => answer("get", ruleset),
      findEntrypoint: () => answer("entrypoint", ruleset),
    } as unknown as RulesetsClient;
    const reads = new Reads(() => client, { now: () => time });
    return { asked, reads, later: (ms: number) => (time += ms), fail: (value: boolean) => (fails = value) };
  };

  test("are reused for thirty seconds", async () => {
    const { asked, reads, later } = setUp();
    await reads.byId(scope, "r");
    later(29_999);
    await reads.byId(scope, "r");
    expect(asked).toEqual(["get"]);
    later(2);
    await reads.byId(scope, "r");
    expect(asked).toEqual(["get", "get"]);
  });
  test("age from the time of the response, and are shared until it arrives", async () => {
    const { asked, reads, later } = setUp();
    const slow = reads.list(scope);
    later(120_000);
    const shared = reads.list(scope);
    await Promise.all([slow, shared]);
    later(29_999);
    await reads.list(scope);
    expect(asked).toEqual(["list"]);
  });
  test("of a list are reused for ten minutes by a refresh, and for the whole run as a hint", async () => {
    const { asked, reads, later } = setUp();
    await reads.listOfRefresh(scope);
    later(599_999);
    await reads.listOfRefresh(scope);
    later(600_000);
    await reads.listOfRun(scope);
    expect(asked).toEqual(["list"]);
    await reads.listOfRefresh(scope);
    expect(asked).toEqual(["list", "list"]);
  });
  test("are shared by concurrent callers", async () => {
    const { asked, reads } = setUp();
    await Promise.all([reads.list(scope), reads.list(scope), reads.list(scope)]);
    expect(asked).toEqual(["list"]);
  });
  test("are repeated after a failure", async () => {
    const { asked, reads, fail } = setUp();
    fail(true);
    await expect(reads.list(scope)).rejects.toThrow("down");
    fail(false);
    await reads.list(scope);
    expect(asked).toEqual(["list", "list"]);
  });
  test("are updated by writes, in the list too", async () => {
    const { asked, reads } = setUp();
    await reads.list(scope);
    reads.store(scope, { ...ruleset, id: "new", phase: "q" });
    expect((await reads.list(scope)).map(({ id }) => id)).toEqual(["r", "new"]);
    expect((await reads.entrypoint(scope, "q"))?.id).toBe("new");
    expect(asked).toEqual(["list"]);
    reads.forget(scope, "q", "new");
    await reads.list(scope);
    expect(asked).toEqual(["list", "list"]);
  });
});
