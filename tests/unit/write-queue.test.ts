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
