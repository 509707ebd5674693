import { claim, claimParts, Claims, reasonToKeep } from "../../provider/engine/claims.js";
import { Session } from "../../provider/engine/session.js";
import { WriteQueue } from "../../provider/engine/write-queue.js";

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

test("claimants are known for each object", () => {
  const claims = new Claims();
  claims.add(["k"], "a");
  claims.add(["k"], "a");
  expect(claims.other(["k"], "a")).toBeUndefined();
  claims.add(["k"], "b");
  expect([claims.other(["k"], "a"), claims.other(["k"], "b"), claims.other(["none", "k"], "b")]).toEqual([
    "b",
    "a",
    "a",
  ]);
  expect(claims.other(["other"], "a")).toBeUndefined();
  expect([claims.has(["k"], "a"), claims.has(["k"], "c"), claims.has(["other"], "a")]).toEqual([true, false, false]);
  expect(claims.has(["k"], undefined)).toBe(false);
  claims.add(["own"], "a");
  expect([claims.has(["own"], "a"), claims.other(["own"], "a")]).toEqual([true, undefined]);
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
    claim(session, "own", ["again"]);
    expect(reasonToKeep(session, ["again"], "own")).toBe("this run creates it again");
  });
});
