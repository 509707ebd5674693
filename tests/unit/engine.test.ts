import { Owners } from "../../provider/engine/owners.js";
import { claim, claimParts, reasonToKeep } from "../../provider/engine/claims.js";
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
