import { Gate } from "../../../client/http/gate.js";

const later = () => {
  let settle: (value: string) => void = () => undefined;
  const promise = new Promise<string>((resolve) => (settle = resolve));
  return {
    promise,
    settle: (value: string) => {
      settle(value);
    },
  };
};
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("lets requests and their failures through", async () => {
  const gate = new Gate();
  expect(await gate.pass(() => Promise.resolve("a"))).toBe("a");
  await expect(gate.pass(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
});

test("when closed lets no request begin, and resolves after the last response", async () => {
  const gate = new Gate();
  const [one, two] = [later(), later()];
  const answers: string[] = [];
  void gate.pass(() => one.promise).then((answer) => answers.push(answer));
  void gate.pass(() => two.promise).then((answer) => answers.push(answer));
  void gate.close().then(() => answers.push("closed"));
  let begun = false;
  void gate.pass(() => Promise.resolve((begun = true)));
  one.settle("one");
  await turn();
  expect(answers).toEqual(["one"]);
  two.settle("two");
  await turn();
  expect([answers.toSorted(), begun]).toEqual([["closed", "one", "two"], false]);
});

test("resolves immediately when nothing is under way", async () => {
  await expect(new Gate().close()).resolves.toBeUndefined();
});

describe("a cancelled run", () => {
  test("ends its waits at once, refuses requests, and gets the responses to those under way", async () => {
    const gate = new Gate({ clock: { now: () => 0, sleep: () => new Promise(() => undefined) } });
    const [request, turnInQueue] = [later(), later()];
    const waits = [gate.sleep(60_000), gate.untilCancelled(turnInQueue.promise)];
    const sent = gate.pass(() => request.promise, true);
    const ended = gate.cancel().then(() => "ended");
    for (const wait of waits) await expect(wait).rejects.toMatchObject({ code: "RUN_CANCELLED" });
    await expect(gate.pass(() => Promise.resolve("late"))).rejects.toMatchObject({ code: "RUN_CANCELLED" });
    await expect(gate.sleep(1)).rejects.toMatchObject({ code: "RUN_CANCELLED" });
    request.settle("response");
    expect([await sent, await ended]).toEqual(["response", "ended"]);
  });
});

describe("a call with a deadline", () => {
  const start = (at: number) => {
    const slept: number[] = [];
    let time = 0;
    const clock = {
      now: () => time,
      sleep: (ms: number) => {
        slept.push(ms);
        time += ms;
        return Promise.resolve();
      },
    };
    return { gate: new Gate({ clock, deadline: () => ({ at, words: "the update timeout of 5 s" }) }), slept };
  };

  test("waits until then and no longer, sends no further write, and may still read", async () => {
    const { gate, slept } = start(5000);
    await gate.sleep(4000);
    expect(await gate.pass(() => Promise.resolve("sent"), true)).toBe("sent");
    await expect(gate.sleep(4000)).rejects.toThrow("the update timeout of 5 s is over, so no further write was sent.");
    expect(slept).toEqual([4000, 1000]);
    await expect(gate.pass(() => Promise.resolve("late"), true)).rejects.toMatchObject({ code: "OPERATION_TIMED_OUT" });
    expect(await gate.pass(() => Promise.resolve("read"))).toBe("read");
  });
});
