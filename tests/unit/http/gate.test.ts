import { Gate } from "../../../provider/http/gate.js";

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
