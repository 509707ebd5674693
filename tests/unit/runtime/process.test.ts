import { ProviderProcess } from "../../../provider/border/process.js";

describe("a call about a resource", () => {
  for (const outcome of ["succeeds", "fails"] as const)
    test(`ends when its messages have arrived, also when it ${outcome}`, async () => {
      let arrive = (): void => undefined;
      const arrived = new Promise<void>((resolve) => (arrive = resolve));
      const nothing = (): void => undefined;
      const process = new ProviderProcess({}, undefined, {
        reporter: { info: nothing, warn: nothing, status: nothing, delivered: () => arrived },
      });
      process.session();
      const events: string[] = [];
      const call = process
        .serve("urn:a", () => (outcome === "succeeds" ? Promise.resolve() : Promise.reject(new Error("refused"))))
        .catch(nothing)
        .then(() => events.push("ended"));
      await new Promise((resolve) => setImmediate(resolve));
      events.push("arrived");
      arrive();
      await call;
      expect(events).toEqual(["arrived", "ended"]);
    });
});
